/**
 * The break-glass administrator: one account of a tenant that signs in with a password and an
 * authenticator app even when sign-in by an identity provider is required or no provider responds.
 * The operator creates it; it cannot be changed over the API.
 */
import { randomBytes } from 'node:crypto';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { newTotpSecret, presentTotpSecret } from '@portico/platform/totp';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createUserRecord } from './accounts.ts';
import { deletePasskeys } from './passkeys.repository.ts';
import { generatePassword, hashPassword } from './passwords.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import {
  confirmTotpFactor,
  deleteTotpFactor,
  insertTotpFactor,
  placeOfTotpSecret,
  replaceRecoveryCodes,
} from './totp.repository.ts';
import { readUser, updateUser } from './users.repository.ts';

/** A user name that nobody can guess: failed sign-ins of a known one would keep its holder out (`ACCOUNT_FAILURES`). */
const newUsername = () => `break-glass-${randomBytes(6).toString('hex')}`;

/** Secrets of the account, shown once after it is created or renewed. */
export interface BreakGlassSecrets {
  userId: number;
  username: string;
  password: string;
  /** Secret of the authenticator app, in base32 and as a URI for apps. */
  totpSecret: string;
  totpUri: string;
  recoveryCodes: string[];
}

/** State of the account. */
export interface BreakGlassAccount {
  userId: number;
  username: string;
  /** True when the operator has withdrawn it. */
  withdrawn: boolean;
  /** Time at which the current password was set. Epoch milliseconds, like the other times. */
  renewedAt: number;
  recoveryCodesLeft: number;
  /** Latest sign-ins, the newest first, at most ten. */
  signIns: { at: number; address: string | null }[];
}

/**
 * Creates the account of the tenant. For an existing account, replaces its secrets, which ends its
 * sessions and reactivates a withdrawn account.
 */
export async function makeBreakGlass(scope: Scope): Promise<BreakGlassSecrets> {
  const password = generatePassword();
  const username = newUsername();
  const hash = await hashPassword(password);
  return writeTransaction(scope, 'access', async (write) => {
    const { tx, now } = write;
    const userId =
      (await idOf(tx)) ??
      (await createUserRecord(write, {
        lastName: 'Break-glass administrator',
        breakGlass: true,
        managesUsers: true,
        managesWorkplace: true,
        customUsername: username,
        customActive: true,
        visibleInPeopleSection: false,
        emailNotifications: false,
      }));
    const current = (await readUser(tx, userId))!;
    await updateUser(
      { tx, now, by: write.actor.userId },
      current,
      { blocked: false, customUsername: username },
      { token: 'credentials_version' },
      hash,
    );
    await deletePasskeys(tx, userId);
    await deleteTotpFactor(tx, userId);
    const secret = newTotpSecret();
    await insertTotpFactor(tx, userId, scope.sealer.seal(secret, placeOfTotpSecret(tx.tenantId, userId)), now);
    await confirmTotpFactor(tx, userId, 0, now);
    const { codes: recoveryCodes, hashes } = newRecoveryCodes();
    await replaceRecoveryCodes(tx, userId, hashes);
    const app = presentTotpSecret(secret, username, scope.tenant.displayName);
    return { userId, username, password, totpSecret: app.secret, totpUri: app.uri, recoveryCodes };
  });
}

/**
 * Blocks the account and ends its sessions.
 * @returns its id, or undefined without such an account
 */
export async function withdrawBreakGlass(scope: Scope): Promise<number | undefined> {
  return writeTransaction(scope, 'access', async (write) => {
    const userId = await idOf(write.tx);
    const current = userId === undefined ? undefined : await readUser(write.tx, userId);
    if (!current) return undefined;
    const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
    await updateUser(writing, current, { blocked: true }, { token: 'version' });
    return current.id;
  });
}

/** The account of the tenant, and when it was used. */
export async function readBreakGlass({ db }: Scope): Promise<BreakGlassAccount | undefined> {
  const [account] = await db.query<Omit<BreakGlassAccount, 'signIns'>>(
    `SELECT u.id AS "userId", u.custom_username AS username, u.blocked AS withdrawn, u.credentials_modified_at AS "renewedAt",
            (SELECT count(*) FROM recovery_codes c WHERE c.tenant_id = $1 AND c.user_id = u.id) AS "recoveryCodesLeft"
       FROM users u WHERE u.tenant_id = $1 AND u.break_glass AND u.deleted_at IS NULL`,
    [db.tenantId],
  );
  if (!account) return undefined;
  const signIns = await db.query<BreakGlassAccount['signIns'][number]>(
    `SELECT at, address FROM audit_entries WHERE tenant_id = $1 AND actor_id = $2 AND action = 'signedIn' ORDER BY at DESC, id DESC LIMIT 10`,
    [db.tenantId, account.userId],
  );
  return { ...account, signIns };
}

async function idOf(db: TenantExecutor): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(
    'SELECT id FROM users WHERE tenant_id = $1 AND break_glass AND deleted_at IS NULL',
    [db.tenantId],
  );
  return row?.id;
}
