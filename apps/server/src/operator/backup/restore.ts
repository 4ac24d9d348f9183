/** Restores a backup into an empty database and its files into the storage. */
import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { hasCitus } from '@portico/platform/db/citus';
import { openClient } from '@portico/platform/db/open-client';
import { addSealingKeyId } from '@portico/platform/db/sealing-keys';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { voidMarksSql } from '../../modules/communities/index.ts';
import { moveFilesSql } from '../../modules/files/index.ts';
import { adoptChangesSql, renewStreamsSql } from '../../modules/records/index.ts';
import { listMigrations } from '../../schema/migrate.ts';
import { prepareCopy, readForced, readTables, refuseRows, setSequence, writeRows } from '../copy/index.ts';
import { OperatorError } from '../operator-error.ts';
import { findBackup } from './inventory.ts';
import type { BackupDatabase, BackupFile, BackupManifest, Progress } from './manifest.ts';
import { type BackupPlace, openParts, readStored, requireIdentity } from './place.ts';
import { findProgram, programEnvironment } from './programs.ts';
import { plainValuesSql } from './snapshot.ts';
import { inParallel, readFileList } from './stored-files.ts';

/** The empty installation that a backup is restored into. */
interface RestoreTarget {
  /** How the owner connects; undefined for an embedded database, which {@link migrated} makes. */
  readonly database: pg.ClientConfig | undefined;
  /** Address of the owner for programs of PostgreSQL; undefined for the embedded database. */
  readonly databaseUrl: string | undefined;
  readonly storage: FileStorage;
  /** Ids of the encryption keys that the installation will have. */
  readonly keyIds: readonly string[];
  /**
   * Opens the database and applies migrations up to a version, or all.
   * @param work gets the connection of the owner
   */
  migrated(upTo: number | undefined, work: (owner: pg.ClientConfig) => Promise<void>): Promise<void>;
}

interface RestoreOptions {
  /** Name of the backup; undefined: the newest whole one. */
  readonly name: string | undefined;
  /** Restores although keys are missing that open secrets. */
  readonly withoutKeys: boolean;
  /** Restores although the storage has files that the backup does not name. */
  readonly keepFiles: boolean;
  readonly tell: (sentence: string) => void;
  /** Called while something long goes on. */
  readonly progress?: Progress | undefined;
}

/** Files written at once. */
const WRITES_AT_ONCE = 8;

/**
 * Restores a backup. The rows appear in one step, after the files.
 * @throws OperatorError when the place to restore to is not empty, or keys are missing; BackupDamage
 */
