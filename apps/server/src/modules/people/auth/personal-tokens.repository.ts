/** SQL of personal access tokens. Only programs have the secrets; the database stores hashes. */

import { createHash } from 'node:crypto';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { type ActorState, actorStateColumns } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { lastUseParameters, usedRowsSql } from '../../../kernel/last-uses.ts';

/** A token as its holder sees it. Times are epoch milliseconds. */
interface ListedToken {
  id: number;
  name: string;
  readOnly: boolean;
  /** Communities in which the token is valid; null for all. */
  communityIds: number[] | null;
  /** Whether the token keeps the right `manageUsers` of its holder. */
  managesUsers: boolean;
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

/** An accepted token, with the state of its user. */
export interface AcceptedToken
  extends ActorState,
    Pick<ListedToken, 'id' | 'readOnly' | 'communityIds' | 'managesUsers'> {
  userId: number;
}

export interface NewToken
  extends Pick<ListedToken, 'name' | 'readOnly' | 'communityIds' | 'managesUsers' | 'expiresAt'> {
  userId: number;
  /** Version of the sign-ins of the account. */
  sessionVersion: number;
  /** Hash of its secret; see {@link hashOfSecret}. */
  secretHash: Buffer;
  /** Epoch milliseconds. */
  now: number;
}

/** Returns the hash by which a secret is stored. */
export const hashOfSecret = (secret: string) => createHash('sha256').update(secret).digest();

/** SQL of a boolean: the token `t` of the user `u` is accepted at the time `$3`. */
const ACCEPTED =
  't.session_version = u.session_version AND NOT u.blocked AND u.deleted_at IS NULL AND t.expires_at > $3';

/** Reads a token: the first statement of a request with a token. @param now epoch milliseconds */
export async function readToken(db: TenantExecutor, secret: string, now: number): Promise<AcceptedToken | undefined> {
  const [token] = await db.query<AcceptedToken>(
    `SELECT t.id, t.user_id AS "userId", t.read_only AS "readOnly", t.community_ids AS "communityIds",
            t.manages_users AS "managesUsers", false AS "keyRevoked",
            ${actorStateColumns}
       FROM personal_tokens t
       JOIN users u ON u.tenant_id = t.tenant_id AND u.id = t.user_id
       JOIN tenant_versions v ON v.tenant_id = t.tenant_id
      WHERE t.tenant_id = $1 AND t.secret_hash = $2 AND ${ACCEPTED}`,
    [db.tenantId, hashOfSecret(secret), new Date(now)],
  );
  return token;
}

/** Returns the valid tokens of a person, the newest first. @param now epoch milliseconds */
export async function listTokens(db: TenantExecutor, userId: number, now: number): Promise<ListedToken[]> {
  return db.query<ListedToken>(
    `SELECT t.id, t.name, t.read_only AS "readOnly", t.community_ids AS "communityIds", t.created_at AS "createdAt",
            t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.manages_users AS "managesUsers"
       FROM personal_tokens t JOIN users u ON u.tenant_id = t.tenant_id AND u.id = t.user_id
      WHERE t.tenant_id = $1 AND t.user_id = $2 AND ${ACCEPTED}
      ORDER BY t.created_at DESC, t.id DESC`,
    [db.tenantId, userId, new Date(now)],
  );
}

/** Adds a token. The caller locks the row of the user. @returns its id */
export async function insertToken(tx: TenantTx, token: NewToken): Promise<number> {
  const [row] = await tx.changeRows<{ id: number }>(
    'users',
    [token.userId],
    `INSERT INTO personal_tokens
       (tenant_id, user_id, session_version, secret_hash, name, read_only, community_ids, created_at, expires_at, manages_users)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      tx.tenantId,
      token.userId,
      token.sessionVersion,
      token.secretHash,
      token.name,
      token.readOnly,
      token.communityIds,
      new Date(token.now),
      new Date(token.expiresAt),
      token.managesUsers,
    ],
  );
  return row!.id;
}

/** Revokes a token of a person. @returns whether it existed */
export async function deleteToken(tx: TenantTx, userId: number, id: number): Promise<boolean> {
  const deleted = await tx.change(
    'users',
    [userId],
    'DELETE FROM personal_tokens WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [tx.tenantId, userId, id],
  );
  return deleted > 0;
}

/** Time at which personal tokens expire. */
export const personalTokensDue: DueWork = {
  earliest: 'SELECT min(expires_at) FROM personal_tokens WHERE tenant_id = $1',
};

/**
 * Deletes tokens that have expired, and tokens whose sign-ins have ended. @param now epoch
 * milliseconds
 */
export async function forgetPersonalTokens(db: TenantExecutor, now: number): Promise<void> {
  await db.execute(
    `DELETE FROM personal_tokens t USING users u
      WHERE t.tenant_id = $1 AND u.tenant_id = $1 AND u.id = t.user_id
        AND (t.expires_at <= $2 OR t.session_version <> u.session_version)`,
    [db.tenantId, new Date(now)],
  );
}

/** Minimum interval between recorded uses, in milliseconds. */
const USE_INTERVAL_MS = 5 * 60_000;

/**
 * Records uses of tokens. Skips locked tokens until the next time, so that nobody waits.
 * @param uses by id of the token, the time of the last use in epoch milliseconds
 */
export async function recordTokenUses(db: TenantExecutor, uses: ReadonlyMap<number, number>): Promise<void> {
  if (uses.size === 0) return;
  await db.execute(
    `UPDATE personal_tokens t SET last_used_at = seen.at FROM ${usedRowsSql('personal_tokens')} seen
      WHERE t.tenant_id = $1 AND t.id = seen.id AND (t.last_used_at IS NULL OR t.last_used_at < seen.before)`,
    lastUseParameters(db, uses, USE_INTERVAL_MS),
  );
}
