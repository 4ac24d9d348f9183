/** Roles in communities, by each way in which they are given. */
import { firstOwnRole } from '@portico/contract';
import { roleBitsSql } from './permissions.ts';

/** Roles that a statement is about; an omitted field does not narrow the selection. */
interface GivenTo {
  /** SQL of a bigint[]: user ids and negated group ids. */
  principals?: string;
  /** SQL of a query that returns the same: hashed, where an array of thousands is searched for each row. */
  manyPrincipals?: string;
  /** SQL of a bigint[]: ids of communities. */
  communities?: string;
}

/** SQL of rows (tenant_id, principal, role_id, given_by, given_at): the roles given in every community, to users and to groups. */
export const STANDING_ROLES = `SELECT u.tenant_id, u.user_id AS principal, u.role_id, u.given_by, u.given_at FROM standing_roles u WHERE u.tenant_id = $1
      UNION ALL
      SELECT g.tenant_id, -g.group_id, g.role_id, g.given_by, g.given_at FROM group_standing_roles g WHERE g.tenant_id = $1`;

/**
 * SQL of rows (community_id, principal, role_id, workspace_id, everywhere): the roles given in a
 * community itself, in every community, in its workspace, and by membership of the workspace
 * (docs/decisions/people.md). Administrators of a workspace (role 4) administer it and are members
 * like others; `role_id` is NULL where membership gives no role. `workspace_id` is set for roles of
 * a workspace, `everywhere` is true for roles in every community.
 */
export function givenRolesSql({ principals, manyPrincipals, communities }: GivenTo): string {
  const among = (column: string) => {
    if (manyPrincipals !== undefined) return ` AND ${column} IN (${manyPrincipals})`;
    return principals === undefined ? '' : ` AND ${column} = ANY (${principals})`;
  };
  const within = (column: string) => (communities === undefined ? '' : ` AND ${column} = ANY (${communities})`);
  return `SELECT r.community_id, r.principal, r.role_id, NULL::bigint AS workspace_id, false AS everywhere FROM community_roles r
       WHERE r.tenant_id = $1${among('r.principal')}${within('r.community_id')}
      UNION ALL
      SELECT c.id, s.principal, s.role_id, NULL, true FROM (${STANDING_ROLES}) s JOIN communities c ON c.tenant_id = s.tenant_id
       WHERE s.tenant_id = $1${among('s.principal')}${within('c.id')}
      UNION ALL
      SELECT c.id, m.principal, coalesce(nullif(m.role_id, 4), c.workspace_member_role), m.workspace_id, false FROM workspace_members m
        JOIN communities c ON c.tenant_id = m.tenant_id AND c.workspace_id = m.workspace_id
       WHERE m.tenant_id = $1${among('m.principal')}${within('c.id')}`;
}

/**
 * SQL of one user's permissions in each community: rows (community_id, permissions, own_roles),
 * with the permissions of all roles given, and the ids of roles that the tenant defined (NULL if
 * there are no such roles).
 * @param principals SQL of the user's principals, a bigint[]
 */
export function heldPermissionsSql(principals: string): string {
  return `SELECT given.community_id, bit_or(${roleBitsSql('given.role_id')}) AS permissions,
             array_agg(DISTINCT given.role_id) FILTER (WHERE given.role_id >= ${firstOwnRole}) AS own_roles
      FROM (${givenRolesSql({ principals })}) given
     WHERE given.role_id IS NOT NULL GROUP BY given.community_id`;
}
