/** Finds the ids of a page: chooses a plan by bounded counts, and falls back to another when an index scan exceeds its budget. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { LRUCache } from 'lru-cache';
import { type Parameters, permissionsOf } from '../../../../kernel/access/index.ts';
import { type Counted, choosePlan, SCANNED_ROW } from './cost-estimate.ts';
import {
  boundedCounts,
  candidatePage,
  indexScanPage,
  type ListQuery,
  type PageKey,
  type PageRow,
  type PageStatement,
  pageKeyOf,
  sampleHits,
  withRows,
} from './page-query.ts';
import type { Condition } from './statement.ts';
import { totalStatement } from './totals.ts';

/** Candidates of a condition are counted up to this number: intersecting two such ranges takes 20 ms. */
export const COUNT_LIMIT = 50_000;
const TOO_MANY = Number.POSITIVE_INFINITY;
/** Maximum number of candidates of a condition for which a total reads their rows. */
export const FEW = 5_000;
/**
 * Maximum number of rows that an index scan reads before the fallback runs: more than twice the
 * need of a filter at the limit at 1,000,000 posts.
 */
export const SCAN_BUDGET = 12_000;
/** The same where a condition reads a text. */
export const TEXT_SCAN_BUDGET = 15_000;
/**
 * Budget of an index scan, in rows, when every filter has more candidates than the count limit: in
 * an order that puts the matching posts last (by the time of the last change, those before a date),
 * it costs less than reading all candidates.
 */
export const LONG_SCAN = 150_000;
/** Fraction of the budget after which an index scan stops unless it has found its share of the page. */
const FIRST_RUN = 0.25;
/** The same when a condition reads a text … */
const FIRST_TEXT_RUN = 0.1;
/**
 * … and the rows found so far project to a full page within this fraction of the budget, or the
 * text is common.
 */
const TEXT_PROJECTION = 0.2;
/** A text that this many posts of a sample contain is common: its index has more candidates than an index scan reads rows. */
const COMMON_HITS = 3;

/**
 * Counts of candidates, and index scans that exceeded their budget. They affect only the choice of
 * the plan, never the result, so they may be outdated.
 */
type PlanMemory = LRUCache<string, number>;

/**
 * Creates a plan memory, whose entries expire after a minute.
 * @param max number of entries for which memory is allocated at once
 */
export const createPlanMemory = (max: number): PlanMemory => new LRUCache({ max, ttl: 60_000 });

/** Limits for the choice of plans. */
export interface Tuning {
  readonly countLimit: number;
  /** Estimated cost of a row of an index scan. Microseconds. */
  readonly scannedRow: number;
  readonly scanBudget: number;
  readonly textScanBudget: number;
  readonly longScan: number;
  readonly memory: PlanMemory;
}

const defaultTuning: Tuning = {
  countLimit: COUNT_LIMIT,
  scannedRow: SCANNED_ROW,
  scanBudget: SCAN_BUDGET,
  textScanBudget: TEXT_SCAN_BUDGET,
  longScan: LONG_SCAN,
  memory: createPlanMemory(10_000),
};

/** Input of a read besides the list. */
export interface FindContext {
  readonly db: TenantExecutor;
  /** Limits other than the defaults, so that tests reach every plan with few posts. */
  readonly tuning?: Tuning | undefined;
  /** Parts of the posts that the same statement reads when it finds the page: see `withRows`. */
  readonly beside?: ((sql: Parameters) => string) | undefined;
}

async function run<R = PageRow>(db: TenantExecutor, { text, values, planned }: PageStatement): Promise<R[]> {
  return db.query<R>(text, values, planned ? { planned } : undefined);
}

/**
 * Returns the rows of a page.
 * @param limit number of rows: the page size and at least one more
 */
export async function findPage(
  context: FindContext,
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
): Promise<PageRow[]> {
  const { db, tuning = defaultTuning, beside } = context;
  const { memory } = tuning;
  const read = (page: PageStatement) => run(db, beside ? withRows(page, query.order, beside) : page);
  if (query.drafts) return read(candidatePage(query, [], limit, after));
  const indexed = query.conditions.filter((condition) => condition.candidates);
  if (indexed.length === 0) return read(indexScanPage(query, limit, after, undefined));

  const scale = scaleOf(limit);
  const { counted, posts } = await countPosts(context, query, indexed);
  const { plan, fallback } = choosePlan(query, counted, { limit, posts, scannedRow: tuning.scannedRow });
  if (plan !== 'index scan') return read(candidatePage(query, plan, limit, after));

  const keys = query.conditions.map((condition) => condition.key).join('&');
  const shape = `${prefixOf(query, query.conditions)}${keys}:${query.order.types}:${query.order.keys}:${query.desc}:${scale}`;
  if (memory.get(shape) === undefined) {
    const found = await scanInSteps(context, query, limit, after, scale, fallback === undefined);
    if (found) return found;
    memory.set(shape, 1);
  }
  if (fallback) return run(db, candidatePage(query, fallback, limit, after));
  const texts = indexed.filter((condition) => condition.trigramIndex);
  for (const text of texts) {
    if (!(await isCommon(context, query, text))) return run(db, candidatePage(query, [text], limit, after));
  }
  return run(db, candidatePage(query, indexed, limit, after));
}

/**
 * Returns the prefix of a key of the plan memory: the caller's role in the community, or the caller
 * where a condition depends on them.
 */
