/**
 * Isolation is the database's job: for every tenant table, rows of another tenant cannot be seen, changed, made or
 * pointed at. Generated from the catalogue, so that a table added later is tested the day it is added.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNRECORDED } from '../../test/support/citus-statements.ts';
import { createTestDatabase, currentCluster, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import {
  describeTenantTables,
  insertOneOfEach,
  plainValue,
  type Row,
  type TableDescription,
} from '../../test/support/table-rows.ts';
import { tables as registry } from '../modules/tables.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let owner: pg.Client;
let service: ScopedClient;
let tables: TableDescription[];
let alpha: number;
let beta: number;
let rowsOfAlpha: Map<string, Row>;
let rowsOfBeta: Map<string, Row>;

/** Tables that a view of the owner's reads (ADR 0002): row security without FORCE. */
const VIEWED = ['group_search', 'post_search', 'post_texts', 'search_entries', 'search_words', 'user_search'];
const VIEWS = VIEWED.map((table) => `${table}_view`);
/** A field belongs to a community or to a workflow, never to both. */
const ALONG: Readonly<Record<string, string>> = { fields_tenant_id_workflow_id_fkey: ', community_id = NULL' };

const distributed = currentCluster().citus !== undefined;

/** A connection that works for one tenant; the nodes of a cluster are told so in transactions alone. */
class ScopedClient extends pg.Client {
  #tenant = 0;

  async scope(tenant: number): Promise<void> {
    this.#tenant = tenant;
    if (distributed) await this.query('SET citus.propagate_set_commands = local');
    else await this.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenant)]);
  }

  /** Runs a statement for the tenant. */
  async run<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<pg.QueryResult<R>> {
    if (!distributed) return this.query<R>(text, values);
    await this.query('BEGIN');
    try {
      await this.query(`SET LOCAL app.tenant_id = '${this.#tenant}'`);
      const result = await this.query<R>(text, values);
      await this.query('COMMIT');
      return result;
    } catch (error) {
      await this.query('ROLLBACK');
      throw error;
    }
  }
}
/** Tables that already hold their one row for a tenant from the day it is made. */
const MADE_WITH_TENANT = ['tenant_settings', 'tenant_versions', 'stream_state'];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  service = new ScopedClient({ ...database.service, application_name: UNRECORDED });
  await Promise.all([owner.connect(), service.connect()]);
  tables = await describeTenantTables(owner);
  alpha = (await createTenant(owner, testSealer, { name: 'alpha', hosts: ['alpha.test'] })).id;
  beta = (await createTenant(owner, testSealer, { name: 'beta', hosts: ['beta.test'] })).id;
  const fill = async (tenant: number) => {
    await service.scope(tenant);
    for (const table of MADE_WITH_TENANT) await service.run(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant]);
    return insertOneOfEach((text, values) => service.run(text, values), tables, tenant);
  };
  rowsOfAlpha = await fill(alpha);
  rowsOfBeta = await fill(beta);
});
afterAll(async () => {
  await Promise.all([owner.end(), service.end()]);
  await database.drop();
});

async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );
}

