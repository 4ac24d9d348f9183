/** Migrations with an UPDATE that calls a volatile function; the repository has none. */
import { expect, it } from 'vitest';
import { checkMigrationUpdates, readMigrationTexts } from './migration-updates.ts';

const check = (text: string) => checkMigrationUpdates([{ name: '0104-a.sql', text }]);

it('finds none in this repository', async () => {
  expect(checkMigrationUpdates(await readMigrationTexts())).toEqual([]);
});

const FUNCTION = (kind: string) => `CREATE FUNCTION shown(a text) RETURNS text LANGUAGE sql ${kind} AS $$ SELECT a $$;`;

it.each([
  ['one of PostgreSQL', 'UPDATE posts SET client_uid = gen_random_uuid() WHERE tenant_id = 1;'],
  ['one of the migrations that says nothing', `${FUNCTION('')} UPDATE posts p SET title = shown(p.title);`],
  ['one within DO', 'DO $$ BEGIN UPDATE posts SET rank = random() * 10; END $$;'],
  ['one of ON CONFLICT', 'INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET at = clock_timestamp();'],
])('%s: refused', (_, text) => {
  expect(check(text)).toHaveLength(1);
});

it.each([
  ['one that is marked', `${FUNCTION('IMMUTABLE')} UPDATE posts SET title = shown(title);`],
  ['a default', 'CREATE TABLE a (id uuid DEFAULT gen_random_uuid()); UPDATE a SET x = lower(x);'],
  ['a text and a remark', `UPDATE a SET x = 'random()' WHERE y; -- random()`],
])('%s: taken', (_, text) => {
  expect(check(text)).toEqual([]);
});
