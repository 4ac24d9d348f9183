/** Versions of posts: the content that edits replaced, and its retention. */

import { AttachmentEntityType } from '@portico/contract';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';

const attachmentsColumns = sqlColumns('attachments');
const c = sqlColumns('communities', 'c');
const d = sqlColumns('post_versions', 'd');
const o = sqlColumns('post_versions', 'o');

/** Maximum number of rows that one statement deletes. */
const BATCH = 5_000;

/**
 * Parts of the content of a post by name: `title`, `description` (a delta), `field.<id>` (stored
 * values), `hashtags` (ids), `event`, `attachments`. Null for an absent part.
 */
export interface Content {
  title?: string | null;
  description?: string | null;
  hashtags?: number[];
  event?: object | null;
  attachments?: AttachedFile[];
  [field: `field.${number}`]: unknown;
}

/** An attachment by reference. */
interface AttachedFile {
  id: number;
  versionNumber: number;
}

/**
 * Stores the content that the write replaces in a post that it has locked; stores nothing if
 * nothing is replaced.
 */
export async function keepVersion(
  write: WriteScope,
  post: { id: number; communityId: number; modifierId: number; modifiedAt: number },
  replaced: Content,
): Promise<void> {
  if (Object.keys(replaced).length === 0) return;
  await write.tx.send(
    `INSERT INTO post_versions (tenant_id, post_id, community_id, author_id, authored_at, replaced_by, replaced_at, content)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb)`,
    [
      write.tx.tenantId,
      post.id,
      post.communityId,
      post.modifierId,
      new Date(post.modifiedAt),
      write.actor.userId,
      new Date(write.now),
      JSON.stringify(replaced),
    ],
  );
}

/** The attachments of a post itself. */
export function postFiles(db: TenantExecutor, postId: number): Promise<AttachedFile[]> {
  return db.query<AttachedFile>(
    `SELECT ${attachmentsColumns.id}, ${attachmentsColumns.version_number} AS "versionNumber" FROM attachments
      WHERE tenant_id = $1 AND ${attachmentsColumns.post_id} = $2 AND ${attachmentsColumns.deleted_at} IS NULL AND ${attachmentsColumns.entity_type} = ${AttachmentEntityType.POST} ORDER BY ${attachmentsColumns.id}`,
    [db.tenantId, postId],
  );
}

/** Schedule for deleting versions of posts. */
export const versionsDue: DueWork = {
  earliest: `SELECT min(v.at) FROM communities c CROSS JOIN LATERAL (
      SELECT ${o.replaced_at} + make_interval(days => ${c.version_retention_days}) AS at FROM post_versions o
       WHERE o.tenant_id = $1 AND ${o.community_id} = ${c.id} ORDER BY ${o.replaced_at} LIMIT 1) v WHERE c.tenant_id = $1`,
};

/**
 * Deletes versions beyond the retention of their communities, the oldest of each first. @param now
 * epoch milliseconds
 */
export async function forgetVersions(db: TenantDb, now: number): Promise<void> {
  for (;;) {
    const deleted = await db.execute(
      `DELETE FROM post_versions d WHERE d.tenant_id = $1 AND (${d.post_id}, ${d.id}) IN (
         SELECT v.post_id, v.id FROM communities c
          CROSS JOIN LATERAL (
            SELECT ${o.post_id}, ${o.id} FROM post_versions o
             WHERE o.tenant_id = $1 AND ${o.community_id} = ${c.id}
               AND ${o.replaced_at} <= $2::timestamptz - make_interval(days => ${c.version_retention_days})
             ORDER BY ${o.replaced_at} LIMIT ${BATCH}) v
          WHERE c.tenant_id = $1 LIMIT ${BATCH})`,
      [db.tenantId, new Date(now)],
    );
    if (deleted < BATCH) return;
  }
}
