/**
 * The ids of one page, in one statement. Three ways lead to them (docs/adr/0005-list-query.md):
 * - a walk of the order's index that tests every post it meets, for filters that many posts fit;
 * - the posts that one filter leads to, tested and sorted, for filters that few posts fit;
 * - the posts that all filters lead to, intersected, for filters of which each fits many posts and all together few.
 *
 * A list has up to four parts that follow one another: pinned posts with a value of the order's key, pinned posts without
 * one, then the same for the others. A position names its part.
 */

import { ownDraftSql, visiblePostSql } from '../../../../kernel/access/index.ts';
import type { Actor } from '../../../../kernel/scope.ts';
import type { Order } from './orders.ts';
import { type Condition, Statement } from './statement.ts';
import { afterSql, direction, type Position, type Walk } from './walks.ts';

/** A list asked for, in terms of conditions. */
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

/** Where a page continues: `[part of pinned (0 pinned, 1 others), part of values (0 has one, 1 has none), …keys, id]`. */
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
}

export interface PageStatement {
  text: string;
  values: unknown[];
  /** See `StatementOptions.planned`. */
  planned?: boolean;
}

/**
 * Whether a statement that posts are led to by these conditions has to be planned for its values: without a pattern,
 * PostgreSQL takes any of the trigram indexes for the community's part of it, and reads all texts.
 */
export function plannedBy(led: readonly Condition[]): { planned?: boolean } {
  return led.some((condition) => condition.trigram) ? { planned: true } : {};
}

function positionOf(key: PageKey): Position {
  return { keys: key[1] === 1 ? [] : key.slice(2, -1), id: key.at(-1) as number };
}

/** The key of a row, for the token of the next page. */
export function pageKeyOf(order: Order, row: PageRow): PageKey {
  const keys = row.s === 1 ? [] : order.types.length === 2 ? [row.k1, row.k2] : [row.k1];
  return [row.g, row.s, ...keys, row.id];
}

/** What every post of the list fulfils: it is in the community and visible, or an own draft. */
function baseSql(query: ListQuery, sql: Statement): string {
  return query.drafts
    ? `p.community_id = $2 AND ${ownDraftSql('p', query.actor, sql)}`
    : `p.community_id = $2 AND ${visiblePostSql('p', '$1', query.actor, sql, query.communityId)}`;
}

/**
 * All conditions.
 * @param led conditions whose candidates the posts are among  @param passed conditions that are asked elsewhere
 */
export function allSql(
  query: ListQuery,
  sql: Statement,
  led: readonly Condition[] = [],
  passed: readonly Condition[] = [],
): string {
  const base = [...led, ...passed].some((condition) => condition.seen)
    ? 'p.community_id = $2 AND p.live'
    : baseSql(query, sql);
  const [leading, elsewhere] = [new Set(led), new Set(passed)];
  const asked = query.conditions.flatMap((condition) => {
    if (elsewhere.has(condition)) return [];
    if (!leading.has(condition)) return [condition.test(sql)];
    return condition.exact ? [] : [(condition.rest ?? condition.test)(sql)];
  });
  return [base, ...asked].join(' AND ');
}

/** What the conditions say about one value, for a walk along it. */
function boundsOf(query: ListQuery, sql: Statement): Walk['bounds'] {
  return (what, column) =>
    query.conditions
      .filter((condition) => condition.bound?.what === what)
      .map(({ bound }) => (column !== null ? ` AND ${bound!.sql(column, sql)}` : bound!.empty ? '' : ' AND false'))
      .join('');
}

/** SQL of the caller's drafts in the community. */
export function draftCandidates(query: ListQuery, sql: Statement): string {
  return `SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.creator_id = ${sql.bigint(query.actor.userId)} AND x.community_id = $2 AND x.draft AND x.deleted_at IS NULL`;
}

function pinnedCandidates(): string {
  return 'SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND x.live AND x.pinned';
}

/**
 * Rows of posts by their ids. An array of them is one pass over the primary key in its order, which touches a third of the
 * pages that a probe for each id touches. `OFFSET 0` keeps conditions on the rows from choosing another index.
 * @param candidates `SELECT … AS post_id`; may repeat ids
 */
