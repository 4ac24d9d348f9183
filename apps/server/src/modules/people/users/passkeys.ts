/**
 * Passkeys: a passkey alone signs a person in; its authenticator unlocks it by a PIN or biometrics.
 * Challenges are signed by the tenant and not stored, so that requesting one costs nothing; a
 * challenge has one purpose, expires, and is accepted once. The same accounts may sign in by
 * passkey as with a password.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type ConfirmPasskeyResponse,
  type ListPasskeysResponse,
  mostPasskeys,
  type Passkey,
  type PasskeyOptionsResponse,
} from '@portico/contract';
import {
  namedCredential,
  type PasskeySite,
  passkeyCreationOptions,
  passkeyRequestOptions,
  verifyMadePasskey,
  verifyPasskeyUse,
} from '@portico/platform/webauthn';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, invalid, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import type { SignIn } from '../auth/access-tokens.ts';
import { failuresKey } from '../auth/failed-confirmation.ts';
import { deleteSessions, markConfirmed } from '../auth/sessions.repository.ts';
import { mustBePassword } from './confirm-password.ts';
import { mustAcceptOwnSignIn } from './own-sign-in.ts';
import {
  deletePasskey,
  insertPasskey,
  notePasskeyUse,
  passkeyAccountOf,
  readPasskeys,
  updatePasskeyName,
  useChallenge,
} from './passkeys.repository.ts';
import { type PasswordAccount, passwordAccountById } from './password-accounts.ts';

const CHALLENGE_MS = 300_000;
const CHALLENGE_BYTES = 16;
const SIGN_IN = 'passkey-sign-in';

interface Challenge {
  random: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Signing context of a challenge for a new passkey. */
const creationBy = (userId: number) => `passkey-creation ${userId}`;
const handleOf = (scope: TenantScope, userId: number) => `${scope.tenant.id}.${userId}`;
const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest();

/**
 * Returns the site of passkeys. On localhost the port comes from the request: in development, the
 * port of a proxy before the service.
 */
function siteOf({ ownAddress, baseUrl, tenant }: TenantScope): PasskeySite {
  const own = new URL(ownAddress ?? baseUrl);
  const asked = new URL(baseUrl);
  const address = own.hostname === 'localhost' && asked.hostname === 'localhost' ? asked.origin : own.origin;
  return { address, name: tenant.displayName };
}

function newChallenge(scope: TenantScope, purpose: string): { challenge: string; expiresAt: number } {
  const expiresAt = scope.clock.now() + CHALLENGE_MS;
  const random = randomBytes(CHALLENGE_BYTES).toString('base64url');
  return { challenge: scope.settings.opaqueTokens.sign(purpose, { random, expiresAt }), expiresAt };
}

/** Reads the challenge that was signed, which the library names while it checks the answer. */
function challengeReader(scope: TenantScope, purpose: string) {
  let accepted: { hash: Buffer; expiresAt: number } | undefined;
  return {
    accepts: (challenge: string) => {
      const read = scope.settings.opaqueTokens.verify<Challenge>(purpose, challenge);
      if (!read || read.expiresAt <= scope.clock.now()) return false;
      accepted = { hash: hashOf(challenge), expiresAt: read.expiresAt };
      return true;
    },
    /** Uses the challenge that was accepted. @returns false when it was used before */
    use: async (db: Parameters<typeof useChallenge>[0]) =>
      accepted !== undefined && useChallenge(db, accepted.hash, accepted.expiresAt),
  };
}

/** Returns the passkeys of a person, the oldest first. */
export async function listPasskeys(scope: Scope, userId: number): Promise<ListPasskeysResponse> {
  const passkeys = await readPasskeys(scope.db, userId);
  return {
    passkeys: passkeys.map(
      ({ id, name, transports, synced, createdAt, lastUsedAt }): Passkey => ({
        id,
        name,
        transports,
        synced,
        creationTimestamp: createdAt,
        lastUseTimestamp: lastUsedAt ?? undefined,
      }),
    ),
  };
}

/**
 * Returns the options with which a browser creates a passkey (operation startPasskey).
 * @throws PorticoError 403 for accounts that do not sign in with a password; RATE_LIMITED (429);
 * CONFLICT (409) at the maximum number of passkeys
 * @throws ValidationError for a wrong password
 */
export async function startPasskey(
  scope: Scope,
  password: string,
  failures: FailureLimit,
): Promise<PasskeyOptionsResponse> {
  const { userId } = scope.actor;
  const account = await mustHavePassword(scope);
  await mustBePassword(scope, account, password, failures);
  const present = await readPasskeys(scope.db, userId);
  mustHaveRoom(present.length);
  const { challenge, expiresAt } = newChallenge(scope, creationBy(userId));
  const user = { handle: handleOf(scope, userId), name: account.username ?? String(userId) };
  const existing = present.map(({ credentialId }) => credentialId);
  return {
    options: await passkeyCreationOptions(siteOf(scope), user, challenge, existing),
    expirationTimestamp: expiresAt,
  };
}

/**
 * Stores a created passkey (operation confirmPasskey).
 * @throws PorticoError 403 for accounts that do not sign in with a password; CONFLICT (409) if it
 * is stored already, or at the maximum number of passkeys
 * @throws ValidationError on `credential` unless it answers a challenge of the caller that was not
 * answered before
 */
