/** Values of custom fields in inputs, converted from and to the form of the interface. */
import { fieldTypes, type JsonValue } from '@portico/sdk';
import { textOf } from '../content/delta.ts';
import type { ShownField } from '../content/shown-field.ts';
import { numberOf, typedNumber } from '../texts/numbers.ts';
import { instantOf, isDay, isWallTime, wallTime } from '../texts/time-zone.ts';

/** A field of a post or of a screen. */
export type FormField = Pick<
  ShownField,
  | 'id'
  | 'label'
  | 'section'
  | 'description'
  | 'type'
  | 'parentId'
  | 'required'
  | 'readonly'
  | 'enumValues'
  | 'metadata'
  | 'validations'
  | 'conditions'
>;

/**
 * The default value that a form shows. The server sets the defaults of conditional fields when it
 * creates the post, if the conditions hold.
 */
export const defaultOf = ({ defaultValue, conditions }: Pick<ShownField, 'defaultValue' | 'conditions'>) =>
  conditions?.length ? undefined : defaultValue;

/**
 * Fields by section: fields without a section first, under an empty name; sections in the order of
 * the form.
 * @param fields all fields of the form
 */
export function inSections<F extends Pick<FormField, 'section'>>(
  shown: readonly F[],
  fields: readonly Pick<FormField, 'section'>[],
): (readonly [string, readonly F[]])[] {
  const names = new Set(['', ...fields.map(({ section = '' }) => section)]);
  return [...names].flatMap((name) => {
    const own = shown.filter(({ section = '' }) => section === name);
    return own.length === 0 ? [] : [[name, own] as const];
  });
}

/** An object that is chosen by its name. */
export interface Choice {
  readonly id: number;
  readonly label: string;
}

/** The value of an input: typed text, a flag, or choices. */
export type InputValue = string | boolean | readonly Choice[] | undefined;

export type InputValues = Readonly<Record<string, InputValue>>;

export const kindOf = (field: FormField) => fieldTypes[field.type!].kind;

export const textFormOf = (field: FormField) => fieldTypes[field.type!].textForm;

export const isSingleValue = (field: FormField): boolean => fieldTypes[field.type!].list !== true;

/** Whether a field is filled. A flag is filled with either value. */
export function isFilled(value: InputValue): boolean {
  if (typeof value === 'string') return value.trim() !== '' && !isEmptyDelta(value);
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Whether a delta contains only white space. */
function isEmptyDelta(value: string): boolean {
  return /^\[\{"insert":"(?:\\n|\s)*"\}\]$/.test(value);
}

/**
 * @param value as forms and posts hold it: references as objects, days and moments as milliseconds
 */
export function inputOf(field: FormField, value: unknown): InputValue {
  if (value === null || value === undefined) return undefined;
  switch (kindOf(field)) {
    case 'flag':
      return value === true;
    case 'day':
      return typeof value === 'number' ? new Date(value).toISOString().slice(0, 10) : textOf(value);
    case 'instant':
      return typeof value === 'number' ? toDatetimeLocal(value) : textOf(value);
    case 'number':
      return typedNumber(textOf(value));
    case 'text':
    case 'richText':
      return textOf(value);
    default:
      return (Array.isArray(value) ? value : [value]).map((item) => choiceOf(field, item));
  }
}

function choiceOf(field: FormField, item: unknown): Choice {
  const labelOf = (wanted: number) => field.enumValues?.find((entry) => entry.id === wanted)?.label;
  if (typeof item !== 'object' || item === null)
    return { id: Number(item), label: labelOf(Number(item)) ?? textOf(item) };
  const { id, firstName, lastName, label: own, name, title } = item as Record<string, unknown>;
  const label = labelOf(Number(id)) ?? own;
  const person = [textOf(firstName), textOf(lastName)].filter((part) => part !== '').join(' ');
  return { id: Number(id), label: person || textOf(label ?? name ?? title ?? '') || `#${textOf(id)}` };
}

/**
 * @returns the value for a request; null for an empty field
 * @throws RangeError without a message if the text is no number; with the cause `day`
 *   if it is no day or moment
 */
export function wireOf(field: FormField, value: InputValue): JsonValue {
  if (!isFilled(value)) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return wireOfText(field, value);
  const ids = (value as readonly Choice[]).map(({ id }) => id);
  return ids;
}

function wireOfText(field: FormField, text: string): JsonValue {
  const kind = kindOf(field);
  if (kind === 'day' && !isDay(text)) throw notDay();
  if (kind === 'instant') return momentOf(text);
  if (kind !== 'number') return text;
  const digits = numberOf(text);
  if (digits === undefined) throw new RangeError();
  // A whole number too large for JavaScript is sent as typed.
  return digits.includes('.') || Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}

const notDay = () => new RangeError(undefined, { cause: 'day' });

/** @throws RangeError as {@link wireOf} */
function momentOf(text: string): number {
  if (!isWallTime(text)) throw notDay();
  return instantOf(text);
}

/** Whether a text in an input of a day or a moment is one. */
export const isReadable = (field: FormField, text: string): boolean =>
  kindOf(field) === 'day' ? isDay(text) : kindOf(field) !== 'instant' || isWallTime(text);

/**
 * The value as a post holds it, to be shown before the server has answered.
 * @throws RangeError as {@link wireOf}
 */
export function displayValueOf(field: FormField, value: InputValue): unknown {
  if (!isFilled(value)) return undefined;
  if (Array.isArray(value)) return value;
  const written = wireOf(field, value);
  return kindOf(field) === 'day' ? Date.parse(`${written}T00:00:00Z`) : written;
}

export const equalInputs = (a: InputValue, b: InputValue): boolean =>
  isFilled(a) || isFilled(b) ? JSON.stringify(comparable(a)) === JSON.stringify(comparable(b)) : true;

const comparable = (value: InputValue): unknown => (Array.isArray(value) ? value.map(({ id }) => id) : value);

/** A moment in the form of `datetime-local`, in the account's time zone. */
export const toDatetimeLocal = (ms: number): string => wallTime(ms).slice(0, 16);
