import type { NumberType } from './shared/field-type.ts';
import { DIGITS, MAX_INT64, quantities, readFilterInteger } from './shared/numbers.ts';
import { ValueError, wrongForm } from './shared/value-error.ts';

function parse(value: unknown): number | string {
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

/** A whole number within 64 bits; beyond ±(2^53 − 1) a string of digits. */
export const bigint: NumberType = {
  ...quantities,
  column: 'big',
  parse,
  readParameter: readFilterInteger,
  sample: ({ random }) =>
    random.chance(0.2) ? `90071992547${random.int(40_993, 99_999)}` : random.int(20_000_000, 89_999_999),
};
