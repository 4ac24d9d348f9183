/**
 * Types of custom fields: their codes, and the facts about each that server, clients and
 * documentation use. To add a type, see "Add a field type" in docs/recipes.md.
 */
import type { CodeOf } from './codes.ts';
import { FilterType } from './codes.ts';

/** Data type of a custom field of posts and of workflow screens. */
export const FieldType = {
  /** Whole number within 32 bits. */
  INT: 1,
  /** Whole number within 64 bits; beyond ±(2^53 − 1) it is written as a string of digits. */
  BIGINT: 2,
  /** Decimal number; `decimal_digits` in the metadata limits the digits after the point. */
  DECIMAL: 3,
  /** Calendar day, as epoch milliseconds of midnight UTC. */
  DATE: 4,
  /** Instant, as epoch milliseconds. */
  DATETIME: 5,
  /** Single-line text. */
  STRING: 6,
  /** A single value of a list or catalog. */
  ENUM: 7,
  /** Several values of a list or catalog. */
  ENUM_LIST: 8,
  /** Text of several lines. */
  TEXT_AREA: 9,
  /** Yes or no. */
  FLAG: 10,
  /** Rich text, a Quill delta as a JSON string. */
  DELTA_AREA: 11,
  /** A rating from 0 to `feedback_max_value` of the metadata. */
  FEEDBACK: 12,
  /** A single value of a list whose values depend on the value of a parent field. */
  HIERARCHICAL_ENUM: 13,
  /** A link to a web page. */
  LINK: 14,
  /** References to other objects: people (`core.user`) or posts (`communication.post`). */
  GENERIC_ENTITY_LIST: 15,
} as const;
export type FieldType = CodeOf<typeof FieldType>;

/** Type of a field that the file of a community declares without a type. */
export const DEFAULT_FIELD_TYPE = 'STRING' satisfies keyof typeof FieldType;

/** Kind of a field's values. Code for a kind serves every type of that kind. */
export type FieldKind =
  | 'number'
  /** A calendar day. */
  | 'day'
  /** A moment. */
  | 'instant'
  | 'text'
  | 'richText'
  | 'flag'
  /** Ids of values of the field's own list, or of entries of a catalog. */
  | 'choice'
  /** Ids of people, groups or posts. */
  | 'objects';

/** Validation rules that go together (see `validationRules`); REQUIRED and CONDITIONAL apply to every type. */
export type RuleGroup = 'bounds' | 'count' | 'length' | 'dates' | 'decimals' | 'email' | 'url';

/** Forms of values in answers and requests, in words. */
export interface ValueForms {
  /** Fields of the type that the forms apply to, if its fields differ. */
  readonly where?: string;
  readonly read: string;
  readonly written: string;
}

/** Published facts about a type of field. */
export interface FieldTypeFacts {
  readonly kind: FieldKind;
  /** Whether a field holds several values. */
  readonly list?: true;
  /** Whether the values depend on the value of a parent field. */
  readonly hierarchical?: true;
  /** Whether values count or measure something, so that they can be added up. */
  readonly quantity?: true;
  /**
   * Meaning of a text that is not a single line: several lines, or the address of a page. It
   * decides about the input and the display.
   */
  readonly textForm?: 'lines' | 'address';
  /** Whether lists can be ordered by fields of the type. */
  readonly sortable: boolean;
  /** Operators of filters; any other returns 400. */
  readonly operators: readonly FilterType[];
  readonly rules: readonly RuleGroup[];
  /**
   * Keys of the metadata that only fields of this type have, each with its meaning unless the name
   * says it.
   */
  readonly metadataKeys?: Readonly<Record<string, string>>;
  /** JSON schema of a value in answers. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly forms: readonly ValueForms[];
  /** A value to compare with in a filter. */
  readonly example: string | number | boolean;
}

const { EQUAL, INTERVAL, LIKE, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY } = FilterType;
const int64 = { type: 'integer', format: 'int64' };
const entries = { type: 'array', items: { $ref: '#/components/schemas/CatalogEntry' } };
const exampleTime = Date.UTC(2026, 0, 1);

const number = {
  kind: 'number',
  sortable: true,
  operators: [EQUAL, INTERVAL, IN, IS_NULL_OR_IN, IS_EMPTY],
  rules: ['bounds'],
  schema: { type: 'number' },
  forms: [
    {
      read: 'number; a BIGINT beyond ±(2^53 − 1) as a string of digits (`BigIntValue`)',
      written: 'number of any size, or string of digits',
    },
  ],
} satisfies Partial<FieldTypeFacts>;

