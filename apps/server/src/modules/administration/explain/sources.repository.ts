/**
 * SQL of the sources of a person's roles, rights and sight of private posts, and of the names of
 * groups.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { type GrantSource, givenRolesSql, ownRightsSql } from '../../../kernel/access/index.ts';
import type { Actor, AdministrativeRight } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { askedSql } from '../../post-parts/index.ts';

const g = sqlColumns('groups', 'g');
const o = sqlColumns('own_roles', 'o');
const vg = sqlColumns('post_grants', 'vg');
const users = sqlColumns('users');
const u = sqlColumns('users', 'u');
const w = sqlColumns('workspaces', 'w');

/** A source of a role. */
export interface RoleSource {
  /** The person, or the negated id of a group. */
  principal: number;
  roleId: number;
  /** Name of a role of the tenant. */
  roleName: string | null;
  workspaceId: number | null;
  workspaceName: string | null;
  everywhere: boolean;
}

/** Returns the roles of the principals in a community, with each source, the strongest first. */
export async function findRoleSources(
  db: TenantExecutor,
  communityId: number,
  principals: readonly number[],
): Promise<RoleSource[]> {
  return db.query<RoleSource>(
    `SELECT given.principal, given.role_id AS "roleId", given.workspace_id AS "workspaceId", given.everywhere,
            ${w.name} AS "workspaceName",
            (SELECT ${o.name} FROM own_roles o WHERE o.tenant_id = $1 AND ${o.id} = given.role_id) AS "roleName"
       FROM (${givenRolesSql({ principals: '$3::bigint[]', communities: 'ARRAY[$2::bigint]' })}) given
       LEFT JOIN workspaces w ON w.tenant_id = $1 AND ${w.id} = given.workspace_id
      WHERE given.role_id IS NOT NULL
      ORDER BY given.role_id, given.principal DESC, given.workspace_id`,
    [db.tenantId, communityId, principals],
  );
}

/** Returns the rights of the person (`groupId` null) and of their groups. */
export async function findRightSources(
  db: TenantExecutor,
  actor: Actor,
): Promise<{ groupId: number | null; rights: AdministrativeRight[] }[]> {
  return db.query(
    `SELECT NULL::bigint AS "groupId", ${ownRightsSql('u')} AS rights FROM users u WHERE u.tenant_id = $1 AND ${u.id} = $2
      UNION ALL
     SELECT ${g.id}, ${ownRightsSql('g')} FROM groups g
      WHERE g.tenant_id = $1 AND ${g.id} = ANY ($3::bigint[]) AND ${g.deleted_at} IS NULL`,
    [db.tenantId, actor.userId, actor.groupIds],
  );
}

/** Returns whether a request to acknowledge the post is open for a person. */
export async function isAsked(db: TenantExecutor, postId: number, userId: number): Promise<boolean> {
  const [row] = await db.query<{ asked: boolean }>(`SELECT ${askedSql('$2::bigint', '$3::bigint')} AS asked`, [
    db.tenantId,
    postId,
    userId,
  ]);
  return row!.asked;
}

/** A grant of a post that names one of the principals. */
export interface PostGrant {
  principal: number;
  source: GrantSource;
}

export async function findGrants(
  db: TenantExecutor,
  postId: number,
  principals: readonly number[],
): Promise<PostGrant[]> {
  return db.query<PostGrant>(
    `SELECT DISTINCT ${vg.source}, ${vg.principal} FROM post_grants vg
      WHERE vg.tenant_id = $1 AND ${vg.post_id} = $2 AND ${vg.principal} = ANY ($3::bigint[])
      ORDER BY ${vg.source}, ${vg.principal} DESC`,
    [db.tenantId, postId, principals],
  );
}

/**
 * Returns the names of groups that the reader sees: groups of their own, and groups with a role in
 * one of their communities, except groups that only administrators see. Accounts with `manageUsers`
 * see all groups.
 */
export async function visibleGroupNames(
  db: TenantExecutor,
  reader: Actor,
  groupIds: readonly number[],
): Promise<Map<number, string>> {
  if (groupIds.length === 0) return new Map();
  const communities = [...reader.roles.keys()];
  const rows = await db.query<{ id: number; name: string }>(
    `SELECT ${g.id}, ${g.name} FROM groups g
      WHERE g.tenant_id = $1 AND ${g.id} = ANY ($2::bigint[]) AND ${g.deleted_at} IS NULL
        AND ($3::boolean OR (${g.visible} AND (${g.id} = ANY ($4::bigint[]) OR -${g.id} IN (
          SELECT given.principal FROM (${givenRolesSql({ principals: '$5::bigint[]', communities: '$6::bigint[]' })}) given
           WHERE given.role_id IS NOT NULL))))`,
    [db.tenantId, groupIds, reader.rights.has('manageUsers'), reader.groupIds, groupIds.map((id) => -id), communities],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Returns whether an account is blocked, assuming that it could not be read as an actor; undefined
 * if it is deleted or does not exist.
 */
export async function isBlocked(db: TenantExecutor, userId: number): Promise<boolean | undefined> {
  const [row] = await db.query<{ blocked: boolean }>(
    `SELECT ${users.blocked} FROM users WHERE tenant_id = $1 AND ${users.id} = $2 AND ${users.deleted_at} IS NULL`,
    [db.tenantId, userId],
  );
  return row?.blocked;
}
