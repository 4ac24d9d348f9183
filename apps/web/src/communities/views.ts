/** Saved views: settings of a list under a name. */
import type { CommunityPostFilters, GetPostDefinitionResponse, Input, SavedView } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { wallDay } from '../texts/time-zone.ts';
import {
  conditionsOf,
  type Filter,
  type FilterValue,
  filterFieldsOf,
  flagFilters,
  momentFieldsOf,
  operatorOf,
} from './filters.ts';
import { type ListSearch, type Order, orderOf, orders } from './list-search.ts';
import { knownMomentFields } from './use-posts.ts';

type Settings = Omit<Input<'createSavedView'>, 'communityId' | 'name' | 'shared'>;

const FIELD = 'postCustomField-';
/** The order in views saved before lists were ordered by the column `active`. */
const FORMER_RECENT = 'postLastModifyAndCommentTimestamp';
/** Columns and dates: names in the address, with the names of the interface. */
const API_NAMES = {
  state: 'currentWorkflowState',
  author: 'creatorUser',
  active: 'lastOperationTimestamp',
  changed: 'lastModifyTimestamp',
  created: 'creationTimestamp',
  eventStart: 'event',
  comments: 'commentsCount',
  attachments: 'attachmentsCount',
} as const;

/** Name of a column in the interface. @param name as in the address */
export const apiNameOf = (name: string): string =>
  name.startsWith('field-') ? `${FIELD}${name.slice('field-'.length)}` : API_NAMES[name as keyof typeof API_NAMES];
const columnKeyOf = (member: string) =>
  member.startsWith(FIELD)
    ? `field-${member.slice(FIELD.length)}`
    : Object.entries(API_NAMES).find(([, other]) => other === member)?.[0];

/** Views of a community that the caller sees, figures included. */
export const useAllViews = (communityId: number) =>
  useQuery({ queryKey: ['views', communityId], queryFn: () => portal.views.list({ communityId }) });

/** Whether a view is a list: figures have the other layouts. */
export const isList = <View extends Pick<SavedView, 'layout'>>(
  view: View,
): view is View & { layout?: 'table' | 'board' | 'calendar' } =>
  ['table', 'board', 'calendar'].includes(view.layout ?? 'table');

/** Whether an address has no settings other than a view. */
export const hasNoSettings = ({ view: _, peek: __, month: ___, ...rest }: ListSearch): boolean =>
  Object.keys(rest).length === 0;

/**
 * The settings of a list: from the address, or from the view that the address names or with which
 * the community opens.
 */
export function useChosenView(
  communityId: number,
  address: ListSearch,
  definition: GetPostDefinitionResponse | undefined,
): {
  search: ListSearch;
  chosen: SavedView | undefined;
  /** Whether the settings of the list differ from the chosen view. */
  changed: boolean;
  /** Whether the view has conditions that the page cannot show. */
  unsupported: boolean;
  /** Whether the view is still being read. */
  pending: boolean;
} {
  const texts = useTexts();
  const views = useAllViews(communityId);
  const wanted = address.view ?? (hasNoSettings(address) ? views.data?.defaultViewId : undefined);
  const chosen =
    wanted === undefined ? undefined : views.data?.views?.find((view) => view.id === wanted && isList(view));
  if (!chosen || !definition) {
    const { view: _, ...search } = address;
    const pending =
      hasNoSettings(address) && address.view !== 0 && (views.isPending || (chosen !== undefined && !definition));
    return { search: chosen ? address : search, chosen, changed: false, unsupported: false, pending };
  }
  const { search: saved, unsupported } = searchOf(chosen, definition, texts);
  const rest = {
    ...(address.peek !== undefined && { peek: address.peek }),
    ...(address.month && { month: address.month }),
  };
  const search = hasNoSettings(address) ? { ...saved, ...rest } : address;
  return {
    search,
    chosen,
    changed: settingsKey(search, communityId) !== settingsKey(saved, communityId),
    unsupported,
    pending: false,
  };
}

/** Whether a list is a table with groups. */
const isGrouped = (search: ListSearch): search is ListSearch & { group: NonNullable<ListSearch['group']> } =>
  search.group !== undefined && search.layout === undefined;

/** Returns an equal key for addresses with equal settings. */
const settingsKey = (search: ListSearch, communityId: number) => JSON.stringify(settingsOf(search, communityId));

/** @returns the conditions of the address in the form of a view */
export function conditionSettings(
  { filters = [], text }: Pick<ListSearch, 'filters' | 'text'>,
  communityId: number,
): Pick<Settings, 'communityPostFilters' | 'communityAttachmentFilters'> {
  const { communityAttachmentFilters, ...posts } = conditionsOf(filters, knownMomentFields(communityId));
  const conditions = { ...posts, ...(text !== undefined && { containsText: text }) };
  return {
    ...(Object.keys(conditions).length > 0 && { communityPostFilters: conditions as CommunityPostFilters }),
    ...(communityAttachmentFilters && { communityAttachmentFilters }),
  };
}

/** @returns the settings of the address in the form of a view */
export function settingsOf(search: ListSearch, communityId: number): Settings {
  const { orderBy, orderDesc } = orderOf(search);
  return {
    ...conditionSettings(search, communityId),
    orderBy,
    orderDesc,
    layout: search.layout ?? 'table',
    ...(isGrouped(search) && { groupBy: apiNameOf(search.group) }),
    ...(search.layout === 'board' && { groupBy: 'currentWorkflowState' }),
    ...(search.layout === 'calendar' && search.date && { dateField: apiNameOf(search.date) }),
    ...(search.columns && {
      columns: ['customId', 'title', ...search.columns.flatMap((name) => apiNameOf(name) ?? [])],
    }),
  } as Settings;
}

