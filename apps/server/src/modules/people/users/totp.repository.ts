/** SQL of authenticator apps and recovery codes. */
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { type SealedPlace, sealingKeyIdSql } from '@portico/platform/sealing';

/** Authenticator app; its codes are not required before it is confirmed. */
interface TotpFactor {
  sealedSecret: Buffer;
  /** Epoch milliseconds. */
  confirmedAt: number | null;
  recoveryCodesLeft: number;
}

/** Returns the encryption context of an authenticator app's secret. */
export function placeOfTotpSecret(tenantId: number, userId: number): SealedPlace {
  return { tenantId, table: 'totp_factors', column: 'sealed_secret', row: userId };
}

/** @param lock locks the row for a change @returns undefined if the person has no app */
export async function readTotpFactor(
  db: TenantExecutor,
  userId: number,
  lock: '' | 'FOR UPDATE' = '',
): Promise<TotpFactor | undefined> {
  const [factor] = await db.query<TotpFactor>(
    `SELECT f.sealed_secret AS "sealedSecret", f.confirmed_at AS "confirmedAt",
            (SELECT count(*) FROM recovery_codes c WHERE c.tenant_id = $1 AND c.user_id = $2) AS "recoveryCodesLeft"
       FROM totp_factors f WHERE f.tenant_id = $1 AND f.user_id = $2 ${lock}`,
    [db.tenantId, userId],
  );
  return factor;
}

/**
 * Adds an authenticator app, or replaces an unconfirmed one.
 * @returns false if a confirmed app exists
 */
export async function insertTotpFactor(
  tx: TenantTx,
  userId: number,
  sealedSecret: Buffer,
  now: number,
): Promise<boolean> {
  const written = await tx.change(
    'users',
    [userId],
    `INSERT INTO totp_factors (tenant_id, user_id, sealed_secret, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, created_at = excluded.created_at,
       last_step = 0
     WHERE totp_factors.confirmed_at IS NULL`,
    [tx.tenantId, userId, sealedSecret, new Date(now)],
  );
  return written === 1;
}

/** Confirms an authenticator app whose row is locked. */
export async function confirmTotpFactor(tx: TenantTx, userId: number, step: number, now: number): Promise<void> {
  await tx.sendChange(
    'users',
    [userId],
    'UPDATE totp_factors SET confirmed_at = $4, last_step = $3 WHERE tenant_id = $1 AND user_id = $2',
    [tx.tenantId, userId, step, new Date(now)],
  );
}

/** Wrong codes in a row, and until when no further code is accepted. Epoch milliseconds. */
interface CodeAttempts {
  failed: number;
  refusedUntil: number | null;
}

/** @returns undefined when the person has no authenticator app */
export async function readCodeAttempts(db: TenantExecutor, userId: number): Promise<CodeAttempts | undefined> {
  const [attempts] = await db.query<CodeAttempts>(
    `SELECT failed_codes AS failed, codes_refused_until AS "refusedUntil" FROM totp_factors
      WHERE tenant_id = $1 AND user_id = $2`,
    [db.tenantId, userId],
  );
  return attempts;
}

/**
 * Counts an attempt as failed before its code is checked.
 * @param before the row as read
 * @returns false when another request has counted an attempt meanwhile
 */
export async function countCodeAttempt(
  db: TenantExecutor,
  userId: number,
  before: CodeAttempts,
  refusedUntil: number | null,
): Promise<boolean> {
  const written = await db.execute(
    `UPDATE totp_factors SET failed_codes = $3 + 1, codes_refused_until = $4
      WHERE tenant_id = $1 AND user_id = $2 AND failed_codes = $3`,
    [db.tenantId, userId, before.failed, refusedUntil === null ? null : new Date(refusedUntil)],
  );
  return written === 1;
}

/** Forgets the failed attempts: a code was right. */
export async function forgetCodeAttempts(db: TenantExecutor, userId: number): Promise<void> {
  await db.execute(
    'UPDATE totp_factors SET failed_codes = 0, codes_refused_until = NULL WHERE tenant_id = $1 AND user_id = $2',
    [db.tenantId, userId],
  );
}

/** Uses up the code of a step. @returns false when it, or a later one, was used before */
export async function takeTotpStep(db: TenantExecutor, userId: number, step: number): Promise<boolean> {
  const written = await db.execute(
    `UPDATE totp_factors SET last_step = $3
      WHERE tenant_id = $1 AND user_id = $2 AND confirmed_at IS NOT NULL AND last_step < $3`,
    [db.tenantId, userId, step],
  );
  return written === 1;
}

/** Replaces the recovery codes of a person. @param hashes SHA-256 of the new ones */
export async function replaceRecoveryCodes(tx: TenantTx, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await tx.send('DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2', [tx.tenantId, userId]);
  await tx.send(
    `INSERT INTO recovery_codes (tenant_id, user_id, code_hash)
     SELECT u.tenant_id, u.id, h.code_hash FROM users u, unnest($3::bytea[]) AS h (code_hash)
      WHERE u.tenant_id = $1 AND u.id = $2`,
    [tx.tenantId, userId, hashes],
  );
}

/** Uses up a recovery code. @returns false if no code with this hash exists (any more) */
export async function takeRecoveryCode(db: TenantExecutor, userId: number, hash: Buffer): Promise<boolean> {
  const taken = await db.execute(
    'DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2 AND code_hash = $3',
    [db.tenantId, userId, hash],
  );
  return taken === 1;
}

/** Deletes the authenticator app of a person, if any, with its recovery codes. */
export async function deleteTotpFactor(tx: TenantTx, userId: number): Promise<void> {
  await tx.sendChange('users', [userId], 'DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2', [
    tx.tenantId,
    userId,
  ]);
  await tx.sendChange('users', [userId], 'DELETE FROM totp_factors WHERE tenant_id = $1 AND user_id = $2', [
    tx.tenantId,
    userId,
  ]);
}

/** Deletes authenticator apps whose secret none of these keys decrypts. @returns their number */
export async function forgetUnreadableTotp(db: TenantExecutor, keyIds: readonly string[]): Promise<number> {
  return db.execute(
    `DELETE FROM totp_factors WHERE tenant_id = $1 AND ${sealingKeyIdSql('sealed_secret')} <> ALL ($2::text[])`,
    [db.tenantId, keyIds],
  );
}
