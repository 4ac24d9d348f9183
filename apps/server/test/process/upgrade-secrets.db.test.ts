/** The secrets of tenants that an earlier version made go on verifying after the upgrade, by an owner that is no superuser. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { tables } from '../../src/modules/tables.ts';
import { listMigrations, migrate } from '../../src/platform/db/migrate.ts';
import { Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

test('secrets are taken over tenant by tenant', async () => {
  const { owner } = await surroundings.database();
  const client = new pg.Client(owner);
  await client.connect();
  const migrations = await listMigrations();
  const ours = migrations.find(({ name }) => name === 'sessions-and-keys')!;
  await client.query(`CREATE TABLE portico_migrations (
    version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  for (const { version, name, checksum, sql } of migrations.filter(({ version: number }) => number < ours.version)) {
    await client.query('BEGIN');
    await client.query(`SET LOCAL app.tenant_id = '0'`);
    await client.query(sql);
    await client.query('INSERT INTO portico_migrations VALUES ($1, $2, $3)', [version, name, checksum]);
    await client.query('COMMIT');
  }
  const scope = (id: number) => client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
  const secrets = new Map<number, { page: Buffer; link: Buffer }>();
  for (const id of [1, 2]) {
    await client.query('INSERT INTO tenants (id, name, display_name) VALUES ($1, $2, $2)', [id, `tenant-${id}`]);
    await scope(id);
    const made = { page: randomBytes(32), link: randomBytes(32) };
    await client.query('INSERT INTO tenant_settings (tenant_id, opaque_secret, link_secret) VALUES ($1, $2, $3)', [
      id,
      made.page,
      made.link,
    ]);
    secrets.set(id, made);
  }
  await migrate({ owner, tables });
  for (const [id, made] of secrets) {
    await scope(id);
    const { rows } = await client.query('SELECT kind, secret FROM tenant_secrets WHERE tenant_id = $1 ORDER BY kind', [
      id,
    ]);
    expect(rows).toEqual([
      { kind: 'link', secret: made.link },
      { kind: 'page', secret: made.page },
    ]);
  }
  await client.end();
});
