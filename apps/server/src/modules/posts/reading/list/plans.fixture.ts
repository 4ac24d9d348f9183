/** Plans of statements as PostgreSQL tells them: what they touched, and as text that does not differ from run to run. */

/** A parameter as SQL. */
export function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  if (typeof value === 'number') return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

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

/** What a plan did. */
export interface Cost {
  /** Rows that scans touched, by table. */
  rows: Map<string, number>;
  /** Rows that scans touched in vain, by table. */
  refused: Map<string, number>;
  sequential: string[];
  /** Rows that scans touched, and scans that found nothing. */
  touched: number;
}

/** Sums a plan up. */
export function costOf(
  node: PlanNode,
  cost: Cost = { rows: new Map(), refused: new Map(), sequential: [], touched: 0 },
): Cost {
  const table = node['Relation Name'];
  if (table) {
    const vain = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const add = (sums: Map<string, number>, each: number) =>
      sums.set(table, (sums.get(table) ?? 0) + Math.round(each * node['Actual Loops']));
    add(cost.rows, node['Actual Rows'] + vain);
    add(cost.refused, vain);
    cost.touched += Math.max(1, node['Actual Rows'] + vain) * node['Actual Loops'];
    if (node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0) cost.sequential.push(table);
  }
  for (const child of node.Plans ?? []) costOf(child, cost);
  return cost;
}

/** Lines that say how PostgreSQL went about it, and differ from run to run. */
const NOISE =
  /^\s*(?:(?:Index Searches|Storage|Heap Fetches|Heap Blocks|Sort Method|Full-sort Groups|Pre-sorted Groups|Batches|Buckets):|One-Time Filter: \(\(current_setting)/;

/** A plan without noise and without what was never executed. */
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
