/** Finds the ids of a page: chooses the way by bounded counts, and another one when a walk was in vain. */
import type { TenantExecutor } from '../../../../platform/db/tenant-db.ts';
import {
  boundedCounts,
  drivenPage,
  type ListQuery,
  type PageKey,
  type PageRow,
  type PageStatement,
  pageKeyOf,
  sampled,
  walkedPage,
} from './page-query.ts';
import { PlanMemory } from './plan-memory.ts';
import type { Condition } from './statement.ts';
import { totalOf } from './totals.ts';
import { type Counted, chooseWay, WALKED_ROW } from './ways.ts';

/** Posts that a condition leads to are counted no further than this: intersecting two such ranges costs 20 ms. */
export const COUNT_LIMIT = 50_000;
const TOO_MANY = Number.POSITIVE_INFINITY;
/** A total looks one by one at the posts of a condition that leads to no more than these. */
export const FEW = 5_000;
/** Rows a walk may test before the other way is taken: more than twice what a filter at the limit needs at 1,000,000 posts. */
export const WALK_BUDGET = 12_000;
/** The same where a test reads a text. */
export const TEXT_WALK_BUDGET = 15_000;
/**
 * How far a walk goes on where each filter leads to more posts than are counted: in an order that puts the posts that fit
 * behind others (by the time of the last change, what lies before a date), that costs less than to read all these.
 */
export const LONG_WALK = 150_000;
/** A walk goes on after this part of its budget only when it found its share of the page by then. */
const FIRST_STRIDE = 0.25;
/** The same where a test reads a text … */
const FIRST_TEXT_STRIDE = 0.1;
/** … and what it found promises the page within this part of the budget, or the text is common. */
const TEXT_PROMISE = 0.2;
/** A text that this many posts of a sample hold is common: its index leads to more posts than a walk tests. */
const COMMON_HITS = 3;

/** The bounds by which ways are chosen. */
export interface Tuning {
  readonly countLimit: number;
  /** Microseconds that a row of a walk is taken to cost. */
  readonly walkedRow: number;
  readonly walkBudget: number;
  readonly textWalkBudget: number;
  readonly longWalk: number;
  readonly memory: PlanMemory;
}

const tuned: Tuning = {
  countLimit: COUNT_LIMIT,
  walkedRow: WALKED_ROW,
  walkBudget: WALK_BUDGET,
  textWalkBudget: TEXT_WALK_BUDGET,
  longWalk: LONG_WALK,
  memory: new PlanMemory(),
};

/** Where and when pages are looked for. */
export interface FindContext {
  readonly db: TenantExecutor;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Other bounds than the usual ones, which take every way with few posts too. */
  readonly tuning?: Tuning | undefined;
}

async function run<R = PageRow>(db: TenantExecutor, { text, values, planned }: PageStatement): Promise<R[]> {
  return db.query<R>(text, values, planned ? { planned } : undefined);
}

/**
 * The rows of a page.
 * @param limit page size and one more
 */
export async function findPage(
  context: FindContext,
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
): Promise<PageRow[]> {
  const { db, now, tuning = tuned } = context;
  const { memory } = tuning;
  if (query.drafts) return run(db, drivenPage(query, [], limit, after));
  const indexed = query.conditions.filter((condition) => condition.candidates);
  if (indexed.length === 0) return run(db, walkedPage(query, limit, after, undefined));

  const scale = scaleOf(limit);
  const { counted, posts } = await countPosts(context, query, indexed);
  const { first, otherwise } = chooseWay(query, counted, { limit, posts, walkedRow: tuning.walkedRow });
  if (first !== 'walk') return run(db, drivenPage(query, first, limit, after));

  const keys = query.conditions.map((condition) => condition.key).join('&');
  const shape = `${prefixOf(query, query.conditions)}${keys}:${query.order.types}:${query.order.keys}:${query.desc}:${scale}`;
  if (memory.get(shape, now) === undefined) {
    const found = await walkInStrides(context, query, limit, after, scale, otherwise === undefined);
    if (found) return found;
    memory.set(shape, 1, now);
  }
  if (otherwise) return run(db, drivenPage(query, otherwise, limit, after));
  const texts = indexed.filter((condition) => condition.trigram);
  for (const text of texts) {
    if (!(await isCommon(context, query, text))) return run(db, drivenPage(query, [text], limit, after));
  }
  return run(db, drivenPage(query, indexed, limit, after));
}

/** What remembered numbers belong to: everybody in the community, or the caller where a condition is about them. */
function prefixOf(query: ListQuery, conditions: readonly Condition[]): string {
  const { tenantId, communityId, actor } = query;
  const whose = conditions.some((condition) => condition.personal)
    ? `user ${actor.userId}`
    : `role ${actor.roles.get(communityId)}`;
  return `${tenantId}:${communityId}:${whose}:`;
}

