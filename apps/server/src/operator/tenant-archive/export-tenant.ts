/** Writes the archive of a tenant, as it is at one moment, while the portal runs. */

import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { takeBackupLease } from '@portico/platform/db/backup-lease';
import { hasCitus } from '@portico/platform/db/citus';
import { openClient } from '@portico/platform/db/open-client';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { countSealed } from '../../kernel/tables/seal-rows.ts';
import { tables } from '../../modules/tables.ts';
import { ownerExecutor } from '../../modules/tenants/index.ts';
import {
  type BackupPlace,
  listKeys,
  MANIFEST,
  openArchive,
  plainValuesSql,
  putFiles,
  putRows,
  putText,
  writeManifest,
} from '../backup/index.ts';
import type { CopiedTable } from '../copy/index.ts';
import { OperatorError } from '../operator-error.ts';
import { ARCHIVE_FORMAT, FOLDER, type TenantManifest, travellingTables } from './manifest.ts';

/** How long a table is waited for that a migration changes. Milliseconds. */
const LOCK_MS = 30_000;

interface ExportSource {
  readonly owner: pg.ClientConfig;
  readonly storage: FileStorage;
}

interface ExportOptions {
  /** Path of the archive, which must not exist. */
  readonly out: string;
  readonly tell: (sentence: string) => void;
}

/**
 * Exports a tenant. Under its name the archive is whole or absent.
 * @throws OperatorError while a backup or another export runs, on a cluster (Citus), and for a
 *   tenant that is being created or deleted
 */
export async function exportTenant(
  { owner, storage }: ExportSource,
  tenantId: number,
  { out, tell }: ExportOptions,
): Promise<TenantManifest> {
  if (existsSync(out)) throw new OperatorError(`${out} exists already; choose another name.`);
  // No file of the snapshot is removed meanwhile.
  const lease = await takeBackupLease(owner);
  if (!lease) throw new OperatorError('A backup or an export runs: wait until it has ended.');
  const part = `${out}.part`;
  try {
    const output = createWriteStream(part, { mode: 0o600, flush: true });
    const written = finished(output);
    written.catch(() => undefined);
    const place = openArchive(output);
    const manifest = await writeTenant({ owner, storage }, tenantId, place, tell);
    await lease.check();
    await putText(place, `${FOLDER}/${MANIFEST}`, writeManifest(manifest));
    await place.close();
    await written;
    await rename(part, out);
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await lease.release();
  }
}

async function writeTenant(
  { owner, storage }: ExportSource,
  tenantId: number,
  place: BackupPlace,
  tell: (sentence: string) => void,
): Promise<TenantManifest> {
  const snapshot = await openTenantSnapshot(owner, tenantId);
  let keys: Awaited<ReturnType<typeof listKeys>> | undefined;
  try {
    const { client, facts } = snapshot;
    tell(`Exporting the rows of ${snapshot.tables.length} tables.`);
    const database = await putRows(snapshot, place, FOLDER);
    keys = await listKeys({ client }, tenantId);
    const sealed = await countSealed(ownerExecutor(client, tenantId), tables);
    // Rows that nobody needs any more stay on the disk of the server while it is open.
    await client.end();
    tell('Exporting the files.');
    const files = await putFiles(keys, { storage, place, folder: FOLDER, held: new Map() });
    for (const key of files.missing) tell(`The file ${key} is not in the storage of files.`);
    const { moment, schema, createdAt, ...tenant } = facts;
    return {
      format: ARCHIVE_FORMAT,
      kind: 'tenant',
      tenant: { id: tenantId, ...tenant, createdAt: createdAt.toISOString() },
      moment: moment.toISOString(),
      schema,
      tables: database.tables,
      sequences: database.sequences,
      files,
      encryptionKeys: [...new Set(sealed.map(({ keyId }) => keyId))].sort(),
    };
  } finally {
    await snapshot.client.end();
    await keys?.remove();
  }
}

interface SnapshotFacts {
  readonly moment: Date;
  readonly schema: number;
  readonly name: string;
  readonly displayName: string;
  readonly createdAt: Date;
  readonly disabled: boolean;
  readonly hosts: string[];
}

/** An open transaction that sees the rows of a tenant at one moment. */
interface TenantSnapshot {
  readonly client: pg.Client;
  readonly tables: readonly CopiedTable[];
  readonly facts: SnapshotFacts;
}

async function openTenantSnapshot(owner: pg.ClientConfig, tenantId: number): Promise<TenantSnapshot> {
  const client = await openClient(owner);
  try {
    await client.query(plainValuesSql);
    if (await hasCitus(client))
      throw new OperatorError(
        'The database is a cluster (Citus), which has no snapshot of all its nodes: copy the installation to a plain PostgreSQL with "portico admin db copy", and export the tenant there.',
      );
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = ${LOCK_MS}`);
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    const copied = await travellingTables(client);
    // A migration waits for the end: it would replace tables that are still to be read.
    await client.query(`LOCK TABLE ${copied.map(({ sql }) => sql).join(', ')} IN ACCESS SHARE MODE`);
    const { rows } = await client.query<SnapshotFacts & { busy: boolean }>(
      `SELECT now() AS moment, (SELECT max(version) FROM portico_migrations) AS schema, t.name,
              t.display_name AS "displayName", t.created_at AS "createdAt", t.disabled_at IS NOT NULL AS disabled,
              ARRAY(SELECT host FROM tenant_hosts h WHERE h.tenant_id = $1 ORDER BY is_primary DESC, host) AS hosts,
              t.unfinished OR EXISTS (SELECT FROM portico_deleted_tenants d WHERE d.tenant = $1) AS busy
         FROM tenants t WHERE t.id = $1`,
      [tenantId],
    );
    if (!rows[0] || rows[0].busy) throw new OperatorError('The tenant is being created or deleted.');
    const { busy: _, ...facts } = rows[0];
    return { client, tables: copied.map((table) => ({ ...table, where: `tenant_id = ${tenantId}` })), facts };
  } catch (error) {
    await client.end();
    throw error;
  }
}
