/** Writes the files that follow from the contract: the OpenAPI document, the schema of files of communities, the TypeScript interfaces. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '../packages/contract/src/openapi/index.ts';
import { communityFileSchema } from '../packages/contract/src/schemas/index.ts';
import { printTypes } from '../packages/contract/src/typegen/print-types.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const typesFolder = 'packages/contract/src/types';

/** Text of every generated file by its path below the root of the project. */
function expectedFiles(): Map<string, string> {
  const files = new Map([['docs/openapi.json', `${JSON.stringify(buildOpenApi(), null, 1)}\n`]]);
  files.set('examples/communities/community.schema.json', `${JSON.stringify(communityFileSchema(), null, 2)}\n`);
  for (const [name, text] of printTypes()) files.set(`${typesFolder}/${name}`, text);
  return files;
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Brings `docs/openapi.json` and the generated interfaces of the contract up to date.
 * @param check when true nothing is written
 * @returns paths, below the root of the project, of the files that were stale
 */
export async function generateOpenApi(check: boolean): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of expectedFiles()) {
    const target = join(root, path);
    if ((await readIfPresent(target)) === text) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  return stale;
}
