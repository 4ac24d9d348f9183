/** Operation restorePostComment: restores a deleted comment. */

import { CapabilityScope, HistoryType, type RestorePostCommentResponse } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { restoreFiles } from '../../files/index.ts';
import { recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost } from '../common/post-row.ts';
import { postCapabilities } from '../policy/post-capabilities.ts';
import { mayRestorePart } from '../policy/restore-policy.ts';
import { findComments, findLivingComment } from './comments.repository.ts';
import { findDeletedComment, unmarkCommentDeleted } from './deleted-comments.repository.ts';
import { presentComments } from './load-comments.ts';

/**
 * Restores a comment with its texts, likes, mentions and attachments. A comment that is not deleted
 * is not changed.
 * @throws PorticoError NOT_FOUND for a comment that can no longer be restored, or whose post's
 * comments the caller does not see; FORBIDDEN
 */
export async function restorePostComment(scope: Scope, commentId: number): Promise<RestorePostCommentResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const { tx, actor, now } = write;
    const found = (await findDeletedComment(tx, commentId)) ?? (await findLivingComment(tx, commentId));
    if (!found) throw notFound();
    const post = await lockPost(write, found.postId);
    const definition = await definitionOf(write, post.communityId);
    const can = postCapabilities(actor, definition, post);
    if (!can.canViewComment) throw notFound();
    // Read again now that the post is locked: another request may have restored it since.
    const deleted = await findDeletedComment(tx, commentId);
    const own = found.creatorId === actor.userId;
    const within =
      can.canDeleteComment === CapabilityScope.ALL || (can.canDeleteComment === CapabilityScope.OWN && own);
    if (!within || (deleted && !mayRestorePart(actor, post.communityId, 'moderateComments', deleted, now))) {
      throw forbidden(
        'Missing permission: moderateComments. The person who deleted a comment can restore it for 30 days.',
      );
    }
    if (deleted) {
      await unmarkCommentDeleted(write, commentId, deleted);
      await restoreFiles(write, post.id, { commentId }, deleted.deletedAt);
      await recordPost(write, post, {
        touch: { comments: 1, news: false },
        events: { typeId: HistoryType.POST_MODIFIED, commentId, details: { changedParts: ['comments'] } },
      });
    }
    const rows = await findComments(tx, actor.userId, post.id, [commentId]);
    const [comment] = await presentComments(write, tx, definition, post, rows);
    return { comment };
  });
}
