/** Profile and credentials of a person, without secrets, for the archive about them. */
import type { Scope } from '../../../kernel/scope.ts';
import { mustNotBeSystem } from './people.policy.ts';
import { presentCredentialsForm, presentUserForm } from './people.presenter.ts';
import { readUser } from './users.repository.ts';
import { loadUserViews } from './views.ts';

/**
 * @returns undefined for an unknown or erased user
 * @throws PorticoError 403 for the system account
 */
export async function describePerson(
  scope: Scope,
  userId: number,
): Promise<{ profile: object; credentials: object } | undefined> {
  const user = await readUser(scope.db, userId);
  if (!user || user.erasedAt !== null) return undefined;
  mustNotBeSystem(user);
  const views = await loadUserViews(scope, scope.db, user.managerId === null ? [] : [user.managerId]);
  const { occToken: _form, ...profile } = presentUserForm(user, views.get(user.managerId ?? 0), scope);
  const { occToken: _credentials, ...credentials } = presentCredentialsForm(user, scope);
  return { profile, credentials };
}
