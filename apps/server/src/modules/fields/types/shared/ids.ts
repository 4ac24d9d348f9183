/** Common parts of the types whose values are ids. */
import { listLimits } from '@portico/contract';
import type { ReferenceType, SampleSource, StoredValue } from './field-type.ts';
import { DIGITS } from './numbers.ts';
import { ValueError, wrongForm } from './value-error.ts';

/** Maximum number of elements of a list. */
const MAX_LIST_LENGTH = listLimits.items;

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

const ids = { column: 'ref', words: String } as const;

/** A single value of a list. */
export const oneChoice: ReferenceType = {
  ...ids,
  filter: 'choice',
  parse: parseSingleId,
  columnValues: (value: StoredValue) => [value as number],
  sample: ({ random, ids: choices }) => (choices.length === 0 ? undefined : random.pick(choices)),
};

/** Several ids. */
export const manyIds = {
  ...ids,
  parse: parseIds,
  columnValues: (value: StoredValue) => value as number[],
  sample: ({ random, ids: choices }: SampleSource) =>
    choices.length === 0 ? undefined : random.some(choices, random.int(1, Math.min(3, choices.length))),
} as const;
