/**
 * The small vocabulary in which every type of the interface is declared. Each function makes the
 * JSON Schema of one field and takes the description that the OpenAPI document and the generated
 * interfaces show.
 *
 * A declaration is the *answer* form of a type: every field is optional, and only `nullableText`
 * allows null. The *request* form (null means absent, tokens may be strings of digits) is derived
 * from it in `input.ts`, so that no type is declared twice.
 */

import { listLimits } from '../limits.ts';

/**
 * JSON Schema of a field; the keys that begin with `x-` control the request form and the generated
 * types.
 */
export interface FieldSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly items?: FieldSchema;
  readonly additionalProperties?: FieldSchema;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The field is a token: requests may send it as a string of digits. */
  readonly 'x-token'?: boolean;
  /** Requests may send a single text instead of a list. */
  readonly 'x-or-text'?: boolean;
  /** Repeated items of the list count once: `maxItems` limits the number of different items. */
  readonly 'x-distinct'?: boolean;
  /** The text, or each text of the map, is a name: `oneLine` turns it into one line in requests. */
  readonly 'x-name'?: boolean;
  /**
   * Null has a meaning: answers carry it if there is no value, requests of a merge patch send it to
   * empty the field.
   */
  readonly 'x-null'?: boolean;
  /** The object is a merge patch: in requests, null empties the named field. */
  readonly 'x-merge'?: boolean;
  /** The OpenAPI document says that requests must send the field. */
  readonly 'x-required'?: boolean;
  /**
   * The server returns REQUIRED_FIELD for requests without the field, with this message or the
   * default one. A blank text counts as absent.
   */
  readonly 'x-enforced'?: boolean | string;
  /**
   * Additions to the field in requests of the OpenAPI document: formats, ranges and enumerations
   * that the operation checks itself, with an error code of its own.
   */
  readonly 'x-request'?: Readonly<Record<string, unknown>>;
  /** Additions to the field in answers of the OpenAPI document: formats, which nothing checks. */
  readonly 'x-answer'?: Readonly<Record<string, unknown>>;
  /** The member is a secret that the server does not keep: the stored answer of a write leaves it out. */
  readonly 'x-secret'?: boolean;
  /** Words that the pattern admits … */
  readonly 'x-words'?: readonly string[];
  /** … and the prefix that it admits before a field id. */
  readonly 'x-prefix'?: string;
  /** Names of the accepted numbers. */
  readonly 'x-codes'?: Readonly<Record<string, number>>;
}
/** The fields of a type by name. */
export type Fields = Readonly<Record<string, FieldSchema>>;
/** A declared type: its description and fields. */
export interface Declaration {
  readonly description: string;
  readonly fields: Fields;
}

/** A field in the form of answers: without the additions for requests. */
function answerField(field: FieldSchema): Readonly<Record<string, unknown>> {
  const {
    'x-required': _sent,
    'x-enforced': _refused,
    'x-request': _said,
    'x-null': orNull,
    'x-merge': _patch,
    'x-name': _line,
    'x-distinct': _once,
    'x-secret': _shownOnce,
    ...schema
  } = field;
  return { ...schema, ...(orNull && schema.type !== undefined && { type: [schema.type, 'null'] }) };
}

/** The fields of a type in the form of answers. */
export function answerFields(fields: Fields): Record<string, Readonly<Record<string, unknown>>> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, answerField(schema)]));
}

/** Largest identifier, token or timestamp on the wire: 2^53 − 1. */
export const maxInteger = Number.MAX_SAFE_INTEGER;
const maxInt32 = 2 ** 31 - 1;

type Keywords = Readonly<Record<string, unknown>>;

const integer = (keywords: Keywords): FieldSchema => ({ type: 'integer', ...keywords });
const string = (keywords: Keywords = {}): FieldSchema => ({ type: 'string', ...keywords });
const boolean = (keywords: Keywords): FieldSchema => ({ type: 'boolean', ...keywords });
const array = (items: FieldSchema, keywords: Keywords): FieldSchema => ({ type: 'array', items, ...keywords });
const reference = (name: string, keywords: Keywords = {}): FieldSchema => ({ $ref: `${name}#`, ...keywords });

/** Declares a type. Every field of it is optional on the wire. */
export function type(description: string, fields: Fields): Declaration {
  return { description, fields };
}

/** A 64-bit integer within ±(2^53 − 1): identifiers, sizes. */
export function int64(description: string): FieldSchema {
  return integer({ minimum: -maxInteger, maximum: maxInteger, format: 'int64', description });
}

/** An optimistic-concurrency token; in requests a string of digits is accepted too. */
export function token(description: string): FieldSchema {
  return { ...int64(description), 'x-token': true };
}

/** Marks a member of an answer that is a secret: only the first answer shows it, and it is not stored. */
export function shownOnce(field: FieldSchema): FieldSchema {
  return { ...field, 'x-secret': true };
}

const TIME_UNIT = 'Epoch milliseconds, UTC.';

