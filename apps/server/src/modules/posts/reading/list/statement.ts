/** One statement about the posts of one community, and the conditions that filters put on it. */

import { Parameters } from '../../../../kernel/access/index.ts';
import { MAX_EPOCH_MS, MIN_EPOCH_MS } from '../../../../platform/time/index.ts';

/** Parameters of a statement whose `$1` is the tenant and `$2` the community. The posts row is always aliased `p`. */
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

  /** @param ms epoch milliseconds; beyond the years 0001 to 9999, where no post is, the end of that range stands for it */
  time(ms: number): string {
    return `${this.add(new Date(Math.min(Math.max(ms, MIN_EPOCH_MS), MAX_EPOCH_MS)))}::timestamptz`;
  }
}

/** A condition on posts, in the two forms that the two kinds of plan need. */
export interface Condition {
  /** Says the same for the same filter: binds page tokens and remembers how many posts a condition fits. */
  readonly key: string;
  /**
   * SQL of a boolean over `p`. Subqueries end with `OFFSET 0`: that keeps PostgreSQL from turning the probe of one row
   * into a join over all rows of the value.
   */
  test(sql: Statement): string;
  /**
   * `SELECT … AS post_id` by one index range: every post that fits, and perhaps others (of other communities, drafts, or
   * ones that `test` refuses). Absent where no index leads to the posts.
   */
  readonly candidates?: (sql: Statement) => string;
  /** True when every candidate in the list passes `test`, which then need not be asked again. */
  readonly exact?: boolean;
  /** What candidates that are not `exact` still have to pass; absent: `test`. */
  readonly rest?: (sql: Statement) => string;
  /** True when `candidates` name each post once. */
  readonly once?: boolean;
  /** True when `candidates` are all posts of the community, published or not. */
  readonly here?: boolean;
  /** True when the condition is about the caller. */
  readonly personal?: boolean;
  /** True when every candidate is a post that the caller sees. */
  readonly seen?: boolean;
  /** True when `test` looks at nothing of the post but `p.id`. */
  readonly byId?: boolean;
  /**
   * `SELECT … AS post_id` by one index range: all posts of the list among the candidates (or, without candidates, in the
   * community) that `test` refuses, where these are fewer than the ones that fit. Serves totals.
   */
  readonly refused?: (sql: Statement) => string;
  /** What the condition says about a value that an order may walk along. */
  readonly bound?: Bound;
  /** Candidates come from a trigram index, which must be read in full before the first row comes. */
  readonly trigram?: boolean;
}

/** A condition on one value, as the walk along that value can use it. */
export interface Bound {
  /** The value: a column of posts, or {@link fieldValue}. */
  readonly what: string;
  /** SQL of a boolean over the value. */
  sql(column: string, sql: Statement): string;
  /** Whether posts that have no value fit too. */
  readonly empty: boolean;
}

/** Name of the value of a custom field. */
export function fieldValue(fieldId: number): string {
  return `field ${fieldId}`;
}

/** A condition of a test and of candidates. @param loose true when candidates may hold posts that the test refuses */
export function condition(parts: Omit<Condition, 'exact'>, loose = false): Condition {
  return { ...parts, exact: parts.candidates !== undefined && !loose };
}

const ofPost = (alias: string) => `${alias}.tenant_id = $1 AND ${alias}.post_id = p.id`;

/**
 * SQL of what leads, with the post's id, to the rows of one post. Given where a test asks for a range of values: these rows
 * are then read first and their values looked at, while PostgreSQL might look for the post among all rows of the range.
 */
export type RowProbe = (alias: string, sql: Statement) => string;

/** One of several values, given one by one: each is then looked up by itself, in whatever index has it. */
export interface EachOf {
  /** SQL of the values, an array without doubles. */
  values(sql: Statement): string;
  /** SQL of a boolean over the row `x`. @param value SQL of one value */
  equals(value: string, sql: Statement): string;
}

/**
 * `SELECT … AS post_id` for each value. "= ANY" leaves PostgreSQL, which takes a tenant among many for small, to read all that
 * the tenant has and to compare.
 * @param from the rows for which something holds
 */
