/** Operations on communities as files. */
import type { Handlers } from '../../../kernel/operations.ts';
import { applyCommunity, exportCommunity, planCommunity } from './plan-community.ts';

export const communityFileHandlers = {
  exportCommunity: ({ scope, params }) => exportCommunity(scope, params.communityId),
  planCommunity: ({ scope, body }) => planCommunity(scope, body),
  applyCommunity: ({ scope, body }) => applyCommunity(scope, body),
} satisfies Handlers;
