/**
 * The page query: the ids of one page, in one statement. There are three plans (docs/adr/0005-list-query.md):
 * - an index scan in the list's order that tests every post, for filters that many posts match;
 * - the candidate set of one filter, tested and sorted, for filters that few posts match;
 * - the intersection of the candidate sets of several filters, each of which many posts match and all together few.
 *
 * A list has up to four sections: pinned posts with a value of the order's key, pinned posts without one, then the same
 * for the others. A page key names its section.
 */

import { ownDraftSql, Parameters, visiblePostSql } from '../../../../kernel/access/index.ts';
import type { Actor } from '../../../../kernel/scope.ts';
import { afterSql, direction, type IndexScan, type Position } from './index-scans.ts';
import type { Order } from './orders.ts';
import { type Condition, LIVE_POSTS, Statement } from './statement.ts';

/** The query of a list. */
export interface ListQuery {
  readonly tenantId: number;
  readonly communityId: number;
  readonly actor: Actor;
  /** True lists the caller's own drafts instead of published posts. */
  readonly drafts: boolean;
  readonly conditions: readonly Condition[];
  readonly order: Order;
  readonly desc: boolean;
  readonly pinnedFirst: boolean;
}

/**
 * Position at which a page continues: `[0 pinned or 1 not, 0 with a value or 1 without, …keys,
 * id]`.
 */
export type PageKey = readonly [number, number, ...unknown[]];

/** A row of a page statement. */
export interface PageRow {
  id: number;
  /** 0 pinned, 1 others; always 1 when pinned posts do not come first. */
  g: number;
  /** 0 with a value of the order's key, 1 without. */
  s: number;
  ok: boolean;
  last: boolean;
  k1: unknown;
  k2?: unknown;
  /** The row contains the data that {@link withRows} read beside. */
  loaded?: boolean;
}

export interface PageStatement {
  text: string;
  values: unknown[];
  /** See `StatementOptions.planned`. */
  planned?: boolean;
}

/**
 * Returns whether a statement over the candidates of these conditions needs a plan for its
 * parameter values: without the pattern, PostgreSQL chooses any of the trigram indexes for the
 * community's range alone, and reads all texts.
 */
export function planOption(scanned: readonly Condition[]): { planned?: boolean } {
  return scanned.some((condition) => condition.trigramIndex) ? { planned: true } : {};
}

function positionOf(key: PageKey): Position {
  return { keys: key[1] === 1 ? [] : key.slice(2, -1), id: key.at(-1) as number };
}

/** The key of a row, for the token of the next page. */
export function pageKeyOf(order: Order, row: PageRow): PageKey {
  if (row.s === 1) return [row.g, row.s, row.id];
  const keys = order.types.length === 2 ? [row.k1, row.k2] : [row.k1];
  return [row.g, row.s, ...keys, row.id];
}

/** SQL of the condition on every post of the list: in the community and visible, or a draft of the caller's. */
function baseSql(query: ListQuery, sql: Statement): string {
  return query.drafts
    ? `p.community_id = $2 AND ${ownDraftSql('p', query.actor, sql)}`
    : `p.community_id = $2 AND ${visiblePostSql('p', query.actor, sql, query.communityId)}`;
}

/**
 * Returns SQL of all conditions.
 * @param scanned conditions with candidates that the statement reads
 * @param passed conditions that are evaluated elsewhere
 */
export function conditionsSql(
  query: ListQuery,
  sql: Statement,
  scanned: readonly Condition[] = [],
  passed: readonly Condition[] = [],
): string {
  const base = [...scanned, ...passed].some((condition) => condition.visible)
    ? 'p.community_id = $2 AND p.live'
    : baseSql(query, sql);
  const [leading, elsewhere] = [new Set(scanned), new Set(passed)];
  const tests = query.conditions.flatMap((condition) => {
    if (elsewhere.has(condition)) return [];
    if (!leading.has(condition)) return [condition.test(sql)];
    return condition.exact ? [] : [(condition.recheck ?? condition.test)(sql)];
  });
  return [base, ...tests].join(' AND ');
}

/** Returns the conditions on one column, as the range of an index scan ordered by it. */
function boundsOf(query: ListQuery, sql: Statement): IndexScan['bounds'] {
  return (column, value) =>
    query.conditions
      .filter((condition) => condition.bound?.column === column)
      .map(({ bound }) => {
        if (value !== null) return ` AND ${bound!.sql(value, sql)}`;
        return bound!.empty ? '' : ' AND false';
      })
      .join('');
}

/** SQL of the caller's drafts in the community. */
export function draftCandidates(query: ListQuery, sql: Statement): string {
  return `SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.creator_id = ${sql.bigint(query.actor.userId)} AND x.community_id = $2 AND x.draft AND x.deleted_at IS NULL`;
}

