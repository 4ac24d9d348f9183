/** Filters of a list of posts: the available filters, and their form in requests. */
import {
  type CustomFieldFilter,
  FilterType,
  fieldTypes,
  type GetPostDefinitionResponse,
  type Input,
  type JsonValue,
} from '@portico/sdk';
import type { NumberField } from '../content/field-number.ts';
import type { ShownField } from '../content/shown-field.ts';
import type { Texts } from '../texts/index.ts';
import { instantOf } from '../texts/time-zone.ts';
import type { Choice } from '../write/input-values.ts';
import type { OptionSource } from '../write/option-search.ts';

/** Comparisons of a filter. `all` requires every value, `in` at least one of them. */
export const operators = ['has', 'is', 'in', 'all', 'between', 'empty'] as const;
export type Operator = (typeof operators)[number];
export type FilterValue = string | number | boolean | null;

/** A filter as stored in the address: its key, the operator, the values. Days are `2026-12-31`. */
export type Filter = readonly [by: string, operator: Operator, ...values: FilterValue[]];

/** The kind of input for values. */
type Control = 'text' | 'options' | 'days' | 'numbers' | 'flag' | 'none';
/** A field that can be filtered by. */
export interface FilterField {
  /** Key in the address. */
  readonly by: string;
  readonly label: string;
  readonly control: Control;
  readonly operators: readonly Operator[];
  /** All options, if they are known. */
  readonly options?: readonly Choice[];
  /** The kind of objects to search for, if the options are not all known. */
  readonly source?: OptionSource['of'];
  /** The community or the catalog that is searched. */
  readonly sourceId?: number;
  /** The custom field, if its values are numbers. */
  readonly number?: NumberField;
}

type Conditions = Partial<Omit<Input<'listCommunityPostsFiltered'>, 'communityId'>>;
const DAY = 86_400_000;

/** The available filters for posts of a community, in the order of the menu. */
export function filterFieldsOf(definition: GetPostDefinitionResponse, texts: Texts): FilterField[] {
  const { workflowDefinition, hashtags = [], fieldDefinitions = [], communityId } = definition;
  const states = (workflowDefinition?.states ?? []).map(({ id, name }) => ({ id: id!, label: name ?? '' }));
  const choice = (
    by: string,
    label: string,
    options: readonly Choice[],
    more: readonly Operator[] = [],
  ): FilterField[] =>
    options.length === 0 ? [] : [{ by, label, control: 'options', operators: ['in', ...more], options }];
  const people = (by: string, label: string, source: 'people' | 'groups' = 'people'): FilterField => ({
    by,
    label,
    control: 'options',
    operators: ['in'],
    source,
    sourceId: communityId!,
  });
  const text = (by: string, label: string): FilterField => ({ by, label, control: 'text', operators: ['has'] });
  const days = (by: string, label: string): FilterField => ({ by, label, control: 'days', operators: ['between'] });
  return [
    ...choice('state', texts.state, states),
    ...fieldDefinitions.filter(({ searchable }) => searchable).map((field) => customFilterField('field', field)),
    people('author', texts.author),
    people('authorGroup', texts.authorGroup, 'groups'),
    days('created', texts.created),
    people('editor', texts.editor),
    days('changed', texts.changed),
    ...choice(
      'hashtags',
      texts.hashtags,
      hashtags.map(({ id, name }) => ({ id: id!, label: `#${name}` })),
      ['all'],
    ),
    text('title', texts.title),
    text('description', texts.description),
    ...flagFilters.map((by) => ({ by, label: texts[by], control: 'none', operators: ['is'] }) as const),
    ...choice(
      'kind',
      texts.kind,
      texts.kinds.map((label, index) => ({ id: index + 1, label })),
    ),
    ...choice(
      'visibility',
      texts.visibility,
      texts.visibilities.map((label, index) => ({ id: index + 1, label })),
    ),
    days('eventStart', texts.eventStart),
    days('eventEnd', texts.eventEnd),
    text('location', texts.location),
    text('file', texts.fileName),
    ...choice(
      'fileKind',
      texts.fileKind,
      texts.fileKinds.map((label, index) => ({ id: index + 1, label })),
    ),
    ...(workflowDefinition?.screenFieldMetadatas ?? [])
      .filter(({ searchable }) => searchable)
      .map((field) => customFilterField('screen', field)),
  ];
}

