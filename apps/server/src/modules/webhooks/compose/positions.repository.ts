/** Positions of webhooks in the stream: the cursor of the tenant, and positions of webhooks that are behind. */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { versionSql } from '../../../kernel/tenant-versions.ts';
import { sqlColumns } from '../../columns.ts';
import { activeSql } from '../webhooks.repository.ts';

const s = sqlColumns('stream_state', 's');

/** SQL of a boolean: the access rules of the tenant, `v`, changed since the webhook `w` was told of lost posts. */
const accessChangedSql = `(w.access_version IS DISTINCT FROM ${versionSql('access_version')})`;

/** Changes that are to be composed, and changes of access rules. */
export const compositionDue: DueWork = {
  waiting: `SELECT FROM stream_state s JOIN tenant_versions v ON v.tenant_id = s.tenant_id WHERE s.tenant_id = $1 AND EXISTS (
    SELECT FROM webhooks w LEFT JOIN webhook_cursors c ON c.tenant_id = w.tenant_id
     WHERE w.tenant_id = $1 AND (coalesce(w.position, c.seq, 0) < ${s.last_seq} OR ${accessChangedSql}) AND ${activeSql})`,
};

/**
 * Returns whether a webhook lacks changes that can be composed for it now, or the access rules changed.
 * @param most waiting messages of a webhook with which it gets no more
 */
export async function isBehind(db: TenantExecutor, lastSeq: number, most: number): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM webhooks w JOIN tenant_versions v ON v.tenant_id = w.tenant_id
        LEFT JOIN webhook_cursors c ON c.tenant_id = w.tenant_id
      WHERE w.tenant_id = $1 AND (coalesce(w.position, c.seq, 0) < $2 OR ${accessChangedSql})
        AND ((w.position IS NULL AND coalesce(c.seq, 0) < $2) OR (${activeSql} AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.state = 'waiting' OFFSET ${most - 1}))) LIMIT 1`,
    [db.tenantId, lastSeq],
  );
  return rows.length > 0;
}

/** Locks the composition of a tenant. @returns the number of the last composed change; undefined before the first */
export async function lockCursor(tx: TenantTx): Promise<number | undefined> {
  await tx.send(
    `INSERT INTO webhook_cursors (tenant_id, seq) SELECT s.tenant_id, -1 FROM stream_state s WHERE s.tenant_id = $1
     ON CONFLICT (tenant_id) DO NOTHING`,
    [tx.tenantId],
  );
  const [row] = await tx.query<{ seq: number }>('SELECT seq FROM webhook_cursors WHERE tenant_id = $1 FOR UPDATE', [
    tx.tenantId,
  ]);
  return row && row.seq >= 0 ? row.seq : undefined;
}

/** Sets the number of the last composed change. */
export async function moveCursor(tx: TenantTx, seq: number): Promise<void> {
  await tx.send('UPDATE webhook_cursors SET seq = $2 WHERE tenant_id = $1', [tx.tenantId, seq]);
}

/** Sets the positions of webhooks. @param position null: they follow the cursor */
export async function movePositions(
  db: TenantExecutor,
  ids: readonly number[],
  position: number | null,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute('UPDATE webhooks SET position = $3 WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [
    db.tenantId,
    ids,
    position,
  ]);
}

/** Counts the waiting messages of webhooks. @param most count of each at which counting ends */
export async function countWaiting(
  tx: TenantTx,
  ids: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.query<{ id: number; waiting: number }>(
    `SELECT w.id, (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id
               AND d.state = 'waiting' LIMIT ${most}) c) AS waiting
       FROM unnest($2::bigint[]) AS w(id)`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map(({ id, waiting }) => [id, waiting]));
}

/**
 * Stops a webhook whose filter the community no longer accepts.
 * @param position number of the last change that was composed for it
 */
export async function stopForFilter(db: TenantExecutor, id: number, position: number, now: number): Promise<void> {
  await db.execute(
    `UPDATE webhooks SET stopped_for = 'filterInvalid', stopped_at = $4, told_at = NULL, position = $3
      WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, id, position, new Date(now)],
  );
}
