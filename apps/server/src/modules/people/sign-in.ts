/**
 * Sign-in of people with a user name (or contact address) and a password. An unknown account, one that may not sign in and a
 * wrong password get the same answer after the same work: one hash.
 */
import { invalid, PorticoError } from '../../kernel/errors.ts';
import type { FailureLimit } from '../../kernel/failure-limit.ts';
import type { Handlers } from '../../kernel/operations.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import type { AccessTokens, SignIn } from '../auth/index.ts';
import { type PasswordAccount, passwordAccountOf, replacePassword } from './password-accounts.ts';
import { hashPassword, inHashSlot, NO_PASSWORD, passwordError, verifyPassword } from './passwords.ts';

/** Failures for one account within a minute, after which it is refused until the minute is over. */
export const ACCOUNT_FAILURES = 10;

/** @param failures counts failed sign-ins by account; see {@link ACCOUNT_FAILURES} */
export function signInHandlers(tokens: AccessTokens, failures: FailureLimit) {
  return {
    createAccessTokenByCredentials: async ({ scope, body }) => {
      const login = body?.username?.trim();
      if (!login)
        throw invalid('username', 'REQUIRED_FIELD', 'username is required: a user name or an e-mail address.');
      if (!body?.password) throw invalid('password', 'REQUIRED_FIELD', 'password is required.');
      const credentials = { login, password: body.password, newPassword: body.newPassword || undefined };
      return { accessToken: await tokens.signIn(scope, await acceptPassword(scope, credentials, failures)) };
    },
  } satisfies Handlers;
}

interface Credentials {
  /** User name or contact address. */
  login: string;
  password: string;
  /** Takes the place of the present password. */
  newPassword: string | undefined;
}

/**
 * Checks a password, and replaces it where another one is sent.
 * @throws PorticoError INVALID_CREDENTIALS (401); RATE_LIMITED (429) after too many of these for the account; UNAVAILABLE (503)
 * @throws ValidationError on `newPassword`: missing where the password must be changed, sent by who may not change it, or not acceptable
 */
async function acceptPassword(scope: TenantScope, credentials: Credentials, failures: FailureLimit): Promise<SignIn> {
  const { login, password, newPassword } = credentials;
  const account = await passwordAccountOf(scope.db, login);
  // User name and address of one account are counted together; what names no account, by itself.
  const counted = `${scope.tenant.id} ${account?.userId ?? `? ${login.toLowerCase()}`}`;
  const accepted = await inHashSlot(async () => {
    // Within the slot, so that many attempts at once are not all let through before the first has failed.
    failures.check(counted, scope.clock.now());
    const matches = await verifyPassword(password, account?.passwordHash ?? NO_PASSWORD);
    if (matches && account) return account;
    failures.note(counted, scope.clock.now());
    throw refused(account?.userId);
  });
  if (accepted.passwordExpired || newPassword !== undefined) return changePassword(scope, accepted, credentials);
  return { userId: accepted.userId, keyId: null, sessionVersion: accepted.sessionVersion };
}

async function changePassword(
  scope: TenantScope,
  account: PasswordAccount,
  { password, newPassword }: Credentials,
): Promise<SignIn> {
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
  const hash = await hashPassword(newPassword);
  const sessionVersion = await replacePassword(scope.db, account, hash, scope.clock.now());
  // Somebody else has changed it meanwhile, or ended what this sign-in began with.
  if (sessionVersion === undefined) throw refused(account.userId);
  return { userId: account.userId, keyId: null, sessionVersion };
}

/** @param account that was named, where there is one */
function refused(account: number | undefined): PorticoError {
  return new PorticoError('INVALID_CREDENTIALS', {
    headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' },
    account,
  });
}