/** A number of something, as ratings are not. */
const quantity = {
  ...number,
  quantity: true,
  metadataKeys: {
    unit: 'shown behind the number, such as kg',
    currency: 'a code of ISO 4217, such as EUR',
  },
} satisfies Partial<FieldTypeFacts>;

const date = {
  sortable: true,
  operators: [EQUAL, INTERVAL, IS_EMPTY],
  rules: ['dates'],
  schema: int64,
  forms: [{ read: 'epoch milliseconds; a DATE is midnight UTC', written: 'the same, or ISO 8601' }],
} satisfies Partial<FieldTypeFacts>;

const text = {
  kind: 'text',
  sortable: true,
  operators: [EQUAL, LIKE, CONTAINS, IS_EMPTY],
  rules: ['length'],
  schema: { type: 'string' },
  forms: [{ read: 'string', written: 'string' }],
} satisfies Partial<FieldTypeFacts>;

const choice = {
  kind: 'choice',
  sortable: true,
  operators: [EQUAL, IN, CONTAINS, IS_NULL_OR_IN, IS_EMPTY],
  rules: [],
  metadataKeys: {
    catalog_id: 'omitted while the catalog is out of use',
    catalog_entries_path:
      'where the entries of a catalog with more than 500 of them are listed by pages: listPostDefinitionCatalogEntries',
  },
  schema: { anyOf: [int64, entries] },
  forms: [
    { where: 'on a catalog', read: 'array of entries', written: 'array of ids' },
    { where: "on the field's own values", read: 'id; list of ids', written: 'id; list of ids' },
  ],
} satisfies Partial<FieldTypeFacts>;

/** Keys of the metadata that fields of every type may have. */
export const generalMetadataKeys = [
  'generate_post_comment',
  'inverse_relation_order_by',
  'inverse_relation_order_desc',
  'inverse_relation_include_terminal_states',
] as const;

/** Every type of field. */
export const fieldTypes: Readonly<Record<FieldType, FieldTypeFacts>> = {
  [FieldType.INT]: { ...quantity, schema: { type: 'integer', format: 'int32' }, example: 3 },
  [FieldType.BIGINT]: { ...quantity, schema: { $ref: '#/components/schemas/BigIntValue' }, example: 4_000_000_000 },
  [FieldType.DECIMAL]: {
    ...quantity,
    rules: ['bounds', 'decimals'],
    metadataKeys: { ...quantity.metadataKeys, decimal_digits: '' },
    example: 12.5,
  },
  [FieldType.DATE]: { ...date, kind: 'day', example: exampleTime },
  [FieldType.DATETIME]: { ...date, kind: 'instant', example: exampleTime + 12 * 3_600_000 },
  [FieldType.STRING]: { ...text, rules: ['length', 'email', 'url'], example: 'meridian' },
  [FieldType.ENUM]: { ...choice, example: 71 },
  [FieldType.ENUM_LIST]: {
    ...choice,
    list: true,
    sortable: false,
    rules: ['count'],
    schema: { anyOf: [{ type: 'array', items: int64 }, entries] },
    example: 72,
  },
  [FieldType.TEXT_AREA]: { ...text, textForm: 'lines', example: 'first draft' },
  [FieldType.FLAG]: {
    kind: 'flag',
    sortable: true,
    operators: [EQUAL, IS_EMPTY],
    rules: [],
    schema: { type: 'boolean' },
    forms: [{ read: 'boolean', written: 'boolean, or "true" and "false"' }],
    example: true,
  },
  [FieldType.DELTA_AREA]: {
    ...text,
    kind: 'richText',
    sortable: false,
    forms: [{ read: 'Quill delta as a JSON string', written: 'the same, or plain text with `deltaAreaFormat` 2' }],
    example: 'minutes',
  },
  [FieldType.FEEDBACK]: {
    ...number,
    metadataKeys: { feedback_min_value: '', feedback_max_value: '', feedback_step: '', feedback_icon_type: '' },
    example: 4,
  },
  [FieldType.HIERARCHICAL_ENUM]: { ...choice, hierarchical: true, example: 73 },
  [FieldType.LINK]: {
    ...text,
    textForm: 'address',
    rules: ['url'],
    forms: [{ read: 'address', written: 'read-only unless the definition says otherwise' }],
    example: 'https://example.org/',
  },
  [FieldType.GENERIC_ENTITY_LIST]: {
    ...choice,
    kind: 'objects',
    list: true,
    sortable: false,
    rules: ['count'],
    metadataKeys: {
      generic_entity_list_config_id: 'core.user or communication.post',
      user_picker_from_group: '',
      community_id: '',
      extends_post_visibility: '',
    },
    schema: { type: 'array', items: { type: 'object' } },
    forms: [{ read: 'array of objects', written: 'array of ids' }],
    example: 17,
  },
};

