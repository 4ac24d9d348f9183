import { expect, it } from 'vitest';
import { checkMigrationNumbers, readMigrationNames } from './migration-numbers.ts';

it('gives each migration of this repository a number of its own', async () => {
  const names = await readMigrationNames();
  expect(names.length).toBeGreaterThan(40);
  expect(checkMigrationNumbers(names)).toEqual([]);
});

const NONE: ReadonlySet<number> = new Set();

it('finds a gap, and a migration in a gap of old', () => {
  expect(checkMigrationNumbers(['0001-a.sql', '0003-b.sql', '0004-c.sql'], NONE)).toEqual([
    'apps/server/migrations/0003-b.sql leaves a gap; the next number is 0002',
  ]);
  const leftOut = new Set([2, 3]);
  expect(checkMigrationNumbers(['0001-a.sql', '0004-b.sql'], leftOut)).toEqual([]);
  expect(checkMigrationNumbers(['0001-a.sql', '0002-c.sql', '0004-b.sql'], leftOut)).toEqual([
    'apps/server/migrations/0002-c.sql has a number that is left out; give it the next number',
  ]);
});

it('finds a file that is no migration', () => {
  expect(checkMigrationNumbers(['0001-a.sql', '0002_b.sql'], NONE)).toEqual([
    'apps/server/migrations/0002_b.sql does not run; call it by four digits and words, such as 0001-tenants.sql',
  ]);
});

it('finds a number that two migrations have', () => {
  expect(checkMigrationNumbers(['0002-b.sql', '0001-a.sql', '0002-a.sql'], NONE)).toEqual([
    'apps/server/migrations/0002-b.sql has the number of 0002-a.sql; give the later one the next number',
  ]);
});
