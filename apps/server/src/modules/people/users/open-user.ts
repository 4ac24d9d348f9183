/** Finds the user of an operation: the user of an opened form or of a write, and the caller. */
import { mustHoldRightsOfUser, type WriteScope } from '../../../kernel/access/index.ts';
import { notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { readUser, type UserRow } from './users.repository.ts';

/**
 * Returns a user whose form may be opened.
 * @throws PorticoError 403, 404 (unknown or deleted; docs/decisions/types.md)
 */
export async function userOfForm(scope: Scope, userId: number): Promise<UserRow> {
  const user = await userOrDeleted(scope, userId);
  if (user.deleted) throw notFound();
  return user;
}

/**
 * Like the function above, but also returns deleted users.
 * @throws PorticoError 403, 404 (unknown)
 */
export async function userOrDeleted(scope: Scope, userId: number): Promise<UserRow> {
  mustManageUsers(scope.actor);
  const user = await readUser(scope.db, userId);
  if (!user) throw notFound();
  return user;
}

/** The caller. They existed when the request began; if they were deleted since, their sign-in has ended. */
export async function caller(scope: Scope): Promise<UserRow> {
  const user = await readUser(scope.db, scope.actor.userId);
  if (!user || user.deleted) {
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } });
  }
  return user;
}

/**
 * Returns a user whom an administrator may change, within a write.
 * @throws PorticoError 403 (no manageUsers, a system account, a right that the caller lacks), 404
 * (unknown or deleted)
 */
export async function administeredUser(write: WriteScope, userId: number): Promise<UserRow> {
  mustManageUsers(write.actor);
  const user = await readUser(write.tx, userId);
  if (!user || user.deleted) throw notFound();
  mustNotBeSystem(user);
  await mustHoldRightsOfUser(write, userId);
  return user;
}