type AnyField = Pick<ShownField, 'id' | 'label' | 'type' | 'enumValues' | 'metadata'>;

const CODES: Readonly<Record<Exclude<Operator, 'all'>, FilterType>> = {
  has: FilterType.LIKE,
  is: FilterType.EQUAL,
  in: FilterType.IN,
  between: FilterType.INTERVAL,
  empty: FilterType.IS_EMPTY,
};
const CONTROLS = {
  number: 'numbers',
  day: 'days',
  instant: 'days',
  text: 'text',
  richText: 'text',
  flag: 'flag',
  choice: 'options',
  objects: 'options',
} as const;
/** Operators of each control, the most used first. */
const CONTROL_OPERATORS: Readonly<Record<Control, readonly Exclude<Operator, 'all'>[]>> = {
  text: ['has', 'is', 'empty'],
  options: ['in', 'empty'],
  days: ['between', 'empty'],
  numbers: ['between', 'empty'],
  flag: ['is', 'empty'],
  none: [],
};

function sourceOf({ metadata = {} }: AnyField, options: readonly Choice[]): OptionSource['of'] | undefined {
  const { generic_entity_list_config_id: target, catalog_id: catalog } = metadata;
  if (target === 'core.user') return 'people';
  if (target !== undefined) return 'posts';
  return options.length === 0 && catalog !== undefined ? 'entries' : undefined;
}

function customFilterField(owner: 'field' | 'screen', field: AnyField): FilterField {
  const facts = fieldTypes[field.type!];
  const control = CONTROLS[facts.kind];
  const { community_id: community, catalog_id: catalog } = field.metadata ?? {};
  const options = (field.enumValues ?? []).map(({ id, label }) => ({ id: id!, label: label ?? '' }));
  const source = sourceOf(field, options);
  const sourceId = Number(source === 'entries' ? catalog : community);
  return {
    by: `${owner}-${field.id}`,
    label: field.label ?? '',
    control,
    operators: CONTROL_OPERATORS[control].filter((operator) => facts.operators.includes(CODES[operator])),
    ...(control === 'options' && (source === undefined ? { options } : { source })),
    ...(sourceId > 0 && { sourceId }),
    ...(control === 'numbers' && { number: field }),
  };
}

/** Filters without values: names of conditions. */
export const flagFilters = [
  'followedByMe',
  'toManage',
  'toManageProcesses',
  'toManageStandardTasks',
  'mentioned',
  'onlyPinned',
  'draft',
] as const;
const isFlag = (by: string) => flagFilters.some((name) => name === by);

/**
 * @returns the operator for the number used by the interface; undefined if the page does not offer
 *   it
 */
export const operatorOf = (code: FilterType | undefined): Operator | undefined =>
  (Object.keys(CODES) as (keyof typeof CODES)[]).find((operator) => CODES[operator] === code);

/** Ids of the fields of a community whose values are moments: their days are the account's. */
export function momentFieldsOf({ fieldDefinitions = [], workflowDefinition }: GetPostDefinitionResponse) {
  const fields = [...fieldDefinitions, ...(workflowDefinition?.screenFieldMetadatas ?? [])];
  return new Set(fields.flatMap(({ id, type }) => (fieldTypes[type!].kind === 'instant' ? [id!] : [])));
}

/**
 * @param moments ids of fields, as {@link momentFieldsOf} returns them
 * @returns the conditions of the interface; filters without the values they need are skipped
 */
