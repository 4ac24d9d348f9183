/** Tasks and fields of posts that name a person. */
import { fieldTypes } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { openTaskSql } from '../../../kernel/open-tasks.ts';
import { sqlColumns } from '../../columns.ts';

const c = sqlColumns('communities', 'c');
const f = sqlColumns('fields', 'f');
const v = sqlColumns('post_values', 'v');
const p = sqlColumns('posts', 'p');
const q = sqlColumns('posts', 'q');
const t = sqlColumns('tasks', 't');
const s = sqlColumns('workflow_screen_fields', 's');
const w = sqlColumns('workflow_transitions', 'w');

/** Field of people, in a community whose posts may hold values of it. */
export interface PeopleField {
  readonly fieldId: number;
  readonly label: string;
  readonly communityId: number;
  readonly communityName: string;
  /** Its values have rows in `post_values`. */
  readonly indexed: boolean;
  /**
   * Whether the field records who did something: a transition sets it to its actor, or requests it
   * in its screen.
   */
  readonly evidence: boolean;
}

/** Metadata of fields that refer to objects: the kind of object. */
const KIND = 'generic_entity_list_config_id';

/** Codes of the types of fields that refer to objects, as SQL. */
const OBJECT_TYPES = Object.entries(fieldTypes)
  .filter(([, { metadataKeys }]) => metadataKeys !== undefined && Object.hasOwn(metadataKeys, KIND))
  .map(([code]) => code)
  .join(', ');

/**
 * SQL of a boolean: the field `f` records who did something, in some transition, removed ones
 * included.
 */
const EVIDENCE = `EXISTS (SELECT FROM workflow_transitions w WHERE w.tenant_id = $1 AND ${w.workflow_id} = f.workflow_id
   AND (${w.sets} @> jsonb_build_array(jsonb_build_object('fieldId', f.id, 'source', 'actor'))
     OR ${w.screen_id} IN (SELECT ${s.screen_id} FROM workflow_screen_fields s WHERE s.tenant_id = $1 AND ${s.field_id} = f.id)))`;

/**
 * Lists the fields of people, once for each community that has them.
 * @param fieldIds restricts the list; omitted: all
 */
export function listPeopleFields(db: TenantExecutor, fieldIds?: readonly number[]): Promise<PeopleField[]> {
  const among = fieldIds ? 'AND f.id = ANY ($2::bigint[])' : '';
  const fieldsOf = (join: string) =>
    `SELECT ${f.id} AS "fieldId", ${f.label}, ${c.id} AS "communityId", ${c.name} AS "communityName",
            ${f.searchable} OR ${f.sortable} AS indexed, ${EVIDENCE} AS evidence
       FROM fields f JOIN communities c ON c.tenant_id = f.tenant_id AND ${join}
      WHERE f.tenant_id = $1 AND c.tenant_id = $1 AND NOT ${f.deleted} AND ${f.type} IN (${OBJECT_TYPES})
        AND coalesce(${f.metadata} ->> '${KIND}', 'core.user') = 'core.user' ${among}`;
  return db.query<PeopleField>(
    `${fieldsOf('c.id = f.community_id')} UNION ALL ${fieldsOf('c.workflow_id = f.workflow_id')}
      ORDER BY "communityName", label, "fieldId", "communityId"`,
    [db.tenantId, ...(fieldIds ? [fieldIds] : [])],
  );
}

/** SQL of rows (post_id, field_id) of fields of people that hold a person, and the values of its parameters. */
interface Holding {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * SQL of rows (post_id, field_id): posts that hold a person in one of the fields. Fields without rows in `post_values` are read
 * from the posts of their communities.
 * @param first number of its first parameter
 */
export function holdingSql(fields: readonly PeopleField[], userId: number, first: number): Holding {
  const [indexed, others] = [fields.filter((field) => field.indexed), fields.filter((field) => !field.indexed)];
  const [user, ids, otherIds, communityIds] = [0, 1, 2, 3].map((index) => `$${first + index}`);
  return {
    sql: `SELECT ${v.post_id}, ${v.field_id} FROM post_values v
           WHERE v.tenant_id = $1 AND ${v.field_id} = ANY (${ids}::bigint[]) AND ${v.ref} = ${user}::bigint
          UNION ALL
          SELECT ${q.id}, u.field_id FROM posts q
            JOIN unnest(${otherIds}::bigint[], ${communityIds}::bigint[]) AS u (field_id, community_id)
              ON u.community_id = ${q.community_id}
           WHERE q.tenant_id = $1 AND (${q.custom_data} -> u.field_id::text @> to_jsonb(${user}::bigint)
              OR ${q.screen_data} -> u.field_id::text @> to_jsonb(${user}::bigint))`,
    values: [
      userId,
      [...new Set(indexed.map(({ fieldId }) => fieldId))],
      others.map(({ fieldId }) => fieldId),
      others.map(({ communityId }) => communityId),
    ],
  };
}

/** Counts of a person whose account ends. */
interface LeftBehind {
  openTasks: number;
  /** Posts that hold the person in a field. */
  fieldPosts: number;
  /** Roles and memberships assigned to the person directly. */
  roles: number;
}

/** Counts tasks, fields and roles of a person, regardless of the posts that the caller sees. */
export async function countLeftBehind(db: TenantExecutor, userId: number): Promise<LeftBehind> {
  const holding = holdingSql(await listPeopleFields(db), userId, 2);
  const [row] = await db.query<LeftBehind>(
    `SELECT (SELECT count(*) FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND ${p.id} = ${t.post_id}
              WHERE t.tenant_id = $1 AND p.tenant_id = $1 AND ${p.deleted_at} IS NULL AND ${openTaskSql('$2::bigint')}) AS "openTasks",
            (SELECT count(*) FROM posts p WHERE p.tenant_id = $1 AND ${p.deleted_at} IS NULL
                AND ${p.id} IN (SELECT h.post_id FROM (${holding.sql}) h)) AS "fieldPosts",
            (SELECT count(*) FROM community_roles WHERE tenant_id = $1 AND principal = $2)
              + (SELECT count(*) FROM workspace_members WHERE tenant_id = $1 AND principal = $2)
              + (SELECT count(*) FROM standing_roles WHERE tenant_id = $1 AND user_id = $2) AS roles`,
    [db.tenantId, ...holding.values],
  );
  return row!;
}