function prefixOf(query: ListQuery, conditions: readonly Condition[]): string {
  const { tenantId, communityId, actor } = query;
  const whose = conditions.some((condition) => condition.personal)
    ? `user ${actor.userId}`
    : `permissions ${permissionsOf(actor, communityId)}`;
  return `${tenantId}:${communityId}:${whose}:`;
}

/**
 * Scans a fraction of the budget, and the rest if that projects to a full page.
 * @param long true when there is no fallback: the scan then continues up to the long budget,
 *   regardless of the rows found
 * @returns undefined when the budget does not suffice
 */
async function scanInSteps(
  context: FindContext,
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
  scale: number,
  long: boolean,
): Promise<PageRow[] | undefined> {
  const { db, tuning = defaultTuning } = context;
  const text = query.conditions.find((condition) => condition.trigramIndex);
  const budget = (text ? tuning.textScanBudget : tuning.scanBudget) * scale;
  const first = Math.max(1, Math.round(budget * (text ? FIRST_TEXT_RUN : FIRST_RUN)));
  const rest = Math.max(1, Math.round(budget - first));
  const steps = [first, rest, ...(long && !text ? [tuning.longScan * scale] : [])];
  const found: PageRow[] = [];
  let position = after;
  for (const [index, step] of steps.entries()) {
    const rows = await run(db, indexScanPage(query, limit, position, step));
    // Rows after the end of an exceeded budget are discarded: the scan skipped posts before them.
    const end = rows.findIndex((row) => row.last);
    found.push(...(end < 0 ? rows : rows.slice(0, end + 1)).filter((row) => row.ok));
    if (end < 0 || found.length >= limit) return found.slice(0, limit);
    position = pageKeyOf(query.order, rows[end] as PageRow);
    const projected = found.length * (budget / first) * (text ? TEXT_PROJECTION : 1) >= limit * 0.7;
    if (index > 0 || projected || (long && !text)) continue;
    if (!(text && (await isCommon(context, query, text)))) return undefined;
  }
  return undefined;
}

/**
 * Returns whether many posts contain a text, by a sample: counting in a trigram index reads all
 * matching entries.
 */
async function isCommon(
  { db, tuning = defaultTuning }: FindContext,
  query: ListQuery,
  text: Condition,
): Promise<boolean> {
  const key = `${prefixOf(query, [text])}sample:${text.key}`;
  let hits = tuning.memory.get(key);
  if (hits === undefined) {
    const [row] = await run<{ hits: number }>(db, sampleHits(query, text));
    hits = row?.hits ?? 0;
    tuning.memory.set(key, hits);
  }
  return hits >= COMMON_HITS;
}

/**
 * Returns the factor of the budgets for a page size, about its square root. Three values only, so
 * that the plan memory has few keys.
 */
function scaleOf(limit: number): number {
  if (limit <= 41) return 1;
  return limit <= 161 ? 2 : 5;
}

/**
 * Counts the candidates of the conditions that have no more than the limit, and the posts the community has ever had.
 * Conditions on texts are not counted: a count reads all matching entries of the trigram index.
 */
async function countPosts(
  { db, tuning = defaultTuning }: FindContext,
  query: ListQuery,
  indexed: readonly Condition[],
): Promise<{ counted: Counted[]; posts: number }> {
  const { memory, countLimit } = tuning;
  const postsKey = `${prefixOf(query, [])}posts`;
  const countKey = (condition: Condition) => `${prefixOf(query, [condition])}${countLimit}:${condition.key}`;
  const counted: Counted[] = [];
  const unknown: Condition[] = [];
  for (const condition of indexed) {
    if (condition.trigramIndex) continue;
    const count = memory.get(countKey(condition));
    if (count === undefined) unknown.push(condition);
    else counted.push({ condition, count });
  }
  if (unknown.length > 0) {
    const [row] = await run<Record<string, number | null>>(db, boundedCounts(query, unknown, countLimit));
    for (const [index, condition] of unknown.entries()) {
      const count = row?.[`c${index}`] ?? TOO_MANY;
      counted.push({ condition, count });
      memory.set(countKey(condition), count);
    }
    memory.set(postsKey, row?.posts ?? 0);
  }
  const few = counted.filter(({ count }) => count < TOO_MANY);
  return { counted: few, posts: Math.max(memory.get(postsKey) ?? 0, 1, ...few.map(({ count }) => count)) };
}

/** Returns the number of posts on all pages. */
export async function countAll(context: FindContext, query: ListQuery): Promise<number> {
  const indexed = query.drafts ? [] : query.conditions.filter((condition) => condition.candidates);
  const { counted } = await countPosts(context, query, indexed);
  const [rarest] = counted.sort((a, b) => a.count - b.count);
  const few = rarest && rarest.count <= FEW ? rarest.condition : undefined;
  const [row] = await run<{ total: number }>(context.db, totalStatement(query, few));
  return row?.total ?? 0;
}

/**
 * Returns the conditions from whose candidates a read of all posts of a list starts: the counted
 * ones that have few, else those on texts; none where every condition matches many posts.
 */
export async function startOf(context: FindContext, query: ListQuery): Promise<Condition[]> {
  const indexed = query.drafts ? [] : query.conditions.filter((condition) => condition.candidates);
  const { counted } = await countPosts(context, query, indexed);
  const few = counted.map(({ condition }) => condition);
  return few.length > 0 ? few : indexed.filter((condition) => condition.trigramIndex);
}
