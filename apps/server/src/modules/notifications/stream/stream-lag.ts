/** Lag of the numbering of one tenant's changes. */
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../../columns.ts';

const changes = sqlColumns('changes');

/** Upper bound of the count: a lag of this size says enough, and the query must stay cheap. */
const MAX_COUNTED = 10_000;

/**
 * Reads the index of rows that have no number yet, which is almost empty.
 * @returns the number of rows (at most {@link MAX_COUNTED}) and the creation time of the oldest, in
 *   epoch milliseconds
 */
export async function readStreamLag(db: TenantDb): Promise<{ pending: number; oldestAt: number | null }> {
  const [row] = await db.query<{ pending: number; oldestAt: number | null }>(
    `SELECT count(*) AS pending, min(${changes.at}) AS "oldestAt"
       FROM (SELECT ${changes.at} FROM changes WHERE tenant_id = $1 AND ${changes.seq} IS NULL ORDER BY ${changes.id} LIMIT ${MAX_COUNTED}) first`,
    [db.tenantId],
  );
  return row ?? { pending: 0, oldestAt: null };
}
