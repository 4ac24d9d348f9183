import { DAY_MS, parseDate } from './shared/dates.ts';
import type { NumberType } from './shared/field-type.ts';
import { numbers } from './shared/numbers.ts';

/** A calendar day, as epoch milliseconds of midnight UTC. */
export const date: NumberType = {
  ...numbers,
  column: 'big',
  parse: (value) => parseDate(value, 'DATE'),
  readParameter: (value) => parseDate(value, 'DATE'),
  // A number is a moment, not a day: an interval may begin after the start of a day.
  readBound: (value) => parseDate(value, typeof value === 'number' ? 'DATETIME' : 'DATE'),
  words: (value) => new Date(Number(value)).toISOString().slice(0, 10),
  sample: ({ random, at }) => Math.floor((at + random.int(3, 60) * DAY_MS) / DAY_MS) * DAY_MS,
};
