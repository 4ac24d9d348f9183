import { ScopedPool } from '@portico/platform/db/scoped-pool';
import { TenantDatabases, type TenantDb } from '@portico/platform/db/tenant-db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let owner: pg.Client;
let tenantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  await owner.connect();
  tenantId = (await createTenant(owner, testSealer, { name: 'alpha', hosts: ['alpha.test'] })).id;
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

function open(): { pool: ScopedPool; db: TenantDb } {
  const pool = new ScopedPool({ connection: database.service, mode: 'transaction', onError: () => undefined });
  onTestFinished(() => pool.end());
  return { pool, db: new TenantDatabases(pool).for(tenantId) };
}

const take = (db: TenantDb, count = 1) =>
  db.transaction(async (tx) => (await tx.takeReservedIds('changes', count)).ids);

/** Sets the sequence back, as it is on a standby that takes over without the last commits. */
async function setBack(to: number): Promise<void> {
  await owner.query(`SELECT setval(pg_get_serial_sequence('changes', 'id'), $1, false)`, [to]);
}

describe('ids taken ahead', () => {
  it('are used up before the sequence is read again', async () => {
    const { db } = open();
    const [first] = await take(db);
    await setBack(10_000);
    expect(await take(db, 50)).toEqual(Array.from({ length: 50 }, (_, index) => (first as number) + 1 + index));
    expect(await take(db)).toEqual([10_000]);
  });

  it('are dropped when an idle connection ends, since another server may answer the next one', async () => {
    const { pool, db } = open();
    await take(db);
    await setBack(20_000);
    const before = pool.connections.losses;
    await owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = $1',
      [database.service.user],
    );
    await expect.poll(() => pool.connections.losses).toBeGreaterThan(before);
    expect(await take(db)).toEqual([20_000]);
  });

  it('are dropped when all connections are replaced, and so are those that were just being taken', async () => {
    const { pool, db } = open();
    await db.transaction(async (tx) => {
      const late = tx.takeReservedIds('changes', 1);
      pool.connections.retire();
      await late;
    });
    await setBack(30_000);
    expect(await take(db)).toEqual([30_000]);
  });
});
