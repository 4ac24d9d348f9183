/** Statements in a transaction apart from the caller's. */
import { ScopedPool } from '@portico/platform/db/scoped-pool';
import { TenantDatabases } from '@portico/platform/db/tenant-db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let owner: pg.Client;
let tenants: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  await owner.connect();
  tenants = [];
  for (const name of ['alpha', 'beta'])
    tenants.push((await createTenant(owner, testSealer, { name, hosts: [`${name}.test`] })).id);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const RAISE = `UPDATE tenant_versions SET access_version = access_version + $2::integer WHERE tenant_id = $1
  RETURNING access_version AS version`;
const READ = 'SELECT access_version AS version FROM tenant_versions WHERE tenant_id = $1';

describe.each(['connection', 'transaction'] as const)('a transaction apart, in scope mode %s', (mode) => {
  function open(max?: number) {
    const pool = new ScopedPool({ connection: database.service, mode, max, onError: () => undefined });
    onTestFinished(() => pool.end());
    const databases = new TenantDatabases(pool);
    const db = databases.for(tenants[0]!);
    const version = async (of = db) => (await of.query<{ version: number }>(READ, [of.tenantId]))[0]!.version;
    const raise = (within = db, of = db.tenantId) => within.apart<{ version: number }>(RAISE, [of, 1]);
    return { databases, db, version, raise };
  }

  it('is kept when the transaction around it is not', async () => {
    const { db, version, raise } = open();
    const before = await version();
    const work = db.transaction(async (tx) => {
      expect(await raise(tx)).toEqual([{ version: before + 1 }]);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await version()).toBe(before + 1);
    expect(await raise()).toEqual([{ version: before + 2 }]);
  });

  it('gives up a lock that its caller holds, and changes nothing', async () => {
    const { db, version, raise } = open();
    const before = await version();
    await db.transaction(async (tx) => {
      await tx.query(`${READ} FOR UPDATE`, [tx.tenantId]);
      expect(await raise(tx)).toBeUndefined();
    });
    expect(await version()).toBe(before);
    expect(await raise()).toEqual([{ version: before + 1 }]);
  });

  it('needs a second connection, which it does not wait for in vain', async () => {
    const { db, raise, version } = open(2);
    const before = await version();
    await db.transaction(async (tx) => {
      expect(await raise(tx)).toEqual([{ version: before + 1 }]);
      await db.transaction(
        async () => {
          expect(await raise(tx)).toBeUndefined();
        },
        { isolation: 'repeatable read' },
      );
    });
    const alone = open(1);
    expect(await alone.raise()).toBeUndefined();
    expect(await version()).toBe(before + 1);
  });

  it('reports no failure, and keeps the connections as they are', async () => {
    const { db, version, raise } = open(2);
    const before = await version();
    expect(await db.apart('SELECT 1 / ($1::bigint - $1)', [db.tenantId])).toBeUndefined();
    expect(await raise()).toEqual([{ version: before + 1 }]);
  });

  it('belongs to the tenant of its handle', async () => {
    const { databases, db, version, raise } = open();
    const other = databases.for(tenants[1]!);
    const before = await version(other);
    expect(await raise(db, other.tenantId)).toEqual([]);
    expect(await raise(other, other.tenantId)).toEqual([{ version: before + 1 }]);
    expect(await version(other)).toBe(before + 1);
  });

  it('tells whether the transaction will be undone', async () => {
    const { db } = open();
    const seen = await db.transaction(async (tx) => {
      const inner = await tx.transaction(async (part) => part.transaction(async (deep) => deep.undone), {
        rollback: true,
      });
      return [tx.undone, inner, await tx.transaction(async (part) => part.undone)];
    });
    expect(seen).toEqual([false, true, false]);
    expect(await db.transaction(async (tx) => tx.undone, { rollback: true })).toBe(true);
  });
});
