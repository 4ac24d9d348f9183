/** Writes the files of an archive into the storage, under keys of the new tenant. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { moveFilesSql } from '../../modules/files/index.ts';
import { inParallel } from '../backup/index.ts';
import type { ArchivedFile, TenantArchive } from './archive-file.ts';

/** Files written at once. */
const WRITES_AT_ONCE = 4;
/** Keys that one statement replaces. */
const KEYS_AT_ONCE = 1_000;

/** Files that have another key in this storage, kept in a file: there may be many. */
interface MovedFiles {
  /** Replaces the keys in the rows of the tenant. @param to within a transaction of the owner */
  apply(to: pg.ClientBase): Promise<void>;
  close(): Promise<void>;
}

export async function loadFiles(archive: TenantArchive, storage: FileStorage, tenantId: number): Promise<MovedFiles> {
  const list = await openNameless();
  try {
    const load = async ({ file, bytes }: ArchivedFile) => {
      const received = await storage.receive(tenantId, bytes(), { maxBytes: file.bytes });
      await received.publish();
      return `${file.key}\t${received.storageKey}\n`;
    };
    for await (const line of inParallel(archive.files(), WRITES_AT_ONCE, load)) await list.write(line);
  } catch (error) {
    await list.close();
    throw error;
  }
  return { apply: (to) => applyMoved(to, list, tenantId), close: () => list.close() };
}

/** Opens a new file without a name: nothing of it stays when the process is killed. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-import-'));
  try {
    return await open(join(folder, 'moved'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function applyMoved(to: pg.ClientBase, list: FileHandle, tenantId: number): Promise<void> {
  let moved: [string, string][] = [];
  const flush = async () => {
    const [from, become] = [moved.map(([key]) => key), moved.map(([, key]) => key)];
    for (const sql of moveFilesSql) await to.query(`${sql} AND t.tenant_id = $3`, [from, become, tenantId]);
    moved = [];
  };
  for await (const line of list.readLines({ start: 0, autoClose: false })) {
    const [from, become] = line.split('\t') as [string, string];
    if (from !== become) moved.push([from, become]);
    if (moved.length >= KEYS_AT_ONCE) await flush();
  }
  if (moved.length > 0) await flush();
}
