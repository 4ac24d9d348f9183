/** Posts whose searchable texts changed without a change row, for the job that indexes them. */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';

/** Pending posts. */
export const pendingSearchDue: DueWork = { waiting: 'SELECT FROM search_pending WHERE tenant_id = $1' };

/** Notes posts that the index of the search has to read again. */
export async function notePendingSearch(tx: TenantTx, postIds: readonly number[]): Promise<void> {
  if (postIds.length === 0) return;
  await tx.send(
    `INSERT INTO search_pending (tenant_id, post_id)
     SELECT a.tenant_id, n.id FROM tenant_versions a, unnest($2::bigint[]) AS n (id) WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, [...new Set(postIds)].sort((a, b) => a - b)],
  );
}

/** Takes noted posts. @returns their ids */
export async function takePendingSearch(tx: TenantTx, limit: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `WITH taken AS MATERIALIZED (
       SELECT post_id FROM search_pending WHERE tenant_id = $1 ORDER BY post_id LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM search_pending n USING taken t WHERE n.tenant_id = $1 AND n.post_id = t.post_id
     RETURNING n.post_id AS id`,
    [tx.tenantId, limit],
  );
  return rows.map(({ id }) => id);
}
