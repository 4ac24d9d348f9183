/** Writes the stored files of a snapshot. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { FileNotStoredError, type FileStorage } from '@portico/platform/files';
import { readRows } from '../copy/index.ts';
import { compressed } from './database-parts.ts';
import type { BackupFile, BackupManifest, Progress } from './manifest.ts';
import { type BackupPlace, cipherKey, putParts, putSealed, type ReadablePlace, readParts } from './place.ts';
import type { Snapshot } from './snapshot.ts';

/** SQL of every key that a row refers to, once, with the size of the file. */
const KEYS = `(SELECT tenant_id, storage_key, size FROM file_contents WHERE storage_key IS NOT NULL
  UNION SELECT tenant_id, storage_key, size FROM file_previews) AS k`;

/** The keys of a snapshot, in a file: they are read after the snapshot has ended. */
export interface KeyList {
  /** Reads the keys with the sizes of their files. */
  read(): AsyncIterable<{ key: string; size: number }>;
  remove(): Promise<void>;
}

/** @param tenantId undefined: the keys of all tenants */
export async function listKeys({ client }: Pick<Snapshot, 'client'>, tenantId?: number): Promise<KeyList> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-backup-'));
  const file = join(folder, 'keys');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const table = {
      sql: KEYS,
      columns: 'storage_key, size',
      refersToItself: false,
      ...(tenantId !== undefined && { where: `tenant_id = ${tenantId}` }),
    };
    await pipeline(readRows(client, table), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    remove,
    read: async function* () {
      for await (const line of createInterface({ input: createReadStream(file) })) {
        const [key, size] = line.split('\t') as [string, string];
        yield { key, size: Number(size) };
      }
    },
  };
}

interface FileWork {
  readonly storage: FileStorage;
  readonly place: BackupPlace;
  readonly folder: string;
  /** Files that earlier backups in the place hold, by key. */
  readonly held: ReadonlyMap<string, BackupFile>;
  readonly progress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Copies the files that no earlier backup holds, and writes the list of all. */
export async function putFiles(keys: KeyList, work: FileWork): Promise<BackupManifest['files']> {
  const counted = { count: 0, bytes: 0, ownBytes: 0 };
  const missing: string[] = [];
  const holders = new Set<string>();
  const lines = async function* () {
    for await (const file of inParallel(keys.read(), work.place.writesAtOnce, (key) => putFile(key, work))) {
      work.signal?.throwIfAborted();
      if ('missing' in file) {
        missing.push(file.missing);
        continue;
      }
      counted.count += 1;
      counted.bytes += file.bytes;
      work.progress?.(`Copying the files: ${counted.count}`, undefined);
      if (file.from === undefined) counted.ownBytes += file.bytes;
      else holders.add(file.from);
      yield Buffer.from(`${JSON.stringify(file)}\n`);
    }
  };
  const list = await putParts(work.place, work.folder, 'files/list.ndjson.gz', compressed(lines()));
  return { ...counted, list, missing: missing.sort(), holders: [...holders].sort() };
}

async function putFile(
  { key, size }: { key: string; size: number },
  { storage, place, folder, held }: FileWork,
): Promise<BackupFile | { missing: string }> {
  const earlier = held.get(key);
  if (earlier) return earlier;
  const digest = createHash('sha256');
  let bytes: AsyncIterable<Uint8Array>;
  try {
    bytes = await storage.open(key);
  } catch (error) {
    if (error instanceof FileNotStoredError) return { missing: key };
    throw error;
  }
  const written = await putSealed(place, `${folder}/stored/${key}`, bytes, size, (chunk) => digest.update(chunk));
  return { key, bytes: written, sha256: digest.digest('hex'), ...(cipherKey(place) !== null && { size }) };
}

/** The files that a backup lists. @throws BackupDamage */
export async function* readFileList(
  place: ReadablePlace,
  manifest: Pick<BackupManifest, 'files'>,
  folder: string,
): AsyncGenerator<BackupFile> {
  const unzipped = createGunzip();
  const passing = pipeline(readParts(place, folder, manifest.files.list), unzipped);
  passing.catch(() => undefined);
  let rest = '';
  for await (const chunk of unzipped.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as BackupFile;
  }
  await passing;
}

/** The bytes of a compressed stream. Fails with the stream. */
export async function* unzipped(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const passing = pipeline(source, gunzip);
  passing.catch(() => undefined);
  yield* gunzip as AsyncIterable<Uint8Array>;
  await passing;
}

/** Runs `work` for each input, some at once; results come in any order. @throws the first failure */
export async function* inParallel<T, R>(
  inputs: AsyncIterable<T>,
  atOnce: number,
  work: (input: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Map<number, Promise<{ id: number; result: R }>>();
  let next = 0;
  const settle = async () => {
    const { id, result } = await Promise.race(running.values());
    running.delete(id);
    return result;
  };
  try {
    for await (const input of inputs) {
      const id = next++;
      running.set(
        id,
        work(input).then((result) => ({ id, result })),
      );
      if (running.size >= atOnce) yield await settle();
    }
    while (running.size > 0) yield await settle();
  } finally {
    await Promise.allSettled(running.values());
  }
}
