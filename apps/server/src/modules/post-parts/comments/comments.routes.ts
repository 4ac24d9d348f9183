/** Operations on comments. */
import type { Handlers } from '../../../kernel/operations.ts';
import { createPostComment } from './create-post-comment.ts';
import { deleteComment } from './delete-comment.ts';
import { editPostComment, getPostCommentForEdit, listPostCommentVersions } from './edit-comment.ts';
import { editPostCommentLike, listPostCommentLikes } from './likes.ts';
import { listPostComments } from './list-post-comments.ts';
import { restorePostComment } from './restore-comment.ts';

export const commentsHandlers = {
  listPostComments: ({ scope, params, body, query }) => listPostComments(scope, params.postId, body, query),
  createPostComment: ({ scope, params, body }) => createPostComment(scope, params.postId, body),
  getPostCommentForEdit: ({ scope, params }) => getPostCommentForEdit(scope, params.commentId),
  editPostComment: ({ scope, params, body }) => editPostComment(scope, params.commentId, body),
  deletePostComment: ({ scope, params }) => deleteComment(scope, params.commentId),
  restorePostComment: ({ scope, params }) => restorePostComment(scope, params.commentId),
  listPostCommentVersions: ({ scope, params, body }) => listPostCommentVersions(scope, params.commentId, body),
  editPostCommentLike: ({ scope, params, body }) => editPostCommentLike(scope, params.commentId, body.liked ?? true),
  listPostCommentLikes: ({ scope, params, body }) => listPostCommentLikes(scope, params.commentId, body),
} satisfies Handlers;
