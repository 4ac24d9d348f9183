/** Common parts of the types of numbers. */
import type { JsonValue } from '@portico/contract';
import type { FieldMetadata, MetadataKey, StoredValue } from './field-type.ts';
import { ValueError, wrongForm } from './value-error.ts';

/** A whole number in text form. */
export const DIGITS = /^[+-]?\d{1,30}$/;
const DECIMAL = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,3})?$/;
const FILTER_INTEGER = /^[+-]?\d{1,19}$/;
const FILTER_DECIMAL = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?$/;
export const MAX_INT64 = 2n ** 63n - 1n;

export const numbers = {
  filter: 'number',
  columnValues: (value: StoredValue) => [value as number | string],
  words: String,
} as const;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Letters, digits and signs between which single spaces may be, such as `m²`, `km/h` and `% of GDP`. */
const UNIT = /^(?=.{1,20}$)[\p{L}\p{M}\p{N}\p{S}%‰°µ·/().'-]+(?: [\p{L}\p{M}\p{N}\p{S}%‰°µ·/().'-]+)*$/u;

const quantityKeys: Readonly<Record<'unit' | 'currency', MetadataKey>> = {
  unit: {
    accepts: (text) => UNIT.test(text),
    message: 'At most 20 letters, digits and signs, such as kg, m² or km/h.',
  },
  currency: {
    accepts: (text) => CURRENCIES.has(text),
    message: 'A code of ISO 4217 in capital letters, such as EUR.',
  },
};

/** Common parts of the types of numbers that count or measure something. */
export const quantities = {
  ...numbers,
  metadata: quantityKeys,
  metadataFault: ({ metadata: { unit, currency } }: FieldMetadata) =>
    unit !== undefined && currency !== undefined
      ? { key: 'unit', message: 'A field has a unit or a currency, not both.' }
      : undefined,
} as const;

/** Returns the number of decimal places in the shortest decimal that reads back as this number. */
export function decimalsOf(value: number): number {
  const [mantissa, exponent] = String(value).split('e') as [string, string | undefined];
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent ?? 0));
}

/** Number of significant digits that every number keeps. */
const SURE_DIGITS = 15;

/** Reads a number. @throws ValueError */
export function parseDecimal(value: unknown): number {
  return readDecimal(typeof value === 'bigint' ? String(value) : value, DECIMAL);
}

/** @param form pattern for a text @throws ValueError */
function readDecimal(value: unknown, form: RegExp): number {
  const text = typeof value === 'string' ? value.trim() : undefined;
  const number = text !== undefined && form.test(text) ? Number(text) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) throw wrongForm('a number');
  if (!Number.isFinite(number))
    throw new ValueError('INVALID_VALUE', 'the number is too large; send one below 1.79e308.');
  if (text !== undefined && !isKept(text, number)) {
    throw new ValueError(
      'INVALID_VALUE',
      `send at most ${SURE_DIGITS} significant digits; this number would be rounded.`,
      [SURE_DIGITS],
    );
  }
  return number === 0 ? 0 : number;
}

/**
 * Returns whether a number keeps the value of its text: the digits are the same, or the number is
 * exactly that integer.
 */
export function isKept(text: string, number: number): boolean {
  const [written, stored] = [digitsOf(text), digitsOf(String(number))];
  if (written === stored) return true;
  return /^[+-]?\d+$/.test(text) && Number.isFinite(number) && BigInt(text.replace('+', '')) === BigInt(number);
}

/**
 * Returns the significant digits, their exponent and the sign: the same for `1.50`, `15e-1` and
 * `+1.5`.
 */
function digitsOf(text: string): string {
  const [mantissa, exponent] = text.toLowerCase().split('e') as [string, string | undefined];
  const [whole, fraction = ''] = mantissa.replace(/^[+-]/, '').split('.') as [string, string | undefined];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent ?? 0) - fraction.length + digits.length - significant.length;
  return `${text.startsWith('-') ? '-' : ''}${significant}e${power}`;
}

/**
 * Reads a whole number within 64 bits from a filter. @returns a string of digits beyond ±(2^53 − 1)
 * @throws ValueError
 */
export function readFilterInteger(value: JsonValue): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && FILTER_INTEGER.test(value.trim())) {
    const big = BigInt(value.trim().replace(/^\+/, ''));
    if (big <= MAX_INT64 && big >= -MAX_INT64 - 1n)
      return Number.isSafeInteger(Number(big)) ? Number(big) : String(big);
  }
  throw wrongForm('a whole number within 64 bits; beyond ±(2^53 − 1) as a string of digits');
}

/** Reads a number from a filter. @throws ValueError */
export function readFilterNumber(value: JsonValue): number {
  return readDecimal(value, FILTER_DECIMAL);
}

/** Reads the id of an object from a filter. @throws ValueError */
export function readFilterId(value: JsonValue): number {
  const number = typeof value === 'string' && FILTER_INTEGER.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new ValueError('INVALID_VALUE', 'send ids: whole numbers, not objects.');
}
