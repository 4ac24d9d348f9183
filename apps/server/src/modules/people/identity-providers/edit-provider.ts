/** Creates, edits and deletes identity providers. */
import type {
  CreateIdentityProviderRequest,
  CreateIdentityProviderResponse,
  EditIdentityProviderRequest,
  EditIdentityProviderResponse,
} from '@portico/contract';
import { keepingHolders, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { fromPostgresError } from '../../../kernel/database-errors.ts';
import { FieldErrors, invalid, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { deleteSessionsOfProvider } from '../auth/sessions.repository.ts';
import {
  type GroupMapping,
  mustManageProviders,
  readIssuer,
  readKey,
  readMappings,
  readSecret,
  readSettings,
} from './providers.policy.ts';
import {
  deleteProvider,
  insertProvider,
  lacksRequiredProvider,
  placeOfClientSecret,
  readProvider,
  replaceGroupMappings,
  updateProvider,
} from './providers.repository.ts';
import { redirectUriOf } from './redirect-uri.ts';

const writingOf = ({ tx, now, actor }: WriteScope) => ({ tx, now, by: actor.userId });

function seal(write: WriteScope, id: number, secret: string): Buffer {
  return write.sealer.seal(Buffer.from(secret), placeOfClientSecret(write.tx.tenantId, id));
}

/**
 * Creates an identity provider (operation createIdentityProvider).
 * @param internalHosts see `readIssuer`
 * @throws PorticoError 403 without every administrative right; ValidationError
 */
export async function createIdentityProvider(
  scope: Scope,
  input: CreateIdentityProviderRequest,
  internalHosts: readonly string[],
): Promise<CreateIdentityProviderResponse> {
  mustManageProviders(scope.actor);
  const errors = new FieldErrors(scope.missing);
  const key = readKey(input.key, errors);
  const issuer = readIssuer(input.issuer, internalHosts, errors);
  const settings = readSettings(input, errors);
  const mappings = readMappings(input, errors);
  const secret = readSecret(input.clientSecret, errors);
  errors.throwIfAny();
  try {
    return await writeTransaction(scope, 'access', async (write) => {
      mustManageProviders(write.actor);
      const id = await insertProvider(writingOf(write), { ...settings, key, issuer }, (taken) =>
        secret === null ? null : seal(write, taken, secret),
      );
      await mapGroups(write, id, mappings);
      return { identityProviderId: id, redirectUri: redirectUriOf(scope, key), nextOccToken: 1 };
    });
  } catch (error) {
    throw fromPostgresError(error) ?? error;
  }
}

/**
 * Replaces the settings of an identity provider (operation editIdentityProvider). Omitted settings
 * are removed, except the client secret.
 * @throws PorticoError 403 without every administrative right, or if the last person with one could
 * no longer sign in; 404; 409 with the author and time of the last change, or for the last enabled
 * provider if the tenant requires one; ValidationError
 */
export async function editIdentityProvider(
  scope: Scope,
  id: number,
  input: EditIdentityProviderRequest,
): Promise<EditIdentityProviderResponse> {
  mustManageProviders(scope.actor);
  return writeTransaction(scope, 'access', async (write) => {
    mustManageProviders(write.actor);
    const { sealedClientSecret } = await readProvider(write.tx, id);
    const errors = new FieldErrors(write.missing);
    const settings = readSettings(input, errors);
    const mappings = readMappings(input, errors);
    const secret = readSecret(input.clientSecret, errors);
    errors.throwIfAny();
    const kept = input.clientSecret === undefined ? sealedClientSecret : null;
    const sealed = secret === null ? kept : seal(write, id, secret);
    const nextOccToken = await keepingHolders(write, () =>
      updateProvider(writingOf(write), id, settings, sealed, input.occToken!),
    );
    await mapGroups(write, id, mappings);
    await mustLeaveSignIn(write);
    return { nextOccToken };
  });
}

async function mapGroups({ tx }: WriteScope, id: number, mappings: readonly GroupMapping[]): Promise<void> {
  const unknown = await replaceGroupMappings(tx, id, mappings);
  if (unknown.length > 0) throw invalid('groupMappings', 'UNKNOWN_REFERENCE', 'There are no such groups.', unknown);
}

/**
 * Deletes an identity provider with the links of accounts to it, and ends the sessions that it
 * began (operation deleteIdentityProvider).
 * @throws PorticoError 403 as {@link editIdentityProvider}, 404, 409 for the last enabled provider
 * if the tenant requires one
 */
export async function deleteIdentityProvider(scope: Scope, id: number): Promise<void> {
  mustManageProviders(scope.actor);
  await writeTransaction(scope, 'access', async (write) => {
    mustManageProviders(write.actor);
    await keepingHolders(write, () => deleteProvider(write.tx, id));
    await deleteSessionsOfProvider(write.tx, id);
    await mustLeaveSignIn(write);
  });
}

/**
 * @throws PorticoError CONFLICT (409) if people must sign in by a provider and no enabled one is
 * left
 */
async function mustLeaveSignIn({ tx }: WriteScope): Promise<void> {
  if (!(await lacksRequiredProvider(tx))) return;
  throw new PorticoError('CONFLICT', {
    message:
      'Nobody could sign in any more: requireProvider of the tenant’s settings needs an enabled identity provider.',
  });
}
