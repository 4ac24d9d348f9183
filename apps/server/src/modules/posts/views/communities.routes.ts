/** Favourite communities, which are listed with favourite views. */

import type { Handlers } from '../../../kernel/operations.ts';
import { editFavouriteCommunity } from './write-views.ts';

export const favouriteCommunityHandlers = {
  editFavouriteCommunity: ({ scope, params, body }) =>
    editFavouriteCommunity(scope, params.communityId, body?.favourite ?? true),
} satisfies Handlers;
