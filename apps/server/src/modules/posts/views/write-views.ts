/** Operations that create, edit and delete saved views, and set favourites and defaults. */
import {
  type CreateSavedViewRequest,
  type DeleteSavedViewResponse,
  type EditDefaultViewRequest,
  type EditDefaultViewResponse,
  type EditFavouriteResponse,
  type EditSavedViewRequest,
  type SavedView,
  viewLimits,
} from '@portico/contract';
import { storableText } from '@portico/platform/text';
import { hasPermission, joining, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, invalid, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { requiredText } from '../../../kernel/text-input.ts';
import { type CommunityDefinition, getDefinition, seesCommunity } from '../../communities/index.ts';
import { showsFigures } from './figure-settings.ts';
import { defaultViewOf, presentViews, requireView } from './read-views.ts';
import { readSettings } from './view-settings.ts';
import { mayEditView } from './views.policy.ts';
import {
  addFavouriteCommunity,
  addFavouriteView,
  countFavourites,
  deleteView,
  type FavouriteKind,
  filtersLength,
  findView,
  insertView,
  isFavourite,
  lockView,
  measureViews,
  removeFavouriteCommunity,
  removeFavouriteView,
  setDefault,
  updateView,
  type ViewRow,
  type ViewSettings,
} from './views.repository.ts';

/** @throws PorticoError NOT_FOUND for a community that the actor does not see */
async function requireCommunity(write: WriteScope, communityId: number): Promise<CommunityDefinition> {
  const definition = seesCommunity(write.actor, communityId) ? await getDefinition(write, communityId) : undefined;
  if (!definition) throw notFound();
  return definition;
}

function readName(name: string | undefined, errors: FieldErrors): string {
  return requiredText('name', storableText(name ?? ''), viewLimits.name, errors);
}

async function answer(write: WriteScope, viewId: number): Promise<SavedView> {
  const [view] = await presentViews(write, write.tx, [await requireView(write.tx, write.actor, viewId)]);
  return view!;
}

/**
 * @throws ValidationError with every error; PorticoError NOT_FOUND; FORBIDDEN for a shared view
 *   without the permission `shareViews`; CONFLICT when the number of views is at its maximum
 */
export async function createSavedView(
  scope: Scope,
  communityId: number,
  { name, shared, ...input }: CreateSavedViewRequest,
): Promise<SavedView> {
  return writeTransaction(scope, 'none', async (write) => {
    const definition = await requireCommunity(write, communityId);
    if (shared && !hasPermission(write.actor, communityId, 'shareViews')) throw lacksShareViews();
    const errors = new FieldErrors(write.missing);
    const view = {
      name: readName(name, errors),
      settings: await readSettings(joining(write), definition, input, errors),
    };
    errors.throwIfAny();
    const userId = shared ? null : write.actor.userId;
    const { count, filters, inOverview } = await measureViews(write.tx, communityId, userId);
    if (count >= viewLimits.views) {
      throw new PorticoError('CONFLICT', {
        message: `A community has at most ${viewLimits.views} views, and a person as many of their own in it; delete one first.`,
      });
    }
    refuseLongFilters(filters, view.settings);
    refuseFullOverview(inOverview, view.settings);
    return answer(write, await insertView(write, { ...view, communityId, userId }));
  });
}

/** @param others characters of the filters of the other views @param before the view before it is edited */
function refuseLongFilters(others: number, settings: ViewSettings, before?: ViewSettings): void {
  const length = filtersLength(settings);
  const grows = !before || length > filtersLength(before);
  if (!grows || others + length <= viewLimits.filtersTogether) return;
  throw new PorticoError('CONFLICT', {
    message: `The filters of all views of a community, and of all views of a person in it, have at most ${viewLimits.filtersTogether} characters; delete a view first.`,
  });
}

/** @param others figures in the overview beside this view */
function refuseFullOverview(others: number, { inOverview }: ViewSettings): void {
  if (!inOverview || others < viewLimits.overview) return;
  throw new PorticoError('CONFLICT', {
    message: `The overview of a community shows at most ${viewLimits.overview} figures of the community, and as many of a person's own; take one out first.`,
  });
}

const lacksShareViews = () => forbidden('Missing permission: shareViews.');

/**
 * Locks a view that the caller may edit until the write ends. @throws PorticoError NOT_FOUND,
 * FORBIDDEN
 */
async function holdEditable(write: WriteScope, viewId: number): Promise<ViewRow> {
  if (!(await lockView(write.tx, viewId, 'UPDATE'))) throw notFound();
  const view = await requireView(write.tx, write.actor, viewId);
  if (!mayEditView(write.actor, view)) throw lacksShareViews();
  return view;
}

/**
 * Replaces the settings of a view.
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN
 */
export async function editSavedView(
  scope: Scope,
  viewId: number,
  { name, occToken, ...input }: EditSavedViewRequest,
): Promise<SavedView> {
  return writeTransaction(scope, 'none', async (write) => {
    const view = await holdEditable(write, viewId);
    const definition = await requireCommunity(write, view.communityId);
    if (occToken !== undefined && occToken !== view.version) throw await staleToken(write.tx, view);
    const errors = new FieldErrors(write.missing);
    const text = readName(name, errors);
    const settings = await readSettings(joining(write), definition, input, errors);
    if (showsFigures(settings.layout) !== showsFigures(view.layout)) {
      errors.add('layout', 'INVALID_VALUE', 'A list does not become figures, nor figures a list: create another view.');
    }
    errors.throwIfAny();
    const { filters, inOverview } = await measureViews(write.tx, view.communityId, view.userId, viewId);
    refuseLongFilters(filters, settings, view);
    refuseFullOverview(inOverview, settings);
    await updateView(write, viewId, text, settings);
    return answer(write, viewId);
  });
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function deleteSavedView(scope: Scope, viewId: number): Promise<DeleteSavedViewResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const { communityId } = await holdEditable(write, viewId);
    await deleteView(write.tx, viewId);
    return { viewId, communityId };
  });
}