export function postsAt(candidates: string): string {
  return `(SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = ANY (ARRAY(${candidates})) OFFSET 0) p`;
}

/** "Comes after this position", for rows whose keys were worked out. */
function afterWorkedOut(query: ListQuery, sql: Statement, key: PageKey): string {
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

/** Rows of candidates: tested, keys worked out, sorted, cut. */
function drivenRows(
  query: ListQuery,
  sql: Statement,
  candidates: string,
  limit: number,
  after: PageKey | undefined,
  { led = [], extra = '' }: { led?: readonly Condition[]; extra?: string } = {},
): string {
  const { order, desc } = query;
  const way = direction(desc);
  const keys = order.keys.map((key, index) => `, ${key} AS k${index + 1}`).join('');
  const group = query.pinnedFirst ? 'CASE WHEN p.pinned THEN 0 ELSE 1 END' : '1';
  const empty = order.nullable ? `CASE WHEN ${order.keys[0]} IS NULL THEN 1 ELSE 0 END` : '0';
  const where = [`${allSql(query, sql, led)}${extra}`];
  const join = order.join(sql);
  if (after) where.push(afterWorkedOut(query, sql, after));
  return `SELECT p.id, ${group} AS g, ${empty} AS s, true AS ok, false AS last${keys}
    FROM ${postsAt(candidates)} ${join} WHERE ${where.join(' AND ')}
   ORDER BY g, s, ${order.keys.map((_, index) => `k${index + 1} ${way}, `).join('')}p.id ${way} LIMIT ${limit}`;
}

/** 64-bit keys leave as text, which JSON keeps exactly. */
function outputKeys(order: Order): string {
  return order.types
    .map((type, index) => `, ${type === 'bigint' ? `k${index + 1}::text AS k${index + 1}` : `k${index + 1}`}`)
    .join('');
}

/**
 * The page of the posts that some conditions lead to, intersected.
 * @param conditions ones with candidates; for drafts none: the caller's drafts are the candidates
 */
export function drivenPage(
  query: ListQuery,
  conditions: readonly Condition[],
  limit: number,
  after: PageKey | undefined,
): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const candidates = query.drafts ? draftCandidates(query, sql) : intersection(conditions, sql);
  const rows = drivenRows(query, sql, 'SELECT post_id FROM found', limit, after, { led: conditions });
  return {
    text: `WITH found AS MATERIALIZED (${candidates}) SELECT id, g, s, ok, last${outputKeys(query.order)} FROM (${rows}) r`,
    values: sql.values,
    ...plannedBy(conditions),
  };
}

/**
 * Candidates of all conditions at once. As sets and not as joins: each index range is then read once, in order, whatever
 * PostgreSQL thinks of how many rows it has; a join would be a probe into the second range for each row of the first.
 */
export function intersection(conditions: readonly Condition[], sql: Statement): string {
  return conditions.map((condition) => `(${condition.candidates?.(sql)})`).join(' INTERSECT ');
}

/**
 * The page by walks of the order's index. Each part of the list is asked only for what the parts before it left over.
 * @param budget most rows a walk may look at; a row with `last` and fewer than `limit` ones with `ok` say that it did not suffice
 */
