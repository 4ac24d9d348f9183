/** Writes docs/cli.md, the reference page of the command line, from the program itself. */
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePage } from '../packages/cli/src/reference.ts';

const target = 'docs/cli.md';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Brings docs/cli.md up to date.
 * @param check when true nothing is written
 * @returns paths, below the root of the project, of the files that were stale
 */
export async function generateCliReference(check: boolean): Promise<string[]> {
  const path = join(root, target);
  const text = await referencePage();
  const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (present === text) return [];
  if (!check) await writeFile(path, text);
  return [target];
}