describe('rows of another tenant', () => {
  it('are invisible in every table and view, with and without naming the tenant', async () => {
    await service.scope(alpha);
    for (const name of [...tables.map((table) => table.name), ...VIEWS]) {
      const { rows } = await service.run<{ mine: string; others: string }>(
        `SELECT count(*) FILTER (WHERE tenant_id = $1) AS mine, count(*) FILTER (WHERE tenant_id <> $1) AS others FROM ${name}`,
        [alpha],
      );
      expect(Number(rows[0]!.mine), name).toBeGreaterThan(0);
      expect(Number(rows[0]!.others), name).toBe(0);
      const named = await service.run(`SELECT FROM ${name} WHERE tenant_id = $1`, [beta]);
      expect(named.rowCount, name).toBe(0);
    }
  });

  it('cannot be changed or removed', async () => {
    await service.scope(alpha);
    for (const { name } of tables) {
      if (registry.get(name)?.appendOnly) {
        for (const sql of [`UPDATE ${name} SET tenant_id = tenant_id`, `DELETE FROM ${name}`])
          expect(await refusal(service.run(sql)), name).toBe('42501');
        continue;
      }
      const updated = await service.run(`UPDATE ${name} SET tenant_id = tenant_id WHERE tenant_id = $1`, [beta]);
      expect(updated.rowCount, name).toBe(0);
      const removed = await service.run(`DELETE FROM ${name} WHERE tenant_id = $1`, [beta]);
      expect(removed.rowCount, name).toBe(0);
    }
    await service.scope(beta);
    for (const { name } of tables) {
      const left = await service.run(`SELECT FROM ${name}`);
      expect(left.rowCount, name).toBeGreaterThan(0);
    }
  });

  it('cannot be made, nor can a row be moved to another tenant', async () => {
    await service.scope(alpha);
    for (const table of tables) {
      const row = fresh(table, rowsOfBeta.get(table.name)!);
      const names = Object.keys(row);
      expect(
        await refusal(
          service.run(
            `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
            names.map((n) => row[n]),
          ),
        ),
        table.name,
      ).toBe('42501');
      // Citus moves no row at all.
      expect(await refusal(service.run(`UPDATE ${table.name} SET tenant_id = $1`, [beta])), table.name).toBe(
        distributed ? '0A000' : '42501',
      );
    }
  });

  it('cannot be pointed at by any foreign key', async () => {
    let tested = 0;
    for (const table of tables) {
      for (const key of table.foreignKeys) {
        const reference = key.columns.find((column) => column.child !== 'tenant_id');
        if (!reference) continue;
        const foreign = rowsOfBeta.get(key.parent)![reference.parent];
        // Identities are drawn from one sequence, so that the other tenant's id exists nowhere here.
        expect(rowsOfAlpha.get(key.parent)![reference.parent], key.name).not.toEqual(foreign);
        await service.scope(alpha);
        const code = await refusal(
          service.run(`UPDATE ${table.name} SET ${reference.child} = $1${ALONG[key.name] ?? ''} WHERE tenant_id = $2`, [
            foreign,
            alpha,
          ]),
        );
        expect(code, key.name).toBe('23503');
        tested++;
      }
    }
    expect(tested).toBeGreaterThan(60);
  });

  it('cannot be reached by a connection that names no tenant', async () => {
    const stranger = new pg.Client({ ...database.service, application_name: UNRECORDED });
    await stranger.connect();
    for (const { name } of tables) {
      expect(await refusal(stranger.query(`SELECT FROM ${name}`)), name).toBe('42704');
    }
    await stranger.end();
  });
});

/** A copy of a row under a primary key of its own. */
function fresh(table: TableDescription, row: Row): Row {
  const copy: Row = {};
  for (const { name, type } of table.columns) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    const identity = name === 'id' && table.primaryKey.includes('id');
    const stored = type === 'jsonb' ? JSON.stringify(value) : value;
    copy[name] = identity ? plainValue('int8') : stored;
  }
  return copy;
}

describe('the schema keeps to its rules', () => {
  it('secures every tenant table, and exempts from FORCE only those that a view of the owner reads, on Citus all', async () => {
    const { rows } = await owner.query<{ name: string; enabled: boolean; forced: boolean }>(
      `SELECT relname AS name, relrowsecurity AS enabled, relforcerowsecurity AS forced FROM pg_class
        WHERE relname = ANY ($1::text[]) AND relnamespace = 'public'::regnamespace`,
      [tables.map((table) => table.name)],
    );
    expect(rows.length).toBe(tables.length);
    for (const row of rows)
      expect(row, row.name).toMatchObject({ enabled: true, forced: !distributed && !VIEWED.includes(row.name) });
  });

  it('puts tenant_id first in every primary key, unique index and foreign key', async () => {
    const { rows: indexes } = await owner.query<{ name: string; first: string }>(
      `SELECT i.indexrelid::regclass::text AS name, a.attname AS first FROM pg_index i
         JOIN pg_class c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        WHERE i.indisunique AND c.relname = ANY ($1::text[])`,
      [tables.map((table) => table.name)],
    );
    for (const index of indexes) expect(index.first, index.name).toBe('tenant_id');
    for (const table of tables) {
      for (const key of table.foreignKeys) {
        expect(key.columns[0], key.name).toEqual({
          child: 'tenant_id',
          parent: key.parent === 'tenants' ? 'id' : 'tenant_id',
        });
      }
    }
  });

  it('has no triggers, and views that state the tenant themselves', async () => {
    const triggers = await owner.query(`SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace`);
    expect(triggers.rows).toEqual([]);
    const { rows: views } = await owner.query<{ viewname: string; definition: string }>(
      `SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' AND viewowner = current_user`,
    );
    expect(views.map((view) => view.viewname).sort()).toEqual(VIEWS);
    for (const view of views)
      expect(view.definition, view.viewname).toContain(`tenant_id = (current_setting('app.tenant_id'::text))::bigint`);
  });

  it('gives the service neither ownership, nor a way around row security, nor the registry to write', async () => {
    const { rows } = await service.run<{ owns: boolean; strong: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_class WHERE pg_has_role(current_user, relowner, 'MEMBER') AND relnamespace = 'public'::regnamespace) AS owns,
              EXISTS (SELECT FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND pg_has_role(current_user, oid, 'MEMBER')) AS strong`,
    );
    expect(rows[0]).toEqual({ owns: false, strong: false });
    for (const statement of [
      `INSERT INTO tenants (name, display_name) VALUES ('mine', 'mine')`,
      'UPDATE tenant_hosts SET tenant_id = tenant_id',
      'SELECT FROM portico_owner_secrets',
      'ALTER TABLE posts DISABLE ROW LEVEL SECURITY',
    ]) {
      expect(await refusal(service.run(statement)), statement).toBe('42501');
    }
  });
});
