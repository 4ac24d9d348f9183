/**
 * Deletes tenants with their rows and files, in transactions of bounded size. Each transaction adds
 * its numbers to the certificate, so an interrupted deletion continues where it ended.
 */

import { createHash } from 'node:crypto';
import { noBackupRunsSql } from '@portico/platform/db/backup-lease';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { forgetDeletion } from './import-tenant.ts';
import { TenantError } from './tenant-error.ts';
import { type TenantTable, tenantTablesInOrder } from './tenant-tables.ts';

/** Rows that one transaction deletes. */
const PIECE = 5_000;

/** The certificate of a deleted tenant. */
export interface DeletionCertificate {
  readonly tenant: number;
  readonly name: string;
  readonly displayName: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Numbers of deleted rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly bytes: number;
  /** SHA-256 of the JSON text of the other members, in hexadecimal. */
  readonly sha256: string;
}

interface CertificateRow {
  name: string;
  displayName: string;
  startedAt: Date;
  finishedAt: Date | null;
  rows: Record<string, number>;
  files: string;
  bytes: string;
  sha256: string | null;
}

/** How a tenant is deleted. */
interface DeletionOptions {
  readonly storage: FileStorage;
  readonly now: () => Date;
  /** Ends the deletion after the present transaction. */
  readonly stop?: AbortSignal;
  /** Rows in a transaction. Default: 5,000. */
  readonly piece?: number;
}

/**
 * Deletes a tenant that is due, or was never finished: rows, then files, then the tenant itself.
 * @param client the owner's connection, outside a transaction
 * @returns undefined when the tenant is not to be deleted any more, as it was enabled or is gone;
 *   when it was stopped; or when a running backup needs the files: call it again
 */
export async function deleteTenant(
  client: pg.ClientBase,
  tenantId: number,
  options: DeletionOptions,
): Promise<DeletionCertificate | undefined> {
  if (!(await begin(client, tenantId, options.now()))) return undefined;
  const tables = await tenantTablesInOrder(client);
  const piece = (await onCluster(client)) ? null : (options.piece ?? PIECE);
  for (const table of tables) {
    while ((await deletePiece(client, tenantId, table, piece)) > 0) {
      if (options.stop?.aborted) return undefined;
    }
  }
  if (!(await deleteFiles(client, tenantId, options))) return undefined;
  return finish(client, tenantId, tables, options.now());
}

/**
 * Notes that the deletion has begun: from now on nobody enables the tenant. The lock is the one of
 * changes to tenants, so an operator who enables it at this moment comes before or after.
 */
function begin(client: pg.ClientBase, tenantId: number, now: Date): Promise<boolean> {
  return inTransaction(client, tenantId, async () => {
    const { rowCount } = await client.query(
      `SELECT FROM tenants WHERE id = $1 AND disabled_at IS NOT NULL AND (unfinished OR delete_after <= $2) FOR UPDATE`,
      [tenantId, now],
    );
    if (rowCount === 0) return false;
    await client.query(
      `INSERT INTO portico_deleted_tenants (tenant, name, display_name, started_at)
       SELECT id, name, display_name, $2 FROM tenants WHERE id = $1 ON CONFLICT (tenant) DO NOTHING`,
      [tenantId, now],
    );
    return true;
  });
}

/**
 * Deletes a tenant whose creation did not end. No certificate stays: it served no request.
 * @param client the owner's connection, outside a transaction
 * @throws TenantError while a backup runs
 */
export async function removeUnfinishedTenant(
  client: pg.ClientBase,
  tenantId: number,
  options: DeletionOptions,
): Promise<void> {
  if (!(await deleteTenant(client, tenantId, options)))
    throw new TenantError('The unfinished demo cannot be replaced while a backup runs: start again after it.');
  await forgetDeletion(client, tenantId);
}

/** @returns the certificates of deleted tenants of a name or an id, the newest first */
export async function readCertificates(
  client: pg.ClientBase,
  of: { readonly name: string } | { readonly id: number },
): Promise<DeletionCertificate[]> {
  const { rows } = await client.query<CertificateRow & { tenant: string }>(
    `SELECT tenant, ${CERTIFICATE} FROM portico_deleted_tenants
      WHERE ${'id' in of ? 'tenant' : 'name'} = $1 AND finished_at IS NOT NULL ORDER BY finished_at DESC`,
    ['id' in of ? of.id : of.name],
  );
  return rows.map((row) => certificateOf(Number(row.tenant), row));
}

const CERTIFICATE = `name, display_name AS "displayName", started_at AS "startedAt", finished_at AS "finishedAt",
  deleted_rows AS rows, files, file_bytes AS bytes, sha256`;

