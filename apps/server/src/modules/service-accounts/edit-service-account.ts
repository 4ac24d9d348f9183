/** Making and editing service accounts. */
import {
  type CreateServiceAccountRequest,
  type CreateServiceAccountResponse,
  type EditServiceAccountRequest,
  type EditServiceAccountResponse,
  RoleId,
} from '@portico/contract';
import { administrativeRights, writeTransaction } from '../../kernel/access/index.ts';
import type { AdministrativeRight, CommunityRole, Scope } from '../../kernel/scope.ts';
import { type AccountRoles, readAccountRoles, replaceAccountRoles } from '../communities/index.ts';
import { createServiceAccount, FieldErrors, maxLengths, updateServiceAccount } from '../people/index.ts';
import { mustManageAccounts, readServiceAccount } from './read-service-accounts.ts';

/** The roles that an account can have in communities. */
const ROLES: readonly number[] = [RoleId.MANAGER, RoleId.CONTRIBUTOR, RoleId.READER, RoleId.GUEST];

interface AccountInput {
  name: string;
  rights: AdministrativeRight[];
  roles: AccountRoles;
}

function readAccount(input: CreateServiceAccountRequest, errors: FieldErrors): AccountInput {
  const name = errors.required('name', input.name, maxLengths.name);
  const rights = (input.adminCapabilities ?? []) as AdministrativeRight[];
  if (rights.some((right) => !administrativeRights.includes(right)))
    errors.add('adminCapabilities', 'INVALID_VALUE', `Of: ${administrativeRights.join(', ')}.`, administrativeRights);
  const readRole = (field: string, role: number | undefined): CommunityRole | null => {
    if (role === undefined || ROLES.includes(role)) return (role as CommunityRole | undefined) ?? null;
    errors.add(field, 'INVALID_VALUE', `One of: ${ROLES.join(', ')}.`, ROLES);
    return null;
  };
  const role = readRole('roleId', input.roleId);
  const communities = new Map<number, CommunityRole>();
  for (const [index, given] of (input.communityRoles ?? []).entries()) {
    const at = `communityRoles[${index}]`;
    if (given?.communityId === undefined) errors.add(`${at}.communityId`, 'REQUIRED_FIELD');
    else if (communities.has(given.communityId)) errors.add(`${at}.communityId`, 'DUPLICATE_VALUE');
    if (given?.roleId === undefined) errors.add(`${at}.roleId`, 'REQUIRED_FIELD');
    const one = readRole(`${at}.roleId`, given?.roleId);
    if (given?.communityId !== undefined && one !== null) communities.set(given.communityId, one);
  }
  return {
    name,
    rights: [...new Set(rights)],
    roles: { role, communities: [...communities].map(([communityId, one]) => ({ communityId, role: one })) },
  };
}

/**
 * Makes a service account (operation createServiceAccount). It has no key yet.
 * @throws PorticoError 403 (without manageUsers, for rights that the caller lacks, for roles without manageDigitalWorplace);
 *   ValidationError
 */
export async function addServiceAccount(
  scope: Scope,
  input: CreateServiceAccountRequest,
): Promise<CreateServiceAccountResponse> {
  mustManageAccounts(scope.actor);
  return writeTransaction(scope, 'access', async (write) => {
    mustManageAccounts(write.actor);
    const errors = new FieldErrors();
    const { name, rights, roles } = readAccount(input, errors);
    errors.throwIfAny();
    const userId = await createServiceAccount(write, { name, admin: false, rights });
    await replaceAccountRoles(write, userId, { role: null, communities: [] }, roles);
    return { userId, nextOccToken: 1 };
  });
}

/**
 * Edits a service account (operation editServiceAccount): what is left out is taken away.
 * @throws PorticoError 403 (as {@link addServiceAccount}, and for an account with a right that the caller lacks), 404 (unknown,
 *   deleted, a person), 409 with who changed it and when; ValidationError
 */
export async function editServiceAccount(
  scope: Scope,
  userId: number,
  input: EditServiceAccountRequest,
): Promise<EditServiceAccountResponse> {
  mustManageAccounts(scope.actor);
  return writeTransaction(scope, 'access', async (write) => {
    mustManageAccounts(write.actor);
    await readServiceAccount(write.tx, userId);
    const errors = new FieldErrors();
    const { name, rights, roles } = readAccount(input, errors);
    if (input.occToken === undefined) errors.add('occToken', 'REQUIRED_FIELD', 'Send the occToken that the form gave.');
    errors.throwIfAny();
    const nextOccToken = await updateServiceAccount(write, userId, { name, rights }, input.occToken!);
    await replaceAccountRoles(write, userId, await readAccountRoles(write.tx, userId), roles);
    return { nextOccToken };
  });
}
