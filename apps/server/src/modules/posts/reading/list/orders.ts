/**
 * Orders of the list (docs/decisions/lists.md). Each order is an index scan: first the posts with a
 * value, then the posts without one (last in both directions); ties by id, in the direction of the
 * order. The same keys can be computed for the candidates of a filter.
 */
import type { PostOrder } from '@portico/contract';
import type { Actor } from '../../../../kernel/scope.ts';
import { sqlColumns } from '../../../columns.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import { columnTypes, typeOf } from '../../../fields/index.ts';
import { direction, type IndexScan, scanNames, scanPosts, scanRows } from './index-scans.ts';
import { fieldValue, type Statement } from './statement.ts';

const u = sqlColumns('users', 'u');

/** An order. */
export interface Order {
  /** PostgreSQL types of the key columns without the id. */
  readonly types: readonly string[];
  /** SQL of the join from `p` to the rows of the keys. */
  join(sql: Statement): string;
  /** SQL of the key columns after {@link join}; NULL in the first where the post has no value. */
  readonly keys: readonly string[];
  readonly nullable: boolean;
  /** The column of the order, as `Bound.column` names it. */
  readonly column?: string;
  /** SQL of the posts with a value. */
  scan(scan: IndexScan): string;
  /** SQL of the posts without a value; only for nullable orders. */
  scanNulls?(scan: IndexScan): string;
}

/** An order by a column of `posts`, scanned by an index of (tenant, community, column, id). */
function columnOrder(column: string, type: string, filled?: { present: string; absent: string }): Order {
  const sql = `p.${column}`;
  return {
    types: [type],
    join: () => '',
    column,
    keys: [filled ? `CASE WHEN ${filled.present} THEN ${sql} END` : sql],
    nullable: filled !== undefined,
    scan: (scan) => scanPosts(scan, type, [sql], `${filled?.present ?? 'true'}${scan.bounds(column, sql)}`),
    ...(filled && {
      scanNulls: (scan: IndexScan) => scanPosts(scan, type, [], `${filled.absent}${scan.bounds(column, null)}`),
    }),
  };
}

/** Posts without a value of a field, by id. */
function emptyValues(scan: IndexScan, fieldId: number): string {
  const where = `x.field_id = ${scan.sql.bigint(fieldId)} AND x.empty${scan.bounds(fieldValue(fieldId), null)}`;
  return scanRows(scan, 'post_values', where, undefined);
}

/**
 * Returns SQL of the row of `p` for a single-valued field, which exists without a value too. With
 * "IS NOT NULL" PostgreSQL might search all values of the field for the post, by a partial index.
 * The ORDER BY is that of the primary key, and of no other index.
 */
function valueOfPost(sql: Statement, fieldId: number): string {
  return `v.tenant_id = $1 AND v.field_id = ${sql.bigint(fieldId)} AND v.post_id = p.id ORDER BY v.ord LIMIT 1`;
}

