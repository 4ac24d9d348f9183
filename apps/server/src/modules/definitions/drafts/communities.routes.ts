/** Operations on the drafts of communities. */
import type { Handlers } from '../../../kernel/operations.ts';
import { deleteCommunityDraft, getCommunityDraft, saveCommunityDraft } from './community-drafts.ts';

export const communityDraftHandlers = {
  getCommunityDraft: ({ scope, params }) => getCommunityDraft(scope, params.communityId),
  saveCommunityDraft: ({ scope, params, body }) => saveCommunityDraft(scope, params.communityId, body),
  deleteCommunityDraft: async ({ scope, params }) => {
    await deleteCommunityDraft(scope, params.communityId);
    return undefined;
  },
} satisfies Handlers;
