/**
 * Orders of the list (ruling 17). Each order is the walk of an index: first the posts that have a value, then those that
 * have none (last in both directions); ties by id, in the direction of the order. The same keys can also be worked out
 * for posts that a filter led to.
 */
import { FieldType, type PostOrder } from '@portico/contract';
import type { Actor } from '../../../../platform/scope.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
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
  readonly after?: Position;
  /** Most rows of the result. */
  readonly limit: number;
  /** Most rows the walk may look at before it gives up; absent means no bound. */
  readonly budget?: number;
}

/** An order. Every statement it makes yields the columns `id`, `k1` …, `ok`, `last`. */
export interface Order {
  /** PostgreSQL types of the key columns without the id. */
  readonly types: readonly string[];
  /** SQL that joins what the keys come from to `p`. */
  join(sql: Statement): string;
  /** SQL of the key columns after {@link join}; NULL in the first where the post has no value. */
  readonly keys: readonly string[];
  readonly nullable: boolean;
  /** Posts with a value. */
  walk(walk: Walk): string;
  /** Posts without one; only for nullable orders. */
  walkEmpty?(walk: Walk): string;
  /** False when {@link walk} takes no budget. */
  readonly budgeted: boolean;
}

/** Adds a key value to a statement. */
export function keyParameter(sql: Statement, type: string, value: unknown): string {
  return type === 'timestamptz' ? sql.time(value as number) : `${sql.add(value)}::${type}`;
}

/** `ASC` or `DESC`. */
export function direction(desc: boolean): string {
  return desc ? 'DESC' : 'ASC';
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

/** Rows in order, tested one after the other; with a budget the row at which it ends is reported whatever it is. */
function testedRows(walk: Walk, keys: readonly string[], from: string, orderBy: string): string {
  const names = keys.map((_, index) => `k${index + 1}`);
  const columns = names.map((name) => `, t.${name}`).join('');
  const selected = `p.id${keys.map((key, index) => `, ${key} AS k${index + 1}`).join('')}`;
  if (walk.budget === undefined) {
    return `SELECT t.id${columns}, true AS ok, false AS last FROM (SELECT ${selected} FROM ${from} WHERE ${walk.conditions()} ${orderBy} LIMIT ${walk.limit}) t`;
  }
  return `SELECT t.id${columns}, t.ok, t.rn = ${walk.budget} AS last FROM (
      SELECT ${selected}, (${walk.conditions()}) AS ok, row_number() OVER () AS rn FROM ${from}) t
    WHERE t.ok OR t.rn = ${walk.budget} LIMIT ${walk.limit}`;
}

/** An order by a column of `posts`, walked on an index of (tenant, community, column, id). */
function columnOrder(column: string, type: string, filled?: { present: string; absent: string }): Order {
  const walkOn = (walk: Walk, keys: readonly string[], where: string) => {
    const { sql, after, desc } = walk;
    const range = after ? ` AND ${afterSql(sql, keys.length > 0 ? [type] : [], keys, 'p.id', after, desc)}` : '';
    const orderBy = `ORDER BY ${[...keys, 'p.id'].map((name) => `${name} ${direction(desc)}`).join(', ')}`;
    const rows = `p.tenant_id = $1 AND p.community_id = $2 AND p.live AND ${where}${range}`;
    if (walk.budget === undefined) {
      return testedRows({ ...walk, conditions: () => `${rows} AND ${walk.conditions()}` }, keys, 'posts p', orderBy);
    }
    return testedRows(walk, keys, `(SELECT * FROM posts p WHERE ${rows} ${orderBy} LIMIT ${walk.budget}) p`, '');
  };
  return {
    types: [type],
    join: () => '',
    keys: [filled ? `CASE WHEN ${filled.present} THEN ${column} END` : column],
    nullable: filled !== undefined,
    budgeted: true,
    walk: (walk) => walkOn(walk, [column], filled?.present ?? 'true'),
    ...(filled && { walkEmpty: (walk: Walk) => walkOn(walk, [], filled.absent) }),
  };
}

/** Walks rows of another table that carry the key and lead to posts. @param rows SQL of the rows, alias `r`: post_id, k */
function referredRows(walk: Walk, keys: readonly string[], rows: string): string {
  const from = `(${rows}${walk.budget === undefined ? '' : ` LIMIT ${walk.budget}`}) r CROSS JOIN LATERAL (SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = r.post_id OFFSET 0) p`;
  const orderBy = `ORDER BY ${keys.map((key) => `${key} ${direction(walk.desc)}, `).join('')}r.post_id ${direction(walk.desc)}`;
  const conditions = () => `p.community_id = $2 AND ${walk.conditions()}`;
  return testedRows({ ...walk, conditions }, keys, from, walk.budget === undefined ? orderBy : '');
}

/** SQL of rows of one table in order, for {@link referredRows}. */
function orderedRows(
  walk: Walk,
  table: string,
  where: string,
  key: { column: string; type: string } | undefined,
): string {
  const { sql, after, desc } = walk;
  const columns = key ? [`x.${key.column}`] : [];
  const range = after ? ` AND ${afterSql(sql, key ? [key.type] : [], columns, 'x.post_id', after, desc)}` : '';
  const orderBy = [...columns, 'x.post_id'].map((name) => `${name} ${direction(desc)}`).join(', ');
  return `SELECT x.post_id${key ? `, x.${key.column} AS k` : ''} FROM ${table} x WHERE x.tenant_id = $1 AND ${where}${range} ORDER BY ${orderBy}`;
}

/** Posts without a value of a field, by id. */
function emptyValues(walk: Walk, fieldId: number): string {
  return referredRows(
    walk,
    [],
    orderedRows(walk, 'post_values', `x.field_id = ${walk.sql.bigint(fieldId)} AND x.empty`, undefined),
  );
}

function valueOrder(fieldId: number, column: 'big' | 'num' | 'txt', type: string): Order {
  return {
    types: [type],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT v.${column} AS k FROM post_values v WHERE v.tenant_id = $1 AND v.field_id = ${sql.bigint(fieldId)} AND v.post_id = p.id AND v.${column} IS NOT NULL LIMIT 1) o ON true`,
    keys: ['o.k'],
    nullable: true,
    budgeted: true,
    walk: (walk) =>
      referredRows(
        walk,
        ['r.k'],
        orderedRows(walk, 'post_values', `x.field_id = ${walk.sql.bigint(fieldId)} AND x.${column} IS NOT NULL`, {
          column,
          type,
        }),
      ),
    walkEmpty: (walk) => emptyValues(walk, fieldId),
  };
}

/** What the caller did last with each post; posts they never did it with come last. */
function personalOrder(actor: Actor, column: 'viewed_at' | 'modified_at' | 'commented_at'): Order {
  const state = (alias: string, sql: Statement) =>
    `${alias}.tenant_id = $1 AND ${alias}.user_id = ${sql.bigint(actor.userId)} AND ${alias}.${column} IS NOT NULL`;
  const byId = columnOrder('p.id', 'bigint', { present: 'true', absent: 'true' });
  return {
    types: ['timestamptz'],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT s.${column} AS k FROM post_user_state s WHERE ${state('s', sql)} AND s.post_id = p.id LIMIT 1) o ON true`,
    keys: ['o.k'],
    nullable: true,
    budgeted: true,
    walk: (walk) =>
      referredRows(
        walk,
        ['r.k'],
        orderedRows(
          walk,
          'post_user_state',
          `x.user_id = ${walk.sql.bigint(actor.userId)} AND x.community_id = $2 AND x.${column} IS NOT NULL`,
          { column, type: 'timestamptz' },
        ),
      ),
    walkEmpty: (walk) =>
      byId.walkEmpty!({
        ...walk,
        conditions: () =>
          `NOT EXISTS (SELECT FROM post_user_state s WHERE ${state('s', walk.sql)} AND s.post_id = p.id OFFSET 0) AND ${walk.conditions()}`,
      }),
  };
}

