/**
 * Settings of a view: read from a request, checked against the definition of the community, and
 * applied.
 */
import {
  type CreateSavedViewRequest,
  customFieldOf,
  fieldTypes,
  viewColumns,
  viewDates,
  viewGroups,
  viewLimits,
} from '@portico/contract';
import { type FieldError, type FieldErrors, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, type FieldDefinition, holdsPeople } from '../../communities/index.ts';
import { readListInput } from '../reading/list/list-input.ts';
import { figureErrors, showsFigures } from './figure-settings.ts';
import type { ViewSettings } from './views.repository.ts';

/** The fields of a request that form the settings. */
type SettingsInput = Omit<CreateSavedViewRequest, 'name' | 'shared'>;

/** A part of a view that could not be applied. */
interface LeftOut {
  part: string;
  reason: string;
}

/** The settings as a list of posts takes them: filters and order. */
export function selectionOf(settings: ViewSettings) {
  const { postFilters, attachmentFilters, orderBy, orderDesc, pinnedFirst } = settings;
  return {
    communityPostFilters: postFilters || undefined,
    communityAttachmentFilters: attachmentFilters || undefined,
    orderBy: orderBy !== null ? (orderBy as NonNullable<SettingsInput['orderBy']>) : undefined,
    orderDesc: orderDesc ?? undefined,
    pinnedFirst: pinnedFirst ?? undefined,
  };
}

/**
 * Reads the settings of a request; filters and order are rejected as by the list of posts.
 * @param errors gets every error found
 */
export async function readSettings(
  scope: Scope,
  definition: CommunityDefinition,
  input: SettingsInput,
  errors: FieldErrors,
): Promise<ViewSettings> {
  const settings: ViewSettings = {
    postFilters: input.communityPostFilters ?? null,
    attachmentFilters: input.communityAttachmentFilters ?? null,
    orderBy: input.orderBy ?? null,
    orderDesc: input.orderDesc ?? null,
    pinnedFirst: input.pinnedFirst ?? null,
    columns: input.columns ?? null,
    layout: input.layout ?? 'table',
    groupBy: input.groupBy ?? null,
    dateField: input.dateField ?? null,
    secondGroupBy: input.secondGroupBy ?? null,
    measure: input.measure ?? null,
    measureOf: input.measureOf ?? null,
    inOverview: input.inOverview ?? false,
  };
  for (const [field, filters] of [
    ['communityPostFilters', settings.postFilters],
    ['communityAttachmentFilters', settings.attachmentFilters],
  ] as const) {
    if (JSON.stringify(filters).length <= viewLimits.filters) continue;
    const defaultMessage = `As JSON, the filters of a view have at most ${viewLimits.filters} characters.`;
    errors.add(field, 'INVALID_VALUE', defaultMessage, [viewLimits.filters]);
  }
  try {
    await readListInput(selectionOf(settings), { scope, definition });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors);
  }
  if (settings.groupBy !== null && settings.layout === 'calendar') {
    errors.add('groupBy', 'INVALID_VALUE', 'A calendar does not group.');
  }
  if (settings.dateField !== null && settings.layout !== 'calendar') {
    errors.add('dateField', 'INVALID_VALUE', 'Only a calendar has a date field.');
  }
  errors.push(...displayErrors(definition, settings));
  return settings;
}

const holdsOneChoice = ({ type }: FieldDefinition) => {
  const { kind, list } = fieldTypes[type];
  return kind === 'flag' || (kind === 'choice' && !list);
};
/** A post with several people is in the group of each; a card of a board has one column. */
const makesGroups = (field: FieldDefinition) => holdsOneChoice(field) || holdsPeople(field);
const holdsDates = ({ type }: FieldDefinition) => ['day', 'instant'].includes(fieldTypes[type].kind);

/**
 * Returns errors for columns, groups and dates that name a field which the community does not have.
 */
