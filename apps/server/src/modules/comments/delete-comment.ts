/**
 * Deletes a comment. No operation of version 2 does; the demo generator and later operations do
 * (docs/decisions/writes.md).
 */
import { CapabilityScope, HistoryType } from '@portico/contract';
import { write } from '../../kernel/access/index.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { removeFilesOf } from '../posts/comment-and-task-attachments/index.ts';
import { definitionOf, holdPost, touchPost } from '../posts/common/index.ts';
import { ChangeKind, recordChange, recordHistory } from '../posts/events/index.ts';
import { postCapabilities } from '../posts/policy/index.ts';
import { findLivingComment, markCommentDeleted } from './comments.repository.ts';

/**
 * Makes a comment a placeholder: text, mentions, likes and attachments are gone, answers to it stay.
 * @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function deleteComment(scope: Scope, commentId: number): Promise<void> {
  await write(scope, 'none', async (w) => {
    const postId = (await findLivingComment(w.tx, commentId))?.postId;
    if (postId === undefined) throw notFound();
    const post = await holdPost(w, postId);
    // Read again now that the post is held: somebody may have deleted it since.
    const comment = await findLivingComment(w.tx, commentId);
    const definition = await definitionOf(w, post.communityId);
    const can = postCapabilities(w.actor, definition, post);
    if (!comment || !can.canViewComment) throw notFound();
    const own = comment.creatorId === w.actor.userId;
    if (can.canDeleteComment !== CapabilityScope.ALL && !(can.canDeleteComment === CapabilityScope.OWN && own)) {
      throw forbidden('You may not delete this comment.');
    }
    await markCommentDeleted(w, post.id, commentId);
    await removeFilesOf(w, post, 'comment', commentId);
    await touchPost(w, post.id, { comments: -1 });
    await recordHistory(w, {
      typeId: HistoryType.COMMENT_DELETED,
      postId: post.id,
      communityId: post.communityId,
      commentId,
    });
    await recordChange(w, { postId: post.id, communityId: post.communityId, kind: ChangeKind.TOUCHED });
  });
}
