/** Saved views: what the address of a list says, under a name. */
import type { CommunityPostFilters, GetPostDefinitionResponse, Input, SavedView } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { wallDay } from '../texts/zone.ts';
import { type Filter, type FilterValue, operatorOf, subjectsOf, whether, wireOf } from './filters.ts';
import { type ListSearch, type Order, orderOf, orders } from './list-search.ts';

type Settings = Omit<Input<'createSavedView'>, 'communityId' | 'name' | 'shared'>;

const FIELD = 'postCustomField-';
/** The order of views that were saved before lists were ordered by what they show of it. */
const FORMER_RECENT = 'postLastModifyAndCommentTimestamp';
/** Columns and days by their names in the address, with those of the interface. */
const MEMBERS = {
  state: 'currentWorkflowState',
  author: 'creatorUser',
  active: 'lastOperationTimestamp',
  changed: 'lastModifyTimestamp',
  created: 'creationTimestamp',
  eventStart: 'event',
  comments: 'commentsCount',
  attachments: 'attachmentsCount',
} as const;

const memberOf = (name: string) =>
  name.startsWith('field-') ? `${FIELD}${name.slice('field-'.length)}` : MEMBERS[name as keyof typeof MEMBERS];
const nameOf = (member: string) =>
  member.startsWith(FIELD)
    ? `field-${member.slice(FIELD.length)}`
    : Object.entries(MEMBERS).find(([, other]) => other === member)?.[0];

/** Views of a community that the caller sees. */
export const useViews = (communityId: number) =>
  useQuery({ queryKey: ['views', communityId], queryFn: () => portal.views.list({ communityId }) });

/** Whether an address says nothing but, at most, a view. */
export const isBare = ({ view: _, peek: __, month: ___, ...rest }: ListSearch): boolean =>
  Object.keys(rest).length === 0;

/** What a list shows: what the address says, or the view that it names or with which the community opens. */
export function useChosenView(
  communityId: number,
  address: ListSearch,
  definition: GetPostDefinitionResponse | undefined,
): {
  search: ListSearch;
  chosen: SavedView | undefined;
  /** Whether the list shows something else than the chosen view. */
  changed: boolean;
  /** Whether the view has conditions that the page cannot show. */
  more: boolean;
  /** Whether it is not known yet. */
  pending: boolean;
} {
  const texts = useTexts();
  const views = useViews(communityId);
  const wanted = address.view ?? (isBare(address) ? views.data?.defaultViewId : undefined);
  const chosen = wanted === undefined ? undefined : views.data?.views?.find(({ id }) => id === wanted);
  if (!chosen || !definition) {
    const { view: _, ...search } = address;
    const pending = isBare(address) && address.view !== 0 && (views.isPending || (chosen !== undefined && !definition));
    return { search: chosen ? address : search, chosen, changed: false, more: false, pending };
  }
  const { search: saved, more } = searchOf(chosen, definition, texts);
  const rest = {
    ...(address.peek !== undefined && { peek: address.peek }),
    ...(address.month && { month: address.month }),
  };
  const search = isBare(address) ? { ...saved, ...rest } : address;
  return { search, chosen, changed: nameOfSettings(search) !== nameOfSettings(saved), more, pending: false };
}

/** The same for addresses that show the same. */
const nameOfSettings = (search: ListSearch) => JSON.stringify(settingsOf(search));

/** @returns a view of what the address says */
export function settingsOf(search: ListSearch): Settings {
  const { communityAttachmentFilters, ...posts } = wireOf(search.filters ?? []);
  const filters = { ...posts, ...(search.text !== undefined && { containsText: search.text }) };
  const { orderBy, orderDesc } = orderOf(search);
  return {
    ...(Object.keys(filters).length > 0 && { communityPostFilters: filters as CommunityPostFilters }),
    ...(communityAttachmentFilters && { communityAttachmentFilters }),
    orderBy,
    orderDesc,
    layout: search.layout ?? 'table',
    ...(search.layout === 'board' && { groupBy: 'currentWorkflowState' }),
    ...(search.layout === 'calendar' && search.date && { dateField: memberOf(search.date) }),
    ...(search.columns && {
      columns: ['customId', 'title', ...search.columns.flatMap((name) => memberOf(name) ?? [])],
    }),
  } as Settings;
}

/** @returns what the address says of a view, and whether the view has conditions that no filter of the page says */
function searchOf(
  view: SavedView,
  definition: GetPostDefinitionResponse,
  texts: Texts,
): { search: ListSearch; more: boolean } {
  const { filters, text, more } = filtersOf(view, definition, texts);
  const { orderBy = '', orderDesc, layout, columns, dateField } = view;
  const order = orderBy.startsWith(FIELD)
    ? (`field-${Number(orderBy.slice(FIELD.length))}` as Order)
    : orderBy === FORMER_RECENT
      ? 'recent'
      : (Object.entries(orders).find(([, { by }]) => by === orderBy)?.[0] as Order | undefined);
  const usual = order !== undefined && order in orders ? orders[order as keyof typeof orders].desc : false;
  const date = dateField === undefined ? undefined : (nameOf(dateField) as ListSearch['date']);
  return {
    search: {
      ...(text !== undefined && { text }),
      ...(filters.length > 0 && { filters }),
      ...(order !== undefined && order !== 'recent' && { order }),
      ...(orderDesc !== undefined && orderDesc !== usual && { desc: orderDesc }),
      ...(columns && { columns: columns.flatMap((member) => nameOf(member) ?? []) }),
      ...((layout === 'board' || layout === 'calendar') && { layout }),
      ...(date && { date }),
      view: view.id!,
    },
    more,
  };
}

const dayOf = (ms: unknown): string | null => (typeof ms === 'number' ? wallDay(ms) : null);

function filtersOf(
  { communityPostFilters = {}, communityAttachmentFilters = {} }: SavedView,
  definition: GetPostDefinitionResponse,
  texts: Texts,
): { filters: Filter[]; text: string | undefined; more: boolean } {
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
  for (const name of whether) if (take(name) === true) filters.push([name, 'is', true]);
  days('eventStart', 'startDateFrom', 'startDateTo', event);
  days('eventEnd', 'endDateFrom', 'endDateTo', event);
  words('location', 'location', event);
  words('file', 'name', file);
  ids('fileKind', 'mimeTypes', file);
  const subjects = subjectsOf(definition, texts);
  for (const [owner, name] of [
    ['field', 'postFieldFilters'],
    ['screen', 'screenFieldFilters'],
  ] as const) {
    const conditions = (take(name) ?? []) as NonNullable<CommunityPostFilters['postFieldFilters']>;
    for (const { columnId, typeId, parameters = [] } of conditions) {
      const subject = subjects.find(({ by }) => by === `${owner}-${columnId}`);
      const operator = operatorOf(typeId);
      if (!subject || !operator) left[name] = conditions;
      else {
        const values = (parameters as FilterValue[]).map((value) =>
          subject.control === 'days' && typeof value === 'number' ? dayOf(value) : value,
        );
        filters.push([subject.by, operator, ...values]);
      }
    }
  }
  const text = take('containsText') as string | undefined;
  const more = [left, event, file].some((rest) =>
    Object.values(rest).some((value) => value !== undefined && value !== false),
  );
  return { filters, text, more };
}
