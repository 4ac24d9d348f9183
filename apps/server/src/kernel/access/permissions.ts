/**
 * Permissions in communities. A role, built in or made by a tenant, is a set of them, kept as bits;
 * a user with several roles has the permissions of all. Where something is open to built-in roles
 * (fields, transitions, screens), a user counts as the strongest built-in role all of whose
 * permissions they have; where it is open to a role of the tenant, only its holders have access.
 */
import { type CommunityPermission, firstOwnRole, RoleId, rolePermissions } from '@portico/contract';
import type { Actor, CommunityRole, OpenToRole } from '../scope.ts';

/** The bit of each permission in `own_roles.permissions`. */
export const permissionBits: Readonly<Record<CommunityPermission, number>> = {
  readPublicPosts: 1,
  readAllPosts: 2,
  createPosts: 4,
  comment: 8,
  createTasks: 16,
  editPosts: 32,
  moderateComments: 64,
  manageTasks: 128,
  pinPosts: 256,
  announcePosts: 512,
  shareViews: 1024,
  manageCommunity: 2048,
};

/** Permissions as bits. */
export function bitsOf(permissions: readonly CommunityPermission[]): number {
  return permissions.reduce((bits, permission) => bits | permissionBits[permission], 0);
}

/** Bits as permissions, in the published order. */
export function permissionsIn(bits: number): CommunityPermission[] {
  return rolePermissions[RoleId.MANAGER].filter((permission) => (bits & permissionBits[permission]) !== 0);
}

/** Roles that can be held in a community, the strongest first. */
const communityRoles = [RoleId.MANAGER, RoleId.CONTRIBUTOR, RoleId.READER, RoleId.GUEST] as const;

const roleBits: Readonly<Record<CommunityRole, number>> = {
  [RoleId.MANAGER]: bitsOf(rolePermissions[RoleId.MANAGER]),
  [RoleId.CONTRIBUTOR]: bitsOf(rolePermissions[RoleId.CONTRIBUTOR]),
  [RoleId.READER]: bitsOf(rolePermissions[RoleId.READER]),
  [RoleId.GUEST]: bitsOf(rolePermissions[RoleId.GUEST]),
};

/** The built-in role as which somebody with these permissions counts. */
export function countsAs(bits: number): CommunityRole {
  return communityRoles.find((role) => (bits & roleBits[role]) === roleBits[role]) ?? RoleId.GUEST;
}

/** The weakest built-in role that has a permission. */
export function weakestRoleWith(permission: CommunityPermission): CommunityRole {
  return communityRoles.findLast((role) => (roleBits[role] & permissionBits[permission]) !== 0) ?? RoleId.MANAGER;
}

/**
 * Returns the roles by community, and the permissions where they differ from the permissions of the
 * role.
 * @param rows permissions of one user, by community
 */
export function heldRoles(
  rows: readonly { communityId: number; bits: number }[],
): Pick<Actor, 'roles' | 'permissions'> {
  const roles = new Map(rows.map(({ communityId, bits }) => [communityId, countsAs(bits)]));
  const other = rows.filter(({ communityId, bits }) => bits !== roleBits[roles.get(communityId)!]);
  return other.length === 0
    ? { roles }
    : { roles, permissions: new Map(other.map(({ communityId, bits }) => [communityId, bits])) };
}

/** The permissions of an actor in a community, as bits. */
export function permissionsOf(actor: Pick<Actor, 'roles' | 'permissions'>, communityId: number): number {
  const role = actor.roles.get(communityId);
  return role === undefined ? 0 : (actor.permissions?.get(communityId) ?? roleBits[role]);
}

/** Whether an actor has a permission in a community. */
export function hasPermission(
  actor: Pick<Actor, 'roles' | 'permissions'>,
  communityId: number,
  permission: CommunityPermission,
): boolean {
  return (permissionsOf(actor, communityId) & permissionBits[permission]) !== 0;
}

/** The weakest built-in role to which something is open. Managers are stronger than each role of the tenant. */
export function weakestOf(roles: readonly OpenToRole[]): CommunityRole {
  return Math.max(RoleId.MANAGER, ...roles.filter((role) => role < firstOwnRole)) as CommunityRole;
}

/** Whether something that is open to roles is open to an actor. */
export function isOpenTo(
  actor: Pick<Actor, 'roles' | 'ownRoles'>,
  communityId: number,
  roles: readonly OpenToRole[],
): boolean {
  const role = actor.roles.get(communityId);
  if (role === undefined || roles.length === 0) return false;
  return role <= weakestOf(roles) || actor.ownRoles?.get(communityId)?.some((id) => roles.includes(id)) === true;
}

/** Communities in which the actor has a permission. */
export function communitiesWith(
  actor: Pick<Actor, 'roles' | 'permissions'>,
  permission: CommunityPermission,
): number[] {
  return [...actor.roles.keys()].filter((id) => hasPermission(actor, id, permission));
}

/** SQL of an integer: the permissions of a role. @param role SQL of its id, which is not NULL */
export function roleBitsSql(role: string): string {
  const builtIn = communityRoles.map((id) => `WHEN ${id} THEN ${roleBits[id]}`).join(' ');
  return `CASE ${role} ${builtIn} ELSE coalesce((SELECT o.permissions FROM own_roles o WHERE o.tenant_id = $1 AND o.id = ${role}), 0) END`;
}

/** SQL of a boolean: permissions include one. @param bits SQL of them */
export function hasPermissionSql(bits: string, permission: CommunityPermission): string {
  return `${bits} & ${permissionBits[permission]} <> 0`;
}
