/**
 * A place for backups: a folder, a bucket, or standard output. Layout below the place:
 *   <name>/manifest.json       written last: a backup without it is unfinished
 *   <name>/begun.json          earlier backups whose files this one refers to
 *   <name>/database/…          rows of tables, or the archive of pg_dump
 *   <name>/files/…             the list of files
 *   <name>/stored/<key>        stored files
 * Encrypted files end with `.age`. The manifest and the list of files, which the next backup reads, are not encrypted.
 */
import { createHash } from 'node:crypto';
import { OperatorError } from '../operator-error.ts';
import type { BackupFile, BackupManifest, BackupPart } from './manifest.ts';

export const MANIFEST = 'manifest.json';
export const BEGUN = 'begun.json';
/** The end of the names of encrypted files. */
const SEALED = '.age';

/** Encrypts what is written to a place, and decrypts what is read. */
export interface BackupCipher {
  /** The public keys that files are encrypted for, separated by commas; null: files are not encrypted. */
  readonly key: string | null;
  /** The public keys of the private keys that are here. */
  readonly opens: readonly string[];
  /** Encrypts. @returns also the number of encrypted bytes for a number of bytes */
  seal(bytes: AsyncIterable<Uint8Array>): Promise<{ bytes: AsyncIterable<Uint8Array>; size(of: number): number }>;
  /** @throws BackupDamage for bytes that no key here opens */
  open(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

export interface BackupPlace {
  /** The place as an operator names it. */
  readonly address: string;
  /** Number of files that may be written at once. */
  readonly writesAtOnce: number;
  /** Whether backups in the place can be read and listed; false for standard output. */
  readonly readable: boolean;
  /** Undefined: nothing is encrypted. */
  readonly cipher?: BackupCipher | undefined;
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

/** Id of the keys that a place encrypts for; null: it does not encrypt. */
export const cipherKey = ({ cipher }: Pick<BackupPlace, 'cipher'>): string | null => cipher?.key ?? null;

/** As {@link putParts}, encrypted where the place encrypts. */
export async function putSealedParts(
  place: BackupPlace,
  folder: string,
  path: string,
  source: AsyncIterable<Uint8Array>,
): Promise<BackupPart[]> {
  if (cipherKey(place) === null) return putParts(place, folder, path, source);
  const sealed = await place.cipher!.seal(source);
  return putParts(place, folder, path + SEALED, sealed.bytes);
}

/**
 * Writes a file, encrypted where the place encrypts.
 * @param watch gets the bytes that are written
 * @returns the number of bytes that are written
 */
export async function putSealed(
  place: BackupPlace,
  path: string,
  source: AsyncIterable<Uint8Array>,
  size: number,
  watch: (chunk: Uint8Array) => void = () => undefined,
): Promise<number> {
  const sealed = cipherKey(place) === null ? undefined : await place.cipher!.seal(source);
  const watched = async function* () {
    for await (const chunk of sealed?.bytes ?? source) {
      watch(chunk);
      yield chunk;
    }
  };
  const written = sealed ? sealed.size(size) : size;
  await place.put(sealed ? path + SEALED : path, watched(), written);
  return written;
}

/** The path of a file without the ending of an encrypted one. */
export const unsealedPath = (path: string): string => (path.endsWith(SEALED) ? path.slice(0, -SEALED.length) : path);

/** Reads a file, decrypted where its name says that it is encrypted. @returns undefined when there is no such file */
export async function readSealed(place: BackupPlace, path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
  const bytes = await place.read(path);
  return bytes && path.endsWith(SEALED) ? opened(place, bytes) : bytes;
}

function opened({ cipher }: BackupPlace, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (!cipher || cipher.opens.length === 0) throw new OperatorError(`A file is encrypted. ${NAME_THE_KEY}`);
  return cipher.open(bytes);
}

const NAME_THE_KEY = 'Name the file of the private key in PORTICO_BACKUP_IDENTITY_FILE.';

/** @throws OperatorError when the backup is encrypted, and the private key is not here */
export function requireIdentity(
  { cipher }: Pick<BackupPlace, 'cipher'>,
  { name, backupKey }: Pick<BackupManifest, 'name' | 'backupKey'>,
): void {
  if (backupKey === null || backupKey.split(',').some((key) => cipher?.opens.includes(key))) return;
  throw new OperatorError(`The backup ${name} is encrypted for ${backupKey}. ${NAME_THE_KEY}`);
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

/** As {@link readParts}, decrypted where the backup is encrypted. @throws BackupDamage */
export function openParts(
  place: BackupPlace,
  folder: string,
  { backupKey }: Pick<BackupManifest, 'backupKey'>,
  parts: readonly BackupPart[],
): AsyncIterable<Uint8Array> {
  const bytes = readParts(place, folder, parts);
  return backupKey === null ? bytes : opened(place, bytes);
}

/** Reads a stored file of a backup, from the backup that holds it. @throws BackupDamage */
export function readStored(place: BackupPlace, folder: string, file: BackupFile): AsyncIterable<Uint8Array> {
  const path = `${file.from ?? folder}/stored/${file.key}`;
  if (file.size === undefined) return readChecked(place, path, file);
  return opened(place, readChecked(place, path + SEALED, file));
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
