/** Plans as EXPLAIN tells them: as nodes, and as text that does not differ from run to run. */

/** A node of EXPLAIN (FORMAT JSON). */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Lines that say how PostgreSQL went about it, and differ from run to run. */
const NOISE =
  /^\s*(?:(?:Index Searches|Storage|Heap Fetches|Heap Blocks|Sort Method|Full-sort Groups|Pre-sorted Groups|Batches|Buckets):|One-Time Filter: \(\(current_setting)/;

/** Returns a plan without noise and without nodes that never ran. */
export function shorten(lines: readonly string[]): string {
  const kept: string[] = [];
  let skipped = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const depth = line.search(/\S/);
    if (depth > skipped) continue;
    skipped = line.includes('(never executed)') ? depth : Number.POSITIVE_INFINITY;
    if (skipped === Number.POSITIVE_INFINITY && !NOISE.test(line)) kept.push(line);
  }
  return kept.join('\n');
}
