/** Choice of plans by the number of candidates of the filters. */
import { expect, test } from 'vitest';
import { choosePlan, SCANNED_ROW } from './cost-estimate.ts';
import type { ListQuery } from './page-query.ts';
import type { Condition } from './statement.ts';

const POSTS = 1_000_000;
const input = { limit: 21, posts: POSTS, scannedRow: SCANNED_ROW };

function condition(key: string, more: Partial<Condition> = {}): Condition {
  return { key, test: () => 'true', candidates: () => 'SELECT 1 AS post_id', exact: true, ...more };
}

/**
 * Returns the plan for conditions with these numbers of candidates; undefined: too many to count.
 */
function planFor(counts: Record<string, number | undefined>, column?: string, more: Partial<Condition> = {}) {
  const conditions = Object.keys(counts).map((key) => condition(key, more));
  const counted = conditions.flatMap((one) => {
    const count = counts[one.key];
    return count === undefined ? [] : [{ condition: one, count }];
  });
  const query = { conditions, order: { types: [], keys: [], ...(column && { column }) } } as unknown as ListQuery;
  const { plan, fallback } = choosePlan(query, counted, input);
  const keys = (found: readonly Condition[] | undefined) => found?.map(({ key }) => key);
  return { plan: plan === 'index scan' ? plan : keys(plan), fallback: keys(fallback) };
}

test('a rare filter supplies the candidates, a common one is tested in an index scan', () => {
  expect(planFor({ rare: 300 })).toEqual({ plan: ['rare'], fallback: ['rare'] });
  expect(planFor({ common: undefined })).toEqual({ plan: 'index scan', fallback: undefined });
  expect(planFor({ medium: 30_000 })).toEqual({ plan: 'index scan', fallback: ['medium'] });
});

test('beside common filters the rare one alone supplies the candidates', () => {
  expect(planFor({ common: undefined, rare: 300, medium: 30_000 }).plan).toEqual(['rare']);
});

test('filters that few posts match together are intersected', () => {
  expect(planFor({ one: 20_000, other: 20_000 }).plan).toEqual(['one', 'other']);
});

test('a filter on the column of the order is the range of the index scan', () => {
  const bound = { column: 'created_at', sql: () => 'true', empty: false };
  expect(planFor({ narrow: 3_000 }, 'created_at', { bound }).plan).toBe('index scan');
  expect(planFor({ narrow: 3_000 }, 'title_key', { bound }).plan).toEqual(['narrow']);
});

test('an estimate reads each condition a few times, however many there are', () => {
  let reads = 0;
  const many = Array.from({ length: 2_000 }, (_, index) => {
    const one = condition(`many ${index}`);
    Object.defineProperty(one, 'exact', {
      get: () => {
        reads++;
        return true;
      },
    });
    return { condition: one, count: 1_000 + index };
  });
  const query = {
    conditions: many.map((one) => one.condition),
    order: { types: [], keys: [] },
  } as unknown as ListQuery;
  choosePlan(query, many, input);
  expect(reads).toBeLessThanOrEqual(10 * many.length);
});
