/**
 * Estimates the cost of each plan for a page from the number of candidates of the filters, taken as independent of one
 * another. It only has to distinguish one millisecond from a hundred; index scans have a budget in case it is wrong.
 */
import type { ListQuery } from './page-query.ts';
import type { Condition } from './statement.ts';

/** A condition and the number of its candidates. */
export interface Counted {
  readonly condition: Condition;
  readonly count: number;
}

/** A plan for a page: an index scan in the list's order, or the intersected candidates of some conditions. */
type Plan = 'index scan' | readonly Condition[];

/** Microseconds, as measured on one core: reading and filtering one row of an index scan. */
export const SCANNED_ROW = 2.5;
/** Reading one candidate's row, computing its key and sorting it. */
const CANDIDATE_POST = 5;
/** Evaluating one more condition. */
const TEST = 1.5;
/** Evaluating a condition on a text. */
const TEXT_TEST = 5;
/** Reading one index entry for an intersection. */
const ENTRY = 0.15;

/** Assumed selectivity of a condition that has no index, or more candidates than are counted. */
const DEFAULT_SELECTIVITY = 0.3;
/** Assumed selectivity of a condition on a text. */
const TEXT_SELECTIVITY = 0.05;

/** The parameters of an estimate. */
interface EstimateInput {
  /** Rows of the page. */
  readonly limit: number;
  /** Number of posts that the community has ever had. */
  readonly posts: number;
  /** Microseconds for a row of an index scan; see {@link SCANNED_ROW}. */
  readonly scannedRow: number;
}

/**
 * Chooses a plan.
 * @param counted the conditions with counted candidates
 * @returns `plan`: the cheapest; `fallback`: the cheapest plan other than an index scan, undefined
 *   when no condition was counted
 */
export function choosePlan(
  query: ListQuery,
  counted: readonly Counted[],
  { limit, posts, scannedRow }: EstimateInput,
): { plan: Plan; fallback: readonly Condition[] | undefined } {
  const { conditions, order } = query;
  const known = new Map(counted.map(({ condition, count }) => [condition, count]));
  const selectivity = (condition: Condition) => {
    const count = known.get(condition);
    if (count !== undefined) return Math.min(1, count / posts);
    return condition.trigramIndex ? TEXT_SELECTIVITY : DEFAULT_SELECTIVITY;
  };
  const test = (condition: Condition) => (condition.trigramIndex ? TEXT_TEST : TEST);
  // The intersection of the one, two, … conditions with the fewest candidates.
  const sorted = [...counted].sort((a, b) => a.count - b.count);
  let found = posts;
  let read = 0;
  let tests = conditions.reduce((sum, condition) => sum + test(condition), 0);
  let best: { conditions: number; cost: number } | undefined;
  for (const [index, { condition, count }] of sorted.entries()) {
    found *= selectivity(condition);
    read += count;
    if (condition.exact) tests -= test(condition);
    const cost = (index > 0 ? ENTRY * read : 0) + found * (CANDIDATE_POST + tests);
    if (!best || cost < best.cost) best = { conditions: index + 1, cost };
  }
  if (!best) return { plan: 'index scan', fallback: undefined };
  const fallback = sorted.slice(0, best.conditions).map(({ condition }) => condition);
  // A condition on the column of the order is the range of the scan and needs no test.
  const tested = conditions.filter(({ bound }) => bound === undefined || bound.column !== order.column);
  const rows = limit / tested.reduce((left, condition) => left * selectivity(condition), 1);
  return { plan: rows * scannedRow < best.cost ? 'index scan' : fallback, fallback };
}
