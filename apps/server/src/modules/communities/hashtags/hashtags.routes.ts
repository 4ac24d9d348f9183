/** The operations of hashtags. */

import type { Handlers } from '../../../kernel/operations.ts';
import { listHashtags } from '../list-hashtags.ts';

export const hashtagHandlers = {
  listHashtags: async ({ scope, params, body }) => listHashtags(scope, params.communityId, body),
} satisfies Handlers;
