/**
 * A place for backups: a folder, a bucket, or standard output. Layout below the place:
 *   <name>/manifest.json       written last: a backup without it is unfinished
 *   <name>/begun.json          earlier backups whose files this one refers to
 *   <name>/database/…          rows of tables, or the archive of pg_dump
 *   <name>/files/…             the list of files
 *   <name>/stored/<key>        stored files
 */
import { createHash } from 'node:crypto';
import type { BackupPart } from './manifest.ts';

export const MANIFEST = 'manifest.json';
export const BEGUN = 'begun.json';

export interface BackupPlace {
  /** The place as an operator names it. */
  readonly address: string;
  /** Number of files that may be written at once. */
  readonly writesAtOnce: number;
  /** Whether backups in the place can be read and listed; false for standard output. */
  readonly readable: boolean;
  /**
   * Writes a file durably; under its name it is whole or absent.
   * @param bytes of exactly `size` bytes
   */
  put(path: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** Makes everything that was written durable; called before the manifest is written and after. */
  settle(): Promise<void>;
  /** @returns undefined when there is no such file */
  read(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Names of the backups in the place, unfinished ones too. */
  names(): Promise<string[]>;
  /** Paths of the files below a folder, whose name ends with a slash, in the order of their names. */
  list(folder: string): AsyncIterable<string>;
  removeFile(path: string): Promise<void>;
  /** Removes a backup; its manifest first, so that a removal that is cut off leaves an unfinished one. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The part of a place that reads its files. */
export type ReadablePlace = Pick<BackupPlace, 'read'>;

/** @returns the text of a file; undefined when there is no such file */
export async function readText(place: ReadablePlace, path: string): Promise<string | undefined> {
  const bytes = await place.read(path);
  if (!bytes) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function putText(place: BackupPlace, path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await place.put(path, once(bytes), bytes.length);
}

/** Size of a part. A part is in memory while it is written. Bytes. */
const PART_BYTES = 32 * 1024 * 1024;

/**
 * Cuts a stream into parts and writes them.
 * @param folder of the backup @param path of the parts, before their number
 */
export async function putParts(
  place: BackupPlace,
  folder: string,
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<BackupPart[]> {
  const parts: BackupPart[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    const bytes = Buffer.concat(chunks);
    const part = { path: `${path}.${String(parts.length + 1).padStart(4, '0')}`, bytes: size, sha256: hash(bytes) };
    await place.put(`${folder}/${part.path}`, once(bytes), size);
    parts.push(part);
    chunks = [];
    size = 0;
  };
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= PART_BYTES) await flush();
  }
  if (size > 0 || parts.length === 0) await flush();
  return parts;
}

/** A problem of a backup that a person is told. */
export class BackupDamage extends Error {
  override name = 'BackupDamage';
}

/** Reads parts one after the other, each once its checksum is compared. @throws BackupDamage */
export async function* readParts(
  place: ReadablePlace,
  folder: string,
  parts: readonly BackupPart[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readChecked(place, `${folder}/${part.path}`, part)) chunks.push(chunk);
    yield* chunks;
  }
}

/** Reads a file and compares its checksum at its end. @throws BackupDamage */
export async function* readChecked(
  place: ReadablePlace,
  path: string,
  expected: { readonly bytes: number; readonly sha256: string },
): AsyncGenerator<Uint8Array> {
  const bytes = await place.read(path);
  if (!bytes) throw new BackupDamage(`${path} is missing`);
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    digest.update(chunk);
    size += chunk.byteLength;
    yield chunk;
  }
  if (size !== expected.bytes) throw new BackupDamage(`${path} has ${size} bytes instead of ${expected.bytes}`);
  if (digest.digest('hex') !== expected.sha256) throw new BackupDamage(`the checksum of ${path} differs`);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