const names = new Map<number, string>(Object.entries(FieldType).map(([name, code]) => [code, name]));

/**
 * Returns the published name of a type, for example `INT`; the code itself if there is no such
 * type.
 */
export function fieldTypeName(type: FieldType): string {
  return names.get(type) ?? String(type);
}

/** Returns the types whose facts fulfil the condition, in the order of their codes. */
export function fieldTypesWhere(holds: (facts: FieldTypeFacts) => boolean): readonly FieldType[] {
  return Object.values(FieldType).filter((type) => holds(fieldTypes[type]));
}

/**
 * Conversion of values when a field changes its type: `exact` keeps every value, `checked` keeps
 * the values that fit the other type.
 */
export type Conversion = 'exact' | 'checked';

const toText = {
  [FieldType.STRING]: 'checked',
  [FieldType.TEXT_AREA]: 'exact',
  [FieldType.DELTA_AREA]: 'exact',
} as const;
const fromText = {
  [FieldType.INT]: 'checked',
  [FieldType.BIGINT]: 'checked',
  [FieldType.DECIMAL]: 'checked',
  [FieldType.DATE]: 'checked',
  [FieldType.DATETIME]: 'checked',
  [FieldType.FLAG]: 'checked',
  [FieldType.LINK]: 'checked',
  [FieldType.ENUM]: 'checked',
  [FieldType.ENUM_LIST]: 'checked',
} as const;

/** Types that fields of each type can change to; any other type returns 400. */
export const fieldConversions: Readonly<Record<FieldType, Readonly<Partial<Record<FieldType, Conversion>>>>> = {
  [FieldType.INT]: {
    [FieldType.BIGINT]: 'exact',
    [FieldType.DECIMAL]: 'exact',
    [FieldType.FEEDBACK]: 'checked',
    ...toText,
    [FieldType.STRING]: 'exact',
  },
  [FieldType.BIGINT]: {
    [FieldType.INT]: 'checked',
    [FieldType.DECIMAL]: 'checked',
    ...toText,
    [FieldType.STRING]: 'exact',
  },
  [FieldType.DECIMAL]: {
    [FieldType.INT]: 'checked',
    [FieldType.BIGINT]: 'checked',
    ...toText,
    [FieldType.STRING]: 'exact',
  },
  [FieldType.DATE]: { [FieldType.DATETIME]: 'exact', ...toText, [FieldType.STRING]: 'exact' },
  [FieldType.DATETIME]: { [FieldType.DATE]: 'exact', ...toText, [FieldType.STRING]: 'exact' },
  [FieldType.STRING]: { ...fromText, [FieldType.TEXT_AREA]: 'exact', [FieldType.DELTA_AREA]: 'exact' },
  [FieldType.ENUM]: { [FieldType.ENUM_LIST]: 'exact', ...toText },
  [FieldType.ENUM_LIST]: { [FieldType.ENUM]: 'checked', ...toText },
  [FieldType.TEXT_AREA]: { ...fromText, [FieldType.STRING]: 'checked', [FieldType.DELTA_AREA]: 'exact' },
  [FieldType.FLAG]: { ...toText, [FieldType.STRING]: 'exact' },
  [FieldType.DELTA_AREA]: { [FieldType.STRING]: 'checked', [FieldType.TEXT_AREA]: 'exact' },
  [FieldType.FEEDBACK]: {
    [FieldType.INT]: 'checked',
    [FieldType.DECIMAL]: 'exact',
    ...toText,
    [FieldType.STRING]: 'exact',
  },
  [FieldType.HIERARCHICAL_ENUM]: { ...toText },
  [FieldType.LINK]: { [FieldType.STRING]: 'exact', [FieldType.TEXT_AREA]: 'exact' },
  [FieldType.GENERIC_ENTITY_LIST]: {},
};
