/**
 * Creates, edits and deletes the roles of a tenant (operations createRole, editRole, deleteRole).
 */
import {
  type CommunityPermission,
  type CreateRoleRequest,
  type CreateRoleResponse,
  type EditRoleRequest,
  type EditRoleResponse,
  impliedPermissions,
  RoleId,
  roleLimits,
  roles,
} from '@portico/contract';
import { normaliseText } from '@portico/platform/text';
import { bitsOf, requireRight, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { countUses, lockOwnRole, lockRoles } from './roles.repository.ts';

/**
 * Creates a role.
 * @throws PorticoError FORBIDDEN, CONFLICT when the tenant has as many roles as allowed;
 * ValidationError
 */
export async function createRole(scope: Scope, input: CreateRoleRequest): Promise<CreateRoleResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageDigitalWorplace');
    const { tx, actor, now } = write;
    await lockRoles(tx);
    const errors = new FieldErrors(write.missing);
    const role = await readRole(write, input, null, errors);
    errors.throwIfAny();
    const [counted] = await tx.query<{ number: number }>(
      'SELECT count(*) AS number FROM own_roles r WHERE r.tenant_id = $1',
      [tx.tenantId],
    );
    if (counted!.number >= roleLimits.roles)
      throw new PorticoError('CONFLICT', { message: `A tenant has ${roleLimits.roles} roles of its own at most.` });
    const [row] = await tx.create<{ id: number }>(
      'own_roles',
      `INSERT INTO own_roles (tenant_id, name, name_key, description, permissions, external_id, modifier_id, modified_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [
        tx.tenantId,
        role.name,
        role.nameKey,
        role.description,
        role.permissions,
        role.externalId || null,
        actor.userId,
        new Date(now),
      ],
    );
    return { id: row!.id, nextOccToken: 1 };
  });
}

/**
 * Replaces name, description and permissions of a role. The permissions of its holders change at once.
 * @throws PorticoError FORBIDDEN, NOT_FOUND, CONFLICT_STALE_TOKEN; ValidationError
 */
export async function editRole(scope: Scope, id: number, input: EditRoleRequest): Promise<EditRoleResponse> {
  return writeTransaction(scope, 'access', async (write) => {
    requireRight(write.actor, 'manageDigitalWorplace');
    const { tx, actor, now } = write;
    await lockRoles(tx);
    const current = await lockOwnRole(tx, id);
    const { version } = current;
    if (input.occToken !== undefined && input.occToken !== version) throw await staleToken(tx, current);
    const errors = new FieldErrors(write.missing);
    const role = await readRole(write, input, id, errors);
    errors.throwIfAny();
    await tx.sendChange(
      'own_roles',
      [id],
      `UPDATE own_roles SET version = version + 1, name = $3, name_key = $4, description = $5, permissions = $6, modifier_id = $7,
              modified_at = $8, external_id = CASE WHEN $9::text IS NULL THEN external_id ELSE nullif($9, '') END
        WHERE tenant_id = $1 AND id = $2`,
      [
        tx.tenantId,
        id,
        role.name,
        role.nameKey,
        role.description,
        role.permissions,
        actor.userId,
        new Date(now),
        role.externalId ?? null,
      ],
    );
    return { nextOccToken: version + 1 };
  });
}

/**
 * Deletes a role that nobody holds and to which nothing is open.
 * @throws PorticoError FORBIDDEN, NOT_FOUND, CONFLICT with the number and places of its uses
 */
export async function deleteRole(scope: Scope, id: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageDigitalWorplace');
    const { tx } = write;
    await lockRoles(tx);
    // Prevents assignments of the role until the transaction ends.
    await lockOwnRole(tx, id);
    const { communities, workspaces, everywhere, openTo } = await countUses(tx, id);
    if (communities + workspaces + everywhere > 0) {
      throw new PorticoError('CONFLICT', {
        message: `It is given ${communities} times in communities, ${workspaces} times in workspaces and ${everywhere} times in every community; take it away first.`,
      });
    }
    if (openTo > 0) {
      throw new PorticoError('CONFLICT', {
        message: `${openTo} fields, transitions and screens are open to it; open them to others first.`,
      });
    }
    await tx.sendChange('own_roles', [id], 'DELETE FROM own_roles WHERE tenant_id = $1 AND id = $2', [tx.tenantId, id]);
  });
}

/** @param id the edited role; null for a new one */
async function readRole({ tx }: WriteScope, input: CreateRoleRequest, id: number | null, errors: FieldErrors) {
  const name = (input.name ?? '').trim();
  const description = input.description?.trim() || null;
  const tooLong = (text: string, limit: number) => [...text].length > limit;
  if (name === '') errors.add('name', 'REQUIRED_FIELD');
  if (tooLong(name, roleLimits.name)) errors.add('name', 'TEXT_TOO_LONG');
  if (tooLong(description ?? '', roleLimits.description)) errors.add('description', 'TEXT_TOO_LONG');
  const externalId = input.externalId?.trim();
  if (tooLong(externalId ?? '', roleLimits.name)) errors.add('externalId', 'TEXT_TOO_LONG');
  const nameKey = normaliseText(name);
  const [taken] = await tx.query(
    'SELECT FROM own_roles r WHERE r.tenant_id = $1 AND r.name_key = $2 AND r.id IS DISTINCT FROM $3::bigint',
    [tx.tenantId, nameKey, id],
  );
  if (taken || roles.some((role) => normaliseText(role.name) === nameKey))
    errors.add('name', 'DUPLICATE_VALUE', 'Another role has this name.');
  const [sameId] = externalId
    ? await tx.query(
        'SELECT FROM own_roles r WHERE r.tenant_id = $1 AND r.external_id = $2 AND r.id IS DISTINCT FROM $3::bigint',
        [tx.tenantId, externalId, id],
      )
    : [];
  if (sameId || Object.keys(RoleId).includes(externalId ?? ''))
    errors.add('externalId', 'DUPLICATE_VALUE', 'Another role has this external id.');
  return { name, nameKey, description, externalId, permissions: bitsOf(withImplied(input.permissions ?? [])) };
}

/** Returns the permissions and all permissions that they imply. */
export function withImplied(permissions: readonly CommunityPermission[]): CommunityPermission[] {
  return permissions.flatMap((permission) => [permission, ...(impliedPermissions[permission] ?? [])]);
}
