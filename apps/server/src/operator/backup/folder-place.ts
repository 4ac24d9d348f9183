/** Backups in a folder. */
import { createReadStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isBackupName } from './manifest.ts';
import { type BackupPlace, MANIFEST } from './place.ts';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** Files written at once: each waits for the disk. */
const WRITES_AT_ONCE = 8;

/**
 * Opens a folder for backups, which the first backup makes. A folder that is itself a backup, as an
 * unpacked archive of standard output is, is a place with this one backup.
 */
export function openFolder(path: string): BackupPlace {
  const root = resolve(path);
  /** Directories with new names that a loss of power may still undo. */
  const changed = new Set<string>();
  const make = async (directory: string) => {
    const made = await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
    if (made === undefined) return;
    for (let at = directory; at.length >= dirname(made).length; at = dirname(at)) changed.add(at);
  };
  return {
    address: root,
    writesAtOnce: WRITES_AT_ONCE,
    readable: true,
    put: async (name, bytes, size) => {
      const file = join(root, name);
      await make(dirname(file));
      await writeDurably(`${file}.part`, bytes, size);
      await rename(`${file}.part`, file);
      changed.add(dirname(file));
    },
    settle: async () => {
      for (const directory of changed) await syncDirectory(directory);
      changed.clear();
    },
    read: async (name) => {
      try {
        const handle = await open(join(root, name), 'r');
        return createReadStream('', { fd: handle });
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
    names: async () => (await entriesOf(root)).filter(isBackupName).sort(),
    list: (folder) => listFolder(root, folder),
    removeFile: (path) => rm(join(root, path), { force: true }),
    remove: async (name) => {
      if (!isBackupName(name)) throw new Error(`${name} is no backup`);
      await rm(join(root, name, MANIFEST), { force: true });
      await syncDirectory(join(root, name));
      await rm(join(root, name), { recursive: true, force: true });
    },
    close: async () => undefined,
  };
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function* listFolder(root: string, folder: string): AsyncGenerator<string> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* listFolder(root, `${folder}${entry.name}/`);
    else if (!entry.name.endsWith('.part')) yield `${folder}${entry.name}`;
  }
}

async function writeDurably(file: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
  const handle = await open(file, 'w', FILE_MODE);
  try {
    let written = 0;
    for await (const chunk of bytes) {
      await handle.writeFile(chunk);
      written += chunk.byteLength;
    }
    if (written !== size) throw new Error(`${file} got ${written} bytes instead of ${size}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
