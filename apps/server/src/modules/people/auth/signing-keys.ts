/**
 * Keys that sign access tokens: one set per tenant, so that a token of another tenant can never
 * verify.
 */
import { randomUUID } from 'node:crypto';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import type { SealedPlace, Sealer } from '@portico/platform/sealing';
import type { JWK } from 'jose';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { isAtLeast, raiseKeysVersion, versionSql } from '../../../kernel/tenant-versions.ts';

/** Algorithm that existing clients decode. */
const ALGORITHM = 'ES256';
/**
 * Time in milliseconds during which cached keys are used without a query, for a known version and
 * kid.
 */
const FRESH_MS = 5_000;

interface NewSigningKey {
  kid: string;
  algorithm: string;
  privateJwk: JWK;
  publicJwk: JWK;
}

/** Generates a new pair of keys. */
export async function newSigningKey(): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return {
    kid: randomUUID(),
    algorithm: ALGORITHM,
    privateJwk: await exportJWK(privateKey),
    publicJwk: await exportJWK(publicKey),
  };
}

type Key = Awaited<ReturnType<typeof importJWK>>;

interface SigningKey {
  kid: string;
  algorithm: string;
  /** Epoch seconds; a retired key signs no more, but verifies its earlier tokens. */
  retiredAt: number | null;
  privateKey: Key;
  publicKey: Key;
}

/** The keys of a tenant, newest first, and their version. */
interface KeySet {
  version: number;
  keys: readonly SigningKey[];
}

interface Known {
  readAt: number;
  set: KeySet;
}

/**
 * Caches the keys of each tenant. Reads them at most every few seconds, and at once for an unknown
 * kid or version.
 */
export class SigningKeys {
  readonly #known = new Map<number, Known>();
  readonly #loading = new Map<number, Promise<KeySet>>();
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  /**
   * Returns the signing key: the newest key without a retirement. Always queries the database, so
   * that no token is signed with a retired key.
   */
  async current(db: TenantExecutor): Promise<SigningKey> {
    const { keys } = await this.#load(db);
    const key = keys.find((candidate) => candidate.retiredAt === null);
    if (!key) throw new Error(`tenant ${db.tenantId} has no signing key`);
    return key;
  }

  /**
   * Returns the key with this id, retired ones included: tokens stay valid until they expire or
   * their key is withdrawn.
   * @param atLeast minimum version of the keys; omitted: any
   */
  async byId(
    db: TenantExecutor,
    kid: string,
    atLeast?: number,
  ): Promise<{ key: SigningKey | undefined; version: number }> {
    const known = this.#known.get(db.tenantId);
    const isNew = known && (atLeast === undefined || isAtLeast(known.set.version, atLeast));
    if (isNew && known.readAt > Date.now() - FRESH_MS) {
      const key = known.set.keys.find((candidate) => candidate.kid === kid);
      if (key) return { key, version: known.set.version };
    }
    const { keys, version } = await this.#load(db);
    return { key: keys.find((candidate) => candidate.kid === kid), version };
  }

  /**
   * Reads the present keys. At most two reads of a tenant run at a time: the first one, and a
   * second one that all later callers share.
   */
  async #load(db: TenantExecutor): Promise<KeySet> {
    const running = this.#loading.get(db.tenantId);
    if (!running) return this.#start(db);
    await running.catch(() => undefined); // its own callers get the error
    return this.#loading.get(db.tenantId) ?? this.#start(db);
  }

  #start(db: TenantExecutor): Promise<KeySet> {
    const loading = loadKeys(db, this.#sealer, this.#known.get(db.tenantId)?.set.keys ?? []).then(
      (set) => {
        this.#known.set(db.tenantId, { readAt: Date.now(), set });
        this.#loading.delete(db.tenantId);
        return set;
      },
      (error: unknown) => {
        this.#loading.delete(db.tenantId);
        throw error;
      },
    );
    this.#loading.set(db.tenantId, loading);
    return loading;
  }
}