export function ofEach({ values, equals }: EachOf, sql: Statement, from: (asked: string) => string): string {
  return `SELECT e.post_id FROM unnest(${values(sql)}) AS a (value) CROSS JOIN LATERAL (${from(equals('a.value', sql))} OFFSET 0) e`;
}

/** A table whose rows put hashtags on things. */
interface HashtagTable {
  readonly table: 'post_hashtags' | 'attachment_hashtags';
  /** The column of what carries the hashtag; with the hashtag it is the primary key. */
  readonly carrier: 'post_id' | 'attachment_id';
}

/** Entries that are read to find the rarest of several hashtags: so many in all, or so many of each. */
const RAREST_ENTRIES = 20_000;
const RAREST_ENTRIES_OF_EACH = 1_000;

/** SQL of a boolean: a thing has all of the hashtags. @param id SQL of its id  @param ids each once */
export function hasAllHashtags({ table, carrier }: HashtagTable, id: string, ids: readonly number[], sql: Statement) {
  // The rows of the one thing are read, few as they are: with the array, PostgreSQL would look up each hashtag.
  return `(SELECT count(*) FROM (SELECT y.hashtag_id FROM ${table} y WHERE y.tenant_id = $1 AND y.${carrier} = ${id} OFFSET 0) y
     WHERE y.hashtag_id = ANY (${sql.bigints(ids)})) = ${sql.bigint(ids.length)}`;
}

/**
 * `SELECT x.post_id` (or `attachment_id`): what has the rarest of the hashtags, each once. What is read depends on it alone,
 * and planning on none of the ids.
 * @param ids each once, two or more
 */
export function withRarestHashtag({ table, carrier }: HashtagTable, ids: readonly number[], sql: Statement): string {
  const each = Math.max(RAREST_ENTRIES_OF_EACH, Math.ceil(RAREST_ENTRIES / ids.length));
  const rarest = `(SELECT a.id FROM unnest(${sql.bigints(ids)}) AS a (id) CROSS JOIN LATERAL (
       SELECT count(*) AS uses FROM (SELECT FROM ${table} c WHERE c.tenant_id = $1 AND c.hashtag_id = a.id LIMIT ${sql.bigint(each)}) c) u
      ORDER BY u.uses, a.id LIMIT 1)`;
  return `SELECT x.${carrier} FROM ${table} x WHERE x.tenant_id = $1 AND x.hashtag_id = ${rarest}`;
}

/** Tests on one row of another table that belongs to the post, and the same rows as candidates. */
export function rowCondition(
  key: string,
  table: string,
  where: (alias: string, sql: Statement) => string,
  options: Pick<Condition, 'trigram' | 'once' | 'here' | 'personal' | 'bound'> & {
    narrow?: (alias: string) => string;
    probe?: RowProbe;
    each?: EachOf;
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
      const from = (asked: string) =>
        `SELECT x.post_id FROM ${table} x WHERE x.tenant_id = $1${narrow ? ` AND ${narrow('x')}` : ''} AND ${asked}`;
      return each ? ofEach(each, sql, from) : from(where('x', sql));
    },
  });
}

/**
 * A test on the posts row itself.
 * @param indexed true when an index of `posts` begins with tenant, community and what the test looks at
 * @param options.bound the same about the column, for orders by it  @param options.each the same of several values, one by one
 */
export function columnCondition(
  key: string,
  test: (alias: string, sql: Statement) => string,
  indexed: boolean,
  { bound, each }: { bound?: Bound; each?: EachOf } = {},
): Condition {
  const from = (asked: string) =>
    `SELECT x.id AS post_id FROM posts x WHERE x.tenant_id = $1 AND x.community_id = $2 AND x.live AND ${asked}`;
  return {
    key,
    test: (sql) => test('p', sql),
    ...(bound && { bound }),
    ...(indexed && {
      exact: true,
      once: true,
      here: true,
      candidates: (sql: Statement) => (each ? ofEach(each, sql, from) : from(test('x', sql))),
    }),
  };
}
