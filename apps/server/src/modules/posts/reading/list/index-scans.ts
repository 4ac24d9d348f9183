/** Index scans: posts in the order of an index, filtered row by row. Every statement returns `id`, `k1` …, `ok`, `last`. */
import type { Statement } from './statement.ts';

/** Position at which a page continues, within one section of the list (see page-query.ts). */
export interface Position {
  /** Values of the key columns without the id, as decoded from JSON. */
  readonly keys: readonly unknown[];
  readonly id: number;
}

/** The parameters of an index scan. */
export interface IndexScan {
  readonly sql: Statement;
  readonly desc: boolean;
  /** SQL of all conditions over `p`, visibility included. Adds its parameters to `sql` with each call. */
  readonly conditions: () => string;
  /**
   * The same conditions for scans with a budget: `byId` reads no column but `p.id` and is evaluated
   * first (undefined without such conditions); `byRow` needs the row of the post.
   */
  readonly tests: () => { byId: string | undefined; byRow: string };
  readonly after?: Position;
  /** Maximum number of rows of the result. */
  readonly limit: number;
  /**
   * Maximum number of rows the scan reads; absent means no limit. With a budget, the row at which it ends is returned
   * as `last`, whether it matches (`ok`) or not.
   */
  readonly budget?: number;
  /**
   * Returns SQL (` AND …`) of the filters on the column that orders the scan: they become its
   * range.
   * @param column as `Bound.column` names it
   * @param value SQL of its value, or null for posts without one
   */
  readonly bounds: (column: string, value: string | null) => string;
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

/** A scan without a budget of the rows `from … where …`, ordered by `keys` and `id`. */
function unboundedRows(scan: IndexScan, keys: readonly string[], from: string, where: string, id: string): string {
  return `SELECT p.id${named(keys)}, true AS ok, false AS last FROM ${from}
     WHERE ${where} AND ${scan.conditions()} ${orderBy([...keys, id], scan.desc)} LIMIT ${scan.limit}`;
}

/**
 * A scan with a budget. It is an index-only scan; the row of a post is fetched only where the conditions on its id hold,
 * since rows are scattered over the table.
 * @param keys number of key columns  @param from SQL of at most `budget` rows in order: `id`, `k1` …
 */
function budgetedRows(scan: IndexScan, budget: number, keys: number, from: string): string {
  const columns = (alias: string) => Array.from({ length: keys }, (_, index) => `, ${alias}.k${index + 1}`).join('');
  const { byId, byRow } = scan.tests();
  const row = `coalesce((SELECT ${byRow} FROM posts p WHERE p.tenant_id = $1 AND p.id = b.id), false)`;
  const ok = byId === undefined ? row : `CASE WHEN ${byId} THEN ${row} ELSE false END`;
  return `SELECT t.id${columns('t')}, t.ok, t.rn = ${budget} AS last FROM (
      SELECT b.id${columns('b')}, ${ok} AS ok, row_number() OVER () AS rn FROM (${from}) b CROSS JOIN LATERAL (SELECT b.id) p) t
    WHERE t.ok OR t.rn = ${budget} LIMIT ${scan.limit}`;
}

/** Scans an index of `posts`. @param where SQL of the range, beside tenant, community and `live` */
export function scanPosts(scan: IndexScan, type: string, keys: readonly string[], where: string): string {
  const { sql, after, desc, budget } = scan;
  const range = after ? ` AND ${afterSql(sql, keys.length > 0 ? [type] : [], keys, 'p.id', after, desc)}` : '';
  const rows = `p.tenant_id = $1 AND p.community_id = $2 AND p.live AND ${where}${range}`;
  if (budget === undefined) return unboundedRows(scan, keys, 'posts p', rows, 'p.id');
  const bounded = `SELECT p.id${named(keys)} FROM posts p WHERE ${rows} ${orderBy([...keys, 'p.id'], desc)} LIMIT ${budget}`;
  return budgetedRows(scan, budget, keys.length, bounded);
}

/** The row of a post by its id. `OFFSET 0` keeps PostgreSQL from flattening the lookup into a join. */
function postById(id: string): string {
  return `CROSS JOIN LATERAL (SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = ${id} OFFSET 0) p`;
}

/**
 * Scans an index of another table with a column `post_id`, ordered by a column and the post's id.
 * @param where SQL of the rows, with alias `x`  @param key the column; absent: by the post's id alone
 */
export function scanRows(
  scan: IndexScan,
  table: string,
  where: string,
  key: { column: string; type: string } | undefined,
): string {
  const { sql, after, desc, budget } = scan;
  const keys = key ? [`x.${key.column}`] : [];
  const range = after ? ` AND ${afterSql(sql, key ? [key.type] : [], keys, 'x.post_id', after, desc)}` : '';
  const rows = `x.tenant_id = $1 AND ${where}${range}`;
  const inCommunity = { ...scan, conditions: () => `p.community_id = $2 AND ${scan.conditions()}` };
  if (budget === undefined) {
    return unboundedRows(inCommunity, keys, `${table} x ${postById('x.post_id')}`, rows, 'x.post_id');
  }
  const bounded = `SELECT x.post_id AS id${named(keys)} FROM ${table} x WHERE ${rows} ${orderBy([...keys, 'x.post_id'], desc)} LIMIT ${budget}`;
  return budgetedRows(scan, budget, keys.length, bounded);
}

/** Entities with a name and posts: users, values of an enumeration. */
interface NamedEntities {
  /** PostgreSQL types of the columns of the name. */
  readonly types: readonly string[];
  /**
   * Returns SQL of the names in order: columns `k1` …, and `ids`, the entities of that name.
   * @param range returns the SQL condition at which a page continues, given the columns of the name
   */
  names(range: (columns: readonly string[]) => string): string;
  /** SQL of the rows that refer from an entity to its posts, and the column of the post's id. @param entity SQL of its id */
  posts(entity: string): { from: string; where: string; id: string };
}

/**
 * Scans names in order, and for each name the posts of its entities by id. Entities of the same
 * name are merged, so that ties are broken by the id of the post alone.
 *
 * With a budget, rows come in the order of the nested loops, which is the order of the names.
 * Merging several entities is a separate branch, so that the posts of a single entity need no sort.
 */
export function scanNames(scan: IndexScan, entities: NamedEntities): string {
  const { sql, after, desc, limit, budget } = scan;
  const { types } = entities;
  const sortDirection = direction(desc);
  const columns = types.map((_, index) => `n.k${index + 1}`);
  const keyValues = after ? types.map((type, index) => keyParameter(sql, type, after.keys[index])) : [];
  const names = entities.names((raw) =>
    after ? ` AND (${raw.join(', ')}) ${desc ? '<=' : '>='} (${keyValues.join(', ')})` : '',
  );
  // For the name at which a page continues, only the posts after its id; for the other names, all.
  const start = after
    ? `CASE WHEN (${columns.join(', ')}) = (${keyValues.join(', ')}) THEN ${sql.bigint(after.id)} ELSE ${desc ? '9223372036854775807' : '-1'} END`
    : '';
  const postsOf = (entity: string, count: number, tested: boolean) => {
    const { from, where, id } = entities.posts(entity);
    const past = after ? ` AND ${id} ${desc ? '<' : '>'} ${start}` : '';
    const [source, conditions] = tested
      ? [`${from} ${postById(id)}`, ` AND p.community_id = $2 AND ${scan.conditions()}`]
      : [from, ''];
    return {
      sql: `SELECT ${id} AS id FROM ${source} WHERE ${where}${past}${conditions}`,
      end: `ORDER BY ${id} ${sortDirection} LIMIT ${count}`,
    };
  };
  const merged = (count: number, tested: boolean) => {
    const posts = postsOf('b.id', count, tested);
    return `SELECT y.id FROM unnest(n.ids) AS b (id) CROSS JOIN LATERAL (${posts.sql} ${posts.end}) y ORDER BY y.id ${sortDirection} LIMIT ${count}`;
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
  return budgetedRows(scan, budget, types.length, rows);
}