function certificateOf(tenant: number, row: CertificateRow): DeletionCertificate {
  const { name, displayName, startedAt, finishedAt, sha256 } = row;
  const members = {
    tenant,
    name,
    displayName,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt!.toISOString(),
    rows: Object.fromEntries(Object.entries(row.rows).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    files: Number(row.files),
    bytes: Number(row.bytes),
  };
  return { ...members, sha256: sha256 ?? createHash('sha256').update(JSON.stringify(members)).digest('hex') };
}

/** Statements of a cluster cannot name rows by their place: there a table is deleted whole. */
async function onCluster(client: pg.ClientBase): Promise<boolean> {
  return (await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`)).rowCount === 1;
}

/** Deletes rows and counts them in the certificate. @param limit null: all rows  @returns their number */
async function deletePiece(
  client: pg.ClientBase,
  tenantId: number,
  table: TenantTable,
  limit: number | null,
): Promise<number> {
  return inTransaction(client, tenantId, async () => {
    const name = client.escapeIdentifier(table.name);
    let deleted = 0;
    if (limit !== null) {
      // Rows that others of the table refer to come after these.
      const leaf = table.selfReference
        ? `AND NOT EXISTS (SELECT FROM ${name} c WHERE c.tenant_id = $1 AND c.ctid <> r.ctid
             AND c.${client.escapeIdentifier(table.selfReference.column)} = r.${client.escapeIdentifier(table.selfReference.key)})`
        : '';
      const result = await client.query(
        `DELETE FROM ${name} WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
           SELECT r.ctid FROM ${name} r WHERE r.tenant_id = $1 ${leaf} LIMIT ${limit}))`,
        [tenantId],
      );
      deleted = result.rowCount ?? 0;
    }
    // Also rows that refer to each other in a circle.
    if (deleted === 0 && (limit === null || table.selfReference))
      deleted = (await client.query(`DELETE FROM ${name} WHERE tenant_id = $1`, [tenantId])).rowCount ?? 0;
    await count(client, tenantId, table.name, deleted);
    return deleted;
  });
}

async function count(client: pg.ClientBase, tenantId: number, table: string, rows: number): Promise<void> {
  if (rows === 0) return;
  await client.query(
    `UPDATE portico_deleted_tenants
        SET deleted_rows = deleted_rows || jsonb_build_object($2::text, coalesce((deleted_rows ->> $2)::bigint, 0) + $3::bigint)
      WHERE tenant = $1`,
    [tenantId, table, rows],
  );
}

/** Deletes the files, whose rows are gone. @returns false when a running backup may need them, or on a stop */
async function deleteFiles(client: pg.ClientBase, tenantId: number, options: DeletionOptions): Promise<boolean> {
  const { storage, stop } = options;
  for await (const keys of storage.list(tenantId)) {
    for (let at = 0; at < keys.length; at += 100) {
      if (stop?.aborted) return false;
      const done = await inTransaction(client, tenantId, async () => {
        const { rows } = await client.query<{ free: boolean }>(noBackupRunsSql, [tenantId]);
        if (!rows[0]?.free) return false;
        let files = 0;
        let bytes = 0;
        for (const key of keys.slice(at, at + 100)) {
          const size = (await storage.stat(key))?.size;
          if (size === undefined || !(await storage.deleteOlderThan(key, Number.MAX_SAFE_INTEGER))) continue;
          files++;
          bytes += size;
        }
        await client.query(
          'UPDATE portico_deleted_tenants SET files = files + $2, file_bytes = file_bytes + $3 WHERE tenant = $1',
          [tenantId, files, bytes],
        );
        return true;
      });
      if (!done) return false;
    }
  }
  return true;
}

/** Deletes the tenant, with rows that a request wrote meanwhile, and completes the certificate. */
async function finish(
  client: pg.ClientBase,
  tenantId: number,
  tables: readonly TenantTable[],
  now: Date,
): Promise<DeletionCertificate> {
  return inTransaction(client, tenantId, async () => {
    for (const { name } of tables) {
      const rest = await client.query(`DELETE FROM ${client.escapeIdentifier(name)} WHERE tenant_id = $1`, [tenantId]);
      await count(client, tenantId, name, rest.rowCount ?? 0);
    }
    await client.query('DELETE FROM tenant_work WHERE tenant = $1', [tenantId]);
    await client.query('DELETE FROM tenants WHERE id = $1', [tenantId]);
    const { rows } = await client.query<CertificateRow>(
      `UPDATE portico_deleted_tenants SET finished_at = coalesce(finished_at, $2) WHERE tenant = $1 RETURNING ${CERTIFICATE}`,
      [tenantId, now],
    );
    const certificate = certificateOf(tenantId, rows[0]!);
    await client.query('UPDATE portico_deleted_tenants SET sha256 = $2 WHERE tenant = $1', [
      tenantId,
      certificate.sha256,
    ]);
    return certificate;
  });
}

/** Runs a transaction for a tenant whose deletion no other transaction continues meanwhile. */
async function inTransaction<T>(client: pg.ClientBase, tenantId: number, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    await client.query('SELECT FROM portico_deleted_tenants WHERE tenant = $1 FOR UPDATE', [tenantId]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
