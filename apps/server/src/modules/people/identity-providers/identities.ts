/** Identities linked to an account; the person and administrators list and remove them. */
import type { LinkedIdentity, ListIdentitiesResponse } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { keepingHolders, writeTransaction } from '../../../kernel/access/index.ts';
import { notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { deleteSessions } from '../auth/sessions.repository.ts';
import { administeredUser, userOfForm } from '../users/open-user.ts';
import { endSessions } from '../users/users.repository.ts';
import { deleteIdentity, hasOtherSignIn, identitiesOf } from './identities.repository.ts';

/** Operation listMyIdentities. */
export async function listMyIdentities({ db, actor }: Scope): Promise<ListIdentitiesResponse> {
  return { identities: await linkedIdentities(db, actor.userId) };
}

/** Operation listUserIdentities. @throws PorticoError 403 without manageUsers, 404 */
export async function listUserIdentities(scope: Scope, userId: number): Promise<ListIdentitiesResponse> {
  await userOfForm(scope, userId);
  return { identities: await linkedIdentities(scope.db, userId) };
}

/** Returns the identities of a person, by provider. */
export async function linkedIdentities(db: TenantExecutor, userId: number): Promise<LinkedIdentity[]> {
  const rows = await identitiesOf(db, userId);
  return rows.map(({ providerId, key, name, enabled, subject, linkedAt }) => ({
    identityProviderId: providerId,
    key,
    name,
    enabled,
    subject,
    linkTimestamp: linkedAt,
  }));
}

/**
 * Unlinks an identity of the caller (operation removeMyIdentity). Counts as a change of `access`,
 * like other changes that people make to their own account. Ends the sessions that the identity
 * began, including the current one.
 * @throws PorticoError 404 without such an identity, 409 if no other way to sign in is left
 */
export async function removeMyIdentity(scope: Scope, providerId: number): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    const { userId } = write.actor;
    if (!(await deleteIdentity(write.tx, userId, providerId))) throw notFound();
    if (!(await hasOtherSignIn(write.tx, userId)))
      throw new PorticoError('CONFLICT', {
        message: 'This is the only way in which you can sign in; set up another one.',
      });
    await deleteSessions(write.tx, userId, { providerId });
  });
}

/**
 * Unlinks an identity of a user and ends their sign-ins (operation removeUserIdentity).
 * @throws PorticoError 403 without manageUsers or a right that the user holds, or if the last
 * person with such a right could no longer sign in; 404
 */
export async function removeUserIdentity(scope: Scope, userId: number, providerId: number): Promise<void> {
  await writeTransaction(scope, 'access', async (write) => {
    await administeredUser(write, userId);
    if (!(await keepingHolders(write, () => deleteIdentity(write.tx, userId, providerId)))) throw notFound();
    await endSessions(write.tx, [userId]);
  });
}
