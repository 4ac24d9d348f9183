/** Writes the names of the objects that dry runs report into the contract, which does not know the tables of the server. */
import { readFile, writeFile } from 'node:fs/promises';
import { tables } from '@portico/server/testing/dataset';

const PATH = 'packages/contract/src/schemas/entities.generated.ts';
const target = new URL(`../${PATH}`, import.meta.url);

/** The file of the names. */
function expected(): string {
  const names = [...tables.values()].flatMap(({ entity }) => (entity === undefined ? [] : [entity])).sort();
  return `// Generated from the tables of the server by \`npm run generate\`. Do not edit.

/** Names of the objects that rows of tables are (\`entity\` in the \`tables.ts\` of modules). */
export const tableEntities: readonly string[] = [
${names.map((name) => `  '${name}',\n`).join('')}];
`;
}

/**
 * Brings the names of objects up to date.
 * @param check when true nothing is written
 * @returns the path of the file, below the root of the project, if it was stale
 */
export async function generateEntities(check: boolean): Promise<string[]> {
  const text = expected();
  if ((await readFile(target, 'utf8')) === text) return [];
  if (!check) await writeFile(target, text);
  return [PATH];
}
