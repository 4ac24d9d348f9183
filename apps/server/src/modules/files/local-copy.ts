/** Files on the local disk, for programs that read paths. */
import { createWriteStream } from 'node:fs';
import { chown, mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import { FileNotStoredError, type FileStorage } from '../../platform/files/index.ts';
import { findStorageKey } from './files.repository.ts';

/**
 * Works with a local copy of an upload that is in use.
 * @param within the directory that the copy is made in
 * @returns what `work` returns, or why there is no file
 */
export async function withStoredFile<T>(
  db: TenantExecutor,
  storage: FileStorage,
  contentRef: string,
  within: string,
  work: (path: string) => Promise<T>,
): Promise<T | { lost: string }> {
  const storageKey = await findStorageKey(db, contentRef);
  if (storageKey === undefined) return { lost: 'no bytes are stored for it' };
  return withLocalCopy(storage, storageKey, within, work);
}

/**
 * Copies a file to a directory of its own, which is removed afterwards with everything in it.
 * @param within the directory that this one is made in, and whose owner it gets
 * @param work is given the path of the copy and the directory
 * @returns what `work` returns, or why there is no file
 */
export async function withLocalCopy<T>(
  storage: FileStorage,
  storageKey: string,
  within: string,
  work: (path: string, directory: string) => Promise<T>,
): Promise<T | { lost: string }> {
  const directory = await mkdtemp(join(within, 'file-'));
  try {
    const { uid, gid } = await stat(within);
    await chown(directory, uid, gid);
    const path = join(directory, 'input');
    try {
      await pipeline(await storage.open(storageKey), createWriteStream(path));
    } catch (error) {
      if (error instanceof FileNotStoredError) return { lost: error.message };
      throw error;
    }
    return await work(path, directory);
  } finally {
    // A program that was ended may still be writing its last file.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
