/** Roles and permissions for all users (operation listRoles). */
import {
  type AvailableRole,
  communityPermissions,
  impliedPermissions,
  type ListRolesResponse,
  type Role,
  rolePermissions,
  roles,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { countsAs, permissionsIn } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { loadOwnRoles, type OwnRole } from './roles.repository.ts';

/** Returns all roles, the built-in ones first, and the permissions that roles consist of. */
export async function listRoles(scope: Scope): Promise<ListRolesResponse> {
  const builtIn = roles.map(
    ({ id, name, description }): AvailableRole => ({
      id,
      name,
      description,
      builtIn: true,
      permissions: [...rolePermissions[id]],
      countsAsRoleId: id,
    }),
  );
  const own = await loadOwnRoles(scope.db);
  return {
    roles: [...builtIn, ...own.map(presentOwnRole)],
    permissions: communityPermissions.map(({ name, description }) => ({
      name,
      description,
      implies: [...(impliedPermissions[name] ?? [])],
    })),
  };
}

function presentOwnRole({ id, name, description, externalId, permissions, version }: OwnRole): AvailableRole {
  return {
    id,
    name,
    description: description ?? undefined,
    externalId: externalId ?? undefined,
    builtIn: false,
    permissions: permissionsIn(permissions),
    countsAsRoleId: countsAs(permissions),
    occToken: version,
  };
}

/** Returns the names of the tenant's own roles by id; the contract names the built-in ones. */
export async function rolesById(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, OwnRole>> {
  const own = [...new Set(ids)].filter((id) => !roles.some((role) => role.id === id));
  return new Map(own.length === 0 ? [] : (await loadOwnRoles(db, own)).map((role) => [role.id, role]));
}

/**
 * Returns a role as embedded in assignments.
 * @param own roles of the tenant, by {@link rolesById}
 */
export function presentRole(roleId: number, own: ReadonlyMap<number, OwnRole>): Role {
  const role = roles.find(({ id }) => id === roleId) ?? own.get(roleId);
  return {
    id: roleId,
    ...(role && { name: role.name, description: role.description ?? undefined }),
    deleted: false,
  };
}
