/** Saved views of the posts of a community; favourites. */
import {
  customFieldOrderPrefix,
  figureLayouts,
  summaryDates,
  summaryGroups,
  summaryMeasures,
  summaryPeriods,
  timeInState,
  viewColumns,
  viewDates,
  viewGroups,
  viewLayouts,
} from '../../filters.ts';
import { viewLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { postSelection } from '../posts/post-lists.ts';

const FIELD = `${customFieldOrderPrefix}{field id}`;
const oneOf = (words: readonly string[]) => ({
  pattern: `^(?:${words.join('|')}|${customFieldOrderPrefix}[0-9]{1,16})$`,
});

/** A property by which figures are grouped; a date is followed by a dot and a period. */
const FIGURE_GROUP = {
  pattern:
    `^(?:${[...new Set([...viewGroups, ...summaryGroups])].join('|')}|` +
    `${customFieldOrderPrefix}[0-9]{1,16}|` +
    `(?:${summaryDates.join('|')}|${customFieldOrderPrefix}[0-9]{1,16})[.](?:${summaryPeriods.join('|')}))$`,
};
const FIGURES = figureLayouts.join(', ');

/** Settings of a view. */
const settings: t.Fields = {
  ...postSelection,
  columns: {
    ...t.texts(
      `Parts of each post to show, in this order. Possible values: ${viewColumns.join(', ')}, ` +
        `${FIELD}. Default: the columns of the community.`,
    ),
    maxItems: viewLimits.columns,
  },
  layout: t.word(viewLayouts, `Layout of the posts. ${FIGURES} show figures of the posts instead of a list.`, {
    default: 'table',
  }),
  groupBy: t.checked(
    t.text(
      'Field by which a board makes columns, or a table makes groups: ' +
        `${viewGroups.join(', ')}, ${FIELD} of a field that holds one value of a list, or yes or ` +
        'no; for a table also of a field that holds people. A board without it groups by ' +
        '`currentWorkflowState`. A calendar takes none. Figures take a property by which ' +
        '`summarisePosts` groups; without it they have one group.',
    ),
    FIGURE_GROUP,
  ),
  secondGroupBy: t.checked(
    t.text('Second property by which figures are grouped, of the same form. Lists take none.'),
    FIGURE_GROUP,
  ),
  measure: t.word(summaryMeasures, 'Figure of each group, as `summarisePosts` returns it. Lists take none.'),
  measureOf: t.text(
    `Value that the measures other than \`count\` are about: ${FIELD} of a field that holds ` +
      `numbers, or \`${timeInState}\`. Lists take none.`,
    { maxLength: 60 },
  ),
  inOverview: t.flag(
    'Whether the overview of the community shows the figures: of a `shared` view to everybody who ' +
      `sees it, else to its owner. At most ${viewLimits.overview} of each. Lists take none.`,
    { default: false },
  ),
  dateField: t.checked(
    t.text(
      `Date by which a calendar shows the posts: ${viewDates.join(', ')}, ${FIELD} of a field ` +
        'that holds dates. Default: `creationTimestamp`. Other layouts take none.',
    ),
    oneOf(viewDates),
  ),
};

const name = t.checked(t.name('Name of the view.'), { minLength: 1, maxLength: viewLimits.name });

export const viewTypes = {
  SavedView: t.type('A saved view: which posts of a community are shown, in which order and how.', {
    id: t.int64('Id of the view.'),
    communityId: t.int64('Community of its posts.'),
    communityName: t.text('Name of that community.'),
    name: t.text('Name of the view.'),
    shared: t.flag(
      "Whether it is the community's, which everybody sees who sees the community. Else it is the caller's own.",
    ),
    ...settings,
    favourite: t.flag('Whether it is a favourite of the caller.'),
    defaultForMe: t.flag('Whether it is the default view of the caller in the community.'),
    defaultForCommunity: t.flag('Whether the community opens with it for people who have not chosen another view.'),
    canEdit: t.flag('Whether the caller may edit and delete it.'),
    creatorUser: t.ref('User', 'User who created it.'),
    creationTimestamp: t.time('Time at which it was created.'),
    lastModifyUser: t.ref('User', 'User who last edited it.'),
    lastModifyTimestamp: t.time('Time at which it was last edited.'),
    occToken: t.token('Token for the edit.'),
  }),
  ListSavedViewsResponse: t.type('The views of a community.', {
    views: t.list('SavedView', "The community's views, then the caller's own, each by name."),
    defaultViewId: t.int64(
      "The view with which the community opens for the caller: their default, else the community's. Absent without either.",
    ),
  }),
  CreateSavedViewRequest: t.type('A new view.', {
    name: t.required(name),
    shared: t.flag("True: the community's, which its managers create. False: the caller's own.", { default: false }),
    ...settings,
  }),
  EditSavedViewRequest: t.type('New content of the view. Omitted fields are unset.', {
    name: t.required(name),
    ...settings,
    occToken: t.required(
      t.token('Token that the view returned; a stale token returns 409.'),
      'Send the occToken that the view gave.',
    ),
  }),
  DeleteSavedViewResponse: t.type('The view that was deleted.', {
    viewId: t.int64('Id of the view.'),
    communityId: t.int64('Community of the view.'),
  }),
  RunSavedViewRequest: t.type('Paging of the posts of a view.', t.pageInputs),
  RunSavedViewResponse: t.page('BaseListPostsElement', 'A page of the posts that a view shows.', {
    view: t.ref('SavedView', 'The view as applied, without the skipped parts.'),
    leftOut: t.list('LeftOutOfView', 'Parts that could not be applied, because a field was removed or changed since.'),
  }),
  SummariseSavedViewResponse: t.type('The figures of a view.', {
    view: t.ref('SavedView', 'The view.'),
    leftOut: t.list(
      'LeftOutOfView',
      'Parts that cannot be applied, because a field was removed or changed since, or because the ' +
        'caller does not see it. The answer then has no figures: without these parts they would ' +
        'say something else.',
    ),
    figures: t.ref('SummarisePostsResponse', 'The figures, as `summarisePosts` returns them.'),
  }),
  LeftOutOfView: t.type('A part of a view that could not be applied.', {
    part: t.text('Place in the view: `communityPostFilters.postFieldFilters[0]`, `columns[2]`, `orderBy`, `groupBy`.'),
    reason: t.text('Reason why it could not be applied.'),
  }),
  EditFavouriteRequest: t.type('Whether it is a favourite.', {
    favourite: t.flag('False removes it from the favourites. Default true.', { default: true }),
  }),
  EditFavouriteResponse: t.type('The resulting state.', {
    favourite: t.flag('Whether it is a favourite of the caller.'),
    communityId: t.int64('The community, or that of the view.'),
  }),
  ListFavouritesResponse: t.type('Favourites of the caller that they still see, the last added first.', {
    communities: t.list('FavouriteCommunity', 'Communities.'),
    views: t.list('SavedView', 'Views.'),
  }),
  FavouriteCommunity: t.type('A community that is a favourite of the caller.', {
    communityId: t.int64('The community.'),
    communityName: t.text('Its name.'),
    workspaceId: t.int64('Its workspace.'),
  }),
  EditDefaultViewRequest: t.type('View with which a community opens.', {
    viewId: t.int64('The view. If omitted, the default is removed.'),
    shared: t.flag(
      'True: for everybody without another choice; it must be a view of the community, and ' +
        'only managers of the community set it. False: for the caller.',
      { default: false },
    ),
  }),
  EditDefaultViewResponse: t.type('View with which the community opens afterwards.', {
    defaultViewId: t.int64("Default for the caller: their own, otherwise the community's. Absent without either."),
  }),
};