export function walkedPage(
  query: ListQuery,
  limit: number,
  after: PageKey | undefined,
  budget: number | undefined,
): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const { order, desc } = query;
  const parts: string[] = [];
  const columns = order.types.map((_, index) => `, k${index + 1}`).join('');
  const nothing = order.types.map((type, index) => `, NULL::${type} AS k${index + 1}`).join('');
  const rest = () => parts.map((_, index) => ` - (SELECT count(*) FROM w${index})`).join('');
  const add = (rows: string) =>
    parts.push(
      `w${parts.length} AS MATERIALIZED (SELECT * FROM (${rows}) r${parts.length > 0 ? ` LIMIT greatest(${limit}${rest()}, 0)` : ''})`,
    );

  if (query.pinnedFirst && (!after || after[0] === 0)) {
    const rows = drivenRows(query, sql, pinnedCandidates(), limit, after, { extra: ' AND p.pinned' });
    add(`SELECT id, g, s, ok, last${columns} FROM (${rows}) f`);
  }
  // A position among the pinned posts says nothing about where the others begin: they begin at their beginning.
  const start = after && (after[0] === 1 || !query.pinnedFirst) ? after : undefined;
  const unpinned = query.pinnedFirst ? ' AND NOT p.pinned' : '';
  const conditions = () => `${allSql(query, sql)}${unpinned}`;
  // Texts last: reading one costs more than any other probe.
  const byIds = query.conditions
    .filter((condition) => condition.byId)
    .sort((a, b) => Number(a.trigram ?? false) - Number(b.trigram ?? false));
  const testParts = () => ({
    byId: byIds.length > 0 ? byIds.map((condition) => condition.test(sql)).join(' AND ') : undefined,
    byRow: `(${allSql(query, sql, [], byIds)}${unpinned})`,
  });
  const bounds = boundsOf(query, sql);
  const walk = { sql, desc, conditions, parts: testParts, bounds, limit, ...(budget !== undefined && { budget }) };
  if (!start || start[1] === 0) {
    const keyed = { ...walk, ...(start && { after: positionOf(start) }) };
    add(`SELECT id, 1 AS g, 0 AS s, ok, last${columns} FROM (${order.walk(keyed)}) f`);
  }
  if (order.walkEmpty) {
    const empty = { ...walk, ...(start && start[1] === 1 && { after: positionOf(start) }) };
    add(`SELECT id, 1 AS g, 1 AS s, ok, last${nothing} FROM (${order.walkEmpty(empty)}) f`);
  }
  const way = direction(desc);
  const all = parts.map((_, index) => `SELECT * FROM w${index}`).join(' UNION ALL ');
  return {
    text: `WITH ${parts.join(', ')}
      SELECT id, g, s, ok, last${outputKeys(order)} FROM (${all}) u
       ORDER BY u.g, u.s, ${order.types.map((_, index) => `u.k${index + 1} ${way}, `).join('')}u.id ${way}`,
    values: sql.values,
  };
}

/** Posts that are looked at to see whether a text is common. */
export const SAMPLE = 200;

/**
 * How many of {@link SAMPLE} posts, spread evenly over the community's numbers, fit a condition.
 * @returns SQL whose one row has the column `hits`
 */
export function sampled(query: ListQuery, condition: Condition): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const numbers = `SELECT c.last_custom_no * i / ${SAMPLE} FROM community_counters c, generate_series(1, ${SAMPLE}) i WHERE c.tenant_id = $1 AND c.community_id = $2`;
  return {
    text: `SELECT count(*)::int AS hits FROM (SELECT q.id FROM posts q WHERE q.tenant_id = $1 AND q.community_id = $2 AND q.custom_no = ANY (ARRAY(${numbers})) OFFSET 0) p
      WHERE ${condition.test(sql)}`,
    values: sql.values,
  };
}

/**
 * How many posts each condition leads to, but no further than `bound`, nor than a small part of the community: past that a
 * walk is the better way. One statement for all of them.
 * @returns SQL whose one row has the columns `c0`, `c1`, … (null: too many), and `posts`, how many posts the community has
 *   ever had
 */
export function boundedCounts(query: ListQuery, conditions: readonly Condition[], bound: number): PageStatement {
  const sql = new Statement(query.tenantId, query.communityId);
  const counts = conditions.map(
    (condition, index) =>
      `(SELECT CASE WHEN count(*) <= n.most THEN count(*) END FROM (SELECT FROM (${condition.candidates?.(sql)}) d LIMIT n.most + 1) b)::int AS c${index}`,
  );
  return {
    text: `SELECT ${counts.join(', ')}, n.posts
      FROM (SELECT c.last_custom_no AS posts, least(${bound}, ${bound} / 50 + c.last_custom_no / ${COUNTED_PART}) AS most
              FROM community_counters c WHERE c.tenant_id = $1 AND c.community_id = $2 OFFSET 0) n`,
    values: sql.values,
  };
}

/** What part of a community (one in …) is counted at most. */
const COUNTED_PART = 10;
