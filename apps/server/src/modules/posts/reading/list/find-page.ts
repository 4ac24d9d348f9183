/** Finds the ids of a page: chooses the way by bounded counts, and another one when a walk was in vain. */
import type { TenantExecutor } from '../../../../platform/db/tenant-db.ts';
import {
  boundedCounts,
  drivenPage,
  type ListQuery,
  type PageKey,
  type PageRow,
  type PageStatement,
  totalOf,
  walkedPage,
} from './page-query.ts';
import { PlanMemory } from './plan-memory.ts';
import type { Condition } from './statement.ts';

/**
 * A filter that leads to no more posts than this is driven from: its posts are tested and sorted. Testing costs about as
 * much as walking one row, and a walk meets a fitting post every community/matches rows, so the two ways cost the same
 * near √(page × community): about 4,600 at 1,000,000 posts.
 */
export const DRIVE_LIMIT = 4_000;
/** Rows a walk may test before the other way is taken: more than twice what a filter at the limit needs at 1,000,000 posts. */
export const WALK_BUDGET = 12_000;
/** The same where a test reads a text. */
export const TEXT_WALK_BUDGET = 1_500;

/** The bounds by which ways are chosen. */
export interface Tuning {
  readonly driveLimit: number;
  readonly walkBudget: number;
  readonly textWalkBudget: number;
  readonly memory: PlanMemory;
}

const tuned: Tuning = {
  driveLimit: DRIVE_LIMIT,
  walkBudget: WALK_BUDGET,
  textWalkBudget: TEXT_WALK_BUDGET,
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

async function run(db: TenantExecutor, statement: PageStatement): Promise<PageRow[]> {
  return db.query<PageRow>(statement.text, statement.values);
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

  const prefix = `${query.tenantId}:${query.communityId}:${query.actor.userId}:`;
  const scale = scaleOf(limit);
  const rarest = await rarestCondition(context, query, indexed, prefix, limit);
  if (rarest) return run(db, drivenPage(query, [rarest], limit, after));

  const shape = `${prefix}${query.conditions.map((condition) => condition.key).join('&')}:${query.order.types}:${query.order.keys}:${query.desc}:${scale}`;
  if (memory.get(shape, now) === undefined) {
    const text = query.conditions.some((condition) => condition.trigram);
    const budget = Math.round((text ? tuning.textWalkBudget : tuning.walkBudget) * scale);
    const rows = await run(db, walkedPage(query, limit, after, budget));
    // What follows a walk that gave up belongs further down: the walk left something out in between.
    const end = rows.findIndex((row) => row.last);
    const found = (end < 0 ? rows : rows.slice(0, end + 1)).filter((row) => row.ok);
    if (end < 0 || found.length >= limit) return found.slice(0, limit);
    memory.set(shape, 1, now);
  }
  return run(db, drivenPage(query, indexed, limit, after));
}

/** Both bounds grow with the square root of the page, where the two ways cost the same. In three steps, to be remembered by. */
function scaleOf(limit: number): number {
  return limit <= 41 ? 1 : limit <= 161 ? 2 : 5;
}

/** The condition that leads to the fewest posts, if it leads to few. Trigram indexes are not asked: a count reads them whole. */
async function rarestCondition(
  { db, now, tuning = tuned }: FindContext,
  query: ListQuery,
  indexed: readonly Condition[],
  prefix: string,
  limit: number,
): Promise<Condition | undefined> {
  const { memory } = tuning;
  const driveLimit = Math.round(tuning.driveLimit * scaleOf(limit));
  // Below this number driving costs less than the walk of √(page × posts) rows that would find the same page.
  const worthwhile = () =>
    Math.min(driveLimit, Math.sqrt(limit * (memory.get(`${prefix}posts`, now) ?? Number.POSITIVE_INFINITY)));
  const countable = indexed.filter((condition) => !condition.trigram);
  const counts = new Map<Condition, number>();
  const unknown: Condition[] = [];
  for (const condition of countable) {
    const count = memory.get(`${prefix}${driveLimit}:${condition.key}`, now);
    if (count === undefined) unknown.push(condition);
    else counts.set(condition, count);
  }
  const known = fewest(counts, worthwhile());
  if (known) return known;
  if (unknown.length === 0) return undefined;
  const statement = boundedCounts(query, unknown, driveLimit);
  const [row] = await db.query<Record<string, number | null>>(statement.text, statement.values);
  for (const [index, condition] of unknown.entries()) {
    const count = row?.[`c${index}`] ?? 0;
    counts.set(condition, count);
    memory.set(`${prefix}${driveLimit}:${condition.key}`, count, now);
  }
  memory.set(`${prefix}posts`, row?.posts ?? Number.POSITIVE_INFINITY, now);
  return fewest(counts, worthwhile());
}

function fewest(counts: ReadonlyMap<Condition, number>, limit: number): Condition | undefined {
  let best: Condition | undefined;
  let least = limit;
  for (const [condition, count] of counts) {
    if (count > least) continue;
    least = count;
    best = condition;
  }
  return best;
}

/** How many posts all pages hold together. */
export async function countAll(db: TenantExecutor, query: ListQuery): Promise<number> {
  const statement = totalOf(query);
  const [row] = await db.query<{ total: number }>(statement.text, statement.values);
  return row?.total ?? 0;
}
