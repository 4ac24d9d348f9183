/** Walks: posts in the order of an index, tested one after the other. Every statement yields `id`, `k1` …, `ok`, `last`. */
import type { Statement } from './statement.ts';

/** Where a page continues, within one part of an order. */
export interface Position {
  /** Key columns without the id; as JSON gave them back. */
  readonly keys: readonly unknown[];
  readonly id: number;
}

/** What a walk is asked for. */
export interface Walk {
  readonly sql: Statement;
  readonly desc: boolean;
  /** SQL of all conditions over `p`, visibility included. Called where the walk needs them. */
  readonly conditions: () => string;
  /** The same in two parts, for walks with a budget: first the ones that look at `p.id` alone, if there are any. */
  readonly parts: () => { byId: string | undefined; byRow: string };
  readonly after?: Position;
  /** Most rows of the result. */
  readonly limit: number;
  /**
   * Most rows the walk may look at before it gives up; absent means no bound. With one, the row at which it ends is
   * reported whatever it is, as `last`.
   */
  readonly budget?: number;
  /**
   * What the filters say about the very value the walk runs along (` AND …`): the walk then begins and ends with them.
   * @param what the value, as `Bound.what` names it  @param column SQL of it, or null for posts that have none
   */
  readonly bounds: (what: string, column: string | null) => string;
}

/** `ASC` or `DESC`. */
export function direction(desc: boolean): string {
  return desc ? 'DESC' : 'ASC';
}

/** Adds a key value to a statement. */
function keyParameter(sql: Statement, type: string, value: unknown): string {
  return type === 'timestamptz' ? sql.time(value as number) : `${sql.add(value)}::${type}`;
}

/** `(a, b, id) < (…)`: a row comparison, which is an index range. */
export function afterSql(
  sql: Statement,
  types: readonly string[],
  columns: readonly string[],
  id: string,
  position: Position,
  desc: boolean,
): string {
  const values = [
    ...types.map((type, index) => keyParameter(sql, type, position.keys[index])),
    sql.bigint(position.id),
  ];
  return `(${[...columns, id].join(', ')}) ${desc ? '<' : '>'} (${values.join(', ')})`;
}

function orderBy(columns: readonly string[], desc: boolean): string {
  return `ORDER BY ${columns.map((name) => `${name} ${direction(desc)}`).join(', ')}`;
}

function named(keys: readonly string[]): string {
  return keys.map((key, index) => `, ${key} AS k${index + 1}`).join('');
}

/** Rows of a walk without a budget: `from` and `where` say what is walked, `keys` and `id` in what order. */
function plainRows(walk: Walk, keys: readonly string[], from: string, where: string, id: string): string {
  return `SELECT p.id${named(keys)}, true AS ok, false AS last FROM ${from}
     WHERE ${where} AND ${walk.conditions()} ${orderBy([...keys, id], walk.desc)} LIMIT ${walk.limit}`;
}

/**
 * Rows of a walk with a budget. What is walked is an index alone; the row of a post, which lies anywhere in the table, is
 * read only where the conditions that need no more than its id hold.
 * @param keys number of key columns  @param from SQL of at most `budget` rows in order: `id`, `k1` …
 */
function budgetedRows(walk: Walk, budget: number, keys: number, from: string): string {
  const columns = (alias: string) => Array.from({ length: keys }, (_, index) => `, ${alias}.k${index + 1}`).join('');
  const { byId, byRow } = walk.parts();
  const row = `coalesce((SELECT ${byRow} FROM posts p WHERE p.tenant_id = $1 AND p.id = b.id), false)`;
  const ok = byId === undefined ? row : `CASE WHEN ${byId} THEN ${row} ELSE false END`;
  return `SELECT t.id${columns('t')}, t.ok, t.rn = ${budget} AS last FROM (
      SELECT b.id${columns('b')}, ${ok} AS ok, row_number() OVER () AS rn FROM (${from}) b CROSS JOIN LATERAL (SELECT b.id) p) t
    WHERE t.ok OR t.rn = ${budget} LIMIT ${walk.limit}`;
}

/** Walks posts by columns of their own. @param where what is walked, beside tenant, community and being live */
export function walkPosts(walk: Walk, type: string, keys: readonly string[], where: string): string {
  const { sql, after, desc, budget } = walk;
  const range = after ? ` AND ${afterSql(sql, keys.length > 0 ? [type] : [], keys, 'p.id', after, desc)}` : '';
  const rows = `p.tenant_id = $1 AND p.community_id = $2 AND p.live AND ${where}${range}`;
  if (budget === undefined) return plainRows(walk, keys, 'posts p', rows, 'p.id');
  const bounded = `SELECT p.id${named(keys)} FROM posts p WHERE ${rows} ${orderBy([...keys, 'p.id'], desc)} LIMIT ${budget}`;
  return budgetedRows(walk, budget, keys.length, bounded);
}

