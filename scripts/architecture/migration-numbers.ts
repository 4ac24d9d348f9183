import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FOLDER = 'apps/server/migrations';
const DIRECTORY = fileURLToPath(new URL(`../../${FOLDER}/`, import.meta.url));

/** Names of the files of migrations. */
export const readMigrationNames = (): Promise<string[]> => readdir(DIRECTORY);

/** Numbers that no migration has or may get: a database that has a later one would run it after that. */
const LEFT_OUT = new Set([8, 9, 10, 14, 17, 18, 19, 73, 74]);

/**
 * Two branches that are merged may each add a migration of the same number, without a conflict. A gap would be filled by a
 * migration that a new database runs before the later ones and an older database after them.
 * @param names of files, such as `0001-tenants.sql`  @param leftOut numbers that no migration may have
 * @returns one sentence per breach
 */
export function checkMigrationNumbers(names: readonly string[], leftOut: ReadonlySet<number> = LEFT_OUT): string[] {
  const found: string[] = [];
  let [before, next] = ['', 1];
  for (const name of [...names].sort()) {
    const number = Number(name.slice(0, 4));
    while (leftOut.has(next)) next++;
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
      found.push(`${FOLDER}/${name} does not run; call it by four digits and words, such as 0001-tenants.sql`);
    else if (before.slice(0, 4) === name.slice(0, 4))
      found.push(`${FOLDER}/${name} has the number of ${before}; give the later one the next number`);
    else if (leftOut.has(number))
      found.push(`${FOLDER}/${name} has a number that is left out; give it the next number`);
    else {
      if (number !== next)
        found.push(`${FOLDER}/${name} leaves a gap; the next number is ${String(next).padStart(4, '0')}`);
      [before, next] = [name, number + 1];
    }
  }
  return found;
}
