/**
 * From the written form of a custom value to the stored one (docs/decisions/values.md). Pure: what an id refers to is
 * looked up later.
 *
 * Stored form, in `posts.custom_data` and `posts.screen_data`, keyed by the field's id as text; a field without a value has
 * no key:
 *   INT, DECIMAL, FEEDBACK number            BIGINT number, or a string of digits beyond 2^53
 *   DATE, DATETIME epoch milliseconds        STRING, TEXT_AREA, LINK string
 *   DELTA_AREA the bare array of operations as JSON text             FLAG boolean
 *   ENUM, HIERARCHICAL_ENUM one id           ENUM_LIST, GENERIC_ENTITY_LIST list of ids (groups: not negated)
 */
import { FieldType, listLimits } from '@portico/contract';
import {
  deltaToPlainText,
  parseDelta,
  plainTextToDelta,
  RichTextError,
  serialiseDelta,
} from '../../../platform/richtext/index.ts';
import { isLongerThan, storableText } from '../../../platform/text/index.ts';
import { parseDateInput, TimeInputError } from '../../../platform/time/index.ts';
import { ValueError } from './errors.ts';
import type { FieldRule } from './field-rules.ts';

/** A value in its stored form. */
export type StoredValue = number | string | boolean | number[];

/** Longest STRING and LINK, and longest TEXT_AREA, in code points. Rich text: the limits of platform/richtext. */
export const MAX_STRING_LENGTH = 4_000;
export const MAX_TEXT_LENGTH = 250_000;
/** Most elements of a list. */
export const MAX_LIST_LENGTH = listLimits.items;

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;
const MAX_INT64 = 2n ** 63n - 1n;
const DIGITS = /^[+-]?\d{1,30}$/;
const DECIMAL = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,3})?$/;

/** True for types whose values are ids of enum values, catalog entries or other objects. */
export function isReferenceType(type: FieldType): boolean {
  return (
    type === FieldType.ENUM ||
    type === FieldType.ENUM_LIST ||
    type === FieldType.HIERARCHICAL_ENUM ||
    type === FieldType.GENERIC_ENTITY_LIST
  );
}

/** True for types whose values are lists. */
export function isListType(type: FieldType): boolean {
  return type === FieldType.ENUM_LIST || type === FieldType.GENERIC_ENTITY_LIST;
}

/** True for types whose values are text that LIKE and search look into. */
export function isTextType(type: FieldType): boolean {
  return (
    type === FieldType.STRING ||
    type === FieldType.TEXT_AREA ||
    type === FieldType.LINK ||
    type === FieldType.DELTA_AREA
  );
}

/** The text of a stored value of a text type; of rich text the plain text. */
export function storedText(type: FieldType, value: StoredValue): string {
  return type === FieldType.DELTA_AREA ? deltaToPlainText(parseDelta(value)) : String(value);
}

/** The ids of a stored value of a reference type. */
export function storedIds(value: unknown): number[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as number[]) : [value as number];
}

/** Whether two stored values are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  return (
    Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((element, index) => element === b[index])
  );
}

/**
 * Reads one written value.
 * @param deltaFormat 1: rich text is a delta; 2: it is plain text, in every field of the body
 * @returns the stored form, undefined for an empty value
 * @throws ValueError
 */
export function parseValue(field: FieldRule, value: unknown, deltaFormat: 1 | 2): StoredValue | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  switch (field.type) {
    case FieldType.INT:
      return parseInt32(value);
    case FieldType.BIGINT:
      return parseInt64(value);
    case FieldType.DECIMAL:
    case FieldType.FEEDBACK:
      return parseNumber(field, value);
    case FieldType.DATE:
      return parseDate(value, 'DATE');
    case FieldType.DATETIME:
      return parseDate(value, 'DATETIME');
    case FieldType.STRING:
      return parseText(value, MAX_STRING_LENGTH);
    case FieldType.TEXT_AREA:
      return parseText(value, MAX_TEXT_LENGTH);
    case FieldType.LINK:
      return parseLink(value);
    case FieldType.DELTA_AREA:
      return parseRichText(value, deltaFormat);
    case FieldType.FLAG:
      return parseFlag(value);
    case FieldType.ENUM:
    case FieldType.HIERARCHICAL_ENUM:
      return parseSingleId(value);
    case FieldType.ENUM_LIST:
    case FieldType.GENERIC_ENTITY_LIST:
      return parseIds(value);
  }
}

function wrongForm(allowed: string): ValueError {
  return new ValueError('INVALID_VALUE', `send ${allowed}.`);
}

function parseInt32(value: unknown): number {
  const allowed = 'a whole number within 32 bits, as a number or as a string of digits';
  const number =
    typeof value === 'bigint' || (typeof value === 'string' && DIGITS.test(value.trim())) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw wrongForm(allowed);
  if (number < MIN_INT32 || number > MAX_INT32) {
    throw new ValueError('INTEGER_OUT_OF_RANGE', `send ${allowed}.`, [MIN_INT32, MAX_INT32]);
  }
  return number === 0 ? 0 : number;
}

