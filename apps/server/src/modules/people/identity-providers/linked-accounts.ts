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

/** Account of a sign-in, and what the sign-in changed. */
interface TakenAccount {
  readonly account: LinkedAccount;
  /** How the account was found: it was linked, it has the verified address, or it was created. */
  readonly by: 'link' | 'address' | 'creation';
  /** Changes of memberships; undefined without any. */
  readonly groups: MembershipChange | undefined;
}

/**
 * Finds or creates the account, as {@link takeAccount}.
 * @throws SignInFailure unknown-account, account-exists, account-blocked
 */
export async function accountOf(system: Scope, provider: ProviderRow, identity: Identity): Promise<SignIn> {
  const { account } = await takeAccount(system, provider, identity);
  return signInOf(account, provider.id);
}

/**
 * Finds or creates the account, and sets its memberships. Takes no lock if nothing changes.
 * @param system the scope of the tenant's system account, which makes the changes
 * @param options `disabled`: whether the provider may be disabled, as in a trial
 * @throws SignInFailure unknown-account, account-exists, account-blocked
 */
export async function takeAccount(
  system: Scope,
  provider: ProviderRow,
  identity: Identity,
  { disabled = false } = {},
): Promise<TakenAccount> {
  const linked = await linkedAccount(system.db, provider.id, identity.subject);
  if (linked) {
    mustSignIn(linked);
    if ((await groupChange(system.db, provider, identity, linked.userId)) === undefined)
      return { account: linked, by: 'link', groups: undefined };
  }
  return writeTransaction(system, 'access', async (write) => {
    // Read again under the lock: the earlier values may have changed.
    const settings = await readProvider(write.tx, provider.id);
    if (!settings.enabled && !disabled)
      throw new SignInFailure('unknown-provider', 'the provider was disabled meanwhile');
    const known = await linkedAccount(write.tx, provider.id, identity.subject);
    const found = known ? { account: known, by: 'link' as const } : await link(write, settings, identity);
    mustSignIn(found.account);
    const { userId } = found.account;
    const groups = await groupChange(write.tx, settings, identity, userId);
    if (groups) await setMemberships(write, userId, { join: idsOf(groups.join), leave: idsOf(groups.leave) });
    return { ...found, groups };
  });
}

const idsOf = (groups: readonly { id: number }[]): number[] => groups.map(({ id }) => id);

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
async function link(
  write: WriteScope,
  provider: ProviderRow,
  identity: Identity,
): Promise<Pick<TakenAccount, 'account' | 'by'>> {
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
    return { account: holder, by: 'address' };
  }
  if (!provider.createsUsers) throw new SignInFailure('unknown-account', 'no account is linked to the identity');
  const userId = await create(write, identity);
  await insertIdentity(write, provider.id, identity.subject, userId);
  return { account: (await linkedAccount(write.tx, provider.id, identity.subject))!, by: 'creation' };
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
  readonly join: readonly ChangedGroup[];
  readonly leave: readonly ChangedGroup[];
}

interface ChangedGroup {
  readonly id: number;
  readonly name: string;
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
  const rows = await db.query<ChangedGroup & { member: boolean }>(
    `SELECT g.id, g.name, m.user_id IS NOT NULL AS member
       FROM groups g LEFT JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id AND m.user_id = $3
      WHERE g.tenant_id = $1 AND g.id = ANY ($2::bigint[]) AND g.deleted_at IS NULL AND NOT g.system_account ORDER BY g.id`,
    [db.tenantId, mappings.map(({ groupId }) => groupId), userId],
  );
  const groupsOf = (member: boolean) =>
    rows.filter((row) => row.member === member && given.has(row.id) !== member).map(({ id, name }) => ({ id, name }));
  const [join, leave] = [groupsOf(false), groupsOf(true)];
  return join.length + leave.length === 0 ? undefined : { join, leave };
}
