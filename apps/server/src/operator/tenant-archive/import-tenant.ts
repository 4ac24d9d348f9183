/**
 * Imports the archive of a tenant. The tenant is unfinished until its rows are committed, in one
 * transaction and after its files: no request finds it before.
 */
import { randomBytes } from 'node:crypto';
import { hasCitus } from '@portico/platform/db/citus';
import { openClient } from '@portico/platform/db/open-client';
import { SealingError } from '@portico/platform/sealing';
import type pg from 'pg';
import { insertEntries } from '../../kernel/audit/index.ts';
import { resealRows } from '../../kernel/tables/seal-rows.ts';
import { voidMarksSql } from '../../modules/communities/index.ts';
import { adoptChangesSql, renewStreamsSql } from '../../modules/records/index.ts';
import { tables } from '../../modules/tables.ts';
import {
  deleteTenant,
  findTaken,
  finishImported,
  forgetDeletion,
  insertImported,
  isHere,
  ownerExecutor,
  type TenantServices,
} from '../../modules/tenants/index.ts';
import { plainValuesSql } from '../backup/index.ts';
import { OperatorError } from '../operator-error.ts';
import { openTenantArchive, type TenantArchive, verifyArchive } from './archive-file.ts';
import { loadFiles } from './load-files.ts';
import { loadRows, raiseSequences, requireSameTables } from './load-rows.ts';
import type { TenantManifest } from './manifest.ts';
import { type QuietedCopy, quietCopy } from './quiet-copy.ts';

/** Name of a tenant while it is imported, before a random part. */
const UNFINISHED = 'unfinished-import-';
/** Imports run one at a time, so that the remains of an interrupted import can be told apart. */
const LOCK = `hashtext('portico tenant import')`;

interface ImportTarget {
  readonly services: TenantServices;
  readonly owner: pg.ClientConfig;
}

/** Whether the imported tenant replaces the exported one, or is a second one. */
export type ImportKind = 'move' | 'copy';

interface ImportOptions {
  /** Name here; undefined: as in the archive. */
  readonly name?: string | undefined;
  /** Hosts here, the primary one first; undefined: as in the archive. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * `copy`: the first tenant goes on, and this one sends nothing by itself. Undefined: `move` if the
   * tenant was disabled when it was exported and is not in this installation, otherwise `copy`.
   */
  readonly as?: ImportKind | undefined;
  /** Name of the operator, for the audit log. */
  readonly operator: string;
  readonly tell: (sentence: string) => void;
}

/** An imported tenant. */
export interface ImportedTenant {
  readonly id: number;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly manifest: TenantManifest;
  /** Undefined for a tenant that was moved. */
  readonly quieted: QuietedCopy | undefined;
}

/**
 * Imports a tenant. After an error nothing is left behind; the next import removes the remains of a
 * killed process.
 * @throws OperatorError for an archive that is damaged, of another schema, or encrypted with keys
 *   that are not configured or do not open a secret; TenantError for a name or a host that is taken
 */
export async function importTenant(
  target: ImportTarget,
  path: string,
  options: ImportOptions,
): Promise<ImportedTenant> {
  const archive = await openTenantArchive(path);
  try {
    const to = await openClient(target.owner);
    try {
      await to.query(plainValuesSql);
      return await importWithin(to, target.services, archive, options);
    } finally {
      // Without COMMIT, the end of the session undoes the transaction; it releases the lock.
      await to.end();
    }
  } finally {
    archive.close();
  }
}

