/** Which way is taken, by what filters are known to lead to. */
import { expect, test } from 'vitest';
import type { ListQuery } from './page-query.ts';
import type { Condition } from './statement.ts';
import { chooseWay, WALKED_ROW } from './ways.ts';

const POSTS = 1_000_000;
const weights = { limit: 21, posts: POSTS, walkedRow: WALKED_ROW };

function condition(key: string, more: Partial<Condition> = {}): Condition {
  return { key, test: () => 'true', candidates: () => 'SELECT 1 AS post_id', exact: true, ...more };
}

/** The way for conditions that lead to these numbers of posts; undefined: too many to count. */
function way(counts: Record<string, number | undefined>, along?: string, more: Partial<Condition> = {}) {
  const conditions = Object.keys(counts).map((key) => condition(key, more));
  const counted = conditions.flatMap((one) => {
    const count = counts[one.key];
    return count === undefined ? [] : [{ condition: one, count }];
  });
  const query = { conditions, order: { types: [], keys: [], ...(along && { along }) } } as unknown as ListQuery;
  const { first, otherwise } = chooseWay(query, counted, weights);
  const keys = (found: readonly Condition[] | undefined) => found?.map(({ key }) => key);
  return { first: first === 'walk' ? first : keys(first), otherwise: keys(otherwise) };
}

test('a rare filter is driven from, a common one walked past', () => {
  expect(way({ rare: 300 })).toEqual({ first: ['rare'], otherwise: ['rare'] });
  expect(way({ common: undefined })).toEqual({ first: 'walk', otherwise: undefined });
  expect(way({ medium: 30_000 })).toEqual({ first: 'walk', otherwise: ['medium'] });
});

test('beside common filters the rare one alone is driven from', () => {
  expect(way({ common: undefined, rare: 300, medium: 30_000 }).first).toEqual(['rare']);
});

test('filters that hardly meet are intersected', () => {
  expect(way({ one: 20_000, other: 20_000 }).first).toEqual(['one', 'other']);
});

test('a filter on the value that the order runs along is the range of the walk', () => {
  const bound = { what: 'created_at', sql: () => 'true', empty: false };
  expect(way({ narrow: 3_000 }, 'created_at', { bound }).first).toBe('walk');
  expect(way({ narrow: 3_000 }, 'title_key', { bound }).first).toEqual(['narrow']);
});

test('weighing looks at each condition a few times, however many there are', () => {
  let looked = 0;
  const many = Array.from({ length: 2_000 }, (_, index) => {
    const one = condition(`many ${index}`);
    Object.defineProperty(one, 'exact', {
      get: () => {
        looked++;
        return true;
      },
    });
    return { condition: one, count: 1_000 + index };
  });
  const query = {
    conditions: many.map((one) => one.condition),
    order: { types: [], keys: [] },
  } as unknown as ListQuery;
  chooseWay(query, many, weights);
  expect(looked).toBeLessThanOrEqual(10 * many.length);
});
