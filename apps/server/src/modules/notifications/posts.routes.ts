/** The operation that follows posts. */

import type { Handlers } from '../../kernel/operations.ts';
import { editPostFollowing } from './following.ts';

export const postFollowingHandlers = {
  editPostFollowing: ({ scope, params, body }) => editPostFollowing(scope, params.postId, body),
} satisfies Handlers;
