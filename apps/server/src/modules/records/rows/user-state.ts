/**
 * Time of a user's last edit or comment of a post (post_user_state), which lists are ordered by.
 */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { sqlColumns } from '../../columns.ts';

const postUserState = sqlColumns('post_user_state');
const posts = sqlColumns('posts');

/** Records that the actor has commented a post (order postCommentedByMeTimestamp). */
export async function noteCommented(write: WriteScope, post: { id: number; communityId: number }): Promise<void> {
  await write.tx.send(
    `INSERT INTO post_user_state AS s (tenant_id, user_id, post_id, community_id, commented_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (tenant_id, user_id, post_id) DO UPDATE
        SET commented_at = greatest(s.commented_at, excluded.commented_at)`,
    [write.tx.tenantId, write.actor.userId, post.id, post.communityId, new Date(write.now)],
  );
}

/** Records that the actor has modified a post (order postModifiedByMeTimestamp). */
export function noteModified(write: WriteScope, post: { id: number; communityId: number }): Promise<void> {
  return noteModifiedBy(write, post.communityId, [{ postId: post.id, at: write.now, authorId: write.actor.userId }]);
}

/**
 * Records the editors of posts of one community, with the time (epoch milliseconds), in one
 * statement.
 */
export async function noteModifiedBy(
  write: WriteScope,
  communityId: number,
  modifications: readonly { postId: number; at: number; authorId: number }[],
): Promise<void> {
  await write.tx.send(
    `INSERT INTO post_user_state AS s (tenant_id, user_id, post_id, community_id, modified_at)
     SELECT a.tenant_id, m.author_id, m.post_id, $2::bigint, max(m.at)
       FROM tenant_versions a, unnest($3::bigint[], $4::timestamptz[], $5::bigint[]) AS m (post_id, at, author_id)
      WHERE a.tenant_id = $1 GROUP BY a.tenant_id, m.author_id, m.post_id
     ON CONFLICT (tenant_id, user_id, post_id) DO UPDATE SET modified_at = greatest(s.modified_at, excluded.modified_at)`,
    [
      write.tx.tenantId,
      communityId,
      modifications.map((one) => one.postId),
      modifications.map((one) => new Date(one.at)),
      modifications.map((one) => one.authorId),
    ],
  );
}

/**
 * Locks posts until the transaction ends and returns their communities, by post: a post that moves
 * takes along the rows that name its community. Purged posts are missing.
 */
export async function holdCommunities(tx: TenantTx, postIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ id: number; communityId: number }>(
    `SELECT ${posts.id}, ${posts.community_id} AS "communityId" FROM posts WHERE tenant_id = $1 AND ${posts.id} = ANY ($2::bigint[]) ORDER BY ${posts.id} FOR KEY SHARE`,
    [tx.tenantId, postIds],
  );
  return new Map(rows.map(({ id, communityId }) => [id, communityId]));
}

/**
 * Marks a post as read by the actor, which counts as a view if it is their first, or as unread.
 * @throws PorticoError NOT_FOUND when the post has been erased since it was found
 */
export async function noteRead(write: WriteScope, postId: number, read: boolean): Promise<void> {
  const { tx } = write;
  const communityId = (await holdCommunities(tx, [postId])).get(postId);
  if (communityId === undefined) throw notFound();
  const row = [tx.tenantId, write.actor.userId, postId];
  await tx.send(
    `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    [...row, communityId],
  );
  const [before] = await tx.query<{ first: boolean }>(
    `SELECT ${postUserState.viewed_at} IS NULL AS first FROM post_user_state WHERE tenant_id = $1 AND ${postUserState.user_id} = $2 AND ${postUserState.post_id} = $3 FOR UPDATE`,
    row,
  );
  const first = read && before?.first === true;
  await tx.send(
    `UPDATE post_user_state SET unread = NOT $4, viewed_at = CASE WHEN $4 THEN $6 ELSE viewed_at END,
            views_count = views_count + CASE WHEN $5 THEN 1 ELSE 0 END
      WHERE tenant_id = $1 AND user_id = $2 AND post_id = $3`,
    [...row, read, first, new Date(write.now)],
  );
  if (!first) return;
  await tx.send(
    `INSERT INTO post_view_counts AS c (tenant_id, post_id, views_count, viewers_count) VALUES ($1, $2, 1, 1)
     ON CONFLICT (tenant_id, post_id) DO UPDATE SET views_count = c.views_count + 1, viewers_count = c.viewers_count + 1`,
    [tx.tenantId, postId],
  );
}
