/** Neither mode of scoping can leak: two tenants share one connection, with errors and rollbacks in between. */

import { ScopedPool, type ScopeMode } from '@portico/platform/db/scoped-pool';
import { TenantDatabases, type TenantDb } from '@portico/platform/db/tenant-db';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNRECORDED } from '../../test/support/citus-statements.ts';
import { createTestDatabase, currentCluster, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let tenants: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client(database.owner);
  await owner.connect();
  tenants = [
    (await createTenant(owner, testSealer, { name: 'alpha', hosts: ['alpha.test'] })).id,
    (await createTenant(owner, testSealer, { name: 'beta', hosts: ['beta.test'] })).id,
  ];
  await owner.end();
});
afterAll(() => database.drop());

/** Actions of a tenant on a connection before the next tenant gets it. */
const steps = [
  'read',
  'failing read',
  'committed write',
  'rolled-back write',
  'failing write',
  'sent write',
  'failing sent write',
  'dry run',
  'aborted by work',
  'scope set inside and rolled back',
  'pipeline',
  'pipeline with a failure',
] as const;
type Step = (typeof steps)[number];

class Planned extends Error {}

async function perform(db: TenantDb, step: Step, other: number): Promise<void> {
  const insert = `INSERT INTO areas (tenant_id, name) VALUES ($1, 'area')`;
  const expected = async (work: Promise<unknown>) => {
    await expect(work).rejects.toThrow();
  };
  switch (step) {
    case 'read':
      await db.query('SELECT FROM areas WHERE tenant_id = $1', [db.tenantId]);
      return;
    case 'failing read':
      return expected(db.query('SELECT 1 / 0'));
    case 'committed write':
      await db.transaction((tx) => tx.execute(insert, [tx.tenantId]));
      return;
    case 'rolled-back write':
    case 'aborted by work':
      return expected(
        db.transaction(async (tx) => {
          await tx.execute(insert, [tx.tenantId]);
          throw new Planned();
        }),
      );
    case 'pipeline': {
      const answers = await db.pipeline((one) =>
        Promise.all([1, 2, 3].map((n) => one.query<{ n: number }>('SELECT $1::int AS n', [n]))),
      );
      expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
      return;
    }
    case 'pipeline with a failure':
      return expected(
        db.pipeline((one) => Promise.all([one.query('SELECT 1 / 0'), one.query('SELECT pg_sleep(0.002)')])),
      );
    case 'failing write':
      return expected(db.transaction((tx) => tx.execute(insert, [other])));
    case 'sent write':
      await db.transaction((tx) => tx.send(insert, [tx.tenantId]));
      return;
    case 'failing sent write':
      return expected(
        db.transaction(async (tx) => {
          await tx.send(insert, [other]);
          await tx.send(insert, [tx.tenantId]);
        }),
      );
    case 'dry run':
      await db.transaction((tx) => tx.execute(insert, [tx.tenantId]), { rollback: true });
      return;
    case 'scope set inside and rolled back':
      return expected(
        db.transaction(async (tx) => {
          await tx.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(other)]);
          throw new Planned();
        }),
      );
  }
}

// Nodes of a cluster are told the tenant with each transaction.
const MODES: readonly ScopeMode[] = currentCluster().citus ? ['transaction'] : ['connection', 'transaction'];

describe.each(MODES)('scope mode %s', (mode) => {
  it('shows each tenant only itself, whatever went before on the connection', async () => {
    const pool = new ScopedPool({ connection: { ...database.service, application_name: UNRECORDED }, mode, max: 1 });
    const databases = new TenantDatabases(pool);
    const step = fc.record({ who: fc.constantFrom(0, 1), step: fc.constantFrom(...steps) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (plan) => {
        for (const { who, step } of plan) {
          await perform(databases.for(tenants[who]!), step, tenants[1 - who]!);
          for (const reader of [1 - who, who]) {
            const seen = await databases
              .for(tenants[reader]!)
              .query<{ tenant: number }>('SELECT DISTINCT tenant_id AS tenant FROM tenant_versions');
            expect(seen).toEqual([{ tenant: tenants[reader] }]);
          }
        }
      }),
      { numRuns: 60 },
    );
    await pool.end();
  });

  it('keeps tenants apart when many share few connections', async () => {
    const pool = new ScopedPool({ connection: { ...database.service, application_name: UNRECORDED }, mode, max: 3 });
    const databases = new TenantDatabases(pool);
    const ask = async (index: number) => {
      const tenant = tenants[index % 2]!;
      if (index % 7 === 0) await expect(databases.for(tenant).query('SELECT 1 / 0')).rejects.toThrow();
      const seen = await databases
        .for(tenant)
        .query<{ tenant: number }>('SELECT tenant_id AS tenant FROM tenant_versions');
      expect(seen).toEqual([{ tenant }]);
    };
    await Promise.all(Array.from({ length: 400 }, (_, index) => ask(index)));
    await pool.end();
  });
});