export async function restoreBackup(
  place: BackupPlace,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<BackupManifest> {
  const { tell, progress } = options;
  const { manifest, folder } = await findBackup(place, options.name);
  requireIdentity(place, manifest);
  await requireKnownSchema(manifest);
  requireKeys(manifest, target.keyIds, options.withoutKeys);
  const { database } = manifest;
  if (target.database) await requireEmpty(target.database, manifest);
  const restore = await prepareRestore(place, folder, manifest, target);
  if (!options.keepFiles) await requireNoOtherFiles(place, folder, manifest, target.storage);
  tell(`Restoring ${manifest.files.count} files.`);
  const moved = await restoreFiles(place, folder, manifest, { storage: target.storage, progress });
  tell(database.method === 'rows' ? `Restoring ${database.tables.length} tables.` : 'Restoring the database.');
  await restore(moved);
  return manifest;
}

/**
 * Checks what the restore of the database needs before files are written. A backup of this version is restored and adopted in
 * one transaction. Statements of this version do not fit tables of an earlier one, which is migrated before it is adopted.
 * @returns the restore
 */
async function prepareRestore(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  target: RestoreTarget,
): Promise<(moved: ReadonlyMap<string, string>) => Promise<void>> {
  const { database } = manifest;
  if (database.method === 'rows') {
    // Refuses a database with rows now, not after hours of copying files.
    await target.migrated(manifest.schema, (owner) => inOneTransaction(owner, (to) => requireNoRows(to, manifest)));
    const newest = (await listMigrations()).at(-1)!.version;
    return async (moved) => {
      await target.migrated(manifest.schema, (owner) =>
        inOneTransaction(owner, async (to) => {
          await restoreRows(place, folder, manifest, database, to);
          if (manifest.schema === newest) await adopt(to, moved);
        }),
      );
      if (manifest.schema < newest) await migrateAndAdopt(target, moved);
    };
  }
  const { database: owner, databaseUrl } = target;
  if (!owner || databaseUrl === undefined)
    throw new OperatorError(
      'The backup is of an external PostgreSQL, by pg_dump: set DATABASE_URL to an empty database.',
    );
  const program = await findProgram('pg_restore', Number.parseInt(manifest.postgres, 10));
  if (program === undefined)
    throw new OperatorError(
      `The backup is by pg_dump of PostgreSQL ${manifest.postgres}: install pg_restore of this version or a later one (Debian: postgresql-client).`,
    );
  return async (moved) => {
    await runRestore(openParts(place, folder, manifest, database.parts), program, databaseUrl);
    await migrateAndAdopt(target, moved);
  };
}

async function migrateAndAdopt(target: RestoreTarget, moved: ReadonlyMap<string, string>): Promise<void> {
  await target.migrated(undefined, (owner) => adoptRows(owner, moved));
}

export async function requireKnownSchema({ schema, name }: BackupManifest): Promise<void> {
  const newest = (await listMigrations()).at(-1)!.version;
  if (schema > newest)
    throw new OperatorError(
      `The backup ${name} has schema ${schema}, newer than this version of Portico knows (${newest}): use the version that made it, or a later one.`,
    );
}

export function requireKeys(manifest: BackupManifest, present: readonly string[], withoutKeys: boolean): void {
  const missing = manifest.encryptionKeys.filter((id) => !present.includes(id));
  if (missing.length === 0 || withoutKeys) return;
  throw new OperatorError(
    `The backup needs the encryption key ${missing.join(', ')}, which is not configured: put it into PORTICO_ENCRYPTION_KEYS or the file encryption-keys of the data directory. If it is lost, restore with --without-keys, then run "portico admin encryption replace-lost".`,
  );
}

/** Looks at an external database before migrations change it. */
async function requireEmpty(owner: pg.ClientConfig, { database, schema }: BackupManifest): Promise<void> {
  const client = await openClient(owner);
  try {
    if (await hasCitus(client))
      throw new OperatorError(
        'A cluster (Citus) takes no backup: restore into a plain PostgreSQL, then use "portico admin db copy".',
      );
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('public.portico_migrations') IS NOT NULL AS there`,
    );
    if (!rows[0]?.there) return;
    const { rows: found } = await client.query<{ version: number }>(
      'SELECT max(version) AS version FROM portico_migrations',
    );
    if (database.method === 'pg_dump' || found[0]!.version > schema) throw notEmpty();
  } finally {
    await client.end();
  }
}

function notEmpty(): OperatorError {
  return new OperatorError(
    'The database to restore into is not empty: Portico has been started there. Give an empty one.',
  );
}

async function requireNoRows(to: pg.Client, { database, schema }: BackupManifest): Promise<void> {
  if (database.method !== 'rows') return;
  const { rows } = await to.query<{ version: number }>('SELECT max(version) AS version FROM portico_migrations');
  if (rows[0]!.version > schema) throw notEmpty();
  await releaseOwner(to);
  for (const { name: sql, columns, refersToItself } of database.tables)
    await refuseRows(to, { sql, columns, refersToItself });
}

/** Runs work in a transaction that copies rows. It is undone when the work fails. */
async function inOneTransaction(owner: pg.ClientConfig, work: (to: pg.Client) => Promise<void>): Promise<void> {
  const to = await openClient(owner);
  try {
    await prepareCopy(to);
    await to.query(plainValuesSql);
    await to.query('BEGIN');
    await work(to);
    await to.query('COMMIT');
  } finally {
    // Without COMMIT, the end of the session undoes the transaction.
    await to.end();
  }
}

/** Lifts row security that binds the owner, until the end of the transaction or {@link bindOwner}. */
async function releaseOwner(to: pg.Client): Promise<string[]> {
  const forced = await readForced(to);
  for (const name of forced) await to.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  return forced;
}

async function bindOwner(to: pg.Client, forced: readonly string[]): Promise<void> {
  for (const name of forced) await to.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
}

async function restoreRows(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  database: BackupDatabase & { method: 'rows' },
  to: pg.Client,
): Promise<void> {
  const forced = await releaseOwner(to);
  const known = new Map((await readTables(to)).map((table) => [table.sql, table.columns.split(', ')]));
  for (const table of database.tables) {
    const { name: sql, columns, refersToItself, parts } = table;
    // Both become SQL.
    if (!columns.split(', ').every((column) => known.get(sql)?.includes(column)))
      throw new OperatorError(`The backup has a table ${sql} with other columns than schema ${manifest.schema}.`);
    await refuseRows(to, { sql, columns, refersToItself });
    const unzipped = createGunzip();
    const passing = pipeline(openParts(place, folder, manifest, parts), unzipped);
    passing.catch(() => undefined);
    const rows = await writeRows(unzipped, to, { sql, columns, refersToItself });
    await passing;
    if (rows !== table.rows)
      throw new OperatorError(`The table ${sql} got ${rows} rows instead of ${table.rows}. Nothing was restored.`);
  }
  for (const sequence of database.sequences) await setSequence(to, sequence);
  for (const id of manifest.encryptionKeys) await addSealingKeyId(to, id);
  await bindOwner(to, forced);
}

/**
 * Makes restored rows those of this installation: followers of streams start afresh, ids of transactions of the other server say
 * nothing, and rows name the keys that their files have in this storage.
 */
async function adopt(to: pg.Client, moved: ReadonlyMap<string, string>): Promise<void> {
  const forced = await releaseOwner(to);
  await to.query(adoptChangesSql);
  await to.query(renewStreamsSql);
  await to.query(voidMarksSql);
  const [from, become] = [[...moved.keys()], [...moved.values()]];
  if (moved.size > 0) for (const sql of moveFilesSql) await to.query(sql, [from, become]);
  await bindOwner(to, forced);
}

/** Adopts rows in a transaction of its own. */
export function adoptRows(owner: pg.ClientConfig, moved: ReadonlyMap<string, string>): Promise<void> {
  return inOneTransaction(owner, (to) => adopt(to, moved));
}

async function runRestore(dump: AsyncIterable<Uint8Array>, program: string, url: string): Promise<void> {
  const env = programEnvironment(url);
  const args = ['--no-owner', '--no-privileges', '--single-transaction', '--exit-on-error'];
  const child = spawn(program, [...args, `--dbname=${env['PGDATABASE']}`], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  try {
    await pipeline(dump, child.stdin).catch((error: NodeJS.ErrnoException) => {
      // Its own message, which follows, says why it reads no more.
      if (error.code !== 'EPIPE') throw error;
    });
  } catch (error) {
    child.kill();
    throw error;
  }
  const code = await ended;
  if (code !== 0) throw new OperatorError(`${program} ended with ${code}: ${said.trim().replaceAll(/\s+/g, ' ')}`);
}

/** @throws OperatorError when the storage has files of these tenants that the backup does not name */
async function requireNoOtherFiles(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  storage: FileStorage,
): Promise<void> {
  const keys = new Set<string>();
  for await (const { key } of readFileList(place, manifest, folder)) keys.add(key);
  for (const tenant of new Set([...keys].map(tenantOf))) {
    for await (const page of storage.list(tenant)) {
      const other = page.find((key) => !keys.has(key));
      if (other !== undefined)
        throw new OperatorError(
          `The storage of files is not empty: it has ${other}. Give an empty one; if its files are those of the lost installation, restore with --keep-files.`,
        );
    }
  }
}

/** @returns the new keys of files that have another one in this storage */
async function restoreFiles(
  place: BackupPlace,
  folder: string,
  manifest: BackupManifest,
  { storage, progress }: { storage: FileStorage; progress: Progress | undefined },
): Promise<Map<string, string>> {
  const moved = new Map<string, string>();
  const restore = async (file: BackupFile) => {
    // Left by an earlier attempt, or never lost.
    const size = file.size ?? file.bytes;
    if ((await storage.stat(file.key))?.size === size) return;
    const limit = { maxBytes: size };
    const received = await storage.receive(tenantOf(file.key), readStored(place, folder, file), limit);
    await received.publish();
    if (received.storageKey !== file.key) moved.set(file.key, received.storageKey);
  };
  let done = 0;
  for await (const _ of inParallel(readFileList(place, manifest, folder), WRITES_AT_ONCE, restore)) {
    done += 1;
    progress?.('Restoring the files', done / manifest.files.count);
  }
  return moved;
}

export function tenantOf(key: string): number {
  return Number(key.slice(0, key.indexOf('/')));
}