/** @param by as a view stores it */
function orderNamed(by: string): Order | undefined {
  if (by.startsWith(FIELD)) return `field-${Number(by.slice(FIELD.length))}` as Order;
  if (by === FORMER_RECENT) return 'recent';
  return Object.entries(orders).find(([, order]) => order.by === by)?.[0] as Order | undefined;
}

/**
 * @returns the settings of a view in the form of the address, and whether the view has conditions
 *   that no filter of the page can express
 */
function searchOf(
  view: SavedView,
  definition: GetPostDefinitionResponse,
  texts: Texts,
): { search: ListSearch; unsupported: boolean } {
  const { filters, text, unsupported } = filtersOf(view, definition, texts);
  const { orderBy = '', orderDesc, layout, columns, dateField, groupBy } = view;
  const group = groupBy === undefined ? undefined : (columnKeyOf(groupBy) as ListSearch['group']);
  const order = orderNamed(orderBy);
  const usual = order !== undefined && order in orders ? orders[order as keyof typeof orders].desc : false;
  const date = dateField === undefined ? undefined : (columnKeyOf(dateField) as ListSearch['date']);
  return {
    search: {
      ...(text !== undefined && { text }),
      ...(filters.length > 0 && { filters }),
      ...(order !== undefined && order !== 'recent' && { order }),
      ...(orderDesc !== undefined && orderDesc !== usual && { desc: orderDesc }),
      ...(columns && { columns: columns.flatMap((member) => columnKeyOf(member) ?? []) }),
      ...((layout === 'board' || layout === 'calendar') && { layout }),
      ...(date && { date }),
      ...(group && layout !== 'board' && { group }),
      view: view.id!,
    },
    unsupported,
  };
}

const dayOf = (ms: unknown): string | null => (typeof ms === 'number' ? wallDay(ms) : null);

/** Returns stored conditions as filters of the page. `unsupported`: there are others, which no filter expresses. */
export function filtersOf(
  {
    communityPostFilters = {},
    communityAttachmentFilters = {},
  }: Pick<SavedView, 'communityPostFilters' | 'communityAttachmentFilters'>,
  definition: GetPostDefinitionResponse,
  texts: Texts,
): { filters: Filter[]; text: string | undefined; unsupported: boolean } {
  const left: Record<string, unknown> = { ...communityPostFilters };
  const event: Record<string, unknown> = { ...communityPostFilters.eventPostFilter };
  const file: Record<string, unknown> = { ...communityAttachmentFilters };
  const take = (name: string, from = left) => {
    const value = from[name];
    delete from[name];
    return value;
  };
  const filters: Filter[] = [];
  const ids = (by: string, name: string, from = left) => {
    const value = take(name, from);
    if (Array.isArray(value) && value.length > 0) filters.push([by, 'in', ...(value as number[])]);
    else if (typeof value === 'number') filters.push([by, 'in', value]);
  };
  const words = (by: string, name: string, from = left) => {
    const value = take(name, from);
    if (typeof value === 'string') filters.push([by, 'has', value]);
  };
  const days = (by: string, start: string, end: string, from = left) => {
    const [first, last] = [dayOf(take(start, from)), dayOf(take(end, from))];
    if (first !== null || last !== null) filters.push([by, 'between', first, last]);
  };
  delete left['eventPostFilter'];
  ids('state', 'currentWorkflowStatusIds');
  ids('author', 'createdByUserIds');
  ids('authorGroup', 'createdByGroupIds');
  ids('editor', 'modifiedByUserId');
  days('created', 'creationTimestampFrom', 'creationTimestampTo');
  days('changed', 'modifiedTimestampFrom', 'modifiedTimestampTo');
  const [tags, all] = [take('hashtagIds'), take('hashtagsLogicalAnd')];
  if (Array.isArray(tags) && tags.length > 0) filters.push(['hashtags', all === true ? 'all' : 'in', ...tags]);
  words('title', 'title');
  words('description', 'description');
  ids('kind', 'postTypes');
  ids('visibility', 'visibility');
  for (const name of flagFilters) if (take(name) === true) filters.push([name, 'is', true]);
  days('eventStart', 'startDateFrom', 'startDateTo', event);
  days('eventEnd', 'endDateFrom', 'endDateTo', event);
  words('location', 'location', event);
  words('file', 'name', file);
  ids('fileKind', 'mimeTypes', file);
  const moments = momentFieldsOf(definition);
  const filterFields = filterFieldsOf(definition, texts);
  for (const [owner, name] of [
    ['field', 'postFieldFilters'],
    ['screen', 'screenFieldFilters'],
  ] as const) {
    const conditions = (take(name) ?? []) as NonNullable<CommunityPostFilters['postFieldFilters']>;
    for (const { columnId, typeId, parameters = [] } of conditions) {
      const field = filterFields.find(({ by }) => by === `${owner}-${columnId}`);
      const operator = operatorOf(typeId);
      if (!field || !operator) left[name] = conditions;
      else {
        const ofMoments = moments.has(columnId!);
        const values = (parameters as FilterValue[]).map((value) => {
          if (field.control !== 'days' || typeof value !== 'number') return value;
          return ofMoments ? dayOf(value) : new Date(value).toISOString().slice(0, 10);
        });
        filters.push([field.by, operator, ...values]);
      }
    }
  }
  const text = take('containsText') as string | undefined;
  const unsupported = [left, event, file].some((rest) =>
    Object.values(rest).some((value) => value !== undefined && value !== false),
  );
  return { filters, text, unsupported };
}
