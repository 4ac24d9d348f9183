/** Reads of statements, by EXPLAIN (ANALYZE, BUFFERS). */
import type { PlanNode } from '@portico/server/testing';
import type pg from 'pg';
import type { Statement } from './recorder.ts';

/** An explained statement of a request. */
export interface ExplainedStatement {
  readonly text: string;
  /** The plan as PostgreSQL writes it. */
  readonly plan: string;
  /** Rows that scans touched: returned, or read and discarded. */
  readonly rows: number;
  /** Pages of 8 KiB. */
  readonly hit: number;
  readonly read: number;
  /** Large tables with a full scan. */
  readonly sequential: readonly string[];
  readonly milliseconds: number;
}

/** Tables that grow with posts and comments. */
const LARGE = new Set([
  'posts',
  'post_values',
  'post_texts',
  'post_search',
  'post_grants',
  'post_user_state',
  'comments',
  'changes',
]);

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

/**
 * Explains each statement as it was sent.
 * @param client scoped to the tenant
 */
export async function explainStatements(
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<ExplainedStatement[]> {
  const explained: ExplainedStatement[] = [];
  for (const { text, values } of statements) {
    if (!/^\s*(SELECT|WITH)\b/i.test(text) || /\b(INSERT|UPDATE|DELETE|FOR (UPDATE|SHARE))\b/.test(text)) continue;
    const ask = async (options: string) =>
      (
        await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (ANALYZE, BUFFERS${options}) ${text}`, [
          ...(values ?? []),
        ])
      ).rows.map((row) => row['QUERY PLAN']);
    const [json] = (await ask(', FORMAT JSON')) as [[{ Plan: PlanNode; 'Execution Time': number }]];
    const lines = await ask('');
    const root = json[0].Plan;
    const scans = [...nodesOf(root)].filter((node) => node['Relation Name'] && node['Actual Loops'] > 0);
    const each = (node: PlanNode) =>
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    explained.push({
      text,
      plan: lines.join('\n'),
      rows: Math.round(scans.reduce((sum, node) => sum + each(node) * node['Actual Loops'], 0)),
      hit: root['Shared Hit Blocks'] ?? 0,
      read: root['Shared Read Blocks'] ?? 0,
      sequential: [
        ...new Set(
          scans
            .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE.has(node['Relation Name'] ?? ''))
            .map((node) => node['Relation Name'] as string),
        ),
      ],
      milliseconds: json[0]['Execution Time'],
    });
  }
  return explained;
}
