/** Files on the local disk, for programs that read paths. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { FileNotStoredError, type FileStorage, type JobFiles } from '@portico/platform/files';
import { findStorageKey } from './files.repository.ts';

/**
 * Works with a local copy of an upload.
 * @param within the directory of the copy
 * @param mostBytes copies only the beginning of a larger file
 * @returns the result of `work`, or the reason without a file
 */
export async function withStoredFile<T>(
  db: TenantExecutor,
  storage: FileStorage,
  contentRef: string,
  within: string,
  work: (path: string) => Promise<T>,
  mostBytes?: number,
): Promise<T | { lost: string }> {
  const storageKey = await findStorageKey(db, contentRef);
  if (storageKey === undefined) return { lost: 'no bytes are stored for it' };
  const directory = await mkdtemp(join(within, 'file-'));
  try {
    const path = join(directory, 'input');
    return (await copyTo(path, storage, storageKey, mostBytes)) ?? (await work(path));
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Copies a file for a process that reads it. Removes the files of the job afterwards.
 * @param files the files of the job
 * @returns the result of `work`, or the reason without a file
 */
export async function withJobCopy<T>(
  storage: FileStorage,
  storageKey: string,
  files: JobFiles,
  work: (files: JobFiles) => Promise<T>,
): Promise<T | { lost: string }> {
  try {
    return (await copyTo(files.input, storage, storageKey)) ?? (await work(files));
  } finally {
    await files.remove();
  }
}

/** @returns the reason if there is no file */
async function copyTo(
  path: string,
  storage: FileStorage,
  storageKey: string,
  mostBytes?: number,
): Promise<{ lost: string } | undefined> {
  try {
    const size = mostBytes === undefined ? 0 : ((await storage.stat(storageKey))?.size ?? 0);
    const range = mostBytes !== undefined && size > mostBytes ? { start: 0, end: mostBytes - 1 } : undefined;
    await pipeline(await storage.open(storageKey, range), createWriteStream(path));
    return undefined;
  } catch (error) {
    if (error instanceof FileNotStoredError) return { lost: error.message };
    throw error;
  }
}
