/** Databases that the migrations before the baseline created: taken over, or refused. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { tables } from '../modules/tables.ts';
import { createTenant } from '../modules/tenants/index.ts';
import { LAST, LAST_COMMIT } from './baseline.ts';
import { listMigrations, migrate } from './migrate.ts';

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  await owner.connect();
  const { id } = await createTenant(owner, testSealer, { name: 'first', hosts: ['first.test'] });
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const start = async (log: string[] = []) => {
  const role = database.service.user as string;
  await migrate({ owner: database.owner, role, tables, log: (line) => log.push(line) });
  return log;
};

const CHECKS = `SELECT conrelid::regclass AS table, conname FROM pg_constraint WHERE conname LIKE '%\\_encrypted'`;

/** Undoes the take-over: the schema and the list of migrations of the last commit before the baseline. */
async function becomeOld(count = LAST.count): Promise<void> {
  const { rows } = await owner.query<{ table: string; conname: string }>(CHECKS);
  for (const { table, conname } of rows) await owner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${conname}`);
  await owner.query('CREATE TABLE IF NOT EXISTS list_shapes (tenant_id bigint)');
  // Of migrations after the baseline.
  await owner.query('DROP VIEW user_search_view');
  await owner.query('ALTER TABLE user_search DROP COLUMN IF EXISTS caption_doc');
  await owner.query(`CREATE VIEW user_search_view AS
    SELECT tenant_id, user_id, doc, role_doc, place_doc, external_doc, personal_doc, provider_doc
      FROM user_search WHERE tenant_id = current_setting('app.tenant_id')::bigint WITH CASCADED CHECK OPTION`);
  await owner.query(`ALTER TABLE outgoing_mails DROP CONSTRAINT outgoing_mails_state_check,
    ADD CONSTRAINT outgoing_mails_state_check CHECK (state IN ('waiting', 'sent', 'failed', 'unsent'))`);
  await owner.query('DROP TABLE IF EXISTS push_messages, push_subscriptions, push_keys');
  for (const column of ['push_state', 'push_reason', 'push_at'])
    await owner.query(`ALTER TABLE notifications DROP COLUMN IF EXISTS ${column}`);
  await owner.query('ALTER TABLE notification_preferences DROP COLUMN IF EXISTS push');
  await owner.query('ALTER TABLE tenant_settings DROP COLUMN IF EXISTS notification_push');
  for (const column of ['accent_color', 'logo_content_ref', 'sign_in_notice', 'imprint_url', 'privacy_url'])
    await owner.query(`ALTER TABLE tenant_settings DROP COLUMN IF EXISTS ${column}`);
  for (const column of ['second_group_by', 'measure', 'measure_of', 'in_overview'])
    await owner.query(`ALTER TABLE saved_views DROP COLUMN IF EXISTS ${column}`);
  for (const table of ['posts', 'users']) await owner.query(`ALTER TABLE ${table} DROP COLUMN IF EXISTS imported_at`);
  await owner.query('ALTER TABLE imports DROP COLUMN IF EXISTS archived_people');
  await owner.query('ALTER TABLE catalog_entries DROP COLUMN IF EXISTS position');
  await owner.query('DROP TABLE IF EXISTS community_drafts, device_sign_ins');
  await owner.query('ALTER TABLE personal_tokens DROP COLUMN IF EXISTS manages_users');
  await owner.query('DROP TABLE IF EXISTS portico_deleted_tenants');
  await owner.query('ALTER TABLE tenant_versions DROP COLUMN IF EXISTS labels_version');
  await owner.query('ALTER TABLE tenants DROP COLUMN IF EXISTS unfinished, DROP COLUMN IF EXISTS delete_after');
  await owner.query(
    'DROP TABLE IF EXISTS webhook_deliveries, webhook_bodies, webhook_cursors, webhook_secrets, webhooks',
  );
  await owner.query('ALTER TABLE changes DROP COLUMN IF EXISTS history_types');
  await owner.query('ALTER TABLE stream_state DROP COLUMN IF EXISTS generation_seq');
  for (const name of ['entries', 'words']) await owner.query(`DROP VIEW IF EXISTS search_${name}_view`);
  for (const name of ['entries', 'words', 'state', 'pending']) await owner.query(`DROP TABLE IF EXISTS search_${name}`);
  await owner.query('DROP TABLE IF EXISTS portico_backups, notification_mails');
  await owner.query(
    'ALTER TABLE notifications DROP COLUMN IF EXISTS mail_state, DROP COLUMN IF EXISTS mail_reason, DROP COLUMN IF EXISTS mail_id',
  );
  await owner.query('ALTER TABLE notification_preferences DROP COLUMN IF EXISTS mail');
  await owner.query('DELETE FROM notification_preferences WHERE enabled IS NULL');
  await owner.query('ALTER TABLE notification_preferences ALTER COLUMN enabled SET NOT NULL');
  await owner.query('ALTER TABLE users DROP COLUMN IF EXISTS digest_hour');
  await owner.query(
    'ALTER TABLE tenant_settings DROP COLUMN IF EXISTS notification_mails, DROP COLUMN IF EXISTS notification_mails_since',
  );
  await owner.query('DELETE FROM portico_migrations');
  await owner.query(
    `INSERT INTO portico_migrations (version, name, checksum)
     SELECT $2 - n, CASE n WHEN 0 THEN 'work-of-tenants' ELSE 'older' END, $3 FROM generate_series(0, $1::int - 1) n`,
    [count, LAST.version - LAST.count + count, LAST.checksum],
  );
}

test('a database at the last schema before the baseline is taken over as it is', async () => {
  const checks = (await owner.query(`${CHECKS} ORDER BY 1, 2`)).rows;
  expect(checks).toHaveLength(4);
  await becomeOld();
  expect(await start()).toContain(`took the database over at schema ${LAST.version}`);
  expect((await owner.query(`${CHECKS} ORDER BY 1, 2`)).rows).toEqual(checks);
  expect((await owner.query(`SELECT to_regclass('list_shapes') AS gone`)).rows).toEqual([{ gone: null }]);
  const known = (await listMigrations()).map(({ version, checksum }) => ({ version, checksum }));
  expect((await owner.query('SELECT version, checksum FROM portico_migrations ORDER BY version')).rows).toEqual(known);
  expect(await start()).toEqual([]);
});

test('a migration lets transactions that hold its tables end, and is applied afterwards', async () => {
  await becomeOld();
  const writer = new pg.Client(database.owner);
  await writer.connect();
  await writer.query('BEGIN; LOCK TABLE changes IN ROW EXCLUSIVE MODE');
  const log: string[] = [];
  const started = start(log);
  await expect.poll(() => log).toContainEqual(expect.stringContaining('(webhooks) gave way to other transactions'));
  await writer.query('COMMIT');
  await writer.end();
  await started;
  const last = (await listMigrations()).at(-1);
  expect((await owner.query('SELECT max(version) AS last FROM portico_migrations')).rows).toEqual([
    { last: last?.version },
  ]);
});

test('an older one is refused, and stays as it is', async () => {
  await becomeOld(LAST.count - 1);
  await expect(start()).rejects.toThrow(
    `has schema 101 (work-of-tenants), which this version of Portico does not upgrade: make a backup, start commit ${LAST_COMMIT}`,
  );
  expect((await owner.query('SELECT FROM portico_migrations')).rowCount).toBe(LAST.count - 1);
});

test('one with secrets without encryption is refused, and stays as it is', async () => {
  await becomeOld();
  await owner.query(`UPDATE signing_keys SET private_jwk = '{}', sealed_private_jwk = NULL`);
  await expect(start()).rejects.toThrow(`stores secrets without encryption, which this version of Portico`);
  expect((await owner.query('SELECT FROM portico_migrations')).rowCount).toBe(LAST.count);
});
