/** The condition that begins a page. */
import { expect, test } from 'vitest';
import { Parameters } from '../access/index.ts';
import { afterKeySql, type SortColumn } from './index.ts';

const columns: readonly SortColumn[] = [
  { sql: 'a', desc: false, type: 'text' },
  { sql: 'id', desc: false, type: 'bigint' },
];

test('compares the columns of a list with the key of a token', () => {
  const parameters = new Parameters([7]);
  expect(afterKeySql(columns, ['x', 3], parameters)).toEqual(['(a, id) > ($2::text, $3::bigint)']);
  expect(parameters.values).toEqual([7, 'x', 3]);
});

test.each([[['x']], [['x', 3, 4]], [[3, 'x']], [['x', null]]])('refuses %j, which is a key of other columns', (key) => {
  expect(() => afterKeySql(columns, key, new Parameters([7]))).toThrow(
    expect.objectContaining({ code: 'PAGE_TOKEN_INVALID' }),
  );
});
