import type { NumberType } from './shared/field-type.ts';
import { decimalsOf, parseDecimal, quantities, readFilterNumber } from './shared/numbers.ts';
import { ValueError } from './shared/value-error.ts';

/** A number with decimal places, as many as its field allows. */
export const decimal: NumberType = {
  ...quantities,
  column: 'num',
  parse: (value, { metadata }) => {
    const number = parseDecimal(value);
    const limit = Number(metadata['decimal_digits'] ?? Number.NaN);
    if (decimalsOf(number) > limit) {
      throw new ValueError('INVALID_VALUE', `send at most ${limit} digits after the point.`, [limit]);
    }
    return number;
  },
  readParameter: readFilterNumber,
  metadata: {
    ...quantities.metadata,
    decimal_digits: {
      accepts: (text) => /^\d{1,4}$/.test(text) && Number(text) <= 15,
      message: 'A whole number up to 15, as text.',
    },
  },
  sample: ({ random, metadata }) =>
    Number((random.int(40, 9_800) + random.next()).toFixed(Number(metadata['decimal_digits'] ?? 2))),
};