export function conditionsOf(filters: readonly Filter[], moments: ReadonlySet<number> = new Set()): Conditions {
  const conditions: Conditions = {};
  const fields: Record<'field' | 'screen', CustomFieldFilter[]> = { field: [], screen: [] };
  for (const [by, operator, ...values] of filters) {
    if (!isComplete([by, operator, ...values])) continue;
    const [, owner, id] = /^(field|screen)-(\d+)$/.exec(by) ?? [];
    if (owner !== undefined && operator !== 'all') {
      fields[owner as 'field' | 'screen'].push({
        columnId: Number(id),
        typeId: CODES[operator],
        parameters: parametersOf(operator, values, moments.has(Number(id))),
      });
    } else add(conditions, by, operator, values);
  }
  if (fields.field.length > 0) conditions.postFieldFilters = fields.field;
  if (fields.screen.length > 0) conditions.screenFieldFilters = fields.screen;
  return conditions;
}

/**
 * Days are whole days: the last day counts to its end.
 * @param ofMoments whether the days are those of the account's clock; days of a DATE have no zone
 */
function parametersOf(operator: Operator, values: readonly FilterValue[], ofMoments: boolean): JsonValue[] {
  if (operator === 'empty') return [];
  const [from = null, to = null] = values;
  if (operator !== 'between') return [...values];
  if (ofMoments) {
    const end = momentOf(to ?? undefined, '24:00');
    return [momentOf(from ?? undefined, '00:00') ?? null, end === undefined ? null : end - 1];
  }
  return [from, typeof to === 'string' && /^\d{4}-\d\d-\d\d$/.test(to) ? Date.parse(to) + DAY - 1 : to];
}

function add(target: Conditions, by: string, operator: Operator, values: readonly FilterValue[]): void {
  const ids = values.filter((value) => typeof value === 'number');
  const words = String(values[0]);
  const [from, end] = [momentOf(values[0], '00:00'), momentOf(values[1], '24:00')];
  const between = (first: string, last: string) => ({
    ...(from !== undefined && { [first]: from }),
    ...(end !== undefined && { [last]: end - 1 }),
  });
  const event = (conditions: object) => ({ eventPostFilter: { ...target.eventPostFilter, ...conditions } });
  const file = (conditions: object) => ({
    communityAttachmentFilters: { ...target.communityAttachmentFilters, ...conditions },
  });
  const written: Readonly<Record<string, () => object>> = {
    state: () => ({ currentWorkflowStatusIds: ids }),
    author: () => ({ createdByUserIds: ids }),
    authorGroup: () => ({ createdByGroupIds: ids }),
    editor: () => ({ modifiedByUserId: ids[0] }),
    created: () => between('creationTimestampFrom', 'creationTimestampTo'),
    changed: () => between('modifiedTimestampFrom', 'modifiedTimestampTo'),
    hashtags: () => ({ hashtagIds: ids, hashtagsLogicalAnd: operator === 'all' }),
    title: () => ({ title: words }),
    description: () => ({ description: words }),
    kind: () => ({ postTypes: ids }),
    visibility: () => ({ visibility: ids[0] }),
    eventStart: () => event(between('startDateFrom', 'startDateTo')),
    eventEnd: () => event(between('endDateFrom', 'endDateTo')),
    location: () => event({ location: words }),
    file: () => file({ name: words }),
    fileKind: () => file({ mimeTypes: ids }),
  };
  if (isFlag(by)) Object.assign(target, { [by]: true });
  else if (Object.hasOwn(written, by)) Object.assign(target, written[by]!());
}

/** Filter fields that take a single value. */
export const singleValueFields: ReadonlySet<string> = new Set(['editor', 'visibility']);

/** Whether a filter has all values that it needs. */
export function isComplete([by, operator, ...values]: Filter): boolean {
  if (operator === 'empty' || isFlag(by)) return true;
  return values.some((value) => value !== null && value !== '');
}

/** The beginning of a day (or its end, at 24:00) in the time zone of the account, in epoch milliseconds. */
function momentOf(day: FilterValue | undefined, time: '00:00' | '24:00'): number | undefined {
  const ms = typeof day === 'string' ? instantOf(`${day}T${time}:00`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
