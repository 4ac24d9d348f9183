/**
 * Likes of posts and comments. No operation of version 2 writes them; the demo generator and later operations do
 * (docs/decisions/writes.md).
 */
import { HistoryType } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { definitionOf, lockPost, touchPost } from '../posts/common/index.ts';
import { ChangeKind, recordChange, recordHistory } from '../posts/events/index.ts';
import { postCapabilities } from '../posts/policy/index.ts';
import { addCommentLike, findLivingComment, setPostLike } from './comments.repository.ts';

/** Likes a post; a second like is none. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function likePost(scope: Scope, postId: number): Promise<void> {
  await setLike(scope, postId, true);
}

/** Takes the caller's like of a post back. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function unlikePost(scope: Scope, postId: number): Promise<void> {
  await setLike(scope, postId, false);
}

async function setLike(scope: Scope, postId: number, liked: boolean): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    if (!postCapabilities(write.actor, definition, post).canEditLike)
      throw forbidden('Posts of this community cannot be liked.');
    if (!(await setPostLike(write, postId, liked))) return;
    await touchPost(write, postId, { likes: liked ? 1 : -1 });
    await recordHistory(write, {
      typeId: liked ? HistoryType.LIKE_ADDED : HistoryType.LIKE_REMOVED,
      postId,
      communityId: post.communityId,
    });
    await recordChange(write, { postId, communityId: post.communityId, kind: ChangeKind.TOUCHED });
  });
}

/** Likes a comment; a second like is none. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function likeComment(scope: Scope, commentId: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const postId = (await findLivingComment(write.tx, commentId))?.postId;
    if (postId === undefined) throw notFound();
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    const can = postCapabilities(write.actor, definition, post);
    if (!can.canViewComment || !(await findLivingComment(write.tx, commentId))) throw notFound();
    if (!can.canEditLike) throw forbidden('Comments of this community cannot be liked.');
    if (!(await addCommentLike(write, commentId))) return;
    await touchPost(write, postId, {});
    await recordChange(write, { postId, communityId: post.communityId, kind: ChangeKind.TOUCHED });
  });
}
