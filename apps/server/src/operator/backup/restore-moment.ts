/** Restores an embedded database to a moment: the files of a base, the archived log up to the moment, and the stored files. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { openClient } from '@portico/platform/db/open-client';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { OperatorError } from '../operator-error.ts';
import { PASSWORD } from './base.ts';
import { writeCluster } from './cluster-files.ts';
import { listBases, listLogFiles, logFolder, segmentNumber } from './log-place.ts';
import type { BackupFile } from './manifest.ts';
import { type BackupPlace, openParts, readSealed, readStored, requireIdentity, unsealedPath } from './place.ts';
import { adoptRows, requireKeys, requireKnownSchema, tenantOf } from './restore.ts';
import { inParallel, listKeys, readFileList, unzipped } from './stored-files.ts';

/** The empty installation that is restored into. */
interface MomentTarget {
  /** An empty data directory. */
  readonly dataDir: string;
  readonly storage: FileStorage;
  /** Ids of the encryption keys that the installation will have. */
  readonly keyIds: readonly string[];
  /** Starts the database with settings, and gives the connection of the owner; nothing is migrated. */
  started(
    settings: Record<string, string>,
    work: (owner: pg.ClientConfig, clusterDir: string) => Promise<void>,
  ): Promise<void>;
  /** Opens the migrated database. */
  migrated(work: (owner: pg.ClientConfig) => Promise<void>): Promise<void>;
}

interface MomentOptions {
  /** Undefined: the end of the archived log. */
  readonly moment: Date | undefined;
  readonly withoutKeys: boolean;
  readonly tell: (sentence: string) => void;
}

/** The result, for the operator. */
export interface RestoredMoment {
  /** Name of the base. */
  readonly name: string;
  readonly tenants: number;
  readonly files: number;
  /** Keys of files that neither the base nor the log has. */
  readonly missing: readonly string[];
}

const FILES_AT_ONCE = 8;

/** @throws OperatorError when the directory has a database, no base is old enough, keys are missing, or the log ends before */
export async function restoreMoment(
  place: BackupPlace,
  target: MomentTarget,
  { moment, withoutKeys, tell }: MomentOptions,
): Promise<RestoredMoment> {
  const home = join(target.dataDir, 'postgres');
  if (existsSync(home))
    throw new OperatorError(`The data directory ${target.dataDir} has a database: give an empty one.`);
  const base = (await listBases(place)).filter((one) => !moment || new Date(one.base.finishedAt) <= moment).at(-1);
  if (!base)
    throw new OperatorError(
      `${place.address} has no full backup from before this moment with the files of the database: PORTICO_BACKUP_LOG makes them.`,
    );
  requireIdentity(place, base);
  await requireKnownSchema(base);
  requireKeys(base, target.keyIds, withoutKeys);
  tell(`Restoring the files of the database of ${base.name}.`);
  mkdirSync(target.dataDir, { recursive: true, mode: 0o700 });
  const draft = `${home}.draft`;
  rmSync(draft, { recursive: true, force: true });
  await writeCluster(draft, unzipped(openParts(place, base.name, base, base.base.parts)));
  const { segments, gapAfter } = await fetchLog(place, base.base, draft);
  if (gapAfter !== undefined) tell(`The archived log has a gap after ${gapAfter}, and is applied up to there.`);
  renameSync(join(draft, PASSWORD), join(target.dataDir, 'postgres-password'));
  renameSync(draft, home);
  tell(`Applying ${segments} files of the log.`);
  const restored = { count: 0, missing: [] as string[], moved: new Map<string, string>() };
  await recover(target, moment, async (owner) => {
    tell('Restoring the files.');
    await restoreFiles(place, base, target.storage, owner, restored);
  });
  await target.migrated((owner) => adoptRows(owner, restored.moved));
  return { name: base.name, tenants: base.tenants, files: restored.count, missing: restored.missing.sort() };
}

