import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FOLDER = 'apps/server/migrations';
const DIRECTORY = fileURLToPath(new URL(`../../${FOLDER}/`, import.meta.url));

/** The folder of the first migration, whose files are its parts. */
const BASELINE = '0103-baseline';

/** Returns the names of migrations: files, and the folder of the baseline. */
export const readMigrationNames = (): Promise<string[]> => readdir(DIRECTORY);

/**
 * Checks the numbers of migrations. Two merged branches may each have added a migration of the same
 * number, without a conflict. A later migration that filled a gap would run before the others in a
 * new database and after them in an older one.
 * @param names of files, such as `0104-tags.sql`, and the folder of the baseline
 * @returns one sentence per breach
 */
export function checkMigrationNumbers(names: readonly string[]): string[] {
  const found: string[] = [];
  let [before, next] = ['', Number(BASELINE.slice(0, 4))];
  for (const name of [...names].sort()) {
    const number = Number(name.slice(0, 4));
    if (name !== BASELINE && !/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
      found.push(`${FOLDER}/${name} does not run; call it by four digits and words, such as 0104-tags.sql`);
    else if (before.slice(0, 4) === name.slice(0, 4))
      found.push(`${FOLDER}/${name} has the number of ${before}; give the later one the next number`);
    else {
      if (number !== next)
        found.push(`${FOLDER}/${name} leaves a gap; the next number is ${String(next).padStart(4, '0')}`);
      [before, next] = [name, number + 1];
    }
  }
  return found;
}
