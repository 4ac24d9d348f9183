/** Blocking, unblocking and signing out: ending the access of an account, and restoring it. */
import type { UserAccessResponse } from '@portico/contract';
import { keepingHolders, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { administeredUser } from './open-user.ts';
import { mustManageUsers } from './people.policy.ts';
import { endSessions, updateBlocked } from './users.repository.ts';

/**
 * Blocks or unblocks an account, inside a write. Blocking ends its sessions permanently: after
 * unblocking, the person signs in again. Does nothing if the account is in that state already.
 * @param write of a transaction that raises access
 * @returns the token of the user's form
 * @throws PorticoError 404 (unknown or deleted); 403 without manageUsers, for system accounts, for
 * holders of a right that the caller lacks, for oneself, and for the last person with a right
 */
export async function blockUser(write: WriteScope, userId: number, blocked: boolean): Promise<number> {
  const current = await administeredUser(write, userId);
  if (blocked) mustNotBeOneself(write, userId);
  if (current.blocked === blocked) return current.version;
  const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
  const update = () => updateBlocked(writing, [userId], blocked);
  const tokens = await (blocked ? keepingHolders(write, update) : update());
  return tokens.get(userId) ?? current.version;
}

/** @throws PorticoError 403 where the caller would block their own account */
export function mustNotBeOneself({ actor }: WriteScope, userId: number): void {
  if (userId === actor.userId) throw forbidden('You cannot block yourself; ask another user administrator.');
}

/** Blocks or unblocks an account (operations blockUser and unblockUser); see {@link blockUser}. */
export async function setUserBlocked(scope: Scope, userId: number, blocked: boolean): Promise<UserAccessResponse> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'access', async (write) => ({
    userId,
    blocked,
    nextOccToken: await blockUser(write, userId, blocked),
  }));
}

/**
 * Ends all sessions of an account (operation signOutUser): its tokens are rejected from the next
 * request on. The account may sign in again. Users may sign themselves out.
 * @throws PorticoError 404, 403 like {@link blockUser}
 */
export async function signOutUser(scope: Scope, userId: number): Promise<UserAccessResponse> {
  mustManageUsers(scope.actor);
  return writeTransaction(scope, 'none', async (write) => {
    const { blocked, version } = await administeredUser(write, userId);
    await endSessions(write.tx, [userId]);
    return { userId, blocked, nextOccToken: version };
  });
}
