import type { FlagType } from './shared/field-type.ts';
import { wrongForm } from './shared/value-error.ts';

function parse(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw wrongForm('true or false');
}

/** A boolean; 1 or 0 in its column. */
export const flag: FlagType = {
  filter: 'flag',
  column: 'big',
  parse,
  columnValues: (value) => [value ? 1 : 0],
  words: (value) => (value === true ? '✓' : '✗'),
  sample: ({ random }) => random.chance(0.3),
};