function displayErrors(definition: CommunityDefinition, settings: ViewSettings): FieldError[] {
  const { columns, layout, groupBy, dateField } = settings;
  if (showsFigures(layout)) return figureErrors(definition, settings);
  const fields = [...definition.fields, ...(definition.workflow?.fields ?? [])];
  const check = (
    field: string,
    name: string,
    words: readonly string[],
    fits: (definition: FieldDefinition) => boolean,
  ): FieldError[] => {
    if (words.includes(name)) return [];
    const id = customFieldOf(name);
    if (id !== null && fields.some((candidate) => candidate.id === id && fits(candidate))) return [];
    const among = fields.filter(fits).map((candidate) => `postCustomField-${candidate.id} (${candidate.label})`);
    const allowed = [...words, ...among].join(', ');
    return [
      {
        field,
        code: id === null ? 'INVALID_VALUE' : 'UNKNOWN_FIELD',
        defaultMessage: `${JSON.stringify(name)} is none of: ${allowed}.`,
        customFieldId: id ?? undefined,
      },
    ];
  };
  return [
    ...figureErrors(definition, settings),
    ...(columns ?? []).flatMap((column, index) => check(`columns[${index}]`, column, viewColumns, () => true)),
    ...(groupBy === null
      ? []
      : check('groupBy', groupBy, viewGroups, layout === 'table' ? makesGroups : holdsOneChoice)),
    ...(dateField === null ? [] : check('dateField', dateField, viewDates, holdsDates)),
  ];
}

/**
 * Returns the settings without columns, groups and dates that name a field which the community no
 * longer has.
 */
export function applyDisplay(definition: CommunityDefinition, settings: ViewSettings) {
  return leaveOut(settings, displayErrors(definition, settings)) as { settings: ViewSettings; leftOut: LeftOut[] };
}

/** Members of one value that can be left out. */
const SINGLE = ['orderBy', 'groupBy', 'dateField', 'secondGroupBy', 'measureOf'] as const;

/**
 * Returns the settings without the rejected parts: single conditions on fields and columns, and
 * whole members otherwise.
 * @returns undefined when an error is about no part of the settings
 */
export function leaveOut(
  settings: ViewSettings,
  errors: readonly FieldError[],
): { settings: ViewSettings; leftOut: LeftOut[] } | undefined {
  const postFilters: Record<string, unknown> = { ...settings.postFilters };
  const attachmentFilters: Record<string, unknown> = { ...settings.attachmentFilters };
  const single: Partial<ViewSettings> = {};
  const leftOut = new Map<string, string>();
  const indexes = new Map<string, Set<number>>();
  for (const { field, defaultMessage, code } of errors) {
    const [, list, index] = /^(columns|communityPostFilters\.(?:post|screen)FieldFilters)\[(\d+)\]/.exec(field) ?? [];
    const [, filters, member] = /^(communityPostFilters|communityAttachmentFilters)\.(\w+)/.exec(field) ?? [];
    let part = field;
    if (list !== undefined) {
      part = `${list}[${index}]`;
      indexes.set(list, (indexes.get(list) ?? new Set()).add(Number(index)));
    } else if (filters !== undefined && member !== undefined) {
      part = `${filters}.${member}`;
      delete (filters === 'communityPostFilters' ? postFilters : attachmentFilters)[member];
    } else if (SINGLE.some((name) => name === field)) {
      single[field as (typeof SINGLE)[number]] = null;
    } else return undefined;
    leftOut.set(part, defaultMessage ?? code);
  }
  const kept = <T>(list: string, items: readonly T[]) => items.filter((_, index) => !indexes.get(list)?.has(index));
  for (const name of ['postFieldFilters', 'screenFieldFilters']) {
    const items = postFilters[name];
    if (Array.isArray(items)) postFilters[name] = kept(`communityPostFilters.${name}`, items);
  }
  return {
    settings: {
      ...settings,
      ...single,
      postFilters: settings.postFilters && postFilters,
      attachmentFilters: settings.attachmentFilters && attachmentFilters,
      columns: settings.columns && kept('columns', settings.columns),
    },
    leftOut: [...leftOut].map(([part, reason]) => ({ part, reason })),
  };
}

/**
 * Returns the settings without the parts that name a field hidden from the actor: for them it does
 * not exist.
 */
export function withoutHidden<S extends ViewSettings>({ hidden }: CommunityDefinition, settings: S): S {
  if (hidden.length === 0) return settings;
  const ids = new Set(hidden.map(({ id }) => id));
  // A grouping by a date has a period after a dot.
  const names = (order: string | null) => ids.has((order && customFieldOf(order.split('.', 1)[0]!)) || 0);
  const without = <F extends object>(filters: F | null) =>
    filters &&
    (Object.fromEntries(
      Object.entries(filters).map(([member, value]) => [
        member,
        Array.isArray(value)
          ? value.filter((item) => !ids.has((item as { columnId?: number } | null)?.columnId ?? 0))
          : value,
      ]),
    ) as F);
  return {
    ...settings,
    postFilters: without(settings.postFilters),
    attachmentFilters: without(settings.attachmentFilters),
    columns: settings.columns?.filter((column) => !names(column)) ?? null,
    ...Object.fromEntries(SINGLE.map((name) => [name, names(settings[name]) ? null : settings[name]])),
  };
}
