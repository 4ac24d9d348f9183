/** SQL of likes of posts and comments. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';

/** Object of a like. */
export type Liked = 'post' | 'comment';

const LIKES = { post: 'post_likes', comment: 'comment_likes' } as const;
const OBJECTS = { post: 'posts', comment: 'comments' } as const;
const COLUMN = { post: 'post_id', comment: 'comment_id' } as const;

/**
 * Adds or deletes the caller's like of a post. The caller updates the count. @returns whether
 * anything changed
 */
export async function setPostLike(write: WriteScope, postId: number, liked: boolean): Promise<boolean> {
  const like = [write.tx.tenantId, postId, write.actor.userId];
  const rows = liked
    ? await write.tx.execute(
        `INSERT INTO post_likes (tenant_id, post_id, user_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [...like, new Date(write.now)],
      )
    : await write.tx.execute(`DELETE FROM post_likes WHERE tenant_id = $1 AND post_id = $2 AND user_id = $3`, like);
  return rows === 1;
}

/**
 * Adds or deletes the caller's like of a comment, and updates its count. @returns whether anything
 * changed
 */
export async function setCommentLike(write: WriteScope, commentId: number, liked: boolean): Promise<boolean> {
  const like = [write.tx.tenantId, commentId, write.actor.userId];
  const rows = liked
    ? await write.tx.change(
        'comments',
        [commentId],
        `INSERT INTO comment_likes (tenant_id, comment_id, user_id, created_at) VALUES ($1, $2, $3, $4)
          ON CONFLICT DO NOTHING`,
        [...like, new Date(write.now)],
      )
    : await write.tx.change(
        'comments',
        [commentId],
        `DELETE FROM comment_likes WHERE tenant_id = $1 AND comment_id = $2 AND user_id = $3`,
        like,
      );
  if (rows !== 1) return false;
  await write.tx.sendChange(
    'comments',
    [commentId],
    `UPDATE comments SET likes_count = likes_count + $3 WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, commentId, liked ? 1 : -1],
  );
  return true;
}

/** Returns the number of likes of a post or a comment. */
export async function countLikes(db: TenantExecutor, what: Liked, id: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT likes_count AS count FROM ${OBJECTS[what]} WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, id],
  );
  return row?.count ?? 0;
}

/** A like. The time is in epoch milliseconds. */
interface LikeRow {
  userId: number;
  at: number;
}

/** Returns likes after a given one, the latest first. */
export async function pageOfLikes(
  db: TenantExecutor,
  what: Liked,
  id: number,
  after: readonly [at: number, userId: number] | undefined,
  limit: number,
): Promise<LikeRow[]> {
  return db.query<LikeRow>(
    `SELECT user_id AS "userId", created_at AS at FROM ${LIKES[what]}
      WHERE tenant_id = $1 AND ${COLUMN[what]} = $2
        AND ($3::timestamptz IS NULL OR (created_at, user_id) < ($3::timestamptz, $4::bigint))
      ORDER BY created_at DESC, user_id DESC LIMIT $5`,
    [db.tenantId, id, after ? new Date(after[0]) : null, after?.[1] ?? null, limit],
  );
}
