/** Makes a backup of the whole installation, while it runs and writes. */

import { takeBackupLease } from '@portico/platform/db/backup-lease';
import { recordBackup } from '@portico/platform/db/backup-records';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { type ClusterSource, putBase } from './base.ts';
import { putDump, putRows } from './database-parts.ts';
import { readManifestOf, wholeBackups } from './inventory.ts';
import {
  type BackupDatabase,
  type BackupFile,
  type BackupKind,
  type BackupManifest,
  layoutOf,
  newBackupName,
  ownBytesOf,
  type Progress,
  writeManifest,
} from './manifest.ts';
import { type BackupPlace, BEGUN, cipherKey, MANIFEST, putText } from './place.ts';
import { findProgram, programEnvironment } from './programs.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { type KeyList, listKeys, putFiles, readFileList } from './stored-files.ts';

/** An installation that is backed up. */
export interface BackupSource {
  /** The owner: keeps the lease and the record of backups. */
  readonly owner: pg.ClientConfig;
  /** A role that sees all rows. */
  readonly reader: pg.ClientConfig;
  /** Address of the reader for programs of PostgreSQL; undefined for the embedded database. */
  readonly readerUrl: string | undefined;
  readonly storage: FileStorage;
  /** Files of the embedded database, for restores to a point in time; undefined: its log is not archived. */
  readonly cluster?: ClusterSource | undefined;
}

interface BackupOptions {
  readonly kind: BackupKind;
  /** False reads the rows even where pg_dump is found. */
  readonly programs?: boolean;
  readonly tell: (sentence: string) => void;
  /** Called while something long goes on. */
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked when the lease is held; false: the backup is not needed any more. */
  readonly stillDue?: () => Promise<boolean>;
}

/** A finished backup. */
export interface CreatedBackup {
  readonly manifest: BackupManifest;
  /** Bytes of the backup itself. */
  readonly bytes: number;
}

/**
 * Makes a backup. Until its last step it counts as unfinished.
 * @returns undefined when it is not due any more
 * @throws OperatorError while another backup runs, and when the database cannot be backed up
 */
export async function createBackup(
  source: BackupSource,
  place: BackupPlace,
  options: BackupOptions,
): Promise<CreatedBackup | undefined> {
  const lease = await takeBackupLease(source.owner);
  if (!lease) throw new OperatorError('Another backup of this installation runs: wait until it has ended.');
  try {
    if (options.stillDue && !(await options.stillDue())) return undefined;
    const snapshot = await openSnapshot(source.reader);
    const manifest = await writeBackup(source, place, options, snapshot);
    // Without the lease a file might have been removed before it was read.
    await lease.check();
    await finish(place, manifest);
    const created = { manifest, bytes: ownBytesOf(manifest) };
    await recordBackup(source.owner, {
      tool: 'portico',
      name: manifest.name,
      kind: manifest.kind,
      place: place.address,
      moment: new Date(manifest.moment),
      bytes: created.bytes,
    });
    return created;
  } finally {
    await lease.release();
  }
}

async function writeBackup(
  { owner, storage, readerUrl, cluster }: BackupSource,
  place: BackupPlace,
  options: BackupOptions,
  snapshot: Snapshot,
): Promise<BackupManifest> {
  const { tell, progress, signal } = options;
  const { moment, schema, postgres, tenants, encryptionKeys } = snapshot;
  const name = newBackupName(moment);
  let keys: KeyList | undefined;
  try {
    const held = options.kind === 'incremental' ? await heldFiles(place) : new Map();
    const holders = new Set([...held.values()].map(({ from }) => from as string));
    await putText(place, `${name}/${BEGUN}`, `${JSON.stringify({ holders: [...holders] })}\n`);
    const database = await putDatabase(snapshot, place, name, { readerUrl, ...options });
    keys = await listKeys(snapshot);
    // Rows that nobody needs any more stay on the disk of the server while it is open.
    await snapshot.end();
    signal?.throwIfAborted();
    const base =
      cluster && options.kind === 'full' && place.readable ? await putBase(owner, cluster, place, name) : undefined;
    tell('Copying the files.');
    const files = await putFiles(keys, { storage, place, folder: name, held, progress, signal });
    for (const key of files.missing) tell(`The file ${key} is not in the storage of files.`);
    return {
      format: layoutOf(cipherKey(place)),
      name,
      kind: options.kind,
      moment: moment.toISOString(),
      finishedAt: new Date().toISOString(),
      schema,
      postgres,
      tenants,
      database,
      files,
      ...(base && { base }),
      encryptionKeys,
      backupKey: cipherKey(place),
    };
  } finally {
    await snapshot.end();
    await keys?.remove();
  }
}

async function putDatabase(
  snapshot: Snapshot,
  place: BackupPlace,
  name: string,
  {
    readerUrl,
    programs = true,
    tell,
    progress,
  }: Pick<BackupOptions, 'programs' | 'tell' | 'progress'> & Pick<BackupSource, 'readerUrl'>,
): Promise<BackupDatabase> {
  const major = Number.parseInt(snapshot.postgres, 10);
  const program = readerUrl !== undefined && programs ? await findProgram('pg_dump', major) : undefined;
  if (program !== undefined && readerUrl !== undefined) {
    tell(`Copying the database by ${program}.`);
    return putDump(snapshot, place, name, { program, env: programEnvironment(readerUrl) });
  }
  tell(`Copying the rows of ${snapshot.tables.length} tables.`);
  return putRows(snapshot, place, name, progress);
}

/**
 * Files that the newest whole backup of the place holds or refers to, each with its holder.
 * @throws OperatorError when there is none that is encrypted alike
 */
async function heldFiles(place: BackupPlace): Promise<Map<string, BackupFile>> {
  if (!place.readable) throw new OperatorError('An incremental backup needs a folder or a bucket.');
  const base = (await wholeBackups(place)).filter((backup) => backup.backupKey === cipherKey(place)).at(-1);
  if (!base)
    throw new OperatorError(
      `${place.address} has no full backup${cipherKey(place) === null ? '' : ' for these keys'} yet; make one first.`,
    );
  const held = new Map<string, BackupFile>();
  for await (const file of readFileList(place, base, base.name)) {
    held.set(file.key, { ...file, from: file.from ?? base.name });
  }
  return held;
}

/** Writes the manifest, when everything else is on the disk. */
async function finish(place: BackupPlace, manifest: BackupManifest): Promise<void> {
  await place.settle();
  for (const holder of manifest.files.holders) {
    if ((await readManifestOf(place, holder)) === undefined)
      throw new OperatorError(`The backup ${holder} was removed meanwhile, which holds files of this one.`);
  }
  await putText(place, `${manifest.name}/${MANIFEST}`, writeManifest(manifest));
  await place.settle();
}
