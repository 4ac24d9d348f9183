import { DAY_MS, parseDate } from './shared/dates.ts';
import type { NumberType } from './shared/field-type.ts';
import { numbers } from './shared/numbers.ts';

/** A moment, as epoch milliseconds. */
export const datetime: NumberType = {
  ...numbers,
  column: 'big',
  parse: (value) => parseDate(value, 'DATETIME'),
  readParameter: (value) => parseDate(value, 'DATETIME'),
  words: (value) => new Date(Number(value)).toISOString(),
  sample: ({ random, at }) => at + random.int(2, 90) * DAY_MS,
};