/**
 * Returns rows of posts by their ids. An array of ids is one pass over the primary key in its
 * order, which touches a third of the pages that a probe for each id touches. `OFFSET 0` keeps
 * conditions on the rows from choosing another index.
 * @param candidates `SELECT … AS post_id`; may repeat ids
 */
export function postsById(candidates: string): string {
  return `(SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = ANY (ARRAY(${candidates})) OFFSET 0) p`;
}

/** SQL of the condition that a row follows a page key, over computed keys. */
function afterComputedKeys(query: ListQuery, sql: Statement, key: PageKey): string {
  const { order, desc } = query;
  const position = positionOf(key);
  const first = order.keys[0] as string;
  const inGroup =
    key[1] === 1
      ? `(${first} IS NULL AND ${afterSql(sql, [], [], 'p.id', position, desc)})`
      : `(${order.nullable ? `${first} IS NULL OR ` : ''}${afterSql(sql, order.types, order.keys, 'p.id', position, desc)})`;
  if (!query.pinnedFirst) return inGroup;
  return key[0] === 0 ? `(NOT p.pinned OR ${inGroup})` : `(NOT p.pinned AND ${inGroup})`;
}

/** The first rows of the candidates that match, in the list's order. */
function candidateRows(
  query: ListQuery,
  sql: Statement,
  candidates: string,
  limit: number,
  after: PageKey | undefined,
  { scanned = [], extra = '' }: { scanned?: readonly Condition[]; extra?: string },
): string {
  const { order, desc } = query;
  const sortDirection = direction(desc);
  const keys = order.keys.map((key, index) => `, ${key} AS k${index + 1}`).join('');
  const group = query.pinnedFirst ? 'CASE WHEN p.pinned THEN 0 ELSE 1 END' : '1';
  const empty = order.nullable ? `CASE WHEN ${order.keys[0]} IS NULL THEN 1 ELSE 0 END` : '0';
  const where = [`${conditionsSql(query, sql, scanned)}${extra}`];
  const join = order.join(sql);
  if (after) where.push(afterComputedKeys(query, sql, after));
  return `SELECT p.id, ${group} AS g, ${empty} AS s, true AS ok, false AS last${keys}
    FROM ${postsById(candidates)} ${join} WHERE ${where.join(' AND ')}
   ORDER BY g, s, ${order.keys.map((_, index) => `k${index + 1} ${sortDirection}, `).join('')}p.id ${sortDirection} LIMIT ${limit}`;
}

/** 64-bit keys are returned as text, since JSON numbers are not exact. */
function outputKeys(order: Order): string {
  return order.types
    .map((type, index) => `, ${type === 'bigint' ? `k${index + 1}::text AS k${index + 1}` : `k${index + 1}`}`)
    .join('');
}

/**
 * Returns the page from the intersected candidates of some conditions.
 * @param conditions conditions with candidates; empty for drafts: the caller's drafts are the
 *   candidates
 */
export function candidatePage(
  query: ListQuery,
  conditions: readonly Condition[],
  limit: number,
  after: PageKey | undefined,
): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const candidates = query.drafts ? draftCandidates(query, sql) : intersection(conditions, sql);
  const rows = candidateRows(query, sql, 'SELECT post_id FROM found', limit, after, { scanned: conditions });
  return {
    text: `WITH found AS MATERIALIZED (${candidates}) SELECT id, g, s, ok, last${outputKeys(query.order)} FROM (${rows}) r`,
    values: sql.values,
    ...planOption(conditions),
  };
}

/**
 * Returns the intersection of the candidates of all conditions. By INTERSECT, not by a join: each
 * index range is then read once, in order, regardless of the estimates of PostgreSQL; a join would
 * look up each row of the first range in the second.
 */
export function intersection(conditions: readonly Condition[], sql: Statement): string {
  return conditions.map((condition) => `(${condition.candidates?.(sql)})`).join(' INTERSECT ');
}

/**
 * Returns the page by index scans in the list's order, one for each section; a section supplies
 * only the rows that the sections before it lack.
 * @param budget maximum number of rows a scan reads; a row with `last` and fewer than `limit` rows
 *   with `ok` mean that it did not suffice
 */
