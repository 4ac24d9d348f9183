/**
 * Orders of the list (docs/decisions/lists.md). Each order is the walk of an index: first the posts that have a
 * value, then those that
 * have none (last in both directions); ties by id, in the direction of the order. The same keys can also be worked out
 * for posts that a filter led to.
 */
import type { PostOrder } from '@portico/contract';
import type { Actor } from '../../../../kernel/scope.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import { columnTypes, typeOf } from '../../../fields/index.ts';
import { fieldValue, type Statement } from './statement.ts';
import { direction, type Walk, walkNames, walkPosts, walkRows } from './walks.ts';

/** An order. */
export interface Order {
  /** PostgreSQL types of the key columns without the id. */
  readonly types: readonly string[];
  /** SQL that joins what the keys come from to `p`. */
  join(sql: Statement): string;
  /** SQL of the key columns after {@link join}; NULL in the first where the post has no value. */
  readonly keys: readonly string[];
  readonly nullable: boolean;
  /** The value that the order runs along, as `Bound.what` names it. */
  readonly along?: string;
  /** Posts with a value. */
  walk(walk: Walk): string;
  /** Posts without one; only for nullable orders. */
  walkEmpty?(walk: Walk): string;
}

/** An order by a column of `posts`, walked on an index of (tenant, community, column, id). */
function columnOrder(column: string, type: string, filled?: { present: string; absent: string }): Order {
  const sql = `p.${column}`;
  return {
    types: [type],
    join: () => '',
    along: column,
    keys: [filled ? `CASE WHEN ${filled.present} THEN ${sql} END` : sql],
    nullable: filled !== undefined,
    walk: (walk) => walkPosts(walk, type, [sql], `${filled?.present ?? 'true'}${walk.bounds(column, sql)}`),
    ...(filled && {
      walkEmpty: (walk: Walk) => walkPosts(walk, type, [], `${filled.absent}${walk.bounds(column, null)}`),
    }),
  };
}

/** Posts without a value of a field, by id. */
function emptyValues(walk: Walk, fieldId: number): string {
  const where = `x.field_id = ${walk.sql.bigint(fieldId)} AND x.empty${walk.bounds(fieldValue(fieldId), null)}`;
  return walkRows(walk, 'post_values', where, undefined);
}

/**
 * SQL of the row that `p` has of a field that holds one value. It has one without a value too; "IS NOT NULL" would let
 * PostgreSQL look for the post among all values of the field, by the index of those that are not. The order is that of the
 * primary key, and of no other index.
 */
function heldBy(sql: Statement, fieldId: number): string {
  return `v.tenant_id = $1 AND v.field_id = ${sql.bigint(fieldId)} AND v.post_id = p.id ORDER BY v.ord LIMIT 1`;
}

