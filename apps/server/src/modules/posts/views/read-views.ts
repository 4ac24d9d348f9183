/** Operations listSavedViews, getSavedView, runSavedView and listFavourites. */

import type {
  ListFavouritesResponse,
  ListSavedViewsResponse,
  RunSavedViewRequest,
  RunSavedViewResponse,
  SavedView,
} from '@portico/contract';
import { compare } from '@portico/platform/compare';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sortKey } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { notFound, ValidationError } from '../../../kernel/errors.ts';
import type { OperationRequest } from '../../../kernel/operations.ts';
import type { Actor, Context, Scope } from '../../../kernel/scope.ts';
import { getDefinition, getDefinitions, seesCommunity } from '../../communities/index.ts';
import { usersOf } from '../../people/index.ts';
import { listPosts } from '../reading/list/list-posts.ts';
import { showsFigures } from './figure-settings.ts';
import { applyDisplay, leaveOut, selectionOf, withoutHidden } from './view-settings.ts';
import { mayEditView } from './views.policy.ts';
import {
  defaultsOf,
  favouriteCommunities,
  favouriteViews,
  findView,
  type ViewRow,
  type ViewSettings,
  viewsOfCommunity,
} from './views.repository.ts';

/**
 * Presents views without fields that the caller does not see; reads their authors in one statement.
 */
export async function presentViews(
  scope: Scope | WriteScope,
  db: TenantExecutor,
  rows: readonly ViewRow[],
): Promise<SavedView[]> {
  const users = await usersOf(
    scope,
    db,
    rows.flatMap(({ creatorId, modifierId }) => [creatorId, modifierId]),
  );
  const definitions = await getDefinitions(
    scope,
    rows.map(({ communityId }) => communityId),
  );
  const turns = new Turns();
  const views: SavedView[] = [];
  for (const row of rows) {
    if (turns.isOver) await turns.next();
    const definition = definitions.get(row.communityId);
    views.push(presentView(scope, definition ? withoutHidden(definition, row) : row, users));
  }
  return views;
}

function presentView(scope: Context, row: ViewRow, users: Awaited<ReturnType<typeof usersOf>>): SavedView {
  return {
    id: row.id,
    communityId: row.communityId,
    communityName: row.communityName,
    name: row.name,
    shared: row.userId === null,
    ...presentSettings(row),
    favourite: row.favourite,
    defaultForMe: row.defaultForMe,
    defaultForCommunity: row.defaultForCommunity,
    canEdit: mayEditView(scope.actor, row),
    creatorUser: users.get(row.creatorId),
    creationTimestamp: row.createdAt,
    lastModifyUser: users.get(row.modifierId),
    lastModifyTimestamp: row.modifiedAt,
    occToken: row.version,
  };
}

function presentSettings(settings: ViewSettings) {
  return {
    ...selectionOf(settings),
    ...(settings.columns && { columns: [...settings.columns] }),
    layout: settings.layout as NonNullable<SavedView['layout']>,
    ...(settings.groupBy !== null && { groupBy: settings.groupBy }),
    ...(settings.dateField !== null && { dateField: settings.dateField }),
    ...(settings.secondGroupBy !== null && { secondGroupBy: settings.secondGroupBy }),
    ...(settings.measure !== null && { measure: settings.measure as NonNullable<SavedView['measure']> }),
    ...(settings.measureOf !== null && { measureOf: settings.measureOf }),
    ...(showsFigures(settings.layout) && { inOverview: settings.inOverview }),
  };
}

/** @throws PorticoError NOT_FOUND for a community that the caller does not see */
export async function listSavedViews(scope: Scope, communityId: number): Promise<ListSavedViewsResponse> {
  if (!seesCommunity(scope.actor, communityId)) throw notFound();
  const rows = await viewsOfCommunity(scope.db, scope.actor, communityId);
  const keys = new Map(rows.map(({ id, name }) => [id, sortKey(name)]));
  const own = ({ userId }: ViewRow) => (userId === null ? 0 : 1);
  rows.sort((a, b) => own(a) - own(b) || compare(keys.get(a.id)!, keys.get(b.id)!) || a.id - b.id);
  const opensWith = rows.find((row) => row.defaultForMe) ?? rows.find((row) => row.defaultForCommunity);
  return {
    views: await presentViews(scope, scope.db, rows),
    defaultViewId: opensWith?.id,
  };
}

/** Returns a view that the caller sees. @throws PorticoError NOT_FOUND */
export async function requireView(db: TenantExecutor, actor: Actor, viewId: number): Promise<ViewRow> {
  const row = await findView(db, actor, viewId);
  if (!row) throw notFound();
  return row;
}

/** @throws PorticoError NOT_FOUND */
export async function getSavedView(scope: Scope, viewId: number): Promise<SavedView> {
  const [view] = await presentViews(scope, scope.db, [await requireView(scope.db, scope.actor, viewId)]);
  return view!;
}

/**
 * Returns the posts of a view as the list of posts returns them for its filters and order. Parts
 * that the list would reject now are ignored.
 * @throws PorticoError NOT_FOUND, PAGE_TOKEN_…; ValidationError for paging
 */
export async function runSavedView(
  scope: Scope,
  viewId: number,
  { pageToken, pageSize, calculateTotalItemsCount }: RunSavedViewRequest,
  query: OperationRequest<'runSavedView'>['query'],
): Promise<RunSavedViewResponse> {
  const row = await requireView(scope.db, scope.actor, viewId);
  const definition = await getDefinition(scope, row.communityId);
  if (!definition) throw notFound();
  const paging = {
    pageToken,
    pageSize,
    calculateTotalItemsCount,
  };
  const list = (settings: ViewSettings) =>
    listPosts(scope, 'runSavedView', row.communityId, { ...paging, ...selectionOf(settings) }, query);
  let { settings, leftOut } = applyDisplay(definition, withoutHidden(definition, row));
  // The list reports every part that it rejects, up to a hundred at once.
  for (;;) {
    try {
      const page = await list(settings);
      const [view] = await presentViews(scope, scope.db, [{ ...row, ...settings }]);
      return { ...page, view: view!, leftOut };
    } catch (error) {
      const less = error instanceof ValidationError ? leaveOut(settings, error.errors) : undefined;
      if (!less) throw error;
      settings = less.settings;
      leftOut = [...leftOut, ...less.leftOut];
    }
  }
}

/** Favourites of the caller that they still see. */
export async function listFavourites(scope: Scope): Promise<ListFavouritesResponse> {
  return {
    communities: await favouriteCommunities(scope.db, scope.actor),
    views: await presentViews(scope, scope.db, await favouriteViews(scope.db, scope.actor)),
  };
}

/** The view with which a community opens for a user. */
export async function defaultViewOf(
  db: TenantExecutor,
  userId: number,
  communityId: number,
): Promise<{ defaultViewId?: number }> {
  const [first] = await defaultsOf(db, userId, communityId);
  return first ? { defaultViewId: first.viewId } : {};
}
