/**
 * Authenticator apps (TOTP) as second factor of sign-ins with a password, and recovery codes for
 * people who lost their device. A code is accepted once. Wrong codes count as failed sign-ins of
 * the account.
 *
 * Writes of people to their own account run as `access`, which admits one write at a time: writes
 * that run as `none` all lock the caller's row in share mode first, and would then wait for each
 * other to change it.
 */
import type { ConfirmTotpResponse, StartTotpResponse, TotpResponse } from '@portico/contract';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import { newTotpSecret, presentTotpSecret, totpStep } from '@portico/platform/totp';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { forbidden, invalid, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { failedConfirmation, failuresKey } from '../auth/failed-confirmation.ts';
import { requiresSecondFactor } from '../auth/required-second-factor.ts';
import { deleteSessions, markConfirmed } from '../auth/sessions.repository.ts';
import { mustBePassword } from './confirm-password.ts';
import { administeredUser } from './open-user.ts';
import { deletePasskeys } from './passkeys.repository.ts';
import { passwordAccountById } from './password-accounts.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { compact, hashOfCode, newRecoveryCodes } from './recovery-codes.ts';
import {
  confirmTotpFactor,
  countCodeAttempt,
  deleteTotpFactor,
  forgetCodeAttempts,
  insertTotpFactor,
  placeOfTotpSecret,
  readCodeAttempts,
  readTotpFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeTotpStep,
} from './totp.repository.ts';

export const WRONG_CODE = 'This code is wrong, expired or already used. Send the one that the app shows now.';

/** Returns the state of a person's authenticator app. */
export async function getTotp(scope: Scope, userId: number): Promise<TotpResponse> {
  const factor = await readTotpFactor(scope.db, userId);
  const active = factor !== undefined && factor.confirmedAt !== null;
  return { active, recoveryCodesLeft: active ? factor.recoveryCodesLeft : undefined };
}

/**
 * Starts to set up an authenticator app (operation startTotp); sign-ins need no code until it is
 * confirmed. An account that signs in by a provider only, and that needs a second factor in this
 * tenant, has no password to send.
 * @throws PorticoError 403 for other accounts without password; RATE_LIMITED (429); CONFLICT (409)
 * if an app is set up
 * @throws ValidationError for a wrong or missing password
 */
export async function startTotp(
  scope: Scope,
  password: string | undefined,
  failures: FailureLimit,
): Promise<StartTotpResponse> {
  const { userId } = scope.actor;
  const account = await passwordAccountById(scope.db, userId);
  if (account) {
    if (!password?.trim()) throw invalid('password', 'REQUIRED_FIELD', 'password is required.');
    await mustBePassword(scope, account, password, failures);
  } else if (!requiresSecondFactor(scope, scope.actor))
    throw forbidden('Only people who sign in with a password can set up an authenticator app.');
  const secret = newTotpSecret();
  return writeTransaction(scope, 'access', async (write) => {
    const sealed = scope.sealer.seal(secret, placeOfTotpSecret(write.tx.tenantId, userId));
    if (!(await insertTotpFactor(write.tx, userId, sealed, write.now))) throw alreadySetUp();
    return presentTotpSecret(secret, account?.username ?? String(userId), scope.tenant.displayName);
  });
}

/**
 * Confirms the authenticator app by a code that it shows (operation confirmTotp). From now on,
 * sign-ins with the password need a code.
 * @returns recovery codes, which are shown only once
 * @throws PorticoError 404 if no app was started, 409 if one is confirmed already; 429
 * @throws ValidationError for a wrong code
 */
export async function confirmTotp(scope: Scope, code: string, failures: FailureLimit): Promise<ConfirmTotpResponse> {
  const { userId } = scope.actor;
  const counted = failuresKey(scope, userId);
  return writeTransaction(scope, 'access', async (write) => {
    const factor = await readTotpFactor(write.tx, userId, 'FOR UPDATE');
    if (!factor) throw notFound();
    if (factor.confirmedAt !== null) throw alreadySetUp();
    await failures.check(counted, scope.clock.now());
    const secret = scope.sealer.open(factor.sealedSecret, placeOfTotpSecret(write.tx.tenantId, userId));
    const step = totpStep(secret, compact(code), write.now);
    if (step === undefined) {
      await failures.note(counted, scope.clock.now());
      throw failedConfirmation(userId, 'code', WRONG_CODE);
    }
    await confirmTotpFactor(write.tx, userId, step, write.now);
    const { codes: recoveryCodes, hashes } = newRecoveryCodes();
    await replaceRecoveryCodes(write.tx, userId, hashes);
    if (scope.sessionId !== undefined) await markConfirmed(write.tx, scope.sessionId);
    return { recoveryCodes };
  });
}

/**
 * Removes the caller's authenticator app, and ends their other sessions (operation removeTotp).
 * @throws PorticoError 404 without an app; 429
 * @throws ValidationError for a wrong code
 */
export async function removeTotp(scope: Scope, code: string, failures: FailureLimit): Promise<void> {
  const { userId } = scope.actor;
  await writeTransaction(scope, 'access', async (write) => {
    const factor = await readTotpFactor(write.tx, userId, 'FOR UPDATE');
    if (!factor) throw notFound();
    const inTransaction = { ...scope, db: write.tx };
    if (factor.confirmedAt !== null && !(await acceptCode(inTransaction, userId, factor.sealedSecret, code, failures)))
      throw failedConfirmation(userId, 'code', WRONG_CODE);
    const account = await passwordAccountById(write.tx, userId);
    if (account) mustNotBeSystem({ systemAccount: false, breakGlass: account.breakGlass });
    await deleteTotpFactor(write.tx, userId);
    await deleteSessions(write.tx, userId, { except: scope.sessionId ?? null });
  });
}

/**
 * Removes the authenticator app and the passkeys of a person who lost them, and ends their sessions (operation removeUserTotp).
 * @throws PorticoError 403 without manageUsers or a right that the person holds; 404 for an unknown person
 */
export async function removeUserTotp(scope: Scope, userId: number): Promise<void> {
  mustManageUsers(scope.actor);
  // Runs as `access`: the flag of a second factor is stored with the person's rights.
  await writeTransaction(scope, 'access', async (write) => {
    await administeredUser(write, userId);
    await deleteTotpFactor(write.tx, userId);
    await deletePasskeys(write.tx, userId);
    await deleteSessions(write.tx, userId, { except: null });
  });
}

/**
 * Uses up a code of the app, or a recovery code. A wrong one is counted as a failed sign-in.
 * @returns false when it is wrong or was used before
 * @throws PorticoError RATE_LIMITED (429) after too many failures
 */
export async function acceptCode(
  scope: Pick<TenantScope, 'tenant' | 'clock' | 'sealer' | 'db'>,
  userId: number,
  sealedSecret: Buffer,
  code: string,
  failures: FailureLimit,
): Promise<boolean> {
  const counted = failuresKey(scope, userId);
  const now = scope.clock.now();
  await failures.check(counted, now);
  await countAttempt(scope.db, userId, now);
  const text = compact(code);
  let taken: boolean;
  if (/^\d{6}$/.test(text)) {
    const secret = scope.sealer.open(sealedSecret, placeOfTotpSecret(scope.tenant.id, userId));
    const step = totpStep(secret, text, now);
    taken = step !== undefined && (await takeTotpStep(scope.db, userId, step));
  } else taken = await useRecoveryCode(scope.db, userId, hashOfCode(text));
  if (taken) await forgetCodeAttempts(scope.db, userId);
  else await failures.note(counted, now);
  return taken;
}

/** Takes a recovery code. That one was used for a sign-in is recorded; where it removes the app, that is. */
async function useRecoveryCode(db: TenantDb, userId: number, hash: Buffer): Promise<boolean> {
  if (db.inTransaction) return takeRecoveryCode(db, userId, hash);
  return db.transaction(async (tx) => {
    if (!(await takeRecoveryCode(tx, userId, hash))) return false;
    const factor = await readTotpFactor(tx, userId);
    const after = { recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0 };
    await insertEntries(tx, { ...tx.caller, userId }, [
      { action: 'modified', object: 'user', objectId: userId, after },
    ]);
    return true;
  });
}

/** Wrong codes in a row that are followed by no wait. */
const FREE_CODES = 9;
/** The wait after the next wrong code; it doubles with each further one. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Counts an attempt in the database, visible to all nodes: an attacker with the password can guess
 * some thirty codes a day. If the transaction is rolled back after a wrong code, this count is
 * lost; the limit of failures per minute applies there too.
 * @throws PorticoError RATE_LIMITED (429) with the seconds to wait in Retry-After
 */
async function countAttempt(db: TenantExecutor, userId: number, now: number): Promise<void> {
  for (;;) {
    const before = await readCodeAttempts(db, userId);
    if (!before) return;
    if (before.refusedUntil !== null && before.refusedUntil > now) {
      const seconds = Math.max(1, Math.ceil((before.refusedUntil - now) / 1000));
      throw new PorticoError('RATE_LIMITED', {
        message: `Too many wrong codes. Retry in ${seconds} seconds.`,
        headers: { 'Retry-After': String(seconds) },
      });
    }
    const doublings = before.failed - FREE_CODES;
    const wait = doublings < 0 ? null : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(doublings, 10));
    if (await countCodeAttempt(db, userId, before, wait === null ? null : now + wait)) return;
  }
}

function alreadySetUp(): PorticoError {
  return new PorticoError('CONFLICT', { message: 'An authenticator app is set up already; remove it first.' });
}
