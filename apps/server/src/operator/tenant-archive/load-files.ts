/** Writes the files of an archive into the storage, under keys of the new tenant. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileStorage } from '@portico/platform/files';
import type pg from 'pg';
import { moveFilesSql } from '../../modules/files/index.ts';
import { inParallel } from '../backup/index.ts';
import type { TenantArchive } from './archive-file.ts';

/** Files written at once. */
const WRITES_AT_ONCE = 4;
/** Keys that one statement replaces. */
const KEYS_AT_ONCE = 1_000;

/** Files that have another key in this storage, kept in a file: there may be many. */
interface MovedFiles {
  /** Replaces the keys in the rows of the tenant. @param to within a transaction of the owner */
  apply(to: pg.ClientBase): Promise<void>;
  remove(): Promise<void>;
}

export async function loadFiles(archive: TenantArchive, storage: FileStorage, tenantId: number): Promise<MovedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-import-'));
  const path = join(folder, 'moved');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const list = await open(path, 'w', 0o600);
    try {
      const load = async ({
        file,
        bytes,
      }: {
        file: { key: string; bytes: number };
        bytes(): AsyncIterable<Uint8Array>;
      }) => {
        const received = await storage.receive(tenantId, bytes(), { maxBytes: file.bytes });
        await received.publish();
        return `${file.key}\t${received.storageKey}\n`;
      };
      for await (const line of inParallel(archive.files(), WRITES_AT_ONCE, load)) await list.write(line);
    } finally {
      await list.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { apply: (to) => applyMoved(to, path, tenantId), remove };
}

async function applyMoved(to: pg.ClientBase, path: string, tenantId: number): Promise<void> {
  let moved: [string, string][] = [];
  const flush = async () => {
    const [from, become] = [moved.map(([key]) => key), moved.map(([, key]) => key)];
    for (const sql of moveFilesSql) await to.query(`${sql} AND t.tenant_id = $3`, [from, become, tenantId]);
    moved = [];
  };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const [from, become] = line.split('\t') as [string, string];
    if (from !== become) moved.push([from, become]);
    if (moved.length >= KEYS_AT_ONCE) await flush();
  }
  if (moved.length > 0) await flush();
}
