/** Roles and permissions as everybody reads them (operation listRoles). */
import {
  type AvailableRole,
  communityPermissions,
  impliedPermissions,
  type ListRolesResponse,
  type Role,
  rolePermissions,
  roles,
} from '@portico/contract';
import { countsAs, permissionsIn } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { loadOwnRoles, type OwnRole } from './roles.repository.ts';

/** All roles, the built-in ones first, and the permissions of which they are made. */
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
    ...(description !== null && { description }),
    ...(externalId !== null && { externalId }),
    builtIn: false,
    permissions: permissionsIn(permissions),
    countsAsRoleId: countsAs(permissions),
    occToken: version,
  };
}

/** Names of roles of the tenant; built-in ones are in the contract. */
export async function rolesById(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, OwnRole>> {
  const own = [...new Set(ids)].filter((id) => !roles.some((role) => role.id === id));
  return new Map(own.length === 0 ? [] : (await loadOwnRoles(db, own)).map((role) => [role.id, role]));
}

/** A role as embedded in assignments. @param own those of the tenant, by {@link rolesById} */
export function presentRole(roleId: number, own: ReadonlyMap<number, OwnRole>): Role {
  const role = roles.find(({ id }) => id === roleId) ?? own.get(roleId);
  return {
    id: roleId,
    ...(role && { name: role.name, ...(role.description !== null && { description: role.description }) }),
    deleted: false,
  };
}
