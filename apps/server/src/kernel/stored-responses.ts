/** Retention of the responses that are stored for repeated requests (idempotency_keys). */

import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from './due-work.ts';

/** How long responses to writes with an Idempotency-Key are stored. Milliseconds. */
const RETENTION_MS = 48 * 3_600_000;

/** When stored responses expire. */
export const responsesDue: DueWork = {
  earliest: 'SELECT min(created_at) FROM idempotency_keys WHERE tenant_id = $1',
  afterMs: () => RETENTION_MS,
};

/** Deletes expired responses. @param now epoch milliseconds */
export async function deleteExpiredResponses(db: TenantDb, now: number): Promise<void> {
  await db.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1 AND created_at < $2', [
    db.tenantId,
    new Date(now - RETENTION_MS),
  ]);
}

/**
 * Removes the text of posts from stored responses; the keys stay used. Responses that name no post (workflow screens)
 * expire after 48 hours.
 */
export async function removePostsFromResponses(tx: TenantTx, postIds: readonly number[]): Promise<void> {
  await tx.send(
    `UPDATE idempotency_keys SET response = response - '{postData,taskData,comment}'::text[]
      WHERE tenant_id = $1 AND response ?| '{postData,taskData,comment}'
        AND (coalesce(response ->> 'postId', response #>> '{postData,id}', response #>> '{taskData,postId}') = ANY ($2::text[])
          OR response #>> '{comment,id}' IN (SELECT id::text FROM comments WHERE tenant_id = $1 AND post_id = ANY ($3::bigint[])))`,
    [tx.tenantId, postIds.map(String), postIds],
  );
}