/** A moment in time. */
export function time(description: string): FieldSchema {
  return int64(`${description} ${TIME_UNIT}`);
}

/** Whether a field is a moment in time. */
export function isTime({ type, description }: FieldSchema): boolean {
  return type === 'integer' && description?.endsWith(TIME_UNIT) === true;
}

/** A 32-bit integer. */
export function int32(
  description: string,
  options: { default?: number; minimum?: number; maximum?: number } = {},
): FieldSchema {
  return integer({ minimum: -maxInt32 - 1, maximum: maxInt32, format: 'int32', description, ...options });
}

/** A count, never negative. */
export function count(description: string): FieldSchema {
  return integer({ minimum: 0, maximum: maxInt32, format: 'int32', description });
}

/** A count or a number of bytes that may exceed 32 bits, never negative. */
export function bigCount(description: string): FieldSchema {
  return integer({ minimum: 0, maximum: maxInteger, format: 'int64', description });
}

/**
 * Text. `minLength` and `maxLength` limit its length in requests, in code points; requests must
 * match `pattern`.
 */
export function text(
  description: string,
  options: { minLength?: number; maxLength?: number; pattern?: string; default?: string } = {},
): FieldSchema {
  return string({ description, ...options });
}

/** The name of an object, or a reference by name: a text that is stored as one line. */
export function name(description: string, options: { maxLength?: number; pattern?: string } = {}): FieldSchema {
  return { ...text(description, options), 'x-name': true };
}

/** Text that is null in answers if there is none. */
export function nullableText(description: string): FieldSchema {
  return { ...text(description), 'x-null': true };
}

/** A field of a merge patch: null empties it, an absent field stays unchanged. */
export function orNull(field: FieldSchema): FieldSchema {
  return { ...field, 'x-null': true };
}

/**
 * A field that requests must send: the server returns REQUIRED_FIELD without it. In answers it may
 * be absent like any other. `message` replaces the default message.
 */
export function required(field: FieldSchema, message?: string): FieldSchema {
  return { ...field, 'x-required': true, 'x-enforced': message ?? true };
}

/** The token of an edit form, which the edit sends back. */
export const formToken: FieldSchema = required(
  token('Token that the form returned; a stale token returns 409.'),
  'Send the occToken that the form gave.',
);

/**
 * A field that the OpenAPI document calls required and that the operation checks itself, because
 * the rule depends on other fields or on stored data.
 */
export function requiredByRule(field: FieldSchema): FieldSchema {
  return { ...field, 'x-required': true };
}

/** A field with additions for requests; see `x-request`. */
export function checked(field: FieldSchema, request: Readonly<Record<string, unknown>>): FieldSchema {
  return { ...field, 'x-request': { ...field['x-request'], ...request } };
}

/** An e-mail address. */
export function email(description: string): FieldSchema {
  return checked(text(description), { format: 'email' });
}

/** An absolute address in an answer. */
export function uri(description: string): FieldSchema {
  return { ...text(description), 'x-answer': { format: 'uri' } };
}

/** Reference of an upload in a request; an empty one counts as absent. */
export function upload(description: string): FieldSchema {
  return checked(text(description), { pattern: '^(?:[0-9a-f]{64})?$' });
}

/** The name of a time zone in a request. */
export function zoneName(description: string): FieldSchema {
  return checked(text(`${description} A listed name, or an offset such as +02:00; older names are accepted too.`), {
    anyOf: [{ $ref: '#/components/schemas/TimeZoneName' }, { type: 'string', pattern: '^[+-][0-9]{2}:[0-9]{2}$' }],
  });
}

