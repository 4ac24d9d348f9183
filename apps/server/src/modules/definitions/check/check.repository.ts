/** SQL of the check of a community: its roles and groups with members, posts in states out of use. */
import { definitionLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { givenRolesSql, roleBitsSql } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';

const m = sqlColumns('group_members', 'm');
const member = sqlColumns('group_members', 'member');
const o = sqlColumns('group_members', 'o');
const g = sqlColumns('groups', 'g');
const ownRoles = sqlColumns('own_roles', 'o');
const u = sqlColumns('users', 'u');

/** A role and its permissions. */
export interface HeldRole {
  id: number;
  bits: number;
}

export interface RolesAndGroups {
  /** Roles of accounts that are neither blocked nor deleted. */
  roles: HeldRole[];
  /** Groups with a member that is such an account and has a role. */
  groupIds: number[];
}

/** SQL of a boolean: the account is neither deleted nor blocked. */
const active = (id: string) =>
  `EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND ${u.id} = ${id} AND ${u.deleted_at} IS NULL AND NOT ${u.blocked})`;

/** @param groupIds the groups to check */
export async function findRolesAndGroups(
  db: TenantExecutor,
  communityId: number,
  groupIds: readonly number[],
): Promise<RolesAndGroups> {
  const communities = 'ARRAY[$2::bigint]';
  const principals = `ARRAY[member.user_id] || ARRAY(SELECT -${o.group_id} FROM group_members o WHERE o.tenant_id = $1 AND ${o.user_id} = member.user_id)`;
  const [row] = await db.query<RolesAndGroups>(
    `SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.role, 'bits', ${roleBitsSql('r.role')})), '[]') FROM (SELECT unnest(ARRAY[1, 2, 3, 5]::bigint[]) UNION ALL SELECT ${ownRoles.id} FROM own_roles o WHERE o.tenant_id = $1) AS r (role)
             WHERE EXISTS (SELECT FROM (${givenRolesSql({ communities })}) given
               WHERE given.role_id = r.role AND (${active('given.principal')}
                 OR EXISTS (SELECT FROM group_members m WHERE m.tenant_id = $1 AND ${m.group_id} = -given.principal AND ${active(`${m.user_id}`)})))) AS roles,
            ARRAY(SELECT ${g.id} FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = ANY ($3::bigint[]) AND ${g.deleted_at} IS NULL
             AND EXISTS (SELECT FROM group_members member WHERE member.tenant_id = $1 AND ${member.group_id} = ${g.id} AND ${active(`${member.user_id}`)}
               AND EXISTS (SELECT FROM (${givenRolesSql({ principals, communities })}) given WHERE given.role_id IS NOT NULL))) AS "groupIds"`,
    [db.tenantId, communityId, groupIds],
  );
  return row ?? { roles: [], groupIds: [] };
}

/**
 * Counts the posts of a community in each of the given states, together up to the published limit
 * and one more. States without posts are missing.
 */
export async function countPostsInUnusedStates(
  db: TenantExecutor,
  communityId: number,
  stateIds: readonly number[],
): Promise<Map<number, number>> {
  if (stateIds.length === 0) return new Map();
  const p = sqlColumns('posts', 'p');
  const rows = await db.query<{ id: number; posts: number }>(
    `SELECT few.id, count(*) AS posts FROM (
       SELECT ${p.state_id} AS id FROM posts p
        WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${p.state_id} = ANY ($3::bigint[]) AND ${p.live}
        LIMIT ${definitionLimits.counted + 1}) few
      GROUP BY few.id`,
    [db.tenantId, communityId, stateIds],
  );
  return new Map(rows.map(({ id, posts }) => [id, posts]));
}
