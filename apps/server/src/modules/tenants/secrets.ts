/**
 * The secrets of a tenant that sign page and sync tokens (`page`) and links to files (`link`). A new one signs from a moment
 * a little ahead, when every node has read it; older ones still verify until they are withdrawn. Times are those of the
 * database's clock, so that nodes agree.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { TenantDb, TenantExecutor } from '../../platform/db/tenant-db.ts';

export const secretKinds = ['page', 'link'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Secrets of one kind that verify at the same time, at most: each costs a check of a wrong token. */
export const MAX_SECRETS = 10;

/** Settings, secrets with them, are read again after a second; twice that, and some. */
const SIGNS_AFTER_SECONDS = 5;

const SECRET_BYTES = 32;

/** SQL of a bytea[] within a statement whose `$1` is the tenant: the secret that signs first, then the others. */
export function secretsSql(kind: SecretKind): string {
  return `ARRAY(SELECT s.secret FROM tenant_secrets s WHERE s.tenant_id = $1 AND s.kind = '${kind}'
    ORDER BY (s.signs_from <= now()) DESC, s.signs_from DESC, s.id)`;
}

/** A secret, without its bytes. */
export interface SecretState {
  id: string;
  kind: SecretKind;
  /** True for the one of its kind that signs now. */
  signs: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  signsFrom: number;
  /** When a newer one began to sign; null where none has. Epoch milliseconds. */
  replacedAt: number | null;
}

/** The secrets of a tenant, newest first. */
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

/** Makes the first secrets of a tenant. @param client the owner's connection, in a transaction that names the tenant */
export async function insertFirstSecrets(client: pg.ClientBase, tenantId: number): Promise<void> {
  for (const kind of secretKinds) {
    await client.query('INSERT INTO tenant_secrets (tenant_id, id, kind, secret) VALUES ($1, $2, $3, $4)', [
      tenantId,
      randomUUID(),
      kind,
      randomBytes(SECRET_BYTES),
    ]);
  }
}

/**
 * Adds a secret that signs from in some seconds on; the others verify until they are withdrawn.
 * @param options.withdrawOthers removes the others, and the new one signs at once: what they signed is void
 * @returns its id, or undefined when there are {@link MAX_SECRETS} already
 */
export function rotateSecret(
  db: TenantDb,
  kind: SecretKind,
  options: { withdrawOthers?: boolean; signsAfterSeconds?: number } = {},
): Promise<string | undefined> {
  const id = randomUUID();
  const after = options.withdrawOthers ? 0 : (options.signsAfterSeconds ?? SIGNS_AFTER_SECONDS);
  return db.transaction(async (tx) => {
    const present = await lockSecrets(tx, kind);
    if (options.withdrawOthers) for (const other of present) await removeSecret(tx, other);
    else if (present.length >= MAX_SECRETS) return undefined;
    await tx.execute(
      `INSERT INTO tenant_secrets (tenant_id, id, kind, secret, created_at, signs_from)
       VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + $5 * interval '1 second')`,
      [tx.tenantId, id, kind, randomBytes(SECRET_BYTES), after],
    );
    return id;
  });
}

/**
 * Removes a secret that another one has replaced: what it signed is void within a second.
 * @returns false when it signs now or will, or there is none with this id
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

async function removeSecret(tx: TenantExecutor, id: string): Promise<void> {
  // The two columns are those of the version before.
  await tx.execute(
    `UPDATE tenant_settings t SET opaque_secret = nullif(t.opaque_secret, s.secret), link_secret = nullif(t.link_secret, s.secret)
       FROM tenant_secrets s WHERE t.tenant_id = $1 AND s.tenant_id = $1 AND s.id = $2`,
    [tx.tenantId, id],
  );
  await tx.execute('DELETE FROM tenant_secrets WHERE tenant_id = $1 AND id = $2', [tx.tenantId, id]);
}
