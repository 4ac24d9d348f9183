/** What types of numbers share. */
import type { JsonValue } from '@portico/contract';
import type { StoredValue } from '../../field-type.ts';
import { ValueError, wrongForm } from '../../value-error.ts';

/** A whole number as it may be written as text. */
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

/** Digits after the point in the shortest decimal that reads back as this number. */
export function decimalsOf(value: number): number {
  const [mantissa, exponent] = String(value).split('e') as [string, string | undefined];
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent ?? 0));
}

/** A written number. @throws ValueError */
export function parseDecimal(value: unknown): number {
  const text = typeof value === 'string' ? value.trim() : undefined;
  const number = typeof value === 'bigint' || (text !== undefined && DECIMAL.test(text)) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrongForm('a number');
  return number === 0 ? 0 : number;
}

/** A whole number within 64 bits as a filter has it. @returns a string of digits beyond ±(2^53 − 1) @throws ValueError */
export function readFilterInteger(value: JsonValue): number | string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && FILTER_INTEGER.test(value.trim())) {
    const big = BigInt(value.trim().replace(/^\+/, ''));
    if (big <= MAX_INT64 && big >= -MAX_INT64 - 1n)
      return Number.isSafeInteger(Number(big)) ? Number(big) : String(big);
  }
  throw wrongForm('a whole number within 64 bits; beyond ±(2^53 − 1) as a string of digits');
}

/** A number as a filter has it. @throws ValueError */
export function readFilterNumber(value: JsonValue): number {
  const number = typeof value === 'string' && FILTER_DECIMAL.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number === 0 ? 0 : number;
  throw wrongForm('a number');
}

/** The id of an object as a filter has it. @throws ValueError */
export function readFilterId(value: JsonValue): number {
  const number = typeof value === 'string' && FILTER_INTEGER.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw new ValueError('INVALID_VALUE', 'send ids: whole numbers, not objects.');
}
