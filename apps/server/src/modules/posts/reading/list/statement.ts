/** The parameters of a statement over the posts of one community, and the conditions that filters add to it. */

import { clampedDate } from '@portico/platform/time';
import { Parameters } from '../../../../kernel/access/index.ts';

/**
 * Parameters of a statement with the tenant as `$1` and the community as `$2`. The posts row always
 * has the alias `p`.
 */
export class Statement extends Parameters {
  constructor(tenantId: number, communityId: number) {
    super([tenantId, communityId]);
  }

  bigint(value: number | string): string {
    return `${this.add(value)}::bigint`;
  }

  bigints(values: readonly number[]): string {
    return `${this.add(values)}::bigint[]`;
  }

  text(value: string): string {
    return `${this.add(value)}::text`;
  }

  /** @param ms epoch milliseconds; clamped to the years 0001 to 9999 */
  time(ms: number): string {
    return `${this.add(clampedDate(ms))}::timestamptz`;
  }
}

/** `SELECT … AS post_id`: the published posts of the community. */
export const LIVE_POSTS =
  'SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND x.live';

/**
 * Returns whether a list of ids or codes restricts the result: `null` and `[]` never do
 * (docs/decisions/lists.md).
 */
export function given<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

/** A condition on posts: a test for index scans, and candidates from an index of its own. */
export interface Condition {
  /** Equal for equal filters: part of page tokens and of keys of the plan memory. */
  readonly key: string;
  /**
   * SQL of a boolean over `p`. Subqueries end with `OFFSET 0`: that keeps PostgreSQL from turning the lookup of one
   * row into a join over all rows of the value.
   */
  test(sql: Statement): string;
  /**
   * `SELECT … AS post_id` by one index range: a superset of the posts that match (with posts of other communities,
   * drafts, or false positives of `test`). Absent where no index supports the condition.
   */
  readonly candidates?: (sql: Statement) => string;
  /** True when every candidate in the list passes `test`, which then is not evaluated. */
  readonly exact?: boolean;
  /** The test of candidates that are not `exact`; absent: `test`. */
  readonly recheck?: (sql: Statement) => string;
  /** True when `candidates` returns each post once. */
  readonly distinct?: boolean;
  /** True when all `candidates` are posts of the community, published or not. */
  readonly ownCommunity?: boolean;
  /** True when the condition depends on the caller. */
  readonly personal?: boolean;
  /** True when every candidate is visible to the caller. */
  readonly visible?: boolean;
  /** True when `test` reads no column of the post but `p.id`. */
  readonly byId?: boolean;
  /**
   * `SELECT … AS post_id` by one index range: all posts of the list among the candidates (or,
   * without candidates, in the community) that fail `test`, if fewer posts fail than pass. Used by
   * totals.
   */
  readonly excluded?: (sql: Statement) => string;
  /** The condition on a column by which a list may be ordered. */
  readonly bound?: Bound;
  /** True when candidates come from a trigram index, which reads all matching entries before the first row. */
  readonly trigramIndex?: boolean;
}

/** A condition on one column, usable as the range of an index scan ordered by it. */
export interface Bound {
  /** A column of posts, or {@link fieldValue}. */
  readonly column: string;
  /** SQL of a boolean. @param value SQL of the column's value */
  sql(value: string, sql: Statement): string;
  /** Whether posts without a value match. */
  readonly empty: boolean;
}

/** Name of the value of a custom field. */
export function fieldValue(fieldId: number): string {
  return `field ${fieldId}`;
}

/** A condition with `exact` set. @param lossy true when candidates may fail the test */
export function condition(base: Omit<Condition, 'exact'>, lossy = false): Condition {
  return { ...base, exact: base.candidates !== undefined && !lossy };
}

const ofPost = (alias: string) => `${alias}.tenant_id = $1 AND ${alias}.post_id = p.id`;

/**
 * SQL of the condition that, with the post's id, selects the rows of one post. Given when a test is
 * on a range of values: these rows are read first and then filtered, while PostgreSQL might search
 * all rows of the range for the post.
 */
export type RowProbe = (alias: string, sql: Statement) => string;

/**
 * A condition that a column has one of several values; each value is looked up in the index
 * separately.
 */
export interface ValueLookup {
  /** SQL of the values, an array without duplicates. */
  values(sql: Statement): string;
  /** SQL of a boolean over the row `x`. @param value SQL of one value */
  equals(value: string, sql: Statement): string;
}

/**
 * `SELECT … AS post_id` for each value. With "= ANY" PostgreSQL, which underestimates a tenant among many, may read and
 * filter all rows of the tenant.
 * @param from SQL of the rows that satisfy a condition
 */
