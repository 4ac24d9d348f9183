/** Migrations that change the type of a column; the repository has none. */
import { expect, it } from 'vitest';
import { checkMigrationTypes } from './migration-types.ts';
import { readMigrationTexts } from './migration-updates.ts';

const check = (text: string) => checkMigrationTypes([{ name: '0200-a.sql', text }]);

it('finds none in this repository', async () => {
  expect(checkMigrationTypes(await readMigrationTexts())).toEqual([]);
});

it.each([
  ['the plain form', 'ALTER TABLE a ALTER COLUMN size TYPE bigint;'],
  ['the long form', 'alter table only a alter column size\n  set data type bigint using size::bigint;'],
  ['without COLUMN', 'ALTER TABLE a ALTER size TYPE bigint;'],
  ['a quoted name', 'ALTER TABLE a ALTER COLUMN "size" TYPE bigint;'],
  ['behind another change', 'ALTER TABLE a ADD COLUMN b text, ALTER COLUMN size TYPE bigint;'],
  ['within DO', `DO $$ BEGIN EXECUTE format('ALTER TABLE %I ALTER COLUMN size TYPE bigint', 'a'); END $$;`],
  ['an attribute', 'ALTER TYPE pair ALTER ATTRIBUTE size TYPE bigint;'],
  ['dropped and added', 'ALTER TABLE a DROP COLUMN size; ALTER TABLE a ADD COLUMN size bigint;'],
  ['dropped and added at once', 'ALTER TABLE a DROP COLUMN IF EXISTS size, ADD COLUMN size bigint;'],
])('%s: refused', (_, text) => {
  expect(check(text)).toEqual([expect.stringContaining('changes the type of size')]);
});

it.each([
  ['another change of a column', `ALTER TABLE a ALTER COLUMN size SET DEFAULT 0, ALTER COLUMN type DROP NOT NULL;`],
  ['a column that is called type', 'ALTER TABLE a ALTER COLUMN type SET DEFAULT 1;'],
  ['another constraint', 'ALTER TABLE a DROP CONSTRAINT size, ADD CONSTRAINT size CHECK (b > 0);'],
  ['a type', `ALTER TYPE colour ADD VALUE 'red';`],
  ['a remark', '-- ALTER TABLE a ALTER COLUMN size TYPE bigint;\nALTER TABLE a ADD COLUMN b bigint;'],
  ['columns of two tables', 'ALTER TABLE a DROP COLUMN size; ALTER TABLE b ADD COLUMN size bigint;'],
])('%s: taken', (_, text) => {
  expect(check(text)).toEqual([]);
});