/**
 * Walks names in order, and below each name the posts of everything that has this name, by id. Bearers of one name
 * (people called the same, values labelled the same) are merged, so that ties are broken by the id of the post alone.
 * @param names SQL: the key columns `k1` …, and `ids`, the bearers of the name; one row per name
 * @param posts SQL of the source of a bearer's posts, and the column of the post's id; `b.id` is the bearer
 */
function namedWalk(
  walk: Walk,
  types: readonly string[],
  names: (range: (columns: readonly string[]) => string) => string,
  posts: { from: string; where: string; id: string },
): string {
  const { sql, after, desc, limit } = walk;
  const columns = types.map((_, index) => `n.k${index + 1}`);
  const keyValues = after ? types.map((type, index) => keyParameter(sql, type, after.keys[index])) : [];
  const range = (raw: readonly string[]) =>
    after ? ` AND (${raw.join(', ')}) ${desc ? '<=' : '>='} (${keyValues.join(', ')})` : '';
  const bound = after
    ? ` AND ${posts.id} ${desc ? '<' : '>'} CASE WHEN (${columns.join(', ')}) = (${keyValues.join(', ')}) THEN ${sql.bigint(after.id)} ELSE ${desc ? '9223372036854775807' : '-1'} END`
    : '';
  const way = direction(desc);
  return `SELECT m.id${columns.map((column, index) => `, ${column} AS k${index + 1}`).join('')}, true AS ok, false AS last
    FROM (${names(range)}) n CROSS JOIN LATERAL (
      SELECT y.id FROM unnest(n.ids) AS b (id) CROSS JOIN LATERAL (
        SELECT ${posts.id} AS id FROM ${posts.from} WHERE ${posts.where}${bound} AND ${walk.conditions()}
         ORDER BY ${posts.id} ${way} LIMIT ${limit}) y
       ORDER BY y.id ${way} LIMIT ${limit}) m
   ORDER BY ${columns.map((column) => `${column} ${way}, `).join('')}m.id ${way} LIMIT ${limit}`;
}

