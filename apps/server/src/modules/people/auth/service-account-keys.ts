/** Keys of service accounts: creates, lists and revokes them, and records their last use. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { ServiceAccountKey } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { mustHoldRightsOfUser, requireRight, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../../kernel/errors.ts';
import { lastUseParameters, usedRowsSql } from '../../../kernel/last-uses.ts';
import type { Scope } from '../../../kernel/scope.ts';

/** Maximum number of keys of an account that are neither revoked nor expired. */
const MAX_ACTIVE_KEYS = 10;
/** Maximum length of a name, in characters. */
const MAX_NAME = 200;
/** Minimum interval between recorded uses of a key, in milliseconds. */
const USE_INTERVAL_MS = 60_000;

/** Returns SQL of a boolean: a row of `service_account_keys` may sign in. */
export function activeKeySql(alias: string): string {
  return `(${alias}.revoked_at IS NULL AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > now()))`;
}

/** The key file of a service account. Shown once, never stored. */
export interface ServiceAccountKeyFile {
  type: 'service_account';
  private_key_id: number;
  private_key: string;
  client_id: number;
}

interface KeyPair {
  publicKey: string;
  privateKey: string;
}

/** Properties of a new key. Times in epoch milliseconds. */
interface NewKey {
  name?: string | undefined;
  expiryTimestamp?: number | undefined;
  /** Time from which the account's other keys are refused, unless they expire earlier. */
  otherKeysExpiryTimestamp?: number | undefined;
}

/** Generates a key pair. Takes some tenths of a second: call it before a transaction. */
function newKeyPair(): Promise<KeyPair> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

async function insertKey(
  db: TenantExecutor,
  userId: number,
  { publicKey, privateKey }: KeyPair,
  now: number,
  { name, expiryTimestamp }: NewKey = {},
): Promise<ServiceAccountKeyFile> {
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO service_account_keys (tenant_id, user_id, public_key, created_at, name, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [
      db.tenantId,
      userId,
      publicKey,
      new Date(now),
      name ?? null,
      expiryTimestamp === undefined ? null : new Date(expiryTimestamp),
    ],
  );
  return { type: 'service_account', private_key_id: row!.id, private_key: privateKey, client_id: userId };
}

/**
 * Creates a key for a service account and stores its public half. Checks no rights: also called
 * when the account is created.
 * @returns the key file's content
 */
export async function createServiceAccountKey(
  db: TenantExecutor,
  userId: number,
  now: number,
): Promise<ServiceAccountKeyFile> {
  return insertKey(db, userId, await newKeyPair(), now);
}

/**
 * Revokes a key without checking rights: its tokens are refused from the next request on. @returns
 * false when there is no such live key
 */
export async function revokeServiceAccountKey(
  tx: TenantTx,
  userId: number,
  keyId: number,
  now: number,
): Promise<boolean> {
  const count = await tx.change(
    'users',
    [userId],
    `UPDATE service_account_keys SET revoked_at = $3 WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [tx.tenantId, keyId, new Date(now)],
  );
  return count === 1;
}

/**
 * Creates a further key for a service account, as a user who administers users.
 * @returns the key file's content, which is stored nowhere else
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404 (unknown,
 * deleted, a person); ValidationError
 */
export async function giveServiceAccountKey(
  scope: Scope,
  userId: number,
  asked: NewKey = {},
): Promise<ServiceAccountKeyFile> {
  requireRight(scope.actor, 'manageUsers');
  const pair = await newKeyPair();
  return writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageUsers');
    await holdServiceAccount(write, userId);
    const key = readNewKey(asked, write.now);
    const { tx } = write;
    await tx.beginChange('users', [userId]);
    if (key.otherKeysExpiryTimestamp !== undefined)
      await tx.sendChange(
        'users',
        [userId],
        `UPDATE service_account_keys SET expires_at = $3
          WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,
        [tx.tenantId, userId, new Date(key.otherKeysExpiryTimestamp)],
      );
    const active = `service_account_keys k WHERE k.tenant_id = $1 AND k.user_id = $2 AND ${activeKeySql('k')}`;
    if ((await countRows(tx, active, [tx.tenantId, userId])) >= MAX_ACTIVE_KEYS)
      throw invalid(
        'keys',
        'TOO_MANY_ITEMS',
        `The account has ${MAX_ACTIVE_KEYS} active keys, the most there may be; revoke one first.`,
      );
    return insertKey(tx, userId, pair, write.now, key);
  });
}