/** Puts the log since the base beside the database, which reads it. @returns the number of files, and the last before a gap */
async function fetchLog(
  place: BackupPlace,
  { system, start }: { readonly system: string; readonly start: string },
  clusterDir: string,
): Promise<{ segments: number; gapAfter: string | undefined }> {
  const prefix = `${logFolder(system)}/wal/`;
  const folder = join(clusterDir, 'log-restore');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const numbers = new Set<string>();
  let segments = 0;
  for await (const path of place.list(prefix)) {
    const name = unsealedPath(path.slice(prefix.length)).replace(/\.gz$/, '');
    const number = segmentNumber(name);
    if (!/^[0-9A-F]{8}[0-9A-Fa-z.]*$/.test(name) || (number !== undefined && number < segmentNumber(start)!)) continue;
    await writeFile(join(folder, name), gunzipSync(await buffer((await readSealed(place, path))!)), { mode: 0o600 });
    segments += 1;
    if (number !== undefined) numbers.add(number);
  }
  return {
    segments,
    gapAfter: [...numbers].sort().find((number, at, all) => at < all.length - 1 && !numbers.has(after(number))),
  };
}

/** The number after that of a segment: 256 segments of 16 MiB make a part of 4 GiB. */
function after(number: string): string {
  const next = (BigInt(`0x${number.slice(0, 8)}${number.slice(14)}`) + 1n).toString(16).toUpperCase().padStart(10, '0');
  return `${next.slice(0, 8)}000000${next.slice(8)}`;
}

async function recover(
  target: MomentTarget,
  moment: Date | undefined,
  work: (owner: pg.ClientConfig) => Promise<void>,
): Promise<void> {
  await writeFile(join(target.dataDir, 'postgres', 'recovery.signal'), '', { mode: 0o600 });
  const settings = {
    // Read relative to the files of the database.
    restore_command: 'cp log-restore/%f %p',
    // Nobody connects before the moment is reached.
    hot_standby: 'off',
    ...(moment && {
      recovery_target_time: moment.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
  try {
    await target.started(settings, async (owner, clusterDir) => {
      await work(owner);
      rmSync(join(clusterDir, 'log-restore'), { recursive: true, force: true });
    });
  } catch (error) {
    if (!(error instanceof Error) || !/before configured recovery target/.test(error.message)) throw error;
    throw new OperatorError(
      `The archived log ends before ${moment?.toISOString()}: remove ${target.dataDir}/postgres, and restore to an earlier moment or "--to latest".`,
      { cause: error },
    );
  }
}

async function restoreFiles(
  place: BackupPlace,
  base: Awaited<ReturnType<typeof listBases>>[number],
  storage: FileStorage,
  owner: pg.ClientConfig,
  restored: { count: number; missing: string[]; moved: Map<string, string> },
): Promise<void> {
  const held = new Map<string, BackupFile>();
  for await (const file of readFileList(place, base, base.name)) held.set(file.key, file);
  const later = await listLogFiles(place, base.base.system);
  const client = await openClient(owner);
  const keys = await listKeys({ client }).finally(() => client.end());
  const bytesOf = async (key: string) => {
    const file = held.get(key);
    if (file) return readStored(place, base.name, file);
    const path = later.get(key);
    return path === undefined ? undefined : readSealed(place, path);
  };
  const restore = async ({ key, size }: { key: string; size: number }) => {
    restored.count += 1;
    if ((await storage.stat(key))?.size === size) return;
    const bytes = await bytesOf(key);
    if (!bytes) {
      restored.missing.push(key);
      return;
    }
    const received = await storage.receive(tenantOf(key), bytes, { maxBytes: size });
    await received.publish();
    if (received.storageKey !== key) restored.moved.set(key, received.storageKey);
  };
  try {
    for await (const _ of inParallel(keys.read(), FILES_AT_ONCE, restore));
  } finally {
    await keys.remove();
  }
}