function parseInt64(value: unknown): number | string {
  const allowed = 'a whole number within 64 bits, as a number or as a string of digits';
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const digits = typeof value === 'bigint' ? String(value) : value;
  if (typeof digits !== 'string' || !DIGITS.test(digits.trim())) throw wrongForm(allowed);
  const big = BigInt(digits.trim().replace(/^\+/, ''));
  if (big > MAX_INT64 || big < -MAX_INT64 - 1n) {
    throw new ValueError('INTEGER_OUT_OF_RANGE', `send ${allowed}.`, [String(-MAX_INT64 - 1n), String(MAX_INT64)]);
  }
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : String(big);
}

/** Digits after the point in the shortest decimal that reads back as this number. */
export function decimalsOf(value: number): number {
  const [mantissa, exponent] = String(value).split('e') as [string, string | undefined];
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent ?? 0));
}

function parseNumber(field: FieldRule, value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : undefined;
  const number = typeof value === 'bigint' || (text !== undefined && DECIMAL.test(text)) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrongForm('a number');
  if (field.type === FieldType.FEEDBACK) checkFeedback(field, number);
  else if (decimalsOf(number) > Number(field.metadata['decimal_digits'] ?? Number.NaN)) {
    const limit = Number(field.metadata['decimal_digits']);
    throw new ValueError('INVALID_VALUE', `send at most ${limit} digits after the point.`, [limit]);
  }
  return number === 0 ? 0 : number;
}

/** A rating lies within the bounds of its field and on one of its steps. */
function checkFeedback({ metadata }: FieldRule, number: number): void {
  const least = Number(metadata['feedback_min_value'] ?? 0);
  const most = metadata['feedback_max_value'] === undefined ? undefined : Number(metadata['feedback_max_value']);
  const step = metadata['feedback_step'] === undefined ? undefined : Number(metadata['feedback_step']);
  // Steps have few digits, so what is left of a division is either nothing or far more than what doubles are off by.
  const off = step === undefined ? 0 : Math.abs((number - least) / step - Math.round((number - least) / step));
  if (number >= least && !(most !== undefined && number > most) && off < 1e-9) return;
  const range = most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  const steps = step === undefined ? '' : ` in steps of ${step}`;
  throw new ValueError('INVALID_VALUE', `send a number ${range}${steps}.`, [least, most ?? null, step ?? null]);
}

function parseDate(value: unknown, type: 'DATE' | 'DATETIME'): number {
  try {
    return parseDateInput(value, type);
  } catch (error) {
    if (error instanceof TimeInputError) throw new ValueError('INVALID_DATE', `${error.message}.`);
    throw error;
  }
}

/** Refuses what PostgreSQL cannot keep. */
function storable(text: string): string {
  if (storableText(text) !== text) {
    throw new ValueError('INVALID_TEXT', 'the text holds a NUL character or half of a surrogate pair; remove it.');
  }
  return text;
}

function parseText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw wrongForm('a text');
  if (isLongerThan(value, maxLength)) {
    throw new ValueError('TEXT_TOO_LONG', `send at most ${maxLength} characters (code points).`, [maxLength]);
  }
  return storable(value);
}

function parseLink(value: unknown): string {
  const text = parseText(value, MAX_STRING_LENGTH).trim();
  const address = URL.parse(text);
  if (!address || (address.protocol !== 'http:' && address.protocol !== 'https:')) {
    throw wrongForm('an absolute http or https address');
  }
  return text;
}

function parseRichText(value: unknown, format: 1 | 2): string | undefined {
  try {
    if (format === 2 && typeof value !== 'string') throw wrongForm('plain text, as deltaAreaFormat 2 says');
    const ops = format === 2 ? plainTextToDelta(value as string) : parseDelta(value);
    const empty = ops.every((op) => typeof op.insert === 'string' && op.insert.trim() === '');
    return empty ? undefined : serialiseDelta(ops);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    throw new ValueError(error.code === 'TOO_LARGE' ? 'TEXT_TOO_LONG' : 'INVALID_DELTA', `${error.message}.`);
  }
}

function parseFlag(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrongForm('true or false');
}

function parseId(value: unknown): number {
  const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number <= 0) {
    throw wrongForm('ids; references are read as objects but written as a list of their ids');
  }
  return number;
}

function parseSingleId(value: unknown): number | undefined {
  if (!Array.isArray(value)) return parseId(value);
  if (value.length > 1) throw new ValueError('INVALID_VALUE', 'send one id at most; the field holds a single value.');
  return value.length === 0 ? undefined : parseId(value[0]);
}

function parseIds(value: unknown): number[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_LIST_LENGTH) {
    throw new ValueError('TOO_MANY_ITEMS', `send at most ${MAX_LIST_LENGTH} ids.`, [MAX_LIST_LENGTH]);
  }
  return list.length === 0 ? undefined : list.map(parseId);
}
