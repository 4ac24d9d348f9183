/** Checks that PostgreSQL accepts the indexes that docs/operating/trouble.md offers for slow lists. */
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/cluster.ts';

const MANUAL = new URL('../../../../../../../docs/operating/trouble.md', import.meta.url);

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

test('the index templates of the manual fit the tables', async () => {
  const manual = await readFile(MANUAL, 'utf8');
  const section = manual.split(/^## /m).find((text) => text.startsWith('Slow lists and missing indexes')) ?? '';
  const templates = [...section.matchAll(/`(CREATE INDEX CONCURRENTLY [^`]+)`/g)].map(([, sql]) => sql as string);
  const [, keys = ''] = /In place of `title_key` name .*?: ([^.]*)\./s.exec(section) ?? [];
  const others = [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key as string);
  expect([templates.length, others.length]).toEqual([6, 5]);
  const [first = ''] = templates;
  const variants = others.map((key) => first.replace('local_posts', `local_${key}`).replace('title_key', key));
  for (const sql of [...templates, ...variants]) await owner.query(sql);
  const { rows } = await owner.query<{ valid: boolean }>(
    `SELECT indisvalid AS valid FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relname LIKE 'local\\_%'`,
  );
  expect(rows.map((row) => row.valid)).toEqual(Array(11).fill(true));
});
