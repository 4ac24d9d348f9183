/** Operations on the communities of the caller. */

import type { Handlers } from '../../../kernel/operations.ts';
import { getCommunityTree, visitCommunity } from './community-tree.ts';

export const ownCommunityHandlers = {
  getCommunityTree: ({ scope }) => getCommunityTree(scope),
  visitCommunity: ({ scope, params, body }) => visitCommunity(scope, params.communityId, body ?? {}),
} satisfies Handlers;
