/** The keys that sign access tokens: one set per tenant, so that another tenant's token cannot verify by construction. */
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';

/** An algorithm that existing clients decode (behaviour §3.2). */
const ALGORITHM = 'ES256';
/** A retired key verifies for this long after its last use could have begun: the longest token lifetime. */
const FRESH_MS = 5_000;

export interface NewSigningKey {
  kid: string;
  algorithm: string;
  privateJwk: JWK;
  publicJwk: JWK;
}

/** A fresh pair of keys. */
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

export interface SigningKey {
  kid: string;
  algorithm: string;
  retired: boolean;
  privateKey: Key;
  publicKey: Key;
}

/** The keys of each tenant, read at most every few seconds, and again at once for a kid that is not known. */
export class SigningKeys {
  readonly #known = new Map<number, { readAt: number; keys: Promise<SigningKey[]> }>();

  /** The key that signs now: the newest one that is not retired. */
  async current(db: TenantExecutor): Promise<SigningKey> {
    const key = (await this.#read(db, FRESH_MS)).find((candidate) => !candidate.retired);
    if (!key) throw new Error(`tenant ${db.tenantId} has no signing key`);
    return key;
  }

  /** The key with this id, retired ones included: tokens stay valid until they expire. */
  async byId(db: TenantExecutor, kid: string): Promise<SigningKey | undefined> {
    const match = (keys: SigningKey[]) => keys.find((key) => key.kid === kid);
    return match(await this.#read(db, FRESH_MS)) ?? match(await this.#read(db, 250));
  }

  #read(db: TenantExecutor, freshMs: number): Promise<SigningKey[]> {
    const known = this.#known.get(db.tenantId);
    if (known && known.readAt > Date.now() - freshMs) return known.keys;
    const keys = loadKeys(db);
    this.#known.set(db.tenantId, { readAt: Date.now(), keys });
    keys.catch(() => this.#known.delete(db.tenantId));
    return keys;
  }
}

async function loadKeys(db: TenantExecutor): Promise<SigningKey[]> {
  const rows = await db.query<{ kid: string; algorithm: string; retired: boolean; privateJwk: JWK; publicJwk: JWK }>(
    `SELECT kid, algorithm, retired_at IS NOT NULL AS retired, private_jwk AS "privateJwk", public_jwk AS "publicJwk"
       FROM signing_keys WHERE tenant_id = $1 ORDER BY created_at DESC, kid`,
    [db.tenantId],
  );
  return Promise.all(
    rows.map(async (row) => ({
      kid: row.kid,
      algorithm: row.algorithm,
      retired: row.retired,
      privateKey: await importJWK(row.privateJwk, row.algorithm),
      publicKey: await importJWK(row.publicJwk, row.algorithm),
    })),
  );
}

/** Adds a new signing key and retires the others: tokens that they signed stay valid until they expire. */
export async function rotateSigningKey(db: TenantExecutor, now: number): Promise<string> {
  const key = await newSigningKey();
  await db.execute(
    `WITH retired AS (UPDATE signing_keys SET retired_at = $6 WHERE tenant_id = $1 AND retired_at IS NULL)
     INSERT INTO signing_keys (tenant_id, kid, algorithm, private_jwk, public_jwk, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [db.tenantId, key.kid, key.algorithm, JSON.stringify(key.privateJwk), JSON.stringify(key.publicJwk), new Date(now)],
  );
  return key.kid;
}
