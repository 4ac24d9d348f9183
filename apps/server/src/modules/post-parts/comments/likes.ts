/** Likes of posts and comments (operations editPostLike, editPostCommentLike, listPostLikes, listPostCommentLikes). */

import { type EditLikeResponse, HistoryType, type ListLikesRequest, type ListLikesResponse } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import { readPaging, toPage } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { usersOf } from '../../people/index.ts';
import { recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost, requirePost } from '../common/post-row.ts';
import { commentCapabilities } from '../policy/comment-capabilities.ts';
import { postCapabilities, postCase, postRules } from '../policy/post-capabilities.ts';
import { findLivingComment } from './comments.repository.ts';
import { countLikes, type Liked, pageOfLikes, setCommentLike, setPostLike } from './likes.repository.ts';

/** Likes a post; a second like changes nothing. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function likePost(scope: Scope, postId: number): Promise<void> {
  await editPostLike(scope, postId, true);
}

/** Deletes the caller's like of a post. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function unlikePost(scope: Scope, postId: number): Promise<void> {
  await editPostLike(scope, postId, false);
}

/** Likes a comment; a second like changes nothing. @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function likeComment(scope: Scope, commentId: number): Promise<void> {
  await editPostCommentLike(scope, commentId, true);
}

/**
 * Adds or deletes the caller's like of a post. Repeats change nothing.
 * @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function editPostLike(scope: Scope, postId: number, liked: boolean): Promise<EditLikeResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    if (!postCapabilities(write.actor, definition, post).canEditLike)
      throw forbidden('Missing capability: canEditLike. Likes are for published posts of communities that have likes.');
    if (await setPostLike(write, postId, liked)) {
      await recordPost(write, post, {
        touch: { likes: liked ? 1 : -1, news: false },
        events: { typeId: liked ? HistoryType.LIKE_ADDED : HistoryType.LIKE_REMOVED },
      });
    }
    return likeResult(write, 'post', postId, liked);
  });
}

/**
 * Adds or deletes the caller's like of a comment. Repeats change nothing.
 * @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function editPostCommentLike(scope: Scope, commentId: number, liked: boolean): Promise<EditLikeResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const postId = (await findLivingComment(write.tx, commentId))?.postId;
    if (postId === undefined) throw notFound();
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    const about = postCase(write.actor, definition, post);
    const comment = await findLivingComment(write.tx, commentId);
    if (!comment || !postRules.canViewComment.holds(about)) throw notFound();
    if (!commentCapabilities(about, comment).canEditLike)
      throw forbidden('Missing capability: canEditLike. Likes are for communities that have likes.');
    if (await setCommentLike(write, commentId, liked)) await recordPost(write, post, { touch: { news: false } });
    return likeResult(write, 'comment', commentId, liked);
  });
}

async function likeResult(write: WriteScope, what: Liked, id: number, liked: boolean): Promise<EditLikeResponse> {
  return { likesCount: await countLikes(write.tx, what, id), likedByMe: liked };
}

/** Returns the likes of a post, the latest first. @throws PorticoError NOT_FOUND */
export async function listPostLikes(scope: Scope, postId: number, body: ListLikesRequest): Promise<ListLikesResponse> {
  await requirePost(scope.db, scope.actor, postId);
  return listLikes(scope, 'post', postId, body);
}

/** Returns the likes of a comment, the latest first. @throws PorticoError NOT_FOUND */
export async function listPostCommentLikes(
  scope: Scope,
  commentId: number,
  body: ListLikesRequest,
): Promise<ListLikesResponse> {
  const comment = await findLivingComment(scope.db, commentId);
  if (!comment) throw notFound();
  const post = await requirePost(scope.db, scope.actor, comment.postId);
  const definition = await definitionOf(scope, post.communityId);
  if (!postCapabilities(scope.actor, definition, post).canViewComment) throw notFound();
  return listLikes(scope, 'comment', commentId, body);
}

async function listLikes(scope: Scope, what: Liked, id: number, body: ListLikesRequest): Promise<ListLikesResponse> {
  const request = readPaging<[number, number]>(scope, 'listLikes', body, { what, id });
  const found = await pageOfLikes(scope.db, what, id, request.after, request.size + 1);
  const { rows, nextPageToken } = toPage(request, found, (row): [number, number] => [row.at, row.userId]);
  const users = await usersOf(
    scope,
    scope.db,
    rows.map(({ userId }) => userId),
  );
  return {
    items: rows.map(({ userId, at }) => ({ user: users.get(userId), timestamp: at })),
    nextPageToken,
    totalItemsCount: request.withTotal ? await countLikes(scope.db, what, id) : undefined,
  };
}
