import type { WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const postMentions = sqlColumns('post_mentions');

/** Adds mentions in a post's own texts or in a comment; existing rows are kept. */
export async function addMentions(
  write: WriteScope,
  postId: number,
  userIds: readonly number[],
  commentId = 0,
): Promise<void> {
  if (userIds.length === 0) return;
  await write.tx.send(
    `INSERT INTO post_mentions (tenant_id, post_id, comment_id, user_id) SELECT a.tenant_id, $2, $3, u
       FROM tenant_versions a, unnest($4::bigint[]) AS u WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING`,
    [write.tx.tenantId, postId, commentId, userIds],
  );
}

/**
 * Removes mentions in a post's own texts (comment 0) or in a comment. @param userIds omitted: all
 * of them
 */
export async function removeMentions(
  write: WriteScope,
  postId: number,
  commentId: number,
  userIds?: readonly number[],
): Promise<void> {
  if (userIds?.length === 0) return;
  await write.tx.send(
    `DELETE FROM post_mentions
      WHERE tenant_id = $1 AND ${postMentions.post_id} = $2 AND ${postMentions.comment_id} = $3 AND ($4::bigint[] IS NULL OR ${postMentions.user_id} = ANY ($4))`,
    [write.tx.tenantId, postId, commentId, userIds ?? null],
  );
}
