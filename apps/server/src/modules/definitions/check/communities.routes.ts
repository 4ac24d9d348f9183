/** The operation that checks a community. */

import type { Handlers } from '../../../kernel/operations.ts';
import { checkCommunity } from './check-community.ts';

export const communityCheckHandlers = {
  checkCommunity: ({ scope, params }) => checkCommunity(scope, params.communityId),
} satisfies Handlers;