/**
 * Adds or removes a favourite; a repeat changes nothing. @throws PorticoError NOT_FOUND; CONFLICT
 * at the maximum number of favourites
 */
export async function editFavouriteView(
  scope: Scope,
  viewId: number,
  favourite: boolean,
): Promise<EditFavouriteResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    if (!(await lockView(write.tx, viewId, 'KEY SHARE'))) throw notFound();
    const { communityId } = await requireView(write.tx, write.actor, viewId);
    if (await mustChange(write, 'view', viewId, favourite)) {
      await (favourite ? addFavouriteView : removeFavouriteView)(write, viewId);
    }
    return { favourite, communityId };
  });
}

/**
 * The same for a community. @throws PorticoError NOT_FOUND; CONFLICT at the maximum number of
 * favourites
 */
export async function editFavouriteCommunity(
  scope: Scope,
  communityId: number,
  favourite: boolean,
): Promise<EditFavouriteResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    await requireCommunity(write, communityId);
    if (await mustChange(write, 'community', communityId, favourite)) {
      await (favourite ? addFavouriteCommunity : removeFavouriteCommunity)(write, communityId);
    }
    return { favourite, communityId };
  });
}

/**
 * Returns whether a favourite is to be added or removed. @throws PorticoError CONFLICT at the
 * maximum number of favourites
 */
async function mustChange(write: WriteScope, kind: FavouriteKind, id: number, favourite: boolean): Promise<boolean> {
  const count = await countFavourites(write, kind);
  if ((await isFavourite(write, kind, id)) === favourite) return false;
  if (favourite && count >= viewLimits.favourites) {
    throw new PorticoError('CONFLICT', {
      message: `A person has at most ${viewLimits.favourites} favourites of a kind; remove one first.`,
    });
  }
  return true;
}

/**
 * Sets the view with which a community opens, for the caller or for all users who have not chosen.
 * @throws ValidationError for a view that cannot be the default; PorticoError NOT_FOUND, FORBIDDEN
 */
export async function editDefaultView(
  scope: Scope,
  communityId: number,
  { viewId, shared }: EditDefaultViewRequest,
): Promise<EditDefaultViewResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    await requireCommunity(write, communityId);
    const { userId } = write.actor;
    if (shared && !hasPermission(write.actor, communityId, 'shareViews')) {
      throw lacksShareViews();
    }
    if (viewId !== undefined) await mustBeViewOf(write, communityId, viewId, shared === true);
    await setDefault(write.tx, communityId, shared ? 0 : userId, viewId ?? null);
    return defaultViewOf(write.tx, userId, communityId);
  });
}

async function mustBeViewOf(write: WriteScope, communityId: number, viewId: number, shared: boolean): Promise<void> {
  const there = await lockView(write.tx, viewId, 'KEY SHARE');
  const view = there ? await findView(write.tx, write.actor, viewId) : undefined;
  const lists = view?.communityId === communityId && !showsFigures(view.layout);
  if (lists && (!shared || view.userId === null)) return;
  const whose = shared ? "one of the community's lists" : 'a list of the community that you see';
  throw invalid('viewId', 'UNKNOWN_REFERENCE', `viewId must be ${whose}.`, [viewId]);
}