/** @param before previously loaded keys; a key that was imported is not imported again */
async function loadKeys(db: TenantExecutor, sealer: Sealer, before: readonly SigningKey[]): Promise<KeySet> {
  const rows = await db.query<{
    kid: string | null;
    algorithm: string;
    retiredAt: number | null;
    sealedPrivateJwk: Buffer;
    publicJwk: JWK;
    version: number;
  }>(
    `SELECT k.kid, k.algorithm, k.retired_at AS "retiredAt",
            k.sealed_private_jwk AS "sealedPrivateJwk", k.public_jwk AS "publicJwk", ${versionSql('keys_version')} AS version
       FROM tenant_versions v LEFT JOIN signing_keys k ON k.tenant_id = v.tenant_id
      WHERE v.tenant_id = $1 ORDER BY k.created_at DESC, k.kid`,
    [db.tenantId],
  );
  const keys = rows.flatMap(({ kid, ...row }) => (kid === null ? [] : [{ ...row, kid }]));
  return {
    version: rows[0]?.version ?? 0,
    keys: await Promise.all(
      keys.map(async ({ kid, algorithm, retiredAt, sealedPrivateJwk, publicJwk }) => {
        const known = before.find((key) => key.kid === kid);
        const openJwk = () => readJwk(sealer.open(sealedPrivateJwk, placeOfKey(db.tenantId, kid)));
        return {
          kid,
          algorithm,
          retiredAt: retiredAt === null ? null : Math.floor(retiredAt / 1000),
          privateKey: known?.privateKey ?? (await importJWK(openJwk(), algorithm)),
          publicKey: known?.publicKey ?? (await importJWK(publicJwk, algorithm)),
        };
      }),
    ),
  };
}

function placeOfKey(tenantId: number, kid: string): SealedPlace {
  return { tenantId, table: 'signing_keys', column: 'sealed_private_jwk', row: kid };
}

function readJwk(bytes: Buffer): JWK {
  return JSON.parse(bytes.toString('utf8')) as JWK;
}

/** Adds a new signing key. @param now epoch milliseconds; omitted: by the clock of the database */
export async function insertSigningKey(
  db: Pick<TenantExecutor, 'tenantId' | 'execute'>,
  sealer: Sealer,
  key: NewSigningKey,
  now?: number,
): Promise<void> {
  await db.execute(
    `INSERT INTO signing_keys (tenant_id, kid, algorithm, sealed_private_jwk, public_jwk, created_at)
     VALUES ($1, $2, $3, $4, $5, coalesce($6::timestamptz, now()))`,
    [
      db.tenantId,
      key.kid,
      key.algorithm,
      sealer.seal(Buffer.from(JSON.stringify(key.privateJwk)), placeOfKey(db.tenantId, key.kid)),
      JSON.stringify(key.publicJwk),
      now === undefined ? null : new Date(now),
    ],
  );
}

/** A signing key, without its secret. Times in epoch milliseconds. */
interface SigningKeyState {
  kid: string;
  createdAt: number;
  /** Null for the key that signs. */
  retiredAt: number | null;
}

/** Returns the signing keys of a tenant: the one that signs, then the others, newest first. */
export function listSigningKeys(db: TenantExecutor): Promise<SigningKeyState[]> {
  return db.query<SigningKeyState>(
    `SELECT kid, created_at AS "createdAt", retired_at AS "retiredAt" FROM signing_keys
      WHERE tenant_id = $1 ORDER BY retired_at IS NULL DESC, created_at DESC, kid`,
    [db.tenantId],
  );
}

/** Maximum number of stored signing keys. */
export const MAX_SIGNING_KEYS = 10;

/**
 * Adds a new signing key and retires the others: tokens that they have signed stay valid until they
 * expire.
 * @param now epoch milliseconds
 * @param options.withdrawOthers deletes the others: their tokens are refused from the next request
 * on, on every node
 * @returns the id of the new key, or undefined when there are {@link MAX_SIGNING_KEYS} already
 */
export async function rotateSigningKey(
  db: TenantDb,
  sealer: Sealer,
  now: number,
  options: { withdrawOthers?: boolean } = {},
): Promise<string | undefined> {
  const key = await newSigningKey();
  return db.transaction(async (tx) => {
    await raiseKeysVersion(tx);
    if (options.withdrawOthers)
      await tx.sendChange('tenant_settings', [tx.tenantId], 'DELETE FROM signing_keys WHERE tenant_id = $1', [
        tx.tenantId,
      ]);
    else if ((await listSigningKeys(tx)).length >= MAX_SIGNING_KEYS) return undefined;
    await tx.sendChange(
      'tenant_settings',
      [tx.tenantId],
      'UPDATE signing_keys SET retired_at = $2 WHERE tenant_id = $1 AND retired_at IS NULL',
      [tx.tenantId, new Date(now)],
    );
    await insertSigningKey(tx, sealer, key, now);
    return key.kid;
  });
}

/**
 * Deletes a retired signing key: its tokens are refused from the next request on, on every node.
 * @returns false when there is no such retired key
 */
export async function withdrawSigningKey(db: TenantDb, kid: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await raiseKeysVersion(tx);
    const count = await tx.change(
      'tenant_settings',
      [tx.tenantId],
      'DELETE FROM signing_keys WHERE tenant_id = $1 AND kid = $2 AND retired_at IS NOT NULL',
      [tx.tenantId, kid],
    );
    return count === 1;
  });
}