/** Creator or last editor: by last, then first name. */
function userOrder(column: 'creator_id' | 'modifier_id'): Order {
  const types = ['text', 'text'];
  return {
    types,
    join: () =>
      `CROSS JOIN LATERAL (SELECT u.last_key AS k, u.first_key AS l FROM users u WHERE u.tenant_id = $1 AND u.id = p.${column} OFFSET 0) o`,
    keys: ['o.k', 'o.l'],
    nullable: false,
    budgeted: false,
    walk: (walk) => {
      const way = direction(walk.desc);
      return namedWalk(
        walk,
        types,
        (range) =>
          `SELECT u.last_key AS k1, u.first_key AS k2, array_agg(u.id) AS ids FROM users u
            WHERE u.tenant_id = $1${range(['u.last_key', 'u.first_key'])}
            GROUP BY u.last_key, u.first_key ORDER BY u.last_key ${way}, u.first_key ${way}`,
        {
          from: 'posts p',
          where: `p.tenant_id = $1 AND p.community_id = $2 AND p.live AND p.${column} = b.id`,
          id: 'p.id',
        },
      );
    },
  };
}

/** A single-valued enumeration: by the label of its value. */
function enumOrder(field: FieldDefinition): Order {
  const types = ['text'];
  const { catalogId } = field;
  const table = catalogId === null ? 'field_enum_values' : 'catalog_entries';
  return {
    types,
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT e.label_key AS k FROM post_values v JOIN ${table} e ON e.tenant_id = $1 AND e.id = v.ref
         WHERE v.tenant_id = $1 AND v.field_id = ${sql.bigint(field.id)} AND v.post_id = p.id AND v.ref IS NOT NULL LIMIT 1) o ON true`,
    keys: ['o.k'],
    nullable: true,
    budgeted: false,
    walk: (walk) => {
      const where =
        catalogId === null
          ? `e.field_id = ${walk.sql.bigint(field.id)}`
          : `e.catalog_id = ${walk.sql.bigint(catalogId)}`;
      return namedWalk(
        walk,
        types,
        (range) =>
          `SELECT e.label_key AS k1, array_agg(e.id) AS ids FROM ${table} e WHERE e.tenant_id = $1 AND ${where}${range(['e.label_key'])}
            GROUP BY e.label_key ORDER BY e.label_key ${direction(walk.desc)}`,
        {
          from: 'post_values v CROSS JOIN LATERAL (SELECT * FROM posts q WHERE q.tenant_id = $1 AND q.id = v.post_id OFFSET 0) p',
          where: `v.tenant_id = $1 AND v.field_id = ${walk.sql.bigint(field.id)} AND v.ref = b.id AND p.community_id = $2`,
          id: 'v.post_id',
        },
      );
    },
    walkEmpty: (walk) => emptyValues(walk, field.id),
  };
}

/** The order by a custom field; the caller has checked that its type can be ordered by. */
export function fieldOrder(field: FieldDefinition): Order {
  switch (field.type) {
    case FieldType.DECIMAL:
    case FieldType.FEEDBACK:
      return valueOrder(field.id, 'num', 'double precision');
    case FieldType.STRING:
    case FieldType.TEXT_AREA:
    case FieldType.LINK:
      return valueOrder(field.id, 'txt', 'text');
    case FieldType.ENUM:
    case FieldType.HIERARCHICAL_ENUM:
      return enumOrder(field);
    default:
      return valueOrder(field.id, 'big', 'bigint');
  }
}

/** The order of a published name. */
export function namedOrder(name: PostOrder, actor: Actor): Order {
  switch (name) {
    case 'postCustomId':
      return columnOrder('p.custom_no', 'bigint');
    case 'postTitle':
      return columnOrder('p.title_key', 'text', { present: `p.title_key > ''`, absent: `p.title_key = ''` });
    case 'postCreatorUser':
      return userOrder('creator_id');
    case 'postCreationTimestamp':
      return columnOrder('p.created_at', 'timestamptz');
    case 'postLastModifyUser':
      return userOrder('modifier_id');
    case 'postLastModifyTimestamp':
      return columnOrder('p.modified_at', 'timestamptz');
    case 'postLastModifyAndCommentTimestamp':
      return columnOrder('p.active_at', 'timestamptz');
    case 'postViewedByMeTimestamp':
      return personalOrder(actor, 'viewed_at');
    case 'postModifiedByMeTimestamp':
      return personalOrder(actor, 'modified_at');
    case 'postCommentedByMeTimestamp':
      return personalOrder(actor, 'commented_at');
    case 'postScheduledPublication':
      return columnOrder('p.scheduled_at', 'timestamptz', {
        present: 'p.scheduled_at IS NOT NULL',
        absent: 'p.scheduled_at IS NULL',
      });
    case 'postRecency':
      return columnOrder('p.recent_at', 'timestamptz');
  }
}