/** A date and time in a request, without offset. */
export function localDatetime(description: string): FieldSchema {
  return checked(text(description), { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}' });
}

/** Yes or no. */
export function flag(description: string, options: { default?: boolean } = {}): FieldSchema {
  return boolean({ description, ...options });
}

type Codes = Readonly<Record<string, number>>;

/** Writes a table of codes as text: `1 = DELTA, 2 = PLAIN_TEXT`. */
function codeText(codes: Codes): string {
  return Object.entries(codes)
    .map(([name, value]) => `${value} = ${name}`)
    .join(', ');
}

/** A number from a table of codes; the table is written into the description. */
export function code(codes: Codes, description: string, options: { default?: number } = {}): FieldSchema {
  const suffix = options.default === undefined ? '' : ` Default ${options.default}.`;
  return integer({
    enum: Object.values(codes),
    format: 'int32',
    description: `${description} ${codeText(codes)}.${suffix}`,
    ...options,
    'x-codes': codes,
  });
}

/**
 * A list of numeric codes. `default` is the value for requests without the field; it is documented,
 * not filled in. `also` are numbers accepted in addition to the published ones; the description
 * gives their meaning.
 */
export function codeList(
  codes: Codes,
  description: string,
  options: { default?: readonly number[]; also?: readonly number[] } = {},
): FieldSchema {
  const suffix = options.default === undefined ? '' : ` Default ${JSON.stringify(options.default)}.`;
  return array(integer({ enum: [...(options.also ?? []), ...Object.values(codes)], format: 'int32' }), {
    description: `${description} ${codeText(codes)}.${suffix}`,
    'x-codes': codes,
  });
}

/** A word of a closed list. */
export function word(words: readonly string[], description: string, options: { default?: string } = {}): FieldSchema {
  const suffix = options.default === undefined ? '' : ` Default \`${options.default}\`.`;
  return string({
    enum: [...words],
    description: `${description} Possible values: ${words.join(', ')}.${suffix}`,
    ...options,
  });
}

/** A word of a list, or a prefix followed by the id of a custom field. */
export function order(words: readonly string[], prefix: string, description: string, fallback: string): FieldSchema {
  return string({
    pattern: `^(?:${words.join('|')}|${prefix}[0-9]{1,16})$`,
    description: `${description} Possible values: ${words.join(', ')}, ${prefix}{field id}. Default \`${fallback}\`.`,
    default: fallback,
    'x-words': [...words],
    'x-prefix': prefix,
  });
}

/** Another declared type, by name. */
export function ref(name: string, description: string): FieldSchema {
  return reference(name, { description });
}

/**
 * A list of another declared type. `maxItems` limits its length in requests; default: {@link
 * listLimits}`.items`.
 */
export function list(name: string, description: string, options: { maxItems?: number } = {}): FieldSchema {
  return array(reference(name), { description, ...options });
}

/** A list of identifiers. It never contains `null`. `maxItems` as for {@link list}. */
export function ids(description: string, options: { minItems?: number; maxItems?: number } = {}): FieldSchema {
  return array(integer({ minimum: -maxInteger, maximum: maxInteger, format: 'int64' }), {
    description,
    ...options,
  });
}

/** A list of identifiers to filter by; repeated ones count once. */
export function filterIds(description: string, maxItems: number = listLimits.filterIds): FieldSchema {
  return { ...ids(description, { maxItems }), 'x-distinct': true };
}

/** A list of texts. */
export function texts(description: string): FieldSchema {
  return array(string(), { description });
}

/** A list of words from a closed list. */
export function wordList(words: readonly string[], description: string): FieldSchema {
  return array(string({ enum: [...words] }), {
    description: `${description} Possible values of each: ${words.join(', ')}.`,
  });
}

/** In requests a list of texts or a single text. */
export function textOrTexts(description: string): FieldSchema {
  return { ...texts(description), 'x-or-text': true };
}

/** Any JSON value. */
const anyValue: FieldSchema = {};

/** Any JSON value but null, which counts as absent. */
export function jsonValue(description: string): FieldSchema {
  return { ...anyValue, description };
}

/** A list of any JSON values. */
export function anyList(description: string, options: Pick<FieldSchema, 'maxItems' | 'x-distinct'> = {}): FieldSchema {
  return { type: 'array', items: anyValue, description, ...options };
}

/** A map from text keys to texts: names by language, metadata. */
export function textMap(description: string): FieldSchema {
  return { type: 'object', additionalProperties: string(), description };
}

/** A map from language codes to texts. */
export function languageMap(description: string): FieldSchema {
  return checked(textMap(`${description} Keys are language codes such as en or pt-BR.`), {
    propertyNames: { pattern: '^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$' },
  });
}

/** A map from language codes to names. */
export function nameMap(description: string): FieldSchema {
  return { ...languageMap(description), 'x-name': true };
}

/** A map from a field id, written as text, to any JSON value. */
export function fieldValues(description: string): FieldSchema {
  return { type: 'object', additionalProperties: anyValue, description };
}

/** A map from text keys to objects of any kind. */
export function objectMap(description: string): FieldSchema {
  return {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: anyValue },
    description,
  };
}

/** A map from text keys to another declared type. */
export function refMap(name: string, description: string): FieldSchema {
  return { type: 'object', additionalProperties: reference(name), description };
}

/** Paging inputs of every paged list. */
export const pageInputs: Fields = {
  pageToken: text('`nextPageToken` of the page before, unchanged; omit it for the first page.', { maxLength: 65_536 }),
  pageSize: {
    ...int32('Maximum number of items on a page: at least 1; more than 500 is cut to 500. Default 20.', {
      default: 20,
    }),
    minimum: 1,
  },
  calculateTotalItemsCount: flag('Asks for `totalItemsCount`, which costs a count. Default false.', { default: false }),
};

/** Direction of an order. */
export function orderDesc(fallback: boolean): FieldSchema {
  return flag(`Direction of the order: true runs from the highest to the lowest. Default ${fallback}.`, {
    default: fallback,
  });
}

/** The envelope of a paged list. */
export function page(item: string, description: string, more: Fields = {}): Declaration {
  return type(description, {
    items: list(item, 'The elements of this page.'),
    nextPageToken: text('Token of the next page; absent on the last one.'),
    totalItemsCount: bigCount('Number of elements on all pages; present only on request.'),
    ...more,
  });
}
