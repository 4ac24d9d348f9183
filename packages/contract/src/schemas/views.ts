/** Saved views of the posts of a community; favourites. */
import { customFieldOrderPrefix, viewColumns, viewDates, viewGroups, viewLayouts } from '../filters.ts';
import { viewLimits } from '../limits.ts';
import {
  checked,
  type Fields,
  flag,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  texts,
  time,
  token,
  type,
  word,
} from './fields.ts';
import { postSelection } from './post-lists.ts';

const FIELD = `${customFieldOrderPrefix}{field id}`;
const oneOf = (words: readonly string[]) => ({
  pattern: `^(?:${words.join('|')}|${customFieldOrderPrefix}[0-9]{1,16})$`,
});

/** What a view shows and how. */
const settings: Fields = {
  ...postSelection,
  columns: {
    ...texts(
      `What is shown of each post, in this order: ${viewColumns.join(', ')}, ${FIELD}. Left out, what the community shows.`,
    ),
    maxItems: viewLimits.columns,
  },
  layout: word(viewLayouts, 'How the posts are laid out.', { default: 'table' }),
  groupBy: checked(
    text(
      `What a board makes columns of, or a table groups: ${viewGroups.join(', ')}, ${FIELD} of a field that holds one value of a list, or yes or no. A board without it groups by \`currentWorkflowState\`. A calendar takes none.`,
    ),
    oneOf(viewGroups),
  ),
  dateField: checked(
    text(
      `By which day a calendar shows the posts: ${viewDates.join(', ')}, ${FIELD} of a field that holds dates. Left out, by \`creationTimestamp\`. Other layouts take none.`,
    ),
    oneOf(viewDates),
  ),
};

const name = checked(text('Name of the view.'), { minLength: 1, maxLength: viewLimits.name });

export const viewTypes = {
  SavedView: type('A saved view: which posts of a community are shown, in which order and how.', {
    id: int64('Id of the view.'),
    communityId: int64('Community whose posts it shows.'),
    communityName: text('Name of that community.'),
    name: text('Name of the view.'),
    shared: flag(
      "Whether it is the community's, which everybody sees who sees the community. Else it is the caller's own.",
    ),
    ...settings,
    favourite: flag('Whether it is a favourite of the caller.'),
    defaultForMe: flag('Whether the caller has made it the view with which the community opens for them.'),
    defaultForCommunity: flag('Whether the community opens with it for those who have not chosen another.'),
    canEdit: flag('Whether the caller may edit and delete it.'),
    creatorUser: ref('User', 'Who created it.'),
    creationTimestamp: time('When it was created.'),
    lastModifyUser: ref('User', 'Who last edited it.'),
    lastModifyTimestamp: time('When it was last edited.'),
    occToken: token('Token for the edit.'),
  }),
  ListSavedViewsResponse: type('The views of a community.', {
    views: list('SavedView', "The community's views, then the caller's own, each by name."),
    defaultViewId: int64(
      "The view with which the community opens for the caller: their default, else the community's. Absent without either.",
    ),
  }),
  CreateSavedViewRequest: type('A new view.', {
    name: required(name),
    shared: flag("True: the community's, which its managers create. False: the caller's own.", { default: false }),
    ...settings,
  }),
  EditSavedViewRequest: type('The view as it is to be. What is left out is no longer set.', {
    name: required(name),
    ...settings,
    occToken: required(token('Token that the view gave; a stale one is a 409.')),
  }),
  DeleteSavedViewResponse: type('The view that was deleted.', {
    viewId: int64('Id of the view.'),
    communityId: int64('Community whose view it was.'),
  }),
  RunSavedViewRequest: type('Paging of the posts of a view.', pageInputs),
  RunSavedViewResponse: page('BaseListPostsElement', 'A page of the posts that a view shows.', {
    view: ref('SavedView', 'The view as it was applied: without what was left out.'),
    leftOut: list('LeftOutOfView', 'What could not be applied, because a field was removed or changed since.'),
  }),
  LeftOutOfView: type('A part of a view that could not be applied.', {
    part: text('Where it is in the view: `communityPostFilters.postFieldFilters[0]`, `columns[2]`, `orderBy`.'),
    reason: text('Why it could not be applied.'),
  }),
  EditFavouriteRequest: type('Whether it is a favourite.', {
    favourite: flag('False removes it from the favourites. Default true.', { default: true }),
  }),
  EditFavouriteResponse: type('What is so afterwards.', {
    favourite: flag('Whether it is a favourite of the caller.'),
    communityId: int64('The community, or that of the view.'),
  }),
  ListFavouritesResponse: type('Favourites of the caller that they still see, the last added first.', {
    communities: list('FavouriteCommunity', 'Communities.'),
    views: list('SavedView', 'Views.'),
  }),
  FavouriteCommunity: type('A community that is a favourite of the caller.', {
    communityId: int64('The community.'),
    communityName: text('Its name.'),
    workspaceId: int64('Its workspace.'),
  }),
  EditDefaultViewRequest: type('Which view a community opens with.', {
    viewId: int64('The view. Left out, there is no default any more.'),
    shared: flag(
      "True: for everybody who has not chosen another; it must be one of the community's views, and managers of the community set it. False: for the caller.",
      { default: false },
    ),
  }),
  EditDefaultViewResponse: type('What the community opens with afterwards.', {
    defaultViewId: int64("For the caller: their default, else the community's. Absent without either."),
  }),
};
