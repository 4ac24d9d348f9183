/** Rows and pages that the plans of lists touch. */
import type { PlanNode } from '../../../../../test/support/plans.ts';

/** Returns a parameter as SQL. */
export function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  if (typeof value === 'number') return String(value);
  return `'${String(value).replaceAll("'", "''")}'`;
}

/** The cost of a plan. */
export interface Cost {
  /** Rows that scans touched, by table. */
  rows: Map<string, number>;
  /** Rows that scans touched and rejected, by table. */
  refused: Map<string, number>;
  sequential: string[];
  /** Rows that scans touched, and scans that found nothing. */
  touched: number;
}

/** Adds up the cost of a plan. */
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
