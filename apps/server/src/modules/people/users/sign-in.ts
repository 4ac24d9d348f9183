/**
 * Sign-in of people with a user name (or contact address) and a password. An unknown account, an
 * account that may not sign in and a wrong password get the same response after the same work: one
 * hash.
 */

import type { CreateAccessTokenByCredentialsRequest } from '@portico/contract';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import type { SignIn } from '../auth/access-tokens.ts';
import { factorStateOf } from '../auth/required-second-factor.ts';
import { mustAcceptOwnSignIn } from './own-sign-in.ts';
import { acceptPasskey } from './passkeys.ts';
import { countedLogin, type PasswordAccount, passwordAccountOf, replacePassword } from './password-accounts.ts';
import { hashPassword, inHashSlot, NO_PASSWORD, passwordError, verifyPassword } from './passwords.ts';
import { acceptCode } from './totp.ts';

/** Failures for one user name or address within a minute, after which it is refused until the minute is over. */
export const ACCOUNT_FAILURES = 10;

/** @throws ValidationError without user name or password */
export function readCredentials(scope: TenantScope, body: Partial<CreateAccessTokenByCredentialsRequest>): Credentials {
  const { username, password } = requireFields(scope, body);
  return {
    login: username.trim(),
    password,
    newPassword: body.newPassword || undefined,
    code: body.secondFactorCode,
    passkey: body.secondFactorPasskey,
  };
}

interface Credentials {
  /** User name or contact address. */
  login: string;
  password: string;
  /** Takes the place of the present password. */
  newPassword: string | undefined;
  /** Code of the authenticator app, or a recovery code. */
  code: string | undefined;
  /** Response of a passkey, in place of a code. */
  passkey: string | undefined;
}

/**
 * Checks a password, and replaces it if the request sends a new one.
 * @throws PorticoError INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED (401); RATE_LIMITED (429) after
 * too many of these for the name; UNAVAILABLE (503)
 * @throws ValidationError on `newPassword`: missing although the password must be changed, sent by
 * a user who cannot change it, or not acceptable
 */
export async function acceptPassword(
  scope: TenantScope,
  credentials: Credentials,
  failures: FailureLimit,
): Promise<SignIn> {
  const { login, password, newPassword } = credentials;
  const account = await passwordAccountOf(scope.db, login);
  const counted = await countedLogin(scope.db, login);
  const accepted = await inHashSlot(scope.db.caller.origin?.address, async () => {
    // Within the slot, so that many attempts at once are not all let through before the first has failed.
    await failures.check(counted, scope.clock.now());
    const matches = await verifyPassword(password, account?.passwordHash ?? NO_PASSWORD);
    if (matches && account) return account;
    await failures.note(counted, scope.clock.now());
    throw refused(account?.userId);
  });
  mustAcceptOwnSignIn(scope, accepted);
  const changes = accepted.passwordExpired || newPassword !== undefined;
  // Before the code is used up: a retry with a better password could not use the same code again.
  if (changes) checkNewPassword(accepted, credentials);
  await mustPassSecondFactor(scope, accepted, credentials, failures);
  if (changes) return changePassword(scope, accepted, newPassword as string);
  const { userId, sessionVersion, breakGlass } = accepted;
  return { userId, keyId: null, sessionVersion, breakGlass };
}

async function mustPassSecondFactor(
  scope: TenantScope,
  account: PasswordAccount,
  { code, passkey }: Pick<Credentials, 'code' | 'passkey'>,
  failures: FailureLimit,
): Promise<void> {
  const { userId, totpSecret } = account;
  if (totpSecret === null && !(await mustUsePasskey(scope, userId))) return;
  if (passkey?.trim()) {
    await acceptPasskey(scope, passkey, failures, userId);
    return;
  }
  if (totpSecret === null)
    throw new PorticoError('SECOND_FACTOR_REQUIRED', {
      ...unauthenticated,
      account: userId,
      message:
        'A second factor is required. Send with the password secondFactorPasskey: the account has a passkey only.',
    });
  if (!code?.trim()) throw new PorticoError('SECOND_FACTOR_REQUIRED', { ...unauthenticated, account: userId });
  if (!(await acceptCode(scope, userId, totpSecret, code, failures)))
    throw new PorticoError('INVALID_CREDENTIALS', {
      ...unauthenticated,
      account: userId,
      message: 'secondFactorCode is wrong, expired or already used.',
    });
}

/**
 * Returns whether the tenant requires a second factor and the account's only one is a passkey. An
 * account without a second factor is admitted to set one up.
 */
async function mustUsePasskey(scope: TenantScope, userId: number): Promise<boolean> {
  const { required, present } = await factorStateOf(scope, userId);
  return required && present;
}

/** @throws ValidationError when the new password is missing or not acceptable */
function checkNewPassword(account: PasswordAccount, { password, newPassword }: Credentials): void {
  if (newPassword === undefined)
    throw invalid('newPassword', 'REQUIRED_FIELD', 'The password must be changed: send newPassword beside it.');
  if (!account.passwordExpired && !account.mayChangePassword)
    throw invalid(
      'newPassword',
      'INVALID_VALUE',
      'Only an administrator may change this password; leave newPassword out.',
    );
  const error =
    newPassword.normalize('NFC') === password.normalize('NFC')
      ? 'The new password must differ from the present one.'
      : passwordError(newPassword, account.username);
  if (error) throw invalid('newPassword', 'INVALID_VALUE', error);
}

async function changePassword(scope: TenantScope, account: PasswordAccount, newPassword: string): Promise<SignIn> {
  const hash = await hashPassword(newPassword);
  const sessionVersion = await replacePassword(scope.db, account, hash, scope.clock.now());
  // Another request has changed the password meanwhile, or ended the sign-in's basis.
  if (sessionVersion === undefined) throw refused(account.userId);
  return { userId: account.userId, keyId: null, sessionVersion };
}

const unauthenticated = { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } };

/** @param account named account, if it exists */
function refused(account: number | undefined): PorticoError {
  return new PorticoError('INVALID_CREDENTIALS', { ...unauthenticated, account });
}
