/** When a user last modified or commented a post (post_user_state), which lists are ordered by. */
import type { WriteScope } from '../../../kernel/access/index.ts';

/** Notes that the actor has commented a post (order postCommentedByMeTimestamp). */
export async function noteCommented(write: WriteScope, post: { id: number; communityId: number }): Promise<void> {
  await write.tx.execute(
    `INSERT INTO post_user_state AS s (tenant_id, user_id, post_id, community_id, commented_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (tenant_id, user_id, post_id) DO UPDATE
        SET commented_at = greatest(s.commented_at, excluded.commented_at)`,
    [write.tx.tenantId, write.actor.userId, post.id, post.communityId, new Date(write.now)],
  );
}

/** Notes that the actor has modified a post (order postModifiedByMeTimestamp). */
export function noteModified(write: WriteScope, post: { id: number; communityId: number }): Promise<void> {
  return noteModifiedBy(write, post.communityId, [{ postId: post.id, at: write.now, authorId: write.actor.userId }]);
}

/** Notes who modified posts of one community, and when (epoch milliseconds), in one statement. */
export async function noteModifiedBy(
  write: WriteScope,
  communityId: number,
  modifications: readonly { postId: number; at: number; authorId: number }[],
): Promise<void> {
  await write.tx.execute(
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
