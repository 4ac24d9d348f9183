import { expect, it } from 'vitest';
import { checkMigrationNumbers, readMigrationNames } from './migration-numbers.ts';

it('gives each migration of this repository a number of its own', async () => {
  const names = await readMigrationNames();
  expect(names.length).toBeGreaterThan(40);
  expect(checkMigrationNumbers(names)).toEqual([]);
});

it('finds a number that two migrations have', () => {
  expect(checkMigrationNumbers(['0002-b.sql', '0001-a.sql', '0002-a.sql'])).toEqual([
    'apps/server/migrations/0002-b.sql has the number of 0002-a.sql; give the later one the next number',
  ]);
});
