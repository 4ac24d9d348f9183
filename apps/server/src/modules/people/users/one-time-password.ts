/** Passwords that are valid for one sign-in, at which their holder chooses another one. */
import { writeTransaction } from '../../../kernel/access/index.ts';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { administeredUser } from './open-user.ts';
import { generatePassword, hashPassword } from './passwords.ts';
import { mustManageUsers } from './people.policy.ts';
import { updateUser } from './users.repository.ts';

export interface OneTimePassword {
  username: string;
  /** Kept nowhere else. */
  password: string;
}

/**
 * Replaces the password of an account with a user name by a generated one, which must be changed at
 * the next sign-in.
 * @throws PorticoError 403 without manageUsers or a right that the account holds; 404 (unknown or
 * deleted); 409 when another request edits its credentials at the same time
 * @throws ValidationError for an account without a user name
 */
export async function giveOneTimePassword(scope: Scope, userId: number): Promise<OneTimePassword> {
  mustManageUsers(scope.actor);
  const password = generatePassword();
  const hash = await hashPassword(password);
  return writeTransaction(scope, 'none', async (write) => {
    const current = await administeredUser(write, userId);
    const username = current.customUsername;
    if (username === null) throw invalid('userId', 'INVALID_VALUE', 'This account has no user name.');
    const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
    const guard = { token: 'credentials_version', expected: current.credentialsVersion } as const;
    // The read holds no lock: an edit in between raises the token.
    if ((await updateUser(writing, current, { passwordExpired: true }, guard, hash)) === undefined)
      throw new PorticoError('CONFLICT');
    return { username, password };
  });
}
