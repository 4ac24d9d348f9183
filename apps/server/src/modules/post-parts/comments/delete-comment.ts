/**
 * Operation deletePostComment: deletes a comment, for its author and managers of the community
 * (docs/decisions/writes.md).
 */

import { HistoryType } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { recordPost } from '../../records/index.ts';
import { removeFilesOf } from '../common/comment-and-task-attachments.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost } from '../common/post-row.ts';
import { commentCapabilities } from '../policy/comment-capabilities.ts';
import { postCase, postRules } from '../policy/post-capabilities.ts';
import { findLivingComment } from './comments.repository.ts';
import { markCommentDeleted } from './deleted-comments.repository.ts';

/**
 * Turns a comment into a placeholder: text, mentions, likes and attachments disappear until it is
 * restored; answers stay.
 * @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function deleteComment(scope: Scope, commentId: number): Promise<{ postId: number }> {
  return writeTransaction(scope, 'none', async (write) => {
    const postId = (await findLivingComment(write.tx, commentId))?.postId;
    if (postId === undefined) throw notFound();
    const post = await lockPost(write, postId);
    // Read again now that the post is locked: another request may have deleted it since.
    const comment = await findLivingComment(write.tx, commentId);
    const definition = await definitionOf(write, post.communityId);
    const about = postCase(write.actor, definition, post);
    if (!comment || !postRules.canViewComment.holds(about)) throw notFound();
    if (!commentCapabilities(about, comment).canDelete) throw forbidden('Missing capability: canDelete.');
    await markCommentDeleted(write, post.id, commentId);
    await removeFilesOf(write, post, 'comment', commentId);
    await recordPost(write, post, {
      touch: { comments: -1, news: false },
      events: { typeId: HistoryType.COMMENT_DELETED, commentId },
    });
    return { postId: post.id };
  });
}