/**
 * Revokes a key, as a user who administers users: its tokens are refused from the next request on.
 * Revoking a key again changes nothing.
 * @param of.userId the account that must own the key; omitted: any
 * @returns whether the key was not revoked before
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404 (unknown)
 */
export async function withdrawServiceAccountKey(
  scope: Scope,
  keyId: number,
  of: { userId?: number } = {},
): Promise<boolean> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageUsers');
    const [key] = await write.tx.query<{ userId: number }>(
      `SELECT user_id AS "userId" FROM service_account_keys
        WHERE tenant_id = $1 AND id = $2 AND ($3::bigint IS NULL OR user_id = $3)`,
      [write.tx.tenantId, keyId, of.userId ?? null],
    );
    if (!key) throw notFound();
    await holdServiceAccount(write, key.userId);
    return revokeServiceAccountKey(write.tx, key.userId, keyId, write.now);
  });
}

/** Returns the keys of a service account, the newest first. */
export async function listServiceAccountKeys(db: TenantExecutor, userId: number): Promise<ServiceAccountKey[]> {
  const rows = await db.query<{
    id: number;
    name: string | null;
    createdAt: number;
    expiresAt: number | null;
    usedAt: number | null;
    revokedAt: number | null;
    active: boolean;
  }>(
    `SELECT k.id, k.name, k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.last_used_at AS "usedAt",
            k.revoked_at AS "revokedAt", ${activeKeySql('k')} AS active
       FROM service_account_keys k WHERE k.tenant_id = $1 AND k.user_id = $2 ORDER BY k.id DESC LIMIT 1000`,
    [db.tenantId, userId],
  );
  return rows.map(({ id, name, createdAt, expiresAt, usedAt, revokedAt, active }) => ({
    id,
    name: name ?? undefined,
    creationTimestamp: createdAt,
    expiryTimestamp: expiresAt ?? undefined,
    lastUseTimestamp: usedAt ?? undefined,
    revokedTimestamp: revokedAt ?? undefined,
    active,
  }));
}

/**
 * Records when keys were last used. Call it in batches, after responses are sent. Skips a key whose
 * row a write has locked until the next time, so that no request waits.
 * @param uses by id of the key, the time of the last use in epoch milliseconds
 */
export async function recordKeyUses(db: TenantExecutor, uses: ReadonlyMap<number, number>): Promise<void> {
  if (uses.size === 0) return;
  await db.execute(
    `UPDATE service_account_keys k SET last_used_at = seen.at FROM ${usedRowsSql('service_account_keys')} seen
      WHERE k.tenant_id = $1 AND k.id = seen.id AND (k.last_used_at IS NULL OR k.last_used_at < seen.before)`,
    lastUseParameters(db, uses, USE_INTERVAL_MS),
  );
}

/**
 * Locks a service account for a write that lets something act as it.
 * @throws PorticoError 404 (unknown, deleted, a person), 403 for an account with a right that the
 * caller lacks
 */
export async function holdServiceAccount(write: WriteScope, userId: number): Promise<void> {
  const [account] = await write.tx.query(
    `SELECT id FROM users WHERE tenant_id = $1 AND id = $2 AND service_account AND deleted_at IS NULL FOR NO KEY UPDATE`,
    [write.tx.tenantId, userId],
  );
  if (!account) throw notFound();
  await mustHoldRightsOfUser(write, userId);
}

/** @throws ValidationError */
function readNewKey({ name, ...times }: NewKey, now: number): NewKey {
  const errors = new FieldErrors();
  const trimmed = name?.trim();
  if (trimmed !== undefined && trimmed.length > MAX_NAME)
    errors.add('name', 'TEXT_TOO_LONG', `At most ${MAX_NAME} characters.`, [MAX_NAME]);
  for (const field of ['expiryTimestamp', 'otherKeysExpiryTimestamp'] as const) {
    const time = times[field];
    if (time !== undefined && (time <= now || Number.isNaN(new Date(time).getTime())))
      errors.add(field, 'INVALID_VALUE', 'A time in the future, in epoch milliseconds.');
  }
  errors.throwIfAny();
  return { ...times, ...(trimmed && { name: trimmed }) };
}
