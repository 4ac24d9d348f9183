/** SQL of leaving: counts for the preview, and the posts that a successor takes over. */
import { TaskType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { givenRolesSql, ownRightsSql, Parameters, STANDING_ROLES, seenPostSql } from '../../../kernel/access/index.ts';
import { openTaskSql } from '../../../kernel/open-tasks.ts';
import type { Actor, AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { holdingSql, type PeopleField } from '../../people/index.ts';

const c = sqlColumns('communities', 'c');
const r = sqlColumns('community_roles', 'r');
const groupMembers = sqlColumns('group_members', 'm');
const g = sqlColumns('groups', 'g');
const o = sqlColumns('own_roles', 'o');
const p = sqlColumns('posts', 'p');
const s = sqlColumns('standing_roles', 's');
const t = sqlColumns('tasks', 't');
const u = sqlColumns('users', 'u');
const m = sqlColumns('workspace_members', 'm');
const w = sqlColumns('workspaces', 'w');

/** Number of references to a person, and number in posts that the reader does not see. */
interface Counted {
  count: number;
  unseen: number;
}

/** Counts of a person in addition to fields and roles. */
interface PersonCounts {
  posts: number;
  drafts: number;
  acknowledgements: number;
  managed: number;
}

/** Counts posts and drafts of a person, their open requests to acknowledge, and the people whom they manage. */
export async function countPerson(db: TenantExecutor, userId: number): Promise<PersonCounts> {
  const posts = (condition: string) =>
    `(SELECT count(*) FROM communities c JOIN posts p ON p.tenant_id = c.tenant_id AND ${p.community_id} = ${c.id}
       WHERE c.tenant_id = $1 AND p.tenant_id = $1 AND ${p.creator_id} = $2 AND ${condition})`;
  const [row] = await db.query<PersonCounts>(
    `SELECT ${posts('p.live')} AS posts, ${posts('p.draft AND p.deleted_at IS NULL')} AS drafts,
            (SELECT count(*) FROM tasks t WHERE t.tenant_id = $1 AND ${t.assignee} = $2 AND ${t.deleted_at} IS NULL
                AND ${t.type} = ${TaskType.ACKNOWLEDGE} AND ${t.closed_at} IS NULL) AS acknowledgements,
            (SELECT count(*) FROM users u WHERE u.tenant_id = $1 AND ${u.manager_id} = $2 AND ${u.deleted_at} IS NULL) AS managed`,
    [db.tenantId, userId],
  );
  return row!;
}

/** Counts the open tasks of a person. */
export async function countTasks({ db, actor }: Scope, userId: number): Promise<Counted> {
  const parameters = new Parameters([db.tenantId, userId]);
  const seen = seenPostSql('p', actor, parameters);
  const [row] = await db.query<Counted>(
    `SELECT count(*), count(*) FILTER (WHERE NOT ${seen}) AS unseen
       FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND ${p.id} = ${t.post_id}
      WHERE t.tenant_id = $1 AND p.tenant_id = $1 AND ${p.deleted_at} IS NULL AND ${openTaskSql('$2::bigint')}`,
    parameters.values,
  );
  return row!;
}

/** Counts the posts that hold a person, by field and community. */
export async function countFieldPosts(
  { db, actor }: Scope,
  userId: number,
  fields: readonly PeopleField[],
): Promise<(Counted & { fieldId: number; communityId: number })[]> {
  const holding = holdingSql(fields, userId, 2);
  const parameters = new Parameters([db.tenantId, ...holding.values]);
  const seen = seenPostSql('p', actor, parameters);
  return db.query(
    `SELECT h.field_id AS "fieldId", ${p.community_id} AS "communityId", count(*), count(*) FILTER (WHERE NOT ${seen}) AS unseen
       FROM (${holding.sql}) h JOIN posts p ON ${p.id} = h.post_id
      WHERE p.tenant_id = $1 AND ${p.deleted_at} IS NULL GROUP BY h.field_id, ${p.community_id}`,
    parameters.values,
  );
}

/** Role or membership assigned to a person or group directly. */
export interface GivenRole {
  communityId: number | null;
  communityName: string | null;
  workspaceId: number | null;
  workspaceName: string | null;
  /** null: plain membership of a workspace. */
  roleId: number | null;
  /** Name of a role of the tenant. */
  ownName: string | null;
}

/**
 * Lists roles and memberships: in every community, in communities and in workspaces, each by name.
 * @param principal id of a person, or negated id of a group
 */
export function listGivenRoles(db: TenantExecutor, principal: number, limit: number): Promise<GivenRole[]> {
  return db.query<GivenRole>(
    `SELECT given.*, (SELECT ${o.name} FROM own_roles o WHERE o.tenant_id = $1 AND ${o.id} = given."roleId") AS "ownName" FROM (
       SELECT NULL::bigint AS "communityId", NULL::text AS "communityName", NULL::bigint AS "workspaceId", NULL::text AS "workspaceName",
              s.role_id::integer AS "roleId" FROM (${STANDING_ROLES}) s WHERE s.principal = $2
       UNION ALL
       SELECT ${c.id}, ${c.name}, NULL, NULL, ${r.role_id} FROM community_roles r
         JOIN communities c ON c.tenant_id = r.tenant_id AND ${c.id} = ${r.community_id}
        WHERE r.tenant_id = $1 AND c.tenant_id = $1 AND ${r.principal} = $2
       UNION ALL
       SELECT NULL, NULL, ${w.id}, ${w.name}, ${m.role_id} FROM workspace_members m
         JOIN workspaces w ON w.tenant_id = m.tenant_id AND ${w.id} = ${m.workspace_id}
        WHERE m.tenant_id = $1 AND w.tenant_id = $1 AND ${m.principal} = $2) given
      ORDER BY "communityName" NULLS LAST, "communityId", "workspaceName" NULLS FIRST, "workspaceId", "roleId" LIMIT $3`,
    [db.tenantId, principal, limit],
  );
}

/** Lists the groups of a person, and the rights that they and the account itself hold. The account comes first, without id. */
export function listRights(
  db: TenantExecutor,
  userId: number,
): Promise<{ groupId: number | null; name: string; rights: AdministrativeRight[] }[]> {
  return db.query(
    `SELECT NULL::bigint AS "groupId", '' AS name, ${ownRightsSql('u')} AS rights FROM users u
      WHERE u.tenant_id = $1 AND ${u.id} = $2
     UNION ALL
     (SELECT ${g.id}, ${g.name}, ${ownRightsSql('g')} FROM group_members m
        JOIN groups g ON g.tenant_id = m.tenant_id AND ${g.id} = ${groupMembers.group_id}
       WHERE m.tenant_id = $1 AND g.tenant_id = $1 AND ${groupMembers.user_id} = $2 AND ${g.deleted_at} IS NULL ORDER BY ${g.name_key}, ${g.id})`,
    [db.tenantId, userId],
  );
}

/** Hand-over of posts to a successor. */
export interface HandOver {
  readonly from: number;
  readonly to: number;
  readonly tasks: boolean;
  readonly fields: readonly PeopleField[];
  /** Active communities in which the successor has a role, or takes one over. */
  readonly communityIds: readonly number[];
}

/** SQL of a boolean: the successor takes over values of the post `p`. */
function takenSql({ from, to, communityIds }: HandOver, actor: Actor, parameters: Parameters): string {
  const seen = to === actor.userId ? ` AND ${seenPostSql('p', actor, parameters)}` : '';
  return `(p.community_id = ANY (${parameters.add(communityIds)}::bigint[])
    AND NOT (p.draft AND p.creator_id = ${parameters.add(from)}::bigint)${seen})`;
}

/** SQL of the ids of posts to hand over. @param condition of `p`, built with the parameters */
function postsSql(
  tenantId: number,
  actor: Actor,
  plan: HandOver,
  condition: (parameters: Parameters) => string,
): { found: string; parameters: Parameters } {
  const holding = holdingSql(plan.fields, plan.from, 2);
  const parameters = new Parameters([tenantId, ...holding.values]);
  const tasks = `SELECT ${t.post_id} FROM tasks t WHERE t.tenant_id = $1 AND ${openTaskSql('$2::bigint')}`;
  const named = `SELECT h.post_id FROM (${holding.sql}) h${plan.tasks ? ` UNION ALL ${tasks}` : ''}`;
  const found = `SELECT ${p.id} FROM posts p
    WHERE p.tenant_id = $1 AND ${condition(parameters)} AND ${p.deleted_at} IS NULL
      AND ${takenSql(plan, actor, parameters)} AND ${p.id} IN (${named})`;
  return { found, parameters };
}

const after = (postId: number) => (parameters: Parameters) => `p.id > ${parameters.add(postId)}::bigint`;

/**
 * Finds the next posts to hand over, in the order of their ids.
 * @param last id of the previous one
 */
export async function nextPosts(
  db: TenantExecutor,
  actor: Actor,
  plan: HandOver,
  last: number,
  limit: number,
): Promise<number[]> {
  const { found, parameters } = postsSql(db.tenantId, actor, plan, after(last));
  const rows = await db.query<{ id: number }>(`${found} ORDER BY p.id LIMIT ${limit}`, parameters.values);
  return rows.map(({ id }) => id);
}

/** Returns the posts among these that are still to be handed over, in the order of their ids. */
export async function postsAmong(
  db: TenantExecutor,
  actor: Actor,
  plan: HandOver,
  postIds: readonly number[],
): Promise<number[]> {
  const { found, parameters } = postsSql(
    db.tenantId,
    actor,
    plan,
    (added) => `p.id = ANY (${added.add(postIds)}::bigint[])`,
  );
  const rows = await db.query<{ id: number }>(`${found} ORDER BY p.id`, parameters.values);
  return rows.map(({ id }) => id);
}

/** Counts the posts to hand over after the last one. */
export async function countPosts(db: TenantExecutor, actor: Actor, plan: HandOver, last: number): Promise<number> {
  const { found, parameters } = postsSql(db.tenantId, actor, plan, after(last));
  const [row] = await db.query<{ count: number }>(`SELECT count(*) FROM (${found}) f`, parameters.values);
  return row!.count;
}

/** Counts the tasks, and the values of the chosen fields, that stay with the leaver. */
export async function countLeft(
  db: TenantExecutor,
  actor: Actor,
  plan: HandOver,
): Promise<{ tasks: number; values: number }> {
  const holding = holdingSql(plan.fields, plan.from, 2);
  const parameters = new Parameters([db.tenantId, ...holding.values]);
  const stays = `p.tenant_id = $1 AND p.deleted_at IS NULL AND NOT ${takenSql(plan, actor, parameters)}`;
  const [row] = await db.query<{ tasks: number; values: number }>(
    `SELECT (SELECT count(*) FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND ${p.id} = ${t.post_id}
              WHERE t.tenant_id = $1 AND ${openTaskSql('$2::bigint')} AND ${parameters.add(plan.tasks)}::boolean AND ${stays}) AS tasks,
            (SELECT count(*) FROM (${holding.sql}) h JOIN posts p ON ${p.id} = h.post_id WHERE ${stays}) AS "values"`,
    parameters.values,
  );
  return row!;
}

/** Assignments of roles from which a successor takes over some. */
export interface ChosenRoles {
  readonly communityIds: readonly number[];
  readonly workspaceIds: readonly number[];
  readonly everywhere: boolean;
}

/**
 * Returns the active communities among these, and among the communities where the chosen roles of a
 * person apply.
 */
export async function communitiesInUse(
  db: TenantExecutor,
  communityIds: readonly number[],
  userId: number,
  chosen: ChosenRoles,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT ${c.id} FROM communities c WHERE c.tenant_id = $1 AND ${c.archived_at} IS NULL AND (${c.id} = ANY ($2::bigint[])
        OR ${c.id} IN (SELECT g.community_id FROM (${givenRolesSql({ principals: 'ARRAY[$3::bigint]' })}) g
             WHERE g.role_id IS NOT NULL AND (g.workspace_id = ANY ($5::bigint[]) OR g.everywhere AND $6::boolean
                OR g.workspace_id IS NULL AND NOT g.everywhere AND g.community_id = ANY ($4::bigint[]))))`,
    [db.tenantId, communityIds, userId, chosen.communityIds, chosen.workspaceIds, chosen.everywhere],
  );
  return rows.map(({ id }) => id);
}

/** Role of the leaver or the successor in a community; without a community: in every one. */
export interface HeldRole {
  communityId: number | null;
  principal: number;
  role: number;
}

/** Lists the roles of principals in communities, and on request their roles in every community. */
export function listHeldRoles(
  db: TenantExecutor,
  principals: readonly number[],
  { communityIds, everywhere }: ChosenRoles,
): Promise<HeldRole[]> {
  return db.query<HeldRole>(
    `SELECT ${r.community_id} AS "communityId", ${r.principal}, ${r.role_id} AS role FROM community_roles r
      WHERE r.tenant_id = $1 AND ${r.principal} = ANY ($2::bigint[]) AND ${r.community_id} = ANY ($3::bigint[])
     UNION ALL
     SELECT NULL, ${s.user_id}, ${s.role_id} FROM standing_roles s
      WHERE s.tenant_id = $1 AND ${s.user_id} = ANY ($2::bigint[]) AND $4::boolean`,
    [db.tenantId, principals, communityIds, everywhere],
  );
}

/** Returns the ids of unknown communities or workspaces. */
export async function unknownPlaces(
  db: TenantExecutor,
  { communityIds, workspaceIds }: ChosenRoles,
): Promise<{ communities: Set<number>; workspaces: Set<number> }> {
  const rows = await db.query<{ id: number; community: boolean }>(
    `SELECT n.id, true AS community FROM unnest($2::bigint[]) AS n (id)
      WHERE NOT EXISTS (SELECT FROM communities c WHERE c.tenant_id = $1 AND ${c.id} = n.id)
     UNION ALL
     SELECT n.id, false FROM unnest($3::bigint[]) AS n (id)
      WHERE NOT EXISTS (SELECT FROM workspaces w WHERE w.tenant_id = $1 AND ${w.id} = n.id)`,
    [db.tenantId, communityIds, workspaceIds],
  );
  const ids = (community: boolean) => new Set(rows.filter((row) => row.community === community).map(({ id }) => id));
  return { communities: ids(true), workspaces: ids(false) };
}
