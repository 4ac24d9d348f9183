/**
 * Archives the log of the embedded database to the place of backups (PORTICO_BACKUP_LOG), with files stored since the newest
 * base. The server puts each finished segment of its log into a directory, at least one a minute while it writes; a segment is
 * removed there once the place has it, so nothing is lost while the place is away.
 */
import { readdirSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ClusterFiles, clusterFiles } from '@portico/embedded-postgres';
import { openClient } from '@portico/platform/db/open-client';
import { FileNotStoredError, type FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import {
  type BackupPlace,
  filesFolder,
  listBases,
  listKeys,
  listLogFiles,
  logFolder,
  putSealed,
  readFileList,
} from '../operator/backup/index.ts';
import { withPlace } from './backup.ts';
import type { Services } from './services.ts';

/** How often new files are looked for. Milliseconds. */
const FILES_MS = 60_000;
/** After a failure, such as a place that is away. Milliseconds. */
const PAUSE_MS = 60_000;
const SEGMENT = /^[0-9A-F]{8}(?:[0-9A-F]{16}(?:\.[0-9A-F]{8}\.backup)?|\.history)$/;

/** Archives what the server has written, whenever it runs. */
export class LogArchive {
  readonly #services: Pick<Services, 'config' | 'clock' | 'storage'>;
  readonly #owner: pg.ClientConfig;
  #system: string | undefined;
  /** Keys of files that the place has. */
  #known: { readonly base: string; readonly keys: Set<string> } | undefined;
  #filesAt = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** @param owner how the owner of the database connects */
  constructor(services: Pick<Services, 'config' | 'clock' | 'storage'>, owner: pg.ClientConfig) {
    this.#services = services;
    this.#owner = owner;
  }

  /** Archives waiting segments, and once a minute new files. A failure leaves them for the run after a minute. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock } = this.#services;
    if (clock.now() < this.#pausedUntil) return;
    try {
      await this.#archive(stop);
    } catch (error) {
      this.#pausedUntil = clock.now() + PAUSE_MS;
      throw error;
    }
  }

  async #archive(stop: AbortSignal): Promise<void> {
    const { config, clock } = this.#services;
    const { logArchive } = clusterFiles(config.dataDir);
    const waiting = segmentsIn(logArchive);
    const files = clock.now() - this.#filesAt >= FILES_MS;
    if (waiting.length === 0 && !files) return;
    await withPlace(undefined, config.backup, async (place) => {
      const system = await this.#readSystem();
      // Rows come after the files that they name.
      if (files) await this.#archiveFiles(place, system, stop);
      for (const name of waiting) {
        stop.throwIfAborted();
        const bytes = await promisify(gzip)(await readFile(join(logArchive, name)), { level: 1 });
        await putSealed(place, `${logFolder(system)}/wal/${name}.gz`, once(bytes), bytes.length);
        await place.settle();
        await rm(join(logArchive, name), { force: true });
      }
    });
    if (files) this.#filesAt = clock.now();
  }

  async #readSystem(): Promise<string> {
    if (this.#system === undefined) {
      const client = await openClient(this.#owner);
      try {
        const { rows } = await client.query<{ system: string }>(
          'SELECT system_identifier::text AS system FROM pg_control_system()',
        );
        this.#system = rows[0]!.system;
      } finally {
        await client.end();
      }
    }
    return this.#system;
  }

  async #archiveFiles(place: BackupPlace, system: string, stop: AbortSignal): Promise<void> {
    const known = await this.#readKnown(place, system);
    // Without a base there is nothing to add to.
    if (!known) return;
    const { storage } = this.#services;
    const client = await openClient(this.#owner);
    const keys = await listKeys({ client }).finally(() => client.end());
    try {
      const folder = filesFolder(system, new Date());
      for await (const { key, size } of keys.read()) {
        if (known.has(key)) continue;
        stop.throwIfAborted();
        try {
          await putSealed(place, `${folder}/${key}`, opened(storage, key), size);
        } catch (error) {
          // Removed since the rows were read.
          if (!(error instanceof FileNotStoredError)) throw error;
        }
        known.add(key);
      }
      await place.settle();
    } finally {
      await keys.remove();
    }
  }

  async #readKnown(place: BackupPlace, system: string): Promise<Set<string> | undefined> {
    if (this.#known) return this.#known.keys;
    const base = (await listBases(place)).filter((one) => one.base.system === system).at(-1);
    if (!base) return undefined;
    const keys = new Set((await listLogFiles(place, system)).keys());
    for await (const { key } of readFileList(place, base, base.name)) keys.add(key);
    this.#known = { base: base.name, keys };
    return keys;
  }
}

/** Age of the oldest segment of the log that is not archived, in seconds; 0: none waits. */
export function measureLogArchive({ logArchive, clusterDir }: ClusterFiles, now: number): number {
  const ready = join(clusterDir, 'pg_wal', 'archive_status');
  const times = [
    ...segmentsIn(logArchive).map((name) => join(logArchive, name)),
    ...entriesOf(ready)
      .filter((name) => name.endsWith('.ready'))
      .map((name) => join(ready, name)),
  ].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
  return Math.max(0, (now - Math.min(now, ...times)) / 1_000);
}

const segmentsIn = (directory: string): string[] =>
  entriesOf(directory)
    .filter((name) => SEGMENT.test(name))
    .sort();

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Opens a file once its bytes are asked for. */
async function* opened(storage: FileStorage, key: string): AsyncGenerator<Uint8Array> {
  yield* await storage.open(key);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
