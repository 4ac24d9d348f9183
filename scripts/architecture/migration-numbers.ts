import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const DIRECTORY = fileURLToPath(new URL('../../apps/server/migrations/', import.meta.url));

/** Names of the files of migrations. */
export const readMigrationNames = (): Promise<string[]> => readdir(DIRECTORY);

/**
 * Two branches that are merged may each add a migration of the same number, without a conflict.
 * @param names of files, such as `0001-tenants.sql`
 * @returns one sentence per breach
 */
export function checkMigrationNumbers(names: readonly string[]): string[] {
  const sorted = [...names].sort();
  return sorted.flatMap((name, at) => {
    const before = sorted[at - 1];
    return before?.slice(0, 4) === name.slice(0, 4)
      ? [`apps/server/migrations/${name} has the number of ${before}; give the later one the next number`]
      : [];
  });
}
