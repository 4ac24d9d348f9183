/** The operations of comments. */
import type { Handlers } from '../../kernel/operations.ts';
import { createPostComment } from './create-post-comment.ts';
import { listPostComments } from './list-post-comments.ts';

export const commentsHandlers = {
  listPostComments: ({ scope, params, body, query }) => listPostComments(scope, params.postId, body, query),
  createPostComment: ({ scope, params, body }) => createPostComment(scope, params.postId, body),
} satisfies Handlers;