/** The row of a post that another row leads to. `OFFSET 0` keeps it a probe of one row. */
function postAt(id: string): string {
  return `CROSS JOIN LATERAL (SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = ${id} OFFSET 0) p`;
}

/**
 * Walks rows of another table that lead to posts by `post_id`, in the order of a column and the post's id.
 * @param where which rows, of alias `x`  @param key absent: by the post's id alone
 */
export function walkRows(
  walk: Walk,
  table: string,
  where: string,
  key: { column: string; type: string } | undefined,
): string {
  const { sql, after, desc, budget } = walk;
  const keys = key ? [`x.${key.column}`] : [];
  const range = after ? ` AND ${afterSql(sql, key ? [key.type] : [], keys, 'x.post_id', after, desc)}` : '';
  const rows = `x.tenant_id = $1 AND ${where}${range}`;
  const inCommunity = { ...walk, conditions: () => `p.community_id = $2 AND ${walk.conditions()}` };
  if (budget === undefined) {
    return plainRows(inCommunity, keys, `${table} x ${postAt('x.post_id')}`, rows, 'x.post_id');
  }
  const bounded = `SELECT x.post_id AS id${named(keys)} FROM ${table} x WHERE ${rows} ${orderBy([...keys, 'x.post_id'], desc)} LIMIT ${budget}`;
  return budgetedRows(walk, budget, keys.length, bounded);
}

/** Things with names, each of which has posts: people, values of an enumeration. */
export interface Bearers {
  /** Types of the name's columns. */
  readonly types: readonly string[];
  /**
   * SQL of the names in order: columns `k1` …, and `ids`, the bearers of the name.
   * @param range makes the condition that a page continues at, from the columns of the name
   */
  names(range: (columns: readonly string[]) => string): string;
  /** SQL of the rows that lead from a bearer to posts: `from … where …`, and the column of the post's id. */
  posts(bearer: string): { from: string; where: string; id: string };
}

/**
 * Walks names in order, and below each name the posts of its bearers by id. Bearers of one name (people called the same,
 * values labelled the same) are merged, so that ties are broken by the id of the post alone.
 *
 * With a budget, rows come in the order in which the nested loops find them, which is that of the names; the merge of
 * several bearers is a branch of its own, so that a single one, however many posts it has, is not sorted.
 */
export function walkNames(walk: Walk, bearers: Bearers): string {
  const { sql, after, desc, limit, budget } = walk;
  const { types } = bearers;
  const way = direction(desc);
  const columns = types.map((_, index) => `n.k${index + 1}`);
  const keyValues = after ? types.map((type, index) => keyParameter(sql, type, after.keys[index])) : [];
  const names = bearers.names((raw) =>
    after ? ` AND (${raw.join(', ')}) ${desc ? '<=' : '>='} (${keyValues.join(', ')})` : '',
  );
  // Below the name at which a page continues only posts past its id, below the others all.
  const start = after
    ? `CASE WHEN (${columns.join(', ')}) = (${keyValues.join(', ')}) THEN ${sql.bigint(after.id)} ELSE ${desc ? '9223372036854775807' : '-1'} END`
    : '';
  const postsOf = (bearer: string, count: number, tested: boolean) => {
    const { from, where, id } = bearers.posts(bearer);
    const past = after ? ` AND ${id} ${desc ? '<' : '>'} ${start}` : '';
    const [source, conditions] = tested
      ? [`${from} ${postAt(id)}`, ` AND p.community_id = $2 AND ${walk.conditions()}`]
      : [from, ''];
    return {
      sql: `SELECT ${id} AS id FROM ${source} WHERE ${where}${past}${conditions}`,
      end: `ORDER BY ${id} ${way} LIMIT ${count}`,
    };
  };
  const merged = (count: number, tested: boolean) => {
    const posts = postsOf('b.id', count, tested);
    return `SELECT y.id FROM unnest(n.ids) AS b (id) CROSS JOIN LATERAL (${posts.sql} ${posts.end}) y ORDER BY y.id ${way} LIMIT ${count}`;
  };
  if (budget === undefined) {
    return `SELECT m.id${named(columns)}, true AS ok, false AS last FROM (${names}) n CROSS JOIN LATERAL (${merged(limit, true)}) m
     ${orderBy([...columns, 'm.id'], desc)} LIMIT ${limit}`;
  }
  const single = postsOf('n.ids[1]', budget, false);
  const rows = `SELECT m.id${named(columns)} FROM (${names}) n CROSS JOIN LATERAL (
        (${single.sql} AND cardinality(n.ids) = 1 ${single.end})
        UNION ALL
        (SELECT z.id FROM (${merged(budget, false)}) z WHERE cardinality(n.ids) > 1)) m LIMIT ${budget}`;
  return budgetedRows(walk, budget, types.length, rows);
}
