/** The operations of saved views and favourites. */
import type { Handlers } from '../../../kernel/operations.ts';
import { getSavedView, listFavourites, listSavedViews, runSavedView } from './read-views.ts';
import { summariseSavedView } from './summarise-view.ts';
import { createSavedView, deleteSavedView, editDefaultView, editFavouriteView, editSavedView } from './write-views.ts';

export const viewHandlers = {
  listSavedViews: ({ scope, params }) => listSavedViews(scope, params.communityId),
  getSavedView: ({ scope, params }) => getSavedView(scope, params.viewId),
  createSavedView: ({ scope, params, body }) => createSavedView(scope, params.communityId, body),
  editSavedView: ({ scope, params, body }) => editSavedView(scope, params.viewId, body),
  deleteSavedView: ({ scope, params }) => deleteSavedView(scope, params.viewId),
  runSavedView: ({ scope, params, body, query }) => runSavedView(scope, params.viewId, body ?? {}, query),
  summariseSavedView: ({ scope, params }) => summariseSavedView(scope, params.viewId),
  editFavouriteView: ({ scope, params, body }) => editFavouriteView(scope, params.viewId, body?.favourite ?? true),
  listFavourites: ({ scope }) => listFavourites(scope),
  editDefaultView: ({ scope, params, body }) => editDefaultView(scope, params.communityId, body ?? {}),
} satisfies Handlers;