export function indexScanPage(
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
  budget: number | undefined,
): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const { order, desc } = query;
  const sections: string[] = [];
  const columns = order.types.map((_, index) => `, k${index + 1}`).join('');
  const nullKeys = order.types.map((type, index) => `, NULL::${type} AS k${index + 1}`).join('');
  const rest = () => sections.map((_, index) => ` - (SELECT count(*) FROM w${index})`).join('');
  const add = (rows: string) =>
    sections.push(
      `w${sections.length} AS MATERIALIZED (SELECT * FROM (${rows}) r${sections.length > 0 ? ` LIMIT greatest(${limit}${rest()}, 0)` : ''})`,
    );

  if (query.pinnedFirst && (!after || after[0] === 0)) {
    const rows = candidateRows(query, sql, `${LIVE_POSTS} AND x.pinned`, limit, after, { extra: ' AND p.pinned' });
    add(`SELECT id, g, s, ok, last${columns} FROM (${rows}) f`);
  }
  // A page key among the pinned posts does not apply to the others: they start at their first row.
  const start = after && (after[0] === 1 || !query.pinnedFirst) ? after : undefined;
  const unpinned = query.pinnedFirst ? ' AND NOT p.pinned' : '';
  const conditions = () => `${conditionsSql(query, sql)}${unpinned}`;
  // Texts last: reading one costs more than any other condition.
  const byIds = query.conditions
    .filter((condition) => condition.byId)
    .sort((a, b) => Number(a.trigramIndex ?? false) - Number(b.trigramIndex ?? false));
  const tests = () => ({
    byId: byIds.length > 0 ? byIds.map((condition) => condition.test(sql)).join(' AND ') : undefined,
    byRow: `(${conditionsSql(query, sql, [], byIds)}${unpinned})`,
  });
  const bounds = boundsOf(query, sql);
  const scan = { sql, desc, conditions, tests, bounds, limit, ...(budget !== undefined && { budget }) };
  if (!start || start[1] === 0) {
    const keyed = { ...scan, ...(start && { after: positionOf(start) }) };
    add(`SELECT id, 1 AS g, 0 AS s, ok, last${columns} FROM (${order.scan(keyed)}) f`);
  }
  if (order.scanNulls) {
    const empty = { ...scan, ...(start && start[1] === 1 && { after: positionOf(start) }) };
    add(`SELECT id, 1 AS g, 1 AS s, ok, last${nullKeys} FROM (${order.scanNulls(empty)}) f`);
  }
  const sortDirection = direction(desc);
  const all = sections.map((_, index) => `SELECT * FROM w${index}`).join(' UNION ALL ');
  return {
    text: `WITH ${sections.join(', ')}
      SELECT id, g, s, ok, last${outputKeys(order)} FROM (${all}) u
       ORDER BY u.g, u.s, ${order.types.map((_, index) => `u.k${index + 1} ${sortDirection}, `).join('')}u.id ${sortDirection}`,
    values: sql.values,
  };
}

/**
 * Returns a page with rows that the same statement reads, one probe by primary key for each post.
 * @param beside `SELECT … ` of one row, for the post `f.id`
 */
export function withRows(page: PageStatement, order: Order, beside: (sql: Parameters) => string): PageStatement {
  const sql = new Parameters(page.values);
  const keys = order.types.map((_, index) => `, f.k${index + 1}`).join('');
  return {
    ...page,
    text: `SELECT true AS loaded, f.g, f.s, f.ok, f.last${keys}, r.*
      FROM (SELECT q.*, row_number() OVER () AS n FROM (${page.text}) q) f CROSS JOIN LATERAL (${beside(sql)}) r ORDER BY f.n`,
    values: sql.values,
  };
}

/** Number of posts in the sample that decides whether a text is common. */
const SAMPLE = 200;

/**
 * Counts how many of {@link SAMPLE} posts, evenly spaced by number within the community, match a
 * condition.
 * @returns SQL whose one row has the column `hits`
 */
export function sampleHits(query: ListQuery, condition: Condition): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const numbers = `SELECT c.last_custom_no * i / ${SAMPLE} FROM community_counters c, generate_series(1, ${SAMPLE}) i WHERE c.tenant_id = $1 AND c.community_id = $2`;
  return {
    text: `SELECT count(*)::int AS hits FROM (SELECT q.id FROM posts q WHERE q.tenant_id = $1 AND q.community_id = $2 AND q.custom_no = ANY (ARRAY(${numbers})) OFFSET 0) p
      WHERE ${condition.test(sql)}`,
    values: sql.values,
  };
}

/**
 * Counts the candidates of each condition in one statement, up to `bound` and up to a small
 * fraction of the community: beyond that an index scan is cheaper.
 * @returns SQL with one row, its columns `c0`, `c1`, … (null: too many), and `posts`, the number of
 *   posts that the community has ever had
 */
export function boundedCounts(query: ListQuery, conditions: readonly Condition[], bound: number): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const counts = conditions.map(
    (condition, index) =>
      `(SELECT CASE WHEN count(*) <= n.most THEN count(*) END FROM (SELECT FROM (${condition.candidates?.(sql)}) d LIMIT n.most + 1) b)::int AS c${index}`,
  );
  return {
    text: `SELECT ${counts.join(', ')}, n.posts
      FROM (SELECT c.last_custom_no AS posts, least(${bound}, ${bound} / 50 + c.last_custom_no / ${COUNTED_FRACTION}) AS most
              FROM community_counters c WHERE c.tenant_id = $1 AND c.community_id = $2 OFFSET 0) n`,
    values: sql.values,
  };
}

/** Counting stops near one in this many of a community's posts. */
const COUNTED_FRACTION = 10;