function valueOrder(fieldId: number, column: 'big' | 'num' | 'txt', type: string): Order {
  return {
    types: [type],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT v.${column} AS k FROM post_values v WHERE ${valueOfPost(sql, fieldId)}) o ON true`,
    keys: ['o.k'],
    nullable: true,
    column: fieldValue(fieldId),
    scan: (scan) => {
      const present = `x.field_id = ${scan.sql.bigint(fieldId)} AND x.${column} IS NOT NULL`;
      const bounds = scan.bounds(fieldValue(fieldId), `x.${column}`);
      return scanRows(scan, 'post_values', `${present}${bounds}`, { column, type });
    },
    scanNulls: (scan) => emptyValues(scan, fieldId),
  };
}

/** Orders by the time of the caller's last view, edit or comment; posts without one come last. */
function personalOrder(actor: Actor, column: 'viewed_at' | 'modified_at' | 'commented_at'): Order {
  // Without "IS NOT NULL": PostgreSQL might read all rows of the caller by the partial index.
  const timeOf = (sql: Statement) =>
    `SELECT s.${column} AS k FROM post_user_state s WHERE s.tenant_id = $1 AND s.user_id = ${sql.bigint(actor.userId)} AND s.post_id = p.id`;
  return {
    types: ['timestamptz'],
    join: (sql) => `LEFT JOIN LATERAL (${timeOf(sql)} OFFSET 0) o ON true`,
    keys: ['o.k'],
    nullable: true,
    scan: (scan) => {
      const done = `x.user_id = ${scan.sql.bigint(actor.userId)} AND x.community_id = $2 AND x.${column} IS NOT NULL`;
      return scanRows(scan, 'post_user_state', done, { column, type: 'timestamptz' });
    },
    scanNulls: (scan) => {
      const never = () => `(${timeOf(scan.sql)}) IS NULL`;
      const conditions = () => `${never()} AND ${scan.conditions()}`;
      const tests = () => {
        const { byId, byRow } = scan.tests();
        return { byId: byId === undefined ? never() : `${never()} AND ${byId}`, byRow };
      };
      return scanPosts({ ...scan, conditions, tests }, 'bigint', [], 'true');
    },
  };
}

/** Orders by creator or last editor: by last, then first name. */
function userOrder(column: 'creator_id' | 'modifier_id'): Order {
  return {
    types: ['text', 'text'],
    join: () =>
      `CROSS JOIN LATERAL (SELECT ${u.last_key} AS k, ${u.first_key} AS l FROM users u WHERE u.tenant_id = $1 AND ${u.id} = p.${column} OFFSET 0) o`,
    column,
    keys: ['o.k', 'o.l'],
    nullable: false,
    scan: (scan) => {
      const sortDirection = direction(scan.desc);
      return scanNames(scan, {
        types: ['text', 'text'],
        names: (range) =>
          `SELECT ${u.last_key} AS k1, ${u.first_key} AS k2, array_agg(${u.id}) AS ids FROM users u
            WHERE u.tenant_id = $1${range([`${u.last_key}`, `${u.first_key}`])}${scan.bounds(column, `${u.id}`)}
            GROUP BY ${u.last_key}, ${u.first_key} ORDER BY ${u.last_key} ${sortDirection}, ${u.first_key} ${sortDirection}`,
        posts: (entity) => ({
          from: 'posts i',
          where: `i.tenant_id = $1 AND i.community_id = $2 AND i.live AND i.${column} = ${entity}`,
          id: 'i.id',
        }),
      });
    },
  };
}

/** Orders by the label of the value of a single-valued enumeration. */
function enumOrder(field: FieldDefinition): Order {
  const { catalogId } = field;
  const table = catalogId === null ? 'field_enum_values' : 'catalog_entries';
  return {
    types: ['text'],
    join: (sql) =>
      `LEFT JOIN LATERAL (SELECT e.label_key AS k FROM (SELECT v.ref FROM post_values v WHERE ${valueOfPost(sql, field.id)}) v
         JOIN ${table} e ON e.tenant_id = $1 AND e.id = v.ref OFFSET 0) o ON true`,
    keys: ['o.k'],
    nullable: true,
    column: fieldValue(field.id),
    scan: (scan) => {
      const [owner, ownerId] = catalogId === null ? ['field_id', field.id] : ['catalog_id', catalogId];
      const fieldId = scan.sql.bigint(field.id);
      return scanNames(scan, {
        types: ['text'],
        names: (range) =>
          `SELECT e.label_key AS k1, array_agg(e.id) AS ids FROM ${table} e
            WHERE e.tenant_id = $1 AND e.${owner} = ${scan.sql.bigint(ownerId)}${range(['e.label_key'])}${scan.bounds(fieldValue(field.id), 'e.id')}
            GROUP BY e.label_key ORDER BY e.label_key ${direction(scan.desc)}`,
        posts: (entity) => ({
          from: 'post_values v',
          where: `v.tenant_id = $1 AND v.field_id = ${fieldId} AND v.ref = ${entity}`,
          id: 'v.post_id',
        }),
      });
    },
    scanNulls: (scan) => emptyValues(scan, field.id),
  };
}

/** Returns the order by a custom field; the caller has checked that its type can be ordered by. */
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
