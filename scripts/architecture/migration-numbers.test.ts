/** Migrations with a gap before them, with the number of another, or under a name that does not run. */
import { expect, it } from 'vitest';
import { checkMigrationNumbers, readMigrationNames } from './migration-numbers.ts';

const BASELINE = '0103-baseline';

it('gives each migration of this repository a number of its own', async () => {
  const names = await readMigrationNames();
  expect(names).toContain(BASELINE);
  expect(checkMigrationNumbers(names)).toEqual([]);
});

it('finds a gap, and a migration before the baseline', () => {
  expect(checkMigrationNumbers([BASELINE, '0104-b.sql', '0106-c.sql', '0107-d.sql'])).toEqual([
    'apps/server/migrations/0106-c.sql leaves a gap; the next number is 0105',
  ]);
  expect(checkMigrationNumbers([BASELINE, '0014-b.sql'])).toContain(
    'apps/server/migrations/0014-b.sql leaves a gap; the next number is 0103',
  );
});

it('finds a file that is no migration, and a folder', () => {
  expect(checkMigrationNumbers([BASELINE, '0104_b.sql', '0104-b'])).toEqual(
    ['0104-b', '0104_b.sql'].map(
      (name) => `apps/server/migrations/${name} does not run; call it by four digits and words, such as 0104-tags.sql`,
    ),
  );
});

it('finds a number that two migrations have', () => {
  expect(checkMigrationNumbers(['0104-b.sql', BASELINE, '0104-a.sql'])).toEqual([
    'apps/server/migrations/0104-b.sql has the number of 0104-a.sql; give the later one the next number',
  ]);
});