/**
 * Walks a little, and further where that promises to fill the page.
 * @param long true when no other way leads to few posts: the walk then goes on, whatever it found
 * @returns undefined when it does not suffice
 */
async function walkInStrides(
  context: FindContext,
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
  scale: number,
  long: boolean,
): Promise<PageRow[] | undefined> {
  const { db, tuning = tuned } = context;
  const text = query.conditions.find((condition) => condition.trigram);
  const budget = (text ? tuning.textWalkBudget : tuning.walkBudget) * scale;
  const first = Math.max(1, Math.round(budget * (text ? FIRST_TEXT_STRIDE : FIRST_STRIDE)));
  const rest = Math.max(1, Math.round(budget - first));
  const strides = [first, rest, ...(long && !text ? [tuning.longWalk * scale] : [])];
  const found: PageRow[] = [];
  let position = after;
  for (const [turn, stride] of strides.entries()) {
    const rows = await run(db, walkedPage(query, limit, position, stride));
    // What follows a walk that gave up belongs further down: the walk left something out in between.
    const end = rows.findIndex((row) => row.last);
    found.push(...(end < 0 ? rows : rows.slice(0, end + 1)).filter((row) => row.ok));
    if (end < 0 || found.length >= limit) return found.slice(0, limit);
    position = pageKeyOf(query.order, rows[end] as PageRow);
    const promising = found.length * (budget / first) * (text ? TEXT_PROMISE : 1) >= limit * 0.7;
    if (turn > 0 || promising || (long && !text)) continue;
    if (!(text && (await isCommon(context, query, text)))) return undefined;
  }
  return undefined;
}

/** Whether many posts hold a text, by a sample of them: an index of trigrams is read in full before it says how many. */
async function isCommon({ db, now, tuning = tuned }: FindContext, query: ListQuery, text: Condition): Promise<boolean> {
  const key = `${prefixOf(query, [text])}sample:${text.key}`;
  let hits = tuning.memory.get(key, now);
  if (hits === undefined) {
    const [row] = await run<{ hits: number }>(db, sampled(query, text));
    hits = row?.hits ?? 0;
    tuning.memory.set(key, hits, now);
  }
  return hits >= COMMON_HITS;
}

/** Both bounds grow with the square root of the page, where the two ways cost the same. In three steps, to be remembered by. */
function scaleOf(limit: number): number {
  return limit <= 41 ? 1 : limit <= 161 ? 2 : 5;
}

/**
 * How many posts the conditions lead to, of those that lead to no more than the limit, and how many posts the community
 * has had. Trigram indexes are not asked: a count reads them whole.
 */
async function countPosts(
  { db, now, tuning = tuned }: FindContext,
  query: ListQuery,
  indexed: readonly Condition[],
): Promise<{ counted: Counted[]; posts: number }> {
  const { memory, countLimit } = tuning;
  const postsKey = `${prefixOf(query, [])}posts`;
  const countKey = (condition: Condition) => `${prefixOf(query, [condition])}${countLimit}:${condition.key}`;
  const counted: Counted[] = [];
  const unknown: Condition[] = [];
  for (const condition of indexed) {
    if (condition.trigram) continue;
    const count = memory.get(countKey(condition), now);
    if (count === undefined) unknown.push(condition);
    else counted.push({ condition, count });
  }
  if (unknown.length > 0) {
    const [row] = await run<Record<string, number | null>>(db, boundedCounts(query, unknown, countLimit));
    for (const [index, condition] of unknown.entries()) {
      const count = row?.[`c${index}`] ?? TOO_MANY;
      counted.push({ condition, count });
      memory.set(countKey(condition), count, now);
    }
    memory.set(postsKey, row?.posts ?? 0, now);
  }
  const few = counted.filter(({ count }) => count < TOO_MANY);
  return { counted: few, posts: Math.max(memory.get(postsKey, now) ?? 0, 1, ...few.map(({ count }) => count)) };
}

/** How many posts all pages hold together. */
export async function countAll(context: FindContext, query: ListQuery): Promise<number> {
  const indexed = query.drafts ? [] : query.conditions.filter((condition) => condition.candidates);
  const { counted } = await countPosts(context, query, indexed);
  const [rarest] = counted.sort((a, b) => a.count - b.count);
  const few = rarest && rarest.count <= FEW ? rarest.condition : undefined;
  const [row] = await run<{ total: number }>(context.db, totalOf(query, few));
  return row?.total ?? 0;
}