export function lookUpEach({ values, equals }: ValueLookup, sql: Statement, from: (filter: string) => string): string {
  return `SELECT e.post_id FROM unnest(${values(sql)}) AS a (value) CROSS JOIN LATERAL (${from(equals('a.value', sql))} OFFSET 0) e`;
}

/** A table that assigns hashtags to posts or attachments. */
interface HashtagTable {
  readonly table: 'post_hashtags' | 'attachment_hashtags';
  /** The column of the tagged entity; with the hashtag it is the primary key. */
  readonly entityColumn: 'post_id' | 'attachment_id';
}

/**
 * Number of index entries read to find the rarest of several hashtags: divided among them, and the
 * minimum for each.
 */
const RAREST_ENTRIES = 20_000;
const RAREST_ENTRIES_OF_EACH = 1_000;

/** SQL of a boolean: an entity has all of the hashtags. @param id SQL of its id  @param ids distinct */
export function hasAllHashtags(
  { table, entityColumn }: HashtagTable,
  id: string,
  ids: readonly number[],
  sql: Statement,
) {
  // The few rows of the entity are read: with the array in the subquery, PostgreSQL would look up each hashtag.
  return `(SELECT count(*) FROM (SELECT y.hashtag_id FROM ${table} y WHERE y.tenant_id = $1 AND y.${entityColumn} = ${id} OFFSET 0) y
     WHERE y.hashtag_id = ANY (${sql.bigints(ids)})) = ${sql.bigint(ids.length)}`;
}

/**
 * `SELECT x.post_id` (or `attachment_id`): the entities with the rarest of the hashtags, each once.
 * Only its entries are read, and the plan does not depend on the ids.
 * @param ids distinct, two or more
 */
export function withRarestHashtag(
  { table, entityColumn }: HashtagTable,
  ids: readonly number[],
  sql: Statement,
): string {
  const each = Math.max(RAREST_ENTRIES_OF_EACH, Math.ceil(RAREST_ENTRIES / ids.length));
  const rarest = `(SELECT a.id FROM unnest(${sql.bigints(ids)}) AS a (id) CROSS JOIN LATERAL (
       SELECT count(*) AS uses FROM (SELECT FROM ${table} c WHERE c.tenant_id = $1 AND c.hashtag_id = a.id LIMIT ${sql.bigint(each)}) c) u
      ORDER BY u.uses, a.id LIMIT 1)`;
  return `SELECT x.${entityColumn} FROM ${table} x WHERE x.tenant_id = $1 AND x.hashtag_id = ${rarest}`;
}

/** A condition that a row of another table, with a column `post_id`, satisfies `where`. */
export function rowCondition(
  key: string,
  table: string,
  where: (alias: string, sql: Statement) => string,
  options: Pick<Condition, 'trigramIndex' | 'distinct' | 'ownCommunity' | 'personal' | 'bound'> & {
    narrow?: (alias: string) => string;
    probe?: RowProbe;
    each?: ValueLookup;
  } = {},
): Condition {
  const { narrow, probe, each, ...kept } = options;
  return condition({
    ...kept,
    key,
    byId: true,
    test: (sql) => {
      const [from, and] = probe
        ? [`(SELECT * FROM ${table} y WHERE ${ofPost('y')} AND ${probe('y', sql)} OFFSET 0) x`, '']
        : [`${table} x`, `${ofPost('x')} AND `];
      return `EXISTS (SELECT FROM ${from} WHERE ${and}${where('x', sql)} OFFSET 0)`;
    },
    candidates: (sql) => {
      const from = (filter: string) =>
        `SELECT x.post_id FROM ${table} x WHERE x.tenant_id = $1${narrow ? ` AND ${narrow('x')}` : ''} AND ${filter}`;
      return each ? lookUpEach(each, sql, from) : from(where('x', sql));
    },
  });
}

/**
 * A condition on columns of `posts`.
 * @param indexed true when an index of `posts` begins with tenant, community and these columns
 * @param options.bound the same condition, for orders by the column  @param options.each the same, by separate lookups
 */
export function columnCondition(
  key: string,
  test: (alias: string, sql: Statement) => string,
  indexed: boolean,
  { bound, each }: { bound?: Bound; each?: ValueLookup } = {},
): Condition {
  const from = (filter: string) => `${LIVE_POSTS} AND ${filter}`;
  return {
    key,
    test: (sql) => test('p', sql),
    ...(bound && { bound }),
    ...(indexed && {
      exact: true,
      distinct: true,
      ownCommunity: true,
      candidates: (sql: Statement) => (each ? lookUpEach(each, sql, from) : from(test('x', sql))),
    }),
  };
}
