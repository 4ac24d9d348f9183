/** The users that single reads are about: the one whose form is opened, and the caller. */
import { notFound, PorticoError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { mustManageUsers } from './people.policy.ts';
import { readUser, type UserRow } from './users.repository.ts';

/** A user whose form may be opened. @throws PorticoError 403, 404 (unknown or deleted; docs/decisions/types.md) */
export async function userOfForm(scope: Scope, userId: number): Promise<UserRow> {
  mustManageUsers(scope.actor);
  const user = await readUser(scope.db, userId);
  if (!user || user.deleted) throw notFound();
  return user;
}

/** The caller. They were there when the request began; if they are gone since, so is their sign-in. */
export async function caller(scope: Scope): Promise<UserRow> {
  const user = await readUser(scope.db, scope.actor.userId);
  if (!user || user.deleted) {
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } });
  }
  return user;
}
