/** Migrations of stored data, each run again over rows as the version before wrote them. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/cluster.ts';
import { testSealer } from '../../../test/support/encryption.ts';
import { tables } from '../../modules/tables.ts';
import { createTenant } from '../../modules/tenants/index.ts';
import { migrate } from './migrate.ts';

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

/** Runs one migration once more. @returns what it logged */
async function again(name: string): Promise<string[]> {
  const { rowCount } = await owner.query('DELETE FROM portico_migrations WHERE name = $1', [name]);
  expect(rowCount).toBe(1);
  const log: string[] = [];
  await migrate({
    owner: database.owner,
    role: database.service.user as string,
    tables,
    log: (line) => log.push(line),
  });
  return log;
}

test('accounts: default licences go, disabled ways of signing in are removed and counted, photos stay', async () => {
  const tenants = [
    await createTenant(owner, testSealer, { name: 'first', hosts: ['first.test'] }),
    await createTenant(owner, testSealer, { name: 'second', hosts: ['second.test'] }),
  ];
  const bind = (id: number) => owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
  for (const { id } of tenants) {
    await bind(id);
    await owner.query(
      `INSERT INTO users (tenant_id, first_name, last_name, last_key, first_key, licence_types, photo_content_ref,
          google_account_id, google_enabled, microsoft_account_id, microsoft_enabled, custom_username, custom_active, password_hash)
       VALUES ($1, '', 'both', 'both', '', '{1}', NULL, 'g1@x.example', true, 'm1@x.example', true, 'u1', true, 'hash'),
              ($1, '', 'google', 'google', '', '{1}', 'photo', 'g2@x.example', true, 'm2@x.example', false, 'u2', false, 'hash'),
              ($1, '', 'microsoft', 'microsoft', '', '{1,2}', NULL, 'g3@x.example', false, 'm3@x.example', true, NULL, false, NULL),
              ($1, '', 'none', 'none', '', '{}', NULL, 'g4@x.example', false, NULL, false, NULL, false, NULL)`,
      [id],
    );
    await owner.query(
      `INSERT INTO user_search (tenant_id, user_id, doc, provider_doc)
       SELECT tenant_id, id, last_name, concat_ws(E'\n', google_account_id, microsoft_account_id)
         FROM users WHERE tenant_id = $1 AND google_account_id IS NOT NULL`,
      [id],
    );
  }
  expect(await again('accounts')).toEqual(expect.arrayContaining(['removed 8 disabled ways of signing in']));
  for (const { id } of tenants) {
    await bind(id);
    const { rows } = await owner.query({
      text: `SELECT u.last_name, u.licence_types, u.photo_content_ref, u.google_account_id, u.microsoft_account_id, u.custom_username,
                    u.password_hash, u.credentials_version, s.provider_doc
               FROM users u JOIN user_search s ON s.tenant_id = u.tenant_id AND s.user_id = u.id
              WHERE u.tenant_id = $1 AND u.last_name IN ('both', 'google', 'microsoft', 'none') ORDER BY u.last_name`,
      values: [id],
      rowMode: 'array',
    });
    expect(rows).toEqual([
      ['both', [], null, 'g1@x.example', 'm1@x.example', 'u1', 'hash', '1', 'g1@x.example\nm1@x.example'],
      ['google', [], 'photo', 'g2@x.example', null, null, null, '3', 'g2@x.example'],
      ['microsoft', [1, 2], null, null, 'm3@x.example', null, null, '2', 'm3@x.example'],
      ['none', [], null, null, null, null, null, '2', ''],
    ]);
  }
  // Nothing is left to remove, and nothing is said of that.
  expect((await again('accounts')).filter((line) => line.includes('removed'))).toEqual([]);
});