function valueOrder(fieldId: number, column: 'big' | 'num' | 'txt', type: string): Order {
  return {
    types: [type],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT v.${column} AS k FROM post_values v WHERE ${heldBy(sql, fieldId)}) o ON true`,
    keys: ['o.k'],
    nullable: true,
    along: fieldValue(fieldId),
    walk: (walk) => {
      const present = `x.field_id = ${walk.sql.bigint(fieldId)} AND x.${column} IS NOT NULL`;
      const bounds = walk.bounds(fieldValue(fieldId), `x.${column}`);
      return walkRows(walk, 'post_values', `${present}${bounds}`, { column, type });
    },
    walkEmpty: (walk) => emptyValues(walk, fieldId),
  };
}

/** What the caller did last with each post; posts they never did it with come last. */
function personalOrder(actor: Actor, column: 'viewed_at' | 'modified_at' | 'commented_at'): Order {
  // Without "IS NOT NULL", which would let PostgreSQL read all that the caller ever did by the index that has it.
  const when = (sql: Statement) =>
    `SELECT s.${column} AS k FROM post_user_state s WHERE s.tenant_id = $1 AND s.user_id = ${sql.bigint(actor.userId)} AND s.post_id = p.id`;
  return {
    types: ['timestamptz'],
    join: (sql) => `LEFT JOIN LATERAL (${when(sql)} OFFSET 0) o ON true`,
    keys: ['o.k'],
    nullable: true,
    walk: (walk) => {
      const done = `x.user_id = ${walk.sql.bigint(actor.userId)} AND x.community_id = $2 AND x.${column} IS NOT NULL`;
      return walkRows(walk, 'post_user_state', done, { column, type: 'timestamptz' });
    },
    walkEmpty: (walk) => {
      const never = () => `(${when(walk.sql)}) IS NULL`;
      const conditions = () => `${never()} AND ${walk.conditions()}`;
      const parts = () => {
        const { byId, byRow } = walk.parts();
        return { byId: byId === undefined ? never() : `${never()} AND ${byId}`, byRow };
      };
      return walkPosts({ ...walk, conditions, parts }, 'bigint', [], 'true');
    },
  };
}

/** Creator or last editor: by last, then first name. */
function userOrder(column: 'creator_id' | 'modifier_id'): Order {
  return {
    types: ['text', 'text'],
    join: () =>
      `CROSS JOIN LATERAL (SELECT u.last_key AS k, u.first_key AS l FROM users u WHERE u.tenant_id = $1 AND u.id = p.${column} OFFSET 0) o`,
    along: column,
    keys: ['o.k', 'o.l'],
    nullable: false,
    walk: (walk) => {
      const way = direction(walk.desc);
      return walkNames(walk, {
        types: ['text', 'text'],
        names: (range) =>
          `SELECT u.last_key AS k1, u.first_key AS k2, array_agg(u.id) AS ids FROM users u
            WHERE u.tenant_id = $1${range(['u.last_key', 'u.first_key'])}${walk.bounds(column, 'u.id')}
            GROUP BY u.last_key, u.first_key ORDER BY u.last_key ${way}, u.first_key ${way}`,
        posts: (bearer) => ({
          from: 'posts i',
          where: `i.tenant_id = $1 AND i.community_id = $2 AND i.live AND i.${column} = ${bearer}`,
          id: 'i.id',
        }),
      });
    },
  };
}

/** A single-valued enumeration: by the label of its value. */
function enumOrder(field: FieldDefinition): Order {
  const { catalogId } = field;
  const table = catalogId === null ? 'field_enum_values' : 'catalog_entries';
  return {
    types: ['text'],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT e.label_key AS k FROM (SELECT v.ref FROM post_values v WHERE ${heldBy(sql, field.id)}) v
         JOIN ${table} e ON e.tenant_id = $1 AND e.id = v.ref OFFSET 0) o ON true`,
    keys: ['o.k'],
    nullable: true,
    along: fieldValue(field.id),
    walk: (walk) => {
      const [owner, ownerId] = catalogId === null ? ['field_id', field.id] : ['catalog_id', catalogId];
      const fieldId = walk.sql.bigint(field.id);
      return walkNames(walk, {
        types: ['text'],
        names: (range) =>
          `SELECT e.label_key AS k1, array_agg(e.id) AS ids FROM ${table} e
            WHERE e.tenant_id = $1 AND e.${owner} = ${walk.sql.bigint(ownerId)}${range(['e.label_key'])}${walk.bounds(fieldValue(field.id), 'e.id')}
            GROUP BY e.label_key ORDER BY e.label_key ${direction(walk.desc)}`,
        posts: (bearer) => ({
          from: 'post_values v',
          where: `v.tenant_id = $1 AND v.field_id = ${fieldId} AND v.ref = ${bearer}`,
          id: 'v.post_id',
        }),
      });
    },
    walkEmpty: (walk) => emptyValues(walk, field.id),
  };
}

/** The order by a custom field; the caller has checked that its type can be ordered by. */
export function fieldOrder(field: FieldDefinition): Order {
  const { column } = typeOf(field);
  return column === 'ref' ? enumOrder(field) : valueOrder(field.id, column, columnTypes[column]);
}

/** The order of a published name. */
export function namedOrder(name: PostOrder, actor: Actor): Order {
  switch (name) {
    case 'postCustomId':
      return columnOrder('custom_no', 'bigint');
    case 'postTitle':
      return columnOrder('title_key', 'text', { present: `p.title_key > ''`, absent: `p.title_key = ''` });
    case 'postCreatorUser':
      return userOrder('creator_id');
    case 'postCreationTimestamp':
      return columnOrder('created_at', 'timestamptz');
    case 'postLastModifyUser':
      return userOrder('modifier_id');
    case 'postLastModifyTimestamp':
      return columnOrder('modified_at', 'timestamptz');
    case 'postLastModifyAndCommentTimestamp':
      return columnOrder('active_at', 'timestamptz');
    case 'postViewedByMeTimestamp':
      return personalOrder(actor, 'viewed_at');
    case 'postModifiedByMeTimestamp':
      return personalOrder(actor, 'modified_at');
    case 'postCommentedByMeTimestamp':
      return personalOrder(actor, 'commented_at');
    case 'postScheduledPublication':
      return columnOrder('scheduled_at', 'timestamptz', {
        present: 'p.scheduled_at IS NOT NULL',
        absent: 'p.scheduled_at IS NULL',
      });
    case 'postRecency':
      return columnOrder('recent_at', 'timestamptz');
  }
}
