/** Reads the archive of a tenant from a file. */
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import {
  BackupDamage,
  type BackupFile,
  MANIFEST,
  type ReadablePlace,
  readChecked,
  readChecksummed,
  readFileList,
  readText,
} from '../backup/index.ts';
import { OperatorError } from '../operator-error.ts';
import { ARCHIVE_FORMAT, type TenantManifest } from './manifest.ts';

/** Names of stored files in an archive begin with it. */
const STORED = 'stored/';
/** Folder of the parts in an archive. */
export const ROOT = '.';

/** A stored file of an archive. */
export interface ArchivedFile {
  readonly file: BackupFile;
  /** Reads the bytes, and fails with BackupDamage at the end where they were changed. */
  bytes(): AsyncIterable<Uint8Array>;
}

export interface TenantArchive extends ReadablePlace {
  readonly path: string;
  readonly manifest: TenantManifest;
  /** Reads the stored files in their order, whose number does not matter for the memory. */
  files(): AsyncGenerator<ArchivedFile>;
  close(): void;
}

/** @throws OperatorError for a file that is no archive of a tenant, was cut off or changed */
export function openTenantArchive(path: string): Promise<TenantArchive> {
  return refusingDamage(path, async () => {
    const zip = await openZip(path);
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (!entry.fileName.startsWith(STORED)) entries.set(entry.fileName, entry);
      }
      const place: ReadablePlace = {
        read: async (name) => {
          const entry = entries.get(name.replace(`${ROOT}/`, ''));
          return entry && (await zip.openReadStreamPromise(entry));
        },
      };
      const manifest = await readManifest(place, path);
      return { ...place, path, manifest, files: () => readFiles(path, place, manifest), close: () => zip.close() };
    } catch (error) {
      zip.close();
      throw error;
    }
  });
}

/** Reads the whole archive and compares all checksums. @throws OperatorError */
export function verifyArchive(archive: TenantArchive): Promise<void> {
  return refusingDamage(archive.path, async () => {
    const { manifest } = archive;
    for (const part of manifest.tables.flatMap(({ parts }) => parts))
      for await (const _ of readChecked(archive, `${ROOT}/${part.path}`, part));
    let count = 0;
    for await (const { bytes } of archive.files()) {
      for await (const _ of bytes());
      count += 1;
    }
    if (count !== manifest.files.count)
      throw new BackupDamage(`it has ${count} files instead of ${manifest.files.count}`);
  });
}

function openZip(path: string): Promise<ZipFile> {
  return openPromise(path, { lazyEntries: true, autoClose: false });
}

async function readManifest(place: ReadablePlace, path: string): Promise<TenantManifest> {
  const text = await readText(place, MANIFEST);
  if (text === undefined) throw new OperatorError(`${path} is not the archive of a tenant: it has no ${MANIFEST}.`);
  const manifest = readChecksummed<TenantManifest>(text, path);
  if (manifest.kind !== 'tenant')
    throw new OperatorError(`${path} is not the archive of a tenant; "portico backup restore" restores backups.`);
  if (manifest.format !== ARCHIVE_FORMAT)
    throw new OperatorError(`${path} has the layout ${manifest.format}, which another version of Portico reads.`);
  return manifest;
}

async function* readFiles(path: string, place: ReadablePlace, manifest: TenantManifest): AsyncGenerator<ArchivedFile> {
  // One more handle: entries are read once, in their order, and not kept.
  const zip = await openZip(path);
  try {
    const listed = readFileList(place, manifest, ROOT);
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.startsWith(STORED)) continue;
      const { value: file, done } = await listed.next();
      if (done || entry.fileName !== STORED + file.key)
        throw new BackupDamage(`${entry.fileName} is not where the list names it`);
      const one = { read: (): Promise<Readable> => zip.openReadStreamPromise(entry) };
      yield { file, bytes: () => readChecked(one, entry.fileName, file) };
    }
    const rest = await listed.next();
    if (!rest.done) throw new BackupDamage(`${STORED}${rest.value.key} is missing`);
  } finally {
    zip.close();
  }
}

/** Runs work that only reads the archive. Errors of the file system pass; all others are damage. */
async function refusingDamage<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OperatorError(`There is no file ${path}.`, { cause: error });
    if (/^E[A-Z]+$/.test(String(code))) throw error;
    throw new OperatorError(`The archive ${path} is damaged or cut off: ${message}. Nothing was imported.`, {
      cause: error,
    });
  }
}
