/**
 * What each way to a page would cost, by how many posts the filters lead to and as if filters had nothing to do with one
 * another. It only has to tell a millisecond from a hundred; walks have a budget in case it is wrong.
 */
import type { ListQuery } from './page-query.ts';
import type { Condition } from './statement.ts';

/** How many posts a condition leads to. */
export interface Counted {
  readonly condition: Condition;
  readonly count: number;
}

/** A way to a page: a walk of the order, or the posts that some conditions lead to, intersected. */
export type Way = 'walk' | readonly Condition[];

/** Microseconds, as measured on one core: a row of a walk, tested. */
export const WALKED_ROW = 2.5;
/** A post that filters led to: its row read, its key worked out, sorted. */
const DRIVEN_POST = 5;
/** A further test of a post. */
const TEST = 1.5;
/** The same of a text. */
const TEXT_TEST = 5;
/** An entry of an index range that is intersected with others. */
const ENTRY = 0.15;

/** Parts of the community that are taken to fit a condition whose posts were too many to count, or which has no index. */
const MANY = 0.3;
/** The same of a text. */
const TEXT = 0.05;

/** What the ways are weighed with. */
export interface Weights {
  /** Rows of the page. */
  readonly limit: number;
  /** How many posts the community has had. */
  readonly posts: number;
  /** Microseconds for a row of a walk; see {@link WALKED_ROW}. */
  readonly walkedRow: number;
}

/** The cheapest way that is not a walk, and whether a walk is cheaper still. @param counted conditions that were counted */
export function chooseWay(
  query: ListQuery,
  counted: readonly Counted[],
  { limit, posts, walkedRow }: Weights,
): { first: Way; otherwise: readonly Condition[] | undefined } {
  const { conditions, order } = query;
  const known = new Map(counted.map(({ condition, count }) => [condition, count]));
  const part = (condition: Condition) => {
    const count = known.get(condition);
    if (count !== undefined) return Math.min(1, count / posts);
    return condition.trigram ? TEXT : MANY;
  };
  const test = (condition: Condition) => (condition.trigram ? TEXT_TEST : TEST);
  // The conditions that lead to the fewest posts first, and with each one more: what is found, what is read, what is tested.
  const sorted = [...counted].sort((a, b) => a.count - b.count);
  let found = posts;
  let read = 0;
  let tests = conditions.reduce((sum, condition) => sum + test(condition), 0);
  let best: { conditions: number; cost: number } | undefined;
  for (const [index, { condition, count }] of sorted.entries()) {
    found *= part(condition);
    read += count;
    if (condition.exact) tests -= test(condition);
    const cost = (index > 0 ? ENTRY * read : 0) + found * (DRIVEN_POST + tests);
    if (!best || cost < best.cost) best = { conditions: index + 1, cost };
  }
  if (!best) return { first: 'walk', otherwise: undefined };
  const otherwise = sorted.slice(0, best.conditions).map(({ condition }) => condition);
  // A condition on the value that the order runs along is the range of the walk, not a test.
  const tested = conditions.filter(({ bound }) => bound === undefined || bound.what !== order.along);
  const rows = limit / tested.reduce((left, condition) => left * part(condition), 1);
  return { first: rows * walkedRow < best.cost ? 'walk' : otherwise, otherwise };
}