export async function confirmPasskey(scope: Scope, name: string, credential: string): Promise<ConfirmPasskeyResponse> {
  const { userId } = await mustHavePassword(scope);
  const challenge = challengeReader(scope, creationBy(userId));
  const made = await verifyMadePasskey(siteOf(scope), credential, challenge.accepts);
  if (!made) throw notAccepted();
  return writeTransaction(scope, 'access', async (write) => {
    mustHaveRoom((await readPasskeys(write.tx, userId)).length);
    const passkeyId = await insertPasskey(write.tx, userId, name, made, write.now);
    if (passkeyId === undefined)
      throw new PorticoError('CONFLICT', { message: 'This passkey is there already; make another one.' });
    if (!(await challenge.use(write.tx))) throw notAccepted();
    if (scope.sessionId !== undefined) await markConfirmed(write.tx, scope.sessionId);
    return { passkeyId };
  });
}

/**
 * Renames a passkey of the caller (operation renamePasskey).
 * @throws PorticoError 404 for a passkey of another account
 */
export async function renamePasskey(scope: Scope, passkeyId: number, name: string): Promise<void> {
  await writeTransaction(scope, 'access', async ({ tx, actor }) => {
    if (!(await updatePasskeyName(tx, actor.userId, passkeyId, name.trim()))) throw notFound();
  });
}

/**
 * Deletes a passkey of the caller, and ends their other sessions (operation removePasskey).
 * @throws PorticoError 404 for a passkey of another account; 403 for accounts that do not sign in
 * with a password; RATE_LIMITED (429)
 * @throws ValidationError for a wrong password
 */
export async function removePasskey(
  scope: Scope,
  passkeyId: number,
  password: string,
  failures: FailureLimit,
): Promise<void> {
  const { userId } = scope.actor;
  if (!(await readPasskeys(scope.db, userId)).some(({ id }) => id === passkeyId)) throw notFound();
  await mustBePassword(scope, await mustHavePassword(scope), password, failures);
  await writeTransaction(scope, 'access', async ({ tx }) => {
    if (!(await deletePasskey(tx, userId, passkeyId))) throw notFound();
    await deleteSessions(tx, userId, { except: scope.sessionId ?? null });
  });
}

/**
 * Returns the options with which a browser signs in by a passkey (operation startPasskeySignIn).
 */
export async function startPasskeySignIn(scope: TenantScope): Promise<PasskeyOptionsResponse> {
  const { challenge, expiresAt } = newChallenge(scope, SIGN_IN);
  return { options: await passkeyRequestOptions(siteOf(scope), challenge), expirationTimestamp: expiresAt };
}

/**
 * Checks a sign-in by a passkey. Whatever is wrong, the answer is the same.
 * @param owner the account that must have the passkey, where it is a second factor; its failures are counted
 * @throws PorticoError INVALID_CREDENTIALS (401); RATE_LIMITED (429) after too many of these for the account
 */
export async function acceptPasskey(
  scope: TenantScope,
  credential: string,
  failures: FailureLimit,
  owner?: number,
): Promise<SignIn> {
  const named = namedCredential(credential);
  const account = named === undefined ? undefined : await passkeyAccountOf(scope.db, named);
  if (!account || (owner !== undefined && account.userId !== owner)) {
    if (owner !== undefined) await countFailure(scope, owner, failures);
    throw refused(owner);
  }
  const { userId, sessionVersion, breakGlass } = account;
  const counted = failuresKey(scope, userId);
  const now = scope.clock.now();
  await failures.check(counted, now);
  const challenge = challengeReader(scope, SIGN_IN);
  const handle = handleOf(scope, userId);
  const use = await verifyPasskeyUse(siteOf(scope), account, handle, credential, challenge.accepts);
  const accepted =
    use !== undefined &&
    (await scope.db.transaction(
      async (tx) => (await challenge.use(tx)) && (await notePasskeyUse(tx, account.id, use, now)),
    ));
  if (accepted) {
    // As a second factor it accompanies a password, which has its own check.
    if (owner === undefined) mustAcceptOwnSignIn(scope, account);
    return { userId, keyId: null, sessionVersion, breakGlass };
  }
  await failures.note(counted, now);
  throw refused(userId);
}

/** @throws PorticoError RATE_LIMITED (429) after too many failures of the account */
async function countFailure(scope: TenantScope, userId: number, failures: FailureLimit): Promise<void> {
  const now = scope.clock.now();
  await failures.check(failuresKey(scope, userId), now);
  await failures.note(failuresKey(scope, userId), now);
}

async function mustHavePassword(scope: Scope): Promise<PasswordAccount> {
  const account = await passwordAccountById(scope.db, scope.actor.userId);
  if (!account) throw forbidden('Only people who sign in with a password have passkeys.');
  return account;
}

function mustHaveRoom(present: number): void {
  if (present >= mostPasskeys)
    throw new PorticoError('CONFLICT', { message: `A person has at most ${mostPasskeys} passkeys; remove one first.` });
}

function notAccepted(): Error {
  return invalid(
    'credential',
    'INVALID_VALUE',
    'This is no answer to options of yours that are still valid; begin again with startPasskey.',
  );
}

/** @param account holder of the passkey, if known */
function refused(account: number | undefined): PorticoError {
  return new PorticoError('INVALID_CREDENTIALS', { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' }, account });
}
