/** The operation that moves posts. */
import type { Handlers } from '../../../kernel/operations.ts';
import { edited } from '../writing/writing.routes.ts';
import { movePost } from './move-post.ts';

export const postMovingHandlers = {
  movePost: ({ scope, params, body }) => movePost(scope, params.postId, body ?? {}, edited),
} satisfies Handlers;
