/**
 * Finds the account of a person who signs in by a provider: the linked account, the account with
 * the same verified address, or a new one. Its memberships in the groups that the provider's
 * settings map follow the claims.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { SignIn } from '../auth/access-tokens.ts';
import { createUserRecord } from '../users/accounts.ts';
import { setMemberships } from '../users/edit-group-members.ts';
import { accountByEmail, insertIdentity, type LinkedAccount, linkedAccount } from './identities.repository.ts';
import type { Identity } from './identity.ts';
import { type ProviderRow, readGroupMappings, readProvider } from './providers.repository.ts';
import { SignInFailure } from './sign-in-failure.ts';

/**
 * Finds or creates the account. Takes no lock if nothing changes.
 * @param system the scope of the tenant's system account, which makes the changes
 * @throws SignInFailure unknown-account, account-exists, account-blocked
 */
export async function accountOf(system: Scope, provider: ProviderRow, identity: Identity): Promise<SignIn> {
  const linked = await linkedAccount(system.db, provider.id, identity.subject);
  if (linked) {
    mustSignIn(linked);
    if ((await groupChange(system.db, provider, identity, linked.userId)) === undefined)
      return signInOf(linked, provider.id);
  }
  return writeTransaction(system, 'access', async (write) => {
    // Read again under the lock: the earlier values may have changed.
    const settings = await readProvider(write.tx, provider.id);
    if (!settings.enabled) throw new SignInFailure('unknown-provider', 'the provider was disabled meanwhile');
    const account =
      (await linkedAccount(write.tx, provider.id, identity.subject)) ?? (await link(write, settings, identity));
    mustSignIn(account);
    const change = await groupChange(write.tx, settings, identity, account.userId);
    if (change) await setMemberships(write, account.userId, change);
    return signInOf(account, provider.id);
  });
}

const signInOf = ({ userId, sessionVersion }: LinkedAccount, providerId: number): SignIn => ({
  userId,
  keyId: null,
  sessionVersion,
  byProvider: true,
  providerId,
});

function mustSignIn(account: LinkedAccount): void {
  if (!account.active)
    throw new SignInFailure('account-blocked', 'the account is blocked or deleted', { account: account.userId });
}

/** Links the account with the verified address, or a new one. */
async function link(write: WriteScope, provider: ProviderRow, identity: Identity): Promise<LinkedAccount> {
  const { verifiedEmail } = identity;
  const holder = verifiedEmail === null ? undefined : await accountByEmail(write.tx, provider.id, verifiedEmail);
  if (holder) {
    const account = holder.userId;
    if (!provider.linksByEmail || !holder.person)
      throw new SignInFailure('account-exists', 'the address belongs to an account that is not linked', { account });
    // The provider may have reassigned the address to another person.
    if (holder.linked)
      throw new SignInFailure('account-exists', 'the account is linked to another identity of the provider', {
        account,
      });
    mustSignIn(holder);
    await insertIdentity(write, provider.id, identity.subject, account);
    return holder;
  }
  if (!provider.createsUsers) throw new SignInFailure('unknown-account', 'no account is linked to the identity');
  const userId = await create(write, identity);
  await insertIdentity(write, provider.id, identity.subject, userId);
  return (await linkedAccount(write.tx, provider.id, identity.subject))!;
}

async function create(write: WriteScope, { firstName, lastName, verifiedEmail }: Identity): Promise<number> {
  try {
    return await createUserRecord(write, { firstName, lastName, contactEmail: verifiedEmail });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new SignInFailure('account-exists', 'the account cannot be made', { cause: error });
  }
}

/** Groups that a person joins and leaves. */
interface MembershipChange {
  join: number[];
  leave: number[];
}

/**
 * Compares the memberships with the claims; considers only groups that the settings map.
 * @returns undefined without a change
 */
async function groupChange(
  db: TenantExecutor,
  { id, groupsClaim }: ProviderRow,
  { groups }: Identity,
  userId: number,
): Promise<MembershipChange | undefined> {
  if (groupsClaim === null || groups === null) return undefined;
  const mappings = await readGroupMappings(db, id);
  const given = new Set(mappings.filter(({ value }) => groups.has(value)).map(({ groupId }) => groupId));
  const rows = await db.query<{ id: number; member: boolean }>(
    `SELECT g.id, m.user_id IS NOT NULL AS member
       FROM groups g LEFT JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id AND m.user_id = $3
      WHERE g.tenant_id = $1 AND g.id = ANY ($2::bigint[]) AND g.deleted_at IS NULL AND NOT g.system_account ORDER BY g.id`,
    [db.tenantId, mappings.map(({ groupId }) => groupId), userId],
  );
  const join = rows.filter((row) => !row.member && given.has(row.id)).map((row) => row.id);
  const leave = rows.filter((row) => row.member && !given.has(row.id)).map((row) => row.id);
  return join.length + leave.length === 0 ? undefined : { join, leave };
}
