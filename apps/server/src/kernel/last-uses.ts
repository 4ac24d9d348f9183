/** Recording when rows were last used, in batches after the answers were sent. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';

/**
 * SQL of the rows of a table that were used, as `(id, at, before)`: the id, the time of the use, and how old the recorded use
 * must at least be for the new one to be written. Locked rows are left out until the next time: no request waits for this.
 * The statement's parameters are {@link lastUseParameters}.
 */
export function usedRowsSql(table: string): string {
  return `(SELECT free.id, a.at, a.before FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[]) AS a(id, at, before)
             JOIN (SELECT id FROM ${table}
                    WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) FOR NO KEY UPDATE SKIP LOCKED) free ON free.id = a.id)`;
}

/**
 * Parameters of a statement with {@link usedRowsSql}.
 * @param uses by id, the time of the last use in epoch milliseconds
 * @param intervalMs uses that are closer together are one
 */
export function lastUseParameters(
  db: TenantExecutor,
  uses: ReadonlyMap<number, number>,
  intervalMs: number,
): readonly unknown[] {
  // Ordered by id, so that two batches lock rows in the same order.
  const entries = [...uses].sort(([a], [b]) => a - b);
  return [
    db.tenantId,
    entries.map(([id]) => id),
    entries.map(([, at]) => new Date(at)),
    entries.map(([, at]) => new Date(at - intervalMs)),
  ];
}
