/**
 * The secrets of a tenant that sign page and sync tokens (`page`) and links to files (`link`). A
 * new secret signs from a moment a little ahead, when every node has read it; older secrets still
 * verify until they are withdrawn. Times are from the database's clock, so that nodes agree.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { SealedPlace, Sealer } from '@portico/platform/sealing';
import type pg from 'pg';

export const secretKinds = ['page', 'link'] as const;
export type SecretKind = (typeof secretKinds)[number];

/**
 * Maximum number of secrets of one kind that verify at the same time: each costs a check of a wrong
 * token.
 */
export const MAX_SECRETS = 10;

/**
 * Seconds until a new secret signs. By then every node has read it: settings, with the secrets, are
 * read again after a second.
 */
const SIGNS_AFTER_SECONDS = 5;

const SECRET_BYTES = 32;

/** A secret as {@link secretsSql} returns it: encrypted, in hexadecimal digits. */
export interface StoredSecret {
  id: string;
  sealed: string;
}

/**
 * Returns SQL of a JSON array for a statement whose `$1` is the tenant: the signing secret first,
 * then the others.
 */
export function secretsSql(kind: SecretKind): string {
  return `(SELECT jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.sealed_secret, 'hex'))
      ORDER BY (s.signs_from <= now()) DESC, s.signs_from DESC, s.id)
    FROM tenant_secrets s WHERE s.tenant_id = $1 AND s.kind = '${kind}')`;
}

/** @throws SealingError */
export function openSecrets(secrets: readonly StoredSecret[], tenantId: number, sealer: Sealer): Buffer[] {
  return secrets.map(({ id, sealed }) => sealer.open(Buffer.from(sealed, 'hex'), placeOfSecret(tenantId, id)));
}

function placeOfSecret(tenantId: number, id: string): SealedPlace {
  return { tenantId, table: 'tenant_secrets', column: 'sealed_secret', row: id };
}

function newSecret(tenantId: number, id: string, sealer: Sealer): Buffer {
  return sealer.seal(randomBytes(SECRET_BYTES), placeOfSecret(tenantId, id));
}

/** A secret, without its bytes. */
interface SecretState {
  id: string;
  kind: SecretKind;
  /** True for the secret of its kind that signs now. */
  signs: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  signsFrom: number;
  /**
   * Start of signing by a newer secret, in epoch milliseconds; null while there is no newer secret.
   */
  replacedAt: number | null;
}

/** Returns the secrets of a tenant, newest first. */
export function listSecrets(db: TenantExecutor): Promise<SecretState[]> {
  return db.query<SecretState>(
    `SELECT id, kind, created_at AS "createdAt", signs_from AS "signsFrom",
            CASE WHEN later <= now() THEN later END AS "replacedAt",
            signs_from <= now() AND (later IS NULL OR later > now()) AS signs
       FROM (SELECT *, lag(signs_from) OVER (PARTITION BY kind ORDER BY signs_from DESC, id) AS later
               FROM tenant_secrets WHERE tenant_id = $1) s
      ORDER BY kind, signs_from DESC, id`,
    [db.tenantId],
  );
}

/**
 * Inserts the first secrets of a tenant. @param client the owner's connection, in a transaction
 * that names the tenant
 */
export async function insertFirstSecrets(client: pg.ClientBase, tenantId: number, sealer: Sealer): Promise<void> {
  for (const kind of secretKinds) {
    const id = randomUUID();
    await client.query('INSERT INTO tenant_secrets (tenant_id, id, kind, sealed_secret) VALUES ($1, $2, $3, $4)', [
      tenantId,
      id,
      kind,
      newSecret(tenantId, id, sealer),
    ]);
  }
}

/**
 * Adds a secret that signs after some seconds, when all nodes know it; the others verify until they
 * are withdrawn.
 * @param options.withdrawOthers deletes the other secrets, which invalidates their signatures; the
 *   new one signs at once
 * @returns its id, or undefined when there are {@link MAX_SECRETS} already
 */
export function rotateSecret(
  db: TenantDb,
  sealer: Sealer,
  kind: SecretKind,
  options: { withdrawOthers?: boolean; signsAfterSeconds?: number } = {},
): Promise<string | undefined> {
  const id = randomUUID();
  const after = options.withdrawOthers ? 0 : (options.signsAfterSeconds ?? SIGNS_AFTER_SECONDS);
  return db.transaction(async (tx) => {
    const present = await lockSecrets(tx, kind);
    if (options.withdrawOthers) for (const other of present) await removeSecret(tx, other);
    else if (present.length >= MAX_SECRETS) return undefined;
    await tx.sendChange(
      'tenant_settings',
      [tx.tenantId],
      `INSERT INTO tenant_secrets (tenant_id, id, kind, sealed_secret, created_at, signs_from)
       VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + $5 * interval '1 second')`,
      [tx.tenantId, id, kind, newSecret(tx.tenantId, id, sealer), after],
    );
    return id;
  });
}

/**
 * Deletes a secret that another one has replaced. Its signatures become invalid within a second.
 * @returns false when the secret signs now or will sign, or when the id is unknown
 */
export function withdrawSecret(db: TenantDb, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    for (const kind of secretKinds) await lockSecrets(tx, kind);
    const found = (await listSecrets(tx)).find((secret) => secret.id === id);
    if (!found || found.replacedAt === null) return false;
    await removeSecret(tx, id);
    return true;
  });
}

async function lockSecrets(tx: TenantExecutor, kind: SecretKind): Promise<string[]> {
  await tx.query('SELECT FROM tenant_settings WHERE tenant_id = $1 FOR UPDATE', [tx.tenantId]);
  const rows = await tx.query<{ id: string }>('SELECT id FROM tenant_secrets WHERE tenant_id = $1 AND kind = $2', [
    tx.tenantId,
    kind,
  ]);
  return rows.map((row) => row.id);
}

async function removeSecret(tx: TenantTx, id: string): Promise<void> {
  await tx.sendChange('tenant_settings', [tx.tenantId], 'DELETE FROM tenant_secrets WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    id,
  ]);
}
