/** SQL of accounts that sign in with a password. */
import { createHash } from 'node:crypto';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';

/** An account that may sign in with a password, as one statement read it. */
export interface PasswordAccount {
  userId: number;
  sessionVersion: number;
  passwordHash: string;
  /** True when the password must be changed before it can be used to sign in. */
  passwordExpired: boolean;
  /** Whether the user may change a password that has not expired. */
  mayChangePassword: boolean;
  username: string | null;
  /** The break-glass administrator. */
  breakGlass: boolean;
  /** Encrypted secret of the required authenticator app; null without one. */
  totpSecret: Buffer | null;
}

/**
 * SQL condition of accounts that may sign in with a password. Service accounts sign in by their
 * keys, the system account not at all.
 */
export const maySignInSql = `custom_active AND password_hash IS NOT NULL AND deleted_at IS NULL AND NOT blocked
  AND NOT service_account AND NOT system_account`;

const ACCOUNT_COLUMNS = `u.id AS "userId", u.session_version AS "sessionVersion", u.password_hash AS "passwordHash",
  u.password_expired AS "passwordExpired", u.custom_can_manage AS "mayChangePassword", u.custom_username AS username, u.break_glass AS "breakGlass",
  f.sealed_secret AS "totpSecret"`;
const ACCOUNTS = `users u LEFT JOIN totp_factors f
  ON f.tenant_id = u.tenant_id AND f.user_id = u.id AND f.confirmed_at IS NOT NULL`;

/**
 * Returns the key under which attempts to sign in are counted: folded like in
 * {@link passwordAccountOf}, so that neither other letters nor the response reveal the existing
 * accounts. It is a hash, so that a long text takes no more memory than a short one.
 */
export async function countedLogin(db: TenantExecutor, login: string): Promise<string> {
  const [row] = await db.query<{ folded: string }>(
    'SELECT lower($2::text) AS folded FROM tenant_versions WHERE tenant_id = $1',
    [db.tenantId, login],
  );
  return `${db.tenantId} ? ${createHash('sha256').update(row!.folded).digest('base64url')}`;
}

/**
 * Finds the account that signs in by a name. If a text is the contact address of one account and
 * the user name of another, returns the former: an earlier version allowed such user names.
 * @param login contact address, or else user name, in any case
 * @returns undefined when no account matches
 */
export async function passwordAccountOf(db: TenantExecutor, login: string): Promise<PasswordAccount | undefined> {
  const [account] = await db.query<PasswordAccount>(
    `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNTS}
      WHERE u.tenant_id = $1 AND (custom_username_folded = lower($2) OR contact_email_folded = lower($2)) AND ${maySignInSql}
      ORDER BY contact_email_folded IS NOT DISTINCT FROM lower($2) DESC LIMIT 1`,
    [db.tenantId, login],
  );
  return account;
}

/** @returns undefined when the user may not sign in with a password */
export async function passwordAccountById(db: TenantExecutor, userId: number): Promise<PasswordAccount | undefined> {
  const [account] = await db.query<PasswordAccount>(
    `SELECT ${ACCOUNT_COLUMNS} FROM ${ACCOUNTS} WHERE u.tenant_id = $1 AND u.id = $2 AND ${maySignInSql}`,
    [db.tenantId, userId],
  );
  return account;
}

/**
 * Replaces a password that has expired or that the user may change, and ends all sessions of the
 * account.
 * @param account as it was read; later changes are not overwritten
 * @param now epoch milliseconds
 * @returns the new session version, or undefined when password or session version have changed
 * meanwhile
 */
export async function replacePassword(
  db: TenantDb,
  account: PasswordAccount,
  passwordHash: string,
  now: number,
): Promise<number | undefined> {
  return db.boundTo({ ...db.caller, userId: account.userId }).transaction(async (tx) => {
    const [row] = await tx.changeRows<{ sessionVersion: number }>(
      'users',
      [account.userId],
      `UPDATE users SET password_hash = $3, password_expired = false, session_version = session_version + 1,
              credentials_version = credentials_version + 1, credentials_modified_at = $4, credentials_modified_by = id
        WHERE tenant_id = $1 AND id = $2 AND password_hash = $5 AND session_version = $6
          AND (password_expired OR custom_can_manage) AND ${maySignInSql}
        RETURNING session_version AS "sessionVersion"`,
      [tx.tenantId, account.userId, passwordHash, new Date(now), account.passwordHash, account.sessionVersion],
    );
    return row?.sessionVersion;
  });
}
