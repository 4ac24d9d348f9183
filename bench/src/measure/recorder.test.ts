/** Fresh numbers: numbers that a write creates are recognised wherever they appear. */
import { expect, it } from 'vitest';
import { FIRST_FRESH, freshNumbers, type Recording, renewed } from './recorder.ts';

const ID = String(FIRST_FRESH + 17_000_000_004);
const TAKEN_AHEAD = FIRST_FRESH + 18_000_000_001;

it('finds where numbers come from and where they go', () => {
  const recording: Recording = {
    signIn: undefined,
    units: [
      {
        transaction: true,
        statements: [
          { statement: { text: 'BEGIN' }, connection: 0, rows: [] },
          { statement: { text: 'INSERT', values: ['a title', 12] }, connection: 0, rows: [{ id: ID, other: '12' }] },
          { statement: { text: 'INSERT', values: [TAKEN_AHEAD] }, connection: 0, rows: [] },
          {
            statement: { text: 'INSERT', values: [[1, Number(ID)], `{"post":${ID}}`, 1_763_715_301_000] },
            connection: 0,
            rows: [],
          },
        ],
      },
    ],
  };
  expect(freshNumbers(recording)).toEqual({
    gives: [[], [{ row: 0, column: 'id', number: ID }], [], []],
    holds: [false, false, true, true],
    takenAhead: [String(TAKEN_AHEAD)],
  });
});

it('puts the numbers of this run in their place, and nothing else', () => {
  const numbers = new Map([
    [ID, '42'],
    ['0123456789abcdef', 'another'],
  ]);
  expect(renewed([1, Number(ID)], numbers)).toEqual([1, '42']);
  expect(renewed(`{"post":${ID},"at":1${ID}}`, numbers)).toBe(`{"post":42,"at":1${ID}}`);
  expect(renewed('0123456789abcdef', numbers)).toBe('another');
  expect(renewed(true, numbers)).toBe(true);
  expect(renewed(1_763_715_301_000, numbers)).toBe(1_763_715_301_000);
});
