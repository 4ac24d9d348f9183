/** The operations that follow communities. */

import type { Handlers } from '../../kernel/operations.ts';
import { editCommunityFollowing, getCommunityFollowing } from './following.ts';

export const communityFollowingHandlers = {
  getCommunityFollowing: ({ scope, params }) => getCommunityFollowing(scope, params.communityId),
  editCommunityFollowing: ({ scope, params, body }) => editCommunityFollowing(scope, params.communityId, body),
} satisfies Handlers;
