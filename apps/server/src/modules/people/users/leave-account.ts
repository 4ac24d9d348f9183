/** The account of a person who leaves. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { mustHoldRightsOfUser, type WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { blockUser } from './block-user.ts';
import { deleteUserWithin } from './delete-user.ts';
import { eraseUserWithin } from './erase-user.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { readUser, type UserRow } from './users.repository.ts';

/** State of an account, from the first to the last. */
const accountStates = ['active', 'blocked', 'deleted', 'erased'] as const;
export type AccountState = (typeof accountStates)[number];

/** Operation that brings an account into each state. */
const endings = {
  active: async () => undefined,
  blocked: (write: WriteScope, userId: number) => blockUser(write, userId, true),
  deleted: deleteUserWithin,
  erased: eraseUserWithin,
} satisfies Record<AccountState, (write: WriteScope, userId: number) => Promise<unknown>>;

/** Returns the state of an account. */
function stateOf(user: Pick<UserRow, 'blocked' | 'deleted' | 'erasedAt'>): AccountState {
  if (user.erasedAt !== null) return 'erased';
  if (user.deleted) return 'deleted';
  return user.blocked ? 'blocked' : 'active';
}

/** Reads the state of an account, also of a deleted or erased one. @throws PorticoError NOT_FOUND */
export async function readAccountState(db: TenantExecutor, userId: number): Promise<AccountState> {
  const user = await readUser(db, userId);
  if (!user) throw notFound();
  return stateOf(user);
}

/**
 * Brings an account into a state, inside a write that raises access. An account beyond that state
 * stays unchanged, so that the write may be repeated.
 * @returns the resulting state
 * @throws PorticoError NOT_FOUND; FORBIDDEN like the operation, and for holders of a right that the
 * caller lacks
 */
export async function leaveAccount(write: WriteScope, userId: number, wanted: AccountState): Promise<AccountState> {
  mustManageUsers(write.actor);
  const user = await readUser(write.tx, userId);
  if (!user) throw notFound();
  mustNotBeSystem(user);
  await mustHoldRightsOfUser(write, userId);
  const present = stateOf(user);
  if (accountStates.indexOf(present) >= accountStates.indexOf(wanted)) return present;
  await endings[wanted](write, userId);
  return wanted;
}