async function importWithin(
  to: pg.Client,
  services: TenantServices,
  archive: TenantArchive,
  options: ImportOptions,
): Promise<ImportedTenant> {
  const { manifest } = archive;
  const { tell } = options;
  const name = options.name ?? manifest.tenant.name;
  const named = await findTaken(to, { name, hosts: options.hosts ?? manifest.tenant.hosts });
  await requireFitting(to, manifest, services.sealer.keyIds);
  const { rows } = await to.query<{ got: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS got`);
  if (!rows[0]!.got)
    throw new OperatorError(
      'Another import of a tenant runs: wait until it has ended. PostgreSQL ends a killed one with its present statement.',
    );
  const as = options.as ?? (await kindOf(to, manifest));
  tell('Comparing the checksums of the archive.');
  await verifyArchive(archive);
  await services.storage.requireRoom?.(manifest.files.bytes);
  await removeLeftovers(to, services);
  await raiseSequences(to, manifest);
  const id = await insertImported(to, manifest.tenant, UNFINISHED + randomBytes(6).toString('hex'));
  try {
    tell(`Importing ${manifest.files.count} files.`);
    const moved = await loadFiles(archive, services.storage, id);
    try {
      tell(`Importing the rows of ${manifest.tables.length} tables.`);
      const quieted = await inTransaction(to, id, async () => {
        await loadRows(to, archive, manifest, id);
        await moved.apply(to);
        await adopt(to, services, manifest, id);
        const executor = ownerExecutor(to, id);
        const now = new Date(services.clock.now());
        const paused = as === 'copy' ? await quietCopy(executor, now, options.operator) : undefined;
        await finishImported(to, id, named);
        await recordImport(executor, manifest, { id, ...named, as }, options.operator);
        return paused;
      });
      return { id, ...named, manifest, quieted };
    } finally {
      await moved.close();
    }
  } catch (error) {
    await removeUnfinished(to, services, id);
    throw error;
  }
}

/** Decides for an operator who does not say. A copy that was taken for a move would send everything twice. */
async function kindOf(to: pg.Client, { tenant }: TenantManifest): Promise<ImportKind> {
  return tenant.disabled && !(await isHere(to, tenant.createdAt)) ? 'move' : 'copy';
}

/** Makes the rows those of this installation, as a restore of a backup does for all tenants. */
async function adopt(to: pg.Client, services: TenantServices, manifest: TenantManifest, id: number): Promise<void> {
  await to.query(`${adoptChangesSql} AND tenant_id = $1`, [id]);
  await to.query(`${renewStreamsSql} WHERE tenant_id = $1`, [id]);
  await to.query(`${voidMarksSql} AND tenant_id = $1`, [id]);
  try {
    await resealRows(ownerExecutor(to, id), tables, services.sealer, manifest.tenant.id);
  } catch (error) {
    if (!(error instanceof SealingError)) throw error;
    const action =
      error.keyId === undefined
        ? 'Replace or delete it in the other installation, and export the tenant again.'
        : addKey(error.keyId);
    throw new OperatorError(`In the archive, ${error.message}. Nothing was imported. ${action}`, { cause: error });
  }
}

/** Returns the sentences about a missing key. */
function addKey(keyIds: string): string {
  return `Add the key ${keyIds} of the other installation to PORTICO_ENCRYPTION_KEYS or the file encryption-keys, after the present one, for the time of the import. If it is lost, run "portico admin encryption replace-lost --yes" in the other installation, and export the tenant again.`;
}

function recordImport(
  executor: ReturnType<typeof ownerExecutor>,
  { tenant, moment }: TenantManifest,
  after: { id: number; name: string; hosts: readonly string[]; as: ImportKind },
  operator: string,
): Promise<void> {
  const before = { id: tenant.id, name: tenant.name, hosts: tenant.hosts, exported: moment };
  return insertEntries(executor, { origin: { operator } }, [
    { action: 'modified', object: 'tenant', objectId: after.id, before, after },
  ]);
}

async function requireFitting(to: pg.Client, manifest: TenantManifest, keyIds: readonly string[]): Promise<void> {
  if (await hasCitus(to))
    throw new OperatorError(
      'The database is a cluster (Citus): import the tenant into a plain PostgreSQL, and copy that with "portico admin db copy".',
    );
  const { rows } = await to.query<{ schema: number }>('SELECT max(version) AS schema FROM portico_migrations');
  const { schema } = rows[0]!;
  if (manifest.schema !== schema) {
    const older = manifest.schema < schema;
    throw new OperatorError(
      `The archive has schema ${manifest.schema}, and this installation has ${schema}. ${
        older
          ? 'Upgrade the installation that exported it to the version that runs here, and export the tenant again'
          : 'Upgrade this installation to the version that exported it'
      }: see docs/operating/upgrade.md.`,
    );
  }
  await requireSameTables(to, manifest);
  const missing = manifest.encryptionKeys.filter((id) => !keyIds.includes(id));
  if (missing.length > 0)
    throw new OperatorError(
      `The secrets of the tenant are encrypted with the key ${missing.join(', ')}, which is not configured here. ${addKey(missing.join(', '))}`,
    );
}

async function removeLeftovers(to: pg.Client, services: TenantServices): Promise<void> {
  const { rows } = await to.query<{ id: string }>('SELECT id FROM tenants WHERE unfinished AND starts_with(name, $1)', [
    UNFINISHED,
  ]);
  for (const { id } of rows) await removeUnfinished(to, services, Number(id));
}

/** Removes rows and files of an unfinished import; while a backup runs, the next import does. */
async function removeUnfinished(to: pg.Client, services: TenantServices, id: number): Promise<void> {
  const { storage, clock } = services;
  const removed = await deleteTenant(to, id, { storage, now: () => new Date(clock.now()) });
  if (removed) await forgetDeletion(to, id);
}

async function inTransaction<T>(to: pg.Client, tenantId: number, work: () => Promise<T>): Promise<T> {
  await to.query('BEGIN');
  try {
    await to.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    const result = await work();
    await to.query('COMMIT');
    return result;
  } catch (error) {
    await to.query('ROLLBACK');
    throw error;
  }
}
