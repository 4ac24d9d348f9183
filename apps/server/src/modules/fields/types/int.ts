import type { NumberType } from './shared/field-type.ts';
import { DIGITS, quantities, readFilterInteger } from './shared/numbers.ts';
import { ValueError, wrongForm } from './shared/value-error.ts';

const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

function parse(value: unknown): number {
  const allowed = 'a whole number within 32 bits, as a number or as a string of digits';
  const number =
    typeof value === 'bigint' || (typeof value === 'string' && DIGITS.test(value.trim())) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw wrongForm(allowed);
  if (number < LEAST || number > MOST) throw new ValueError('INTEGER_OUT_OF_RANGE', `send ${allowed}.`, [LEAST, MOST]);
  return number === 0 ? 0 : number;
}

/** A whole number within 32 bits. */
export const int: NumberType = {
  ...quantities,
  column: 'big',
  parse,
  readParameter: readFilterInteger,
  sample: ({ random }) => random.int(1, 48),
};
