/** SQL that deletes and restores comments. */

import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';
import { addMentions, removeMentions } from '../../records/index.ts';
import { RESTORABLE_MS } from '../policy/restore-policy.ts';

const m = sqlColumns('post_mentions', 'm');
const u = sqlColumns('users', 'u');

/** Maximum number of rows that one statement deletes. */
const BATCH = 5_000;

/**
 * Turns a comment into a placeholder: its text, its earlier texts, likes and mentions are kept
 * aside until it can no longer be restored; answers stay.
 */
export async function markCommentDeleted(write: WriteScope, postId: number, commentId: number): Promise<void> {
  const { tx } = write;
  const comment = [tx.tenantId, commentId];
  await tx.sendChange(
    'comments',
    [commentId],
    `INSERT INTO deleted_comments (tenant_id, comment_id, deleted_by, deleted_at, delta, plain, versions, likes, mentions)
     SELECT c.tenant_id, c.id, $3::bigint, $4::timestamptz, c.delta, c.plain,
            (SELECT coalesce(jsonb_agg(to_jsonb(v)), '[]') FROM comment_versions v
              WHERE v.tenant_id = $1 AND v.comment_id = $2),
            (SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') FROM comment_likes l WHERE l.tenant_id = $1 AND l.comment_id = $2),
            ARRAY(SELECT ${m.user_id} FROM post_mentions m
                   WHERE m.tenant_id = $1 AND ${m.post_id} = c.post_id AND ${m.comment_id} = $2 ORDER BY ${m.user_id})
       FROM comments c WHERE c.tenant_id = $1 AND c.id = $2`,
    [...comment, write.actor.userId, new Date(write.now)],
  );
  await tx.sendChange(
    'comments',
    [commentId],
    `UPDATE comments SET deleted_at = $3, delta = '', plain = '', likes_count = 0 WHERE tenant_id = $1 AND id = $2`,
    [...comment, new Date(write.now)],
  );
  await tx.sendChange(
    'comments',
    [commentId],
    'DELETE FROM comment_versions WHERE tenant_id = $1 AND comment_id = $2',
    comment,
  );
  await removeMentions(write, postId, commentId);
  await tx.sendChange(
    'comments',
    [commentId],
    'DELETE FROM comment_likes WHERE tenant_id = $1 AND comment_id = $2',
    comment,
  );
}

/** A deleted comment that can be restored. Times are epoch milliseconds. */
interface DeletedComment {
  postId: number;
  creatorId: number;
  deletedBy: number;
  deletedAt: number;
  mentions: number[];
}

export async function findDeletedComment(db: TenantExecutor, commentId: number): Promise<DeletedComment | undefined> {
  const [row] = await db.query<DeletedComment>(
    `SELECT c.post_id AS "postId", c.creator_id AS "creatorId", d.deleted_by AS "deletedBy", d.deleted_at AS "deletedAt",
            d.mentions
       FROM deleted_comments d JOIN comments c ON c.tenant_id = $1 AND c.id = d.comment_id
      WHERE d.tenant_id = $1 AND d.comment_id = $2`,
    [db.tenantId, commentId],
  );
  return row;
}

/**
 * Restores the data that {@link markCommentDeleted} has kept aside, except likes of deleted
 * accounts.
 */
export async function unmarkCommentDeleted(
  write: WriteScope,
  commentId: number,
  { postId, mentions }: DeletedComment,
): Promise<void> {
  const { tx } = write;
  const comment = [tx.tenantId, commentId];
  await tx.sendChange(
    'comments',
    [commentId],
    `INSERT INTO comment_versions (tenant_id, comment_id, version, delta, plain, creator_id, created_at)
     SELECT d.tenant_id, d.comment_id, v.version, v.delta, v.plain, v.creator_id, v.created_at
       FROM deleted_comments d CROSS JOIN LATERAL jsonb_to_recordset(d.versions)
         AS v(version integer, delta text, plain text, creator_id bigint, created_at timestamptz)
      WHERE d.tenant_id = $1 AND d.comment_id = $2`,
    comment,
  );
  await tx.sendChange(
    'comments',
    [commentId],
    `INSERT INTO comment_likes (tenant_id, comment_id, user_id, created_at)
     SELECT d.tenant_id, d.comment_id, l.user_id, l.created_at
       FROM deleted_comments d CROSS JOIN LATERAL jsonb_to_recordset(d.likes) AS l(user_id bigint, created_at timestamptz)
       JOIN users u ON u.tenant_id = d.tenant_id AND ${u.id} = l.user_id AND ${u.deleted_at} IS NULL
      WHERE d.tenant_id = $1 AND d.comment_id = $2`,
    comment,
  );
  await tx.sendChange(
    'comments',
    [commentId],
    `UPDATE comments c SET deleted_at = NULL, delta = d.delta, plain = d.plain,
            likes_count = (SELECT count(*) FROM comment_likes l WHERE l.tenant_id = $1 AND l.comment_id = $2)
       FROM deleted_comments d
      WHERE d.tenant_id = $1 AND d.comment_id = $2 AND c.tenant_id = $1 AND c.id = $2`,
    comment,
  );
  await tx.sendChange(
    'comments',
    [commentId],
    'DELETE FROM deleted_comments WHERE tenant_id = $1 AND comment_id = $2',
    comment,
  );
  await addMentions(write, postId, mentions, commentId);
}

/** Time at which deleted comments can no longer be restored. */
export const deletedCommentsDue: DueWork = {
  earliest: 'SELECT min(deleted_at) FROM deleted_comments WHERE tenant_id = $1',
  afterMs: () => RESTORABLE_MS,
};

/**
 * Erases the content of deleted comments that can no longer be restored. @param until epoch
 * milliseconds
 */
export async function eraseDeletedComments(db: TenantDb, until: number): Promise<void> {
  for (;;) {
    const erased = await db.execute(
      `DELETE FROM deleted_comments WHERE tenant_id = $1 AND comment_id IN (
         SELECT comment_id FROM deleted_comments WHERE tenant_id = $1 AND deleted_at <= $2 ORDER BY deleted_at LIMIT ${BATCH})`,
      [db.tenantId, new Date(until)],
    );
    if (erased < BATCH) return;
  }
}
