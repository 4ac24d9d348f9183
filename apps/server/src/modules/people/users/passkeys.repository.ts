/** SQL of passkeys. */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { KeptPasskey, MadePasskey, PasskeyUse } from '@portico/platform/webauthn';
import type { DueWork } from '../../../kernel/due-work.ts';
import { maySignInSql } from './password-accounts.ts';

interface ListedPasskey {
  id: number;
  credentialId: string;
  name: string;
  transports: string[];
  synced: boolean;
  /** Epoch milliseconds, as the other time. */
  createdAt: number;
  lastUsedAt: number | null;
}

/** Returns the passkeys of a person, the oldest first. */
export async function readPasskeys(db: TenantExecutor, userId: number): Promise<ListedPasskey[]> {
  return db.query<ListedPasskey>(
    `SELECT id, credential_id AS "credentialId", name, transports, synced, created_at AS "createdAt",
            last_used_at AS "lastUsedAt"
       FROM passkeys WHERE tenant_id = $1 AND user_id = $2 ORDER BY id`,
    [db.tenantId, userId],
  );
}

/** A passkey, and the account that it signs in. */
interface PasskeyAccount extends KeptPasskey {
  id: number;
  userId: number;
  sessionVersion: number;
  breakGlass: boolean;
}

/**
 * @returns undefined for an unknown passkey, and for a passkey of an account that may not sign in
 */
export async function passkeyAccountOf(db: TenantExecutor, credentialId: string): Promise<PasskeyAccount | undefined> {
  const [account] = await db.query<PasskeyAccount>(
    `SELECT p.id, p.user_id AS "userId", p.credential_id AS "credentialId", p.public_key AS "publicKey", p.counter,
            u.session_version AS "sessionVersion", u.break_glass AS "breakGlass"
       FROM passkeys p JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
      WHERE p.tenant_id = $1 AND p.credential_id = $2 AND ${maySignInSql}`,
    [db.tenantId, credentialId],
  );
  return account;
}

/**
 * @param now epoch milliseconds
 * @returns the id; undefined when any account has this passkey already
 */
export async function insertPasskey(
  tx: TenantTx,
  userId: number,
  name: string,
  { credentialId, publicKey, counter, transports, synced }: MadePasskey,
  now: number,
): Promise<number | undefined> {
  const [row] = await tx.changeRows<{ id: number }>(
    'users',
    [userId],
    `INSERT INTO passkeys (tenant_id, user_id, credential_id, public_key, counter, name, transports, synced, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (tenant_id, credential_id) DO NOTHING RETURNING id`,
    [tx.tenantId, userId, credentialId, Buffer.from(publicKey), counter, name, transports, synced, new Date(now)],
  );
  return row?.id;
}

/**
 * Records that a passkey has signed.
 * @param now epoch milliseconds
 * @returns false when the passkey no longer exists, or its counter did not grow: another copy of it
 * has signed meanwhile
 */
export async function notePasskeyUse(
  db: TenantExecutor,
  id: number,
  { counter, synced }: PasskeyUse,
  now: number,
): Promise<boolean> {
  const written = await db.execute(
    `UPDATE passkeys SET counter = $3, synced = $4, last_used_at = $5
      WHERE tenant_id = $1 AND id = $2 AND (counter < $3 OR counter = 0 AND $3 = 0)`,
    [db.tenantId, id, counter, synced, new Date(now)],
  );
  return written === 1;
}

/** @returns false when the person has no such passkey */
export async function updatePasskeyName(tx: TenantTx, userId: number, id: number, name: string): Promise<boolean> {
  const updated = await tx.change(
    'users',
    [userId],
    'UPDATE passkeys SET name = $4 WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [tx.tenantId, userId, id, name],
  );
  return updated === 1;
}

/** @returns false when the person has no such passkey */
export async function deletePasskey(tx: TenantTx, userId: number, id: number): Promise<boolean> {
  const deleted = await tx.change(
    'users',
    [userId],
    'DELETE FROM passkeys WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [tx.tenantId, userId, id],
  );
  return deleted === 1;
}

/** Deletes all passkeys of a person. @returns their number */
export async function deletePasskeys(tx: TenantTx, userId: number): Promise<number> {
  return tx.change('users', [userId], 'DELETE FROM passkeys WHERE tenant_id = $1 AND user_id = $2', [
    tx.tenantId,
    userId,
  ]);
}

/** @param expiresAt epoch milliseconds @returns false when the challenge was accepted before */
export async function useChallenge(db: TenantExecutor, hash: Buffer, expiresAt: number): Promise<boolean> {
  const written = await db.execute(
    `INSERT INTO used_passkey_challenges (tenant_id, challenge_hash, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, challenge_hash) DO NOTHING`,
    [db.tenantId, hash, new Date(expiresAt)],
  );
  return written === 1;
}

/** When challenges expire. */
export const challengesDue: DueWork = {
  earliest: 'SELECT min(expires_at) FROM used_passkey_challenges WHERE tenant_id = $1',
};

/** Deletes expired challenges. @param now epoch milliseconds */
export async function forgetChallenges(db: TenantExecutor, now: number): Promise<void> {
  await db.execute('DELETE FROM used_passkey_challenges WHERE tenant_id = $1 AND expires_at <= $2', [
    db.tenantId,
    new Date(now),
  ]);
}
