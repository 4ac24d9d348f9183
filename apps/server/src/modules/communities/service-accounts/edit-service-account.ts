/** Making and editing service accounts. */
import type {
  CreateServiceAccountRequest,
  CreateServiceAccountResponse,
  EditServiceAccountRequest,
  EditServiceAccountResponse,
} from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { requireRight, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { createServiceAccount, maxLengths, readRights, updateServiceAccount } from '../../people/index.ts';
import { type AccountRoles, readAccountRoles, replaceAccountRoles } from '../account-roles.ts';
import { lockedRoles } from '../roles/roles.repository.ts';
import { readServiceAccount } from './read-service-accounts.ts';

interface AccountInput {
  name: string;
  rights: AdministrativeRight[];
  roles: AccountRoles;
}

async function readAccount(
  tx: TenantTx,
  input: CreateServiceAccountRequest,
  errors: FieldErrors,
): Promise<AccountInput> {
  const name = errors.required('name', input.name, maxLengths.name);
  const rights = readRights(input.adminCapabilities, errors) ?? [];
  const known = await lockedRoles(
    tx,
    [input, ...(input.communityRoles ?? [])].flatMap((given) => given?.roleId ?? []),
  );
  const readRole = (field: string, role: number | undefined): number | null => {
    if (role === undefined || known.has(role)) return role ?? null;
    errors.add(field, 'UNKNOWN_REFERENCE', 'There is no such role; listRoles names them.');
    return null;
  };
  const role = readRole('roleId', input.roleId);
  const communities = new Map<number, number>();
  for (const [index, given] of (input.communityRoles ?? []).entries()) {
    const at = `communityRoles[${index}]`;
    if (given?.communityId !== undefined && communities.has(given.communityId))
      errors.add(`${at}.communityId`, 'DUPLICATE_VALUE');
    const one = readRole(`${at}.roleId`, given?.roleId);
    if (given?.communityId !== undefined && one !== null) communities.set(given.communityId, one);
  }
  return {
    name,
    rights,
    roles: { role, communities: [...communities].map(([communityId, one]) => ({ communityId, role: one })) },
  };
}

/**
 * Creates a service account (operation createServiceAccount). It has no key yet.
 * @throws PorticoError 403 (without manageUsers, for rights that the caller lacks, for roles
 * without manageDigitalWorplace); ValidationError
 */
export async function addServiceAccount(
  scope: Scope,
  input: CreateServiceAccountRequest,
): Promise<CreateServiceAccountResponse> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'access', async (write) => {
    requireRight(write.actor, 'manageUsers');
    const errors = new FieldErrors(write.missing);
    const { name, rights, roles } = await readAccount(write.tx, input, errors);
    errors.throwIfAny();
    const userId = await createServiceAccount(write, { name, admin: false, rights });
    await replaceAccountRoles(write, userId, { role: null, communities: [] }, roles);
    return { userId, nextOccToken: 1 };
  });
}

/**
 * Edits a service account (operation editServiceAccount); removes omitted rights and roles.
 * @throws PorticoError 403 (like {@link addServiceAccount}, and for an account with a right that
 * the caller lacks), 404 (unknown, deleted, a person), 409 with the author and time of the last
 * change; ValidationError
 */
export async function editServiceAccount(
  scope: Scope,
  userId: number,
  input: EditServiceAccountRequest,
): Promise<EditServiceAccountResponse> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'access', async (write) => {
    requireRight(write.actor, 'manageUsers');
    await readServiceAccount(write.tx, userId);
    const errors = new FieldErrors(write.missing);
    const { name, rights, roles } = await readAccount(write.tx, input, errors);
    errors.throwIfAny();
    const nextOccToken = await updateServiceAccount(write, userId, { name, rights }, input.occToken!);
    await replaceAccountRoles(write, userId, await readAccountRoles(write.tx, userId), roles);
    return { nextOccToken };
  });
}
