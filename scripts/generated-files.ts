/** Brings generated files up to date. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Writes the files whose text differs.
 * @param files text by path below the root of the project
 * @param check when true nothing is written
 * @returns paths of the files that differed
 */
export async function updateFiles(files: ReadonlyMap<string, string>, check: boolean): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of files) {
    const target = join(root, path);
    if ((await readIfPresent(target)) === text) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(target), { recursive: true });
    // Renamed, so that a process that reads the file finds all of it.
    const written = `${target}.${process.pid}`;
    await writeFile(written, text);
    await rename(written, target);
  }
  return stale;
}

const GENERATED = /\.generated\.ts$/;

/**
 * Deletes sources of an earlier generation that are no longer generated. Git ignores them, so an update of the checkout
 * keeps them.
 * @param files all generated sources: text by path below the root of the project
 */
export async function deleteFormer(files: ReadonlyMap<string, string>): Promise<void> {
  for (const folder of new Set([...files.keys()].map((path) => dirname(path))))
    for (const name of await readdir(join(root, folder)))
      if (GENERATED.test(name) && !files.has(`${folder}/${name}`)) await rm(join(root, folder, name));
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
