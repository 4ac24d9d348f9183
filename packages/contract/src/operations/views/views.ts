/** Saved views and favourites, which only Portico has. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { postListFlags, queryPaging } from '../query.ts';

const columns = ['id', 'name', 'shared', 'layout', 'favourite', 'defaultForMe', 'defaultForCommunity'] as const;

const writeErrors = { 400: 'ValidationErrorResponse', 403: null, 404: null } as const;

export const viewOperations = defineOperations('views', {
  listSavedViews: {
    method: 'GET',
    path: '/communication/views/data/community/{communityId}',
    responses: { 200: 'ListSavedViewsResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'List the saved views of a community',
    description:
      "Returns the views of the community, the caller's own views in it, and the default view " + 'of the caller.',
    clientMethod: 'list',
    command: { rows: 'views', columns, examples: ['12', '12 --output json'] },
  },
  getSavedView: {
    method: 'GET',
    path: '/communication/views/data/view/{viewId}',
    responses: { 200: 'SavedView', 404: null },
    permission: 'seeView',
    extension: true,
    summary: 'Read a saved view',
    description: 'Returns the saved view, and the `occToken` for the edit.',
    clientMethod: 'get',
    command: { examples: ['31', '31 --output yaml'] },
  },
  createSavedView: {
    method: 'POST',
    path: '/communication/views/manage/create-view/{communityId}',
    body: 'CreateSavedViewRequest',
    responses: { 200: 'SavedView', ...writeErrors, 409: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Create a saved view',
    description:
      'Saves filters, order, columns and layout under a name. Filters and order have the form ' +
      'and the rules of `listCommunityPostsFiltered`; groupings and measure of figures those of ' +
      '`summarisePosts`. Everybody who sees a community may ' +
      'create own views in it; managers of the community create its shared views. With 200 ' +
      'views of the community, or 200 own views in it, or 12 figures in the overview of either, ' +
      'the operation returns 409.',
    requestExamples: examples<'CreateSavedViewRequest'>({
      own: {
        summary: 'My open tasks',
        value: { name: 'My work', communityPostFilters: { toManage: true }, orderBy: 'postRecency' },
      },
      board: {
        summary: 'A board of the community by workflow state',
        value: {
          name: 'Board',
          shared: true,
          layout: 'board',
          groupBy: 'currentWorkflowState',
          columns: ['title', 'creatorUser'],
        },
      },
      calendar: {
        summary: 'Events by day',
        value: { name: 'Events', communityPostFilters: { postTypes: [2] }, layout: 'calendar', dateField: 'event' },
      },
      figures: {
        summary: 'Mean time in each state, in the overview of the community',
        value: {
          name: 'Time in a state',
          shared: true,
          layout: 'bars',
          groupBy: 'currentWorkflowState',
          measure: 'mean',
          measureOf: 'timeInState',
          inOverview: true,
        },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: [
        `12 --name 'My work' --community-post-filters '{"toManage": true}' --order-by postRecency`,
        '12 --name Board --shared --layout board --group-by currentWorkflowState --dry-run',
      ],
    },
  },
  editSavedView: {
    method: 'PUT',
    path: '/communication/views/manage/view/{viewId}',
    body: 'EditSavedViewRequest',
    responses: { 200: 'SavedView', ...writeErrors, 409: null },
    permission: 'editView',
    extension: true,
    summary: 'Edit a saved view',
    description:
      'Replaces name, filters, order, columns and layout; omitted fields are unset. Owners ' +
      'edit their own views, managers edit the views of the community. A list does not become ' +
      'figures, nor figures a list.',
    requestExamples: examples<'EditSavedViewRequest'>({
      table: {
        summary: 'As a table of three columns',
        value: { name: 'My work', columns: ['customId', 'title', 'currentWorkflowState'], occToken: 1 },
      },
    }),
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getSavedView',
      needsValue: true,
      examples: ['31 --name "My open work"', '31 --columns customId,title,currentWorkflowState --dry-run'],
    },
  },
  deleteSavedView: {
    method: 'DELETE',
    path: '/communication/views/manage/view/{viewId}',
    responses: { 200: 'DeleteSavedViewResponse', 403: null, 404: null },
    permission: 'editView',
    extension: true,
    summary: 'Delete a saved view',
    description: 'Deletes the view, also as a favourite and as a default.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['31', '31 --yes --dry-run'] },
  },
  runSavedView: {
    method: 'POST',
    path: '/communication/views/data/run/{viewId}',
    query: { ...postListFlags, ...queryPaging },
    body: 'RunSavedViewRequest',
    responses: { 200: 'RunSavedViewResponse', 404: null },
    permission: 'seeView',
    paging: 'page',
    extension: true,
    summary: 'List the posts of a saved view',
    description:
      'Returns the posts that the caller sees, like `listCommunityPostsFiltered` with the ' +
      'filters and the order of the view. A part that can no longer be applied, because a ' +
      'field was removed or is no longer searchable, is skipped and named in `leftOut`.',
    requestExamples: examples<'RunSavedViewRequest'>({
      first: { summary: 'First page with its total', value: { pageSize: 20, calculateTotalItemsCount: true } },
    }),
    clientMethod: 'run',
    command: {
      columns: ['id', 'customId', 'title', 'currentWorkflowState', 'creatorUser', 'lastModifyTimestamp'],
      examples: ['31', '31 --all --output csv'],
    },
  },
  summariseSavedView: {
    method: 'GET',
    path: '/communication/views/data/figures/{viewId}',
    responses: { 200: 'SummariseSavedViewResponse', 404: null },
    permission: 'seeView',
    extension: true,
    summary: 'Read the figures of a saved view',
    description:
      'Returns the figures of the posts that the caller sees, like `summarisePosts` with filters, ' +
      'groupings and measure of the view. If a part can no longer be applied, or names a field ' +
      'that the caller does not see, `leftOut` names it and the answer has no figures. Of a ' +
      'view that lists posts, the answer is the number of the posts.',
    clientMethod: 'summarise',
    command: { examples: ['32', '32 --output json'] },
  },
  editFavouriteView: {
    method: 'PUT',
    path: '/communication/views/manage/favourite/{viewId}',
    body: 'EditFavouriteRequest',
    responses: { 200: 'EditFavouriteResponse', 400: 'ValidationErrorResponse', 404: null, 409: null },
    permission: 'seeView',
    extension: true,
    summary: 'Add a saved view to the favourites, or remove it',
    description: 'Applies to the caller alone. Requires no token. With 200 favourite views the operation returns 409.',
    clientMethod: 'favourite',
    command: { examples: ['31', '31 --no-favourite'] },
  },
  listFavourites: {
    method: 'GET',
    path: '/communication/views/data/favourites',
    responses: { 200: 'ListFavouritesResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'List the favourites of the caller',
    description: 'Returns communities and saved views that the caller has added and still sees, the last added first.',
    clientMethod: 'favourites',
    command: { examples: ['', '--output json'] },
  },
  editDefaultView: {
    method: 'PUT',
    path: '/communication/views/manage/default/{communityId}',
    body: 'EditDefaultViewRequest',
    responses: { 200: 'EditDefaultViewResponse', ...writeErrors },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Set the view with which a community opens',
    description:
      'Sets the default view of the caller or, with `shared`, of everybody without an own ' +
      'choice; only managers of the community set the shared default. Without `viewId` the ' +
      'default is removed. A view that the caller does not see, and figures, return 400; with ' +
      '`shared`, so does a view that does not belong to the community.',
    requestExamples: examples<'EditDefaultViewRequest'>({
      own: { summary: 'For me', value: { viewId: 31 } },
      shared: { summary: 'For everybody', value: { viewId: 30, shared: true } },
      none: { summary: 'Remove the default', value: {} },
    }),
    clientMethod: 'setDefault',
    command: { examples: ['12 --view-id 31', '12 --view-id 30 --shared --dry-run'] },
  },
});
