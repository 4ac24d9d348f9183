/** A node's connections under load: counts and caps, never times. */

import { CallerGone } from '@portico/platform/db/connection-pool';
import { DatabaseUnavailable, isConnectionFailure, StatementCancelled } from '@portico/platform/db/pg-errors';
import { type PoolOptions, ScopedPool } from '@portico/platform/db/scoped-pool';
import { MAX_NAMED_STATEMENTS } from '@portico/platform/db/service-client';
import { TenantDatabases } from '@portico/platform/db/tenant-db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let owner: pg.Client;
/** Reads running statements: within a transaction, PostgreSQL shows the state of the first read. */
let watcher: pg.Client;
let alpha: number;
let beta: number;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  watcher = new pg.Client(database.owner);
  await Promise.all([owner.connect(), watcher.connect()]);
  alpha = (await createTenant(owner, testSealer, { name: 'alpha', hosts: ['alpha.test'] })).id;
  beta = (await createTenant(owner, testSealer, { name: 'beta', hosts: ['beta.test'] })).id;
});
afterAll(async () => {
  await Promise.all([owner.end(), watcher.end()]);
  await database.drop();
});

async function withPool<T>(
  options: Partial<PoolOptions>,
  work: (pool: ScopedPool, databases: TenantDatabases) => Promise<T>,
): Promise<T> {
  const pool = new ScopedPool({ connection: database.service, mode: 'connection', ...options });
  try {
    return await work(pool, new TenantDatabases(pool));
  } finally {
    await pool.end();
  }
}

/** Returns the number of backends of the service with this activity. */
async function activity(text: string): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1 AND state = 'active' AND query LIKE $2 AND pid <> pg_backend_pid()`,
    [database.name, text],
  );
  return rows[0]!.count;
}

/** Longest wait, in milliseconds, for an event on a machine that is busy with others' work. */
const PATIENCE_MS = 50_000;

async function until(what: string, done: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(async () => done(), { interval: 20, timeout: PATIENCE_MS, message: what }).toBe(true);
}

describe('connections', () => {
  it('of tenants whose server does not answer end at once, and their places go to others', async () => {
    await withPool({ max: 4 }, async (pool, databases) => {
      const slow = databases.for(alpha).boundTo({ userId: 1 });
      const work = Array.from({ length: 8 }, () => slow.query('SELECT pg_sleep(30) AS silent'));
      const ended = Promise.allSettled(work);
      await until('they run', async () => (await activity('%AS silent')) === 3);
      pool.connections.refuse(new Set([alpha]));
      // The running statements lost their connection, the waiting ones get none.
      for (const outcome of await ended) {
        const { reason } = outcome as PromiseRejectedResult;
        expect(reason instanceof DatabaseUnavailable || isConnectionFailure(reason), String(reason)).toBe(true);
      }
      await expect(slow.query('SELECT 1')).rejects.toThrow('does not answer');
      await databases.for(beta).boundTo({ userId: 2 }).query('SELECT 1');
      expect([pool.connections.heldBy(alpha), pool.stats.waiting]).toEqual([0, 0]);
      pool.connections.refuse(new Set());
      await slow.query('SELECT 1');
    });
  });

  it('are shared: one tenant holds no more than its part, and another one is served at once', async () => {
    await withPool({ max: 4 }, async (pool, databases) => {
      const busy = new AbortController();
      const slow = databases.for(alpha).boundTo({ userId: 1, signal: busy.signal });
      const work = Array.from({ length: 20 }, () => slow.query('SELECT pg_sleep(30) AS busy'));
      const ended = Promise.allSettled(work);
      await until('they run', async () => (await activity('%AS busy')) === 3);
      expect([pool.connections.heldBy(alpha), pool.stats.waiting]).toEqual([3, 17]);
      await databases.for(beta).boundTo({ userId: 2 }).query('SELECT 1');
      expect(pool.connections.heldBy(alpha)).toBe(3);
      busy.abort(new CallerGone());
      await ended;
      expect([pool.connections.heldBy(alpha), pool.stats.waiting]).toEqual([0, 0]);
    });
  });

  it('are left for reads while writes wait', async () => {
    await withPool({ max: 4 }, async (pool, databases) => {
      const db = databases.for(alpha);
      const { promise: freed, resolve: free } = Promise.withResolvers<void>();
      const writes = Array.from({ length: 10 }, () => db.transaction(() => freed));
      await until('writes hold what they may', () => pool.connections.heldBy(alpha) === 2);
      expect(await db.query<{ n: number }>('SELECT 1 AS n')).toEqual([{ n: 1 }]);
      expect(pool.stats.waiting).toBe(8);
      free();
      await Promise.all(writes);
    });
  });

  it('are replaced after a number of uses, and after all that was made before is retired', async () => {
    await withPool({ max: 1, maxUses: 10 }, async (pool, databases) => {
      for (let turn = 0; turn < 30; turn++) await databases.for(alpha).query('SELECT 1');
      expect(pool.stats.made).toBe(3);
      pool.connections.retire();
      await databases.for(alpha).query('SELECT 1');
      await databases.for(alpha).query('SELECT 1');
      expect(pool.stats.made).toBe(4);
    });
  });
});

describe('prepared statements', () => {
  const prepared = async (databases: TenantDatabases) =>
    (await databases.for(alpha).query<{ count: number }>('SELECT count(*) AS count FROM pg_prepared_statements'))[0]!
      .count;

  it('are bounded in number, however many shapes there are, and the ones in use stay', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      const db = databases.for(alpha);
      for (let shape = 0; shape < 2 * MAX_NAMED_STATEMENTS; shape++) {
        expect(await db.query(`SELECT $1::int AS shape${shape}`, [shape])).toEqual([{ [`shape${shape}`]: shape }]);
        await db.query('SELECT $1::int AS kept', [1]);
      }
      expect(await prepared(databases)).toBeLessThanOrEqual(MAX_NAMED_STATEMENTS);
      const kept = `SELECT count(*) AS count FROM pg_prepared_statements WHERE statement LIKE '%AS kept'`;
      expect(await db.query(kept)).toEqual([{ count: 1 }]);
      expect(pool.stats.made).toBe(1);
    });
  });

  it('are bounded within one transaction and within one pipeline too', async () => {
    await withPool({ max: 1 }, async (_pool, databases) => {
      const db = databases.for(alpha);
      const shapes = Array.from({ length: 3 * MAX_NAMED_STATEMENTS }, (_, index) => `SELECT $1::int AS one${index}`);
      await db.transaction(async (tx) => {
        for (const shape of shapes) await tx.query(shape, [1]);
      });
      await db.pipeline((one) => Promise.all(shapes.map((shape) => one.query(shape, [1]))));
      expect(await prepared(databases)).toBeLessThanOrEqual(MAX_NAMED_STATEMENTS + 1);
    });
  });

  it('outlive failures: what PostgreSQL refused to prepare is let go like the others', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      const db = databases.for(alpha);
      for (let shape = 0; shape < MAX_NAMED_STATEMENTS + 60; shape++) {
        await expect(db.query(`SELECT $1::int AS bad FROM missing${shape}`, [1])).rejects.toMatchObject({
          code: '42P01',
        });
      }
      expect(await db.query('SELECT $1::int AS n', [1])).toEqual([{ n: 1 }]);
      // The one that sets the tenant, the one before, and the one that counts them.
      expect([await prepared(databases), pool.stats.made]).toEqual([3, 1]);
    });
  });

  it('a connection that prepared many is replaced', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      for (let shape = 0; shape < 1_600; shape++) await databases.for(alpha).query(`SELECT $1::int AS a${shape}`, [1]);
      expect(pool.stats.made).toBe(2);
    });
  });
});

describe('a statement', () => {
  it('is cancelled when the caller goes away, in a transaction too, and leaves nothing behind', async () => {
    await withPool({ max: 2 }, async (pool, databases) => {
      const db = databases.for(alpha);
      for (const [index, run] of [
        (one: typeof db) => one.query('SELECT pg_sleep(60) AS left'),
        (one: typeof db) =>
          one.transaction(async (tx) => {
            await tx.execute(`INSERT INTO areas (tenant_id, name) VALUES ($1, 'left')`, [tx.tenantId]);
            await tx.query('SELECT pg_sleep(60) AS left');
          }),
        (one: typeof db) =>
          one.pipeline((p) => Promise.all([p.query('SELECT pg_sleep(60) AS left'), p.query('SELECT 2 AS second')])),
      ].entries()) {
        const caller = new AbortController();
        const work = run(db.boundTo({ userId: 1, signal: caller.signal }));
        const refused = expect(work).rejects.toBeInstanceOf(StatementCancelled);
        await until('it runs', async () => (await activity('%AS left')) === 1);
        caller.abort(new CallerGone());
        await refused;
        await until('it has ended', async () => (await activity('%AS left')) === 0);
        expect(pool.stats.cancelled).toBe(index + 1);
      }
      expect(await db.query('SELECT FROM areas WHERE tenant_id = $1', [alpha])).toEqual([]);
    });
  });

  it('is cancelled when it takes too long, and says which one it was', async () => {
    await withPool({ max: 1, statementMs: 100 }, async (pool, databases) => {
      const error = await databases
        .for(alpha)
        .query('SELECT pg_sleep(60) AS late')
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        name: 'StatementCancelled',
        statement: 'SELECT pg_sleep(60) AS late',
      });
      expect(pool.stats.cancelled).toBe(1);
      expect(await databases.for(alpha).query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    });
  });

  it('has no limit where none is wanted', async () => {
    await withPool({ max: 1, statementMs: 0 }, async (_pool, databases) => {
      expect(await databases.for(alpha).query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
    });
  });

  it('that has ended costs its connection nothing when the caller goes then', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      for (let turn = 0; turn < 5; turn++) {
        const caller = new AbortController();
        const db = databases.for(alpha).boundTo({ userId: 1, signal: caller.signal });
        const work = db.pipeline(async (one) => {
          await one.query('SELECT 1');
          caller.abort(new CallerGone());
          return one.query('SELECT 2');
        });
        await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
      }
      expect([pool.stats.made, pool.stats.cancelled]).toEqual([1, 0]);
    });
  });

  it('that is COMMIT is not cancelled: without an answer its outcome is not known', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      const late = new AbortController();
      const db = databases.for(alpha).boundTo({ userId: 1, signal: late.signal });
      // COMMIT waits for a lock: the deferred constraint looks at a row that somebody else holds.
      await owner.query(`CREATE TABLE IF NOT EXISTS held (id int PRIMARY KEY); GRANT ALL ON held TO PUBLIC`);
      await owner.query(
        `CREATE TABLE IF NOT EXISTS holds (id int REFERENCES held DEFERRABLE INITIALLY DEFERRED); GRANT ALL ON holds TO PUBLIC`,
      );
      await owner.query('INSERT INTO held VALUES (1) ON CONFLICT DO NOTHING');
      await owner.query('BEGIN');
      await owner.query('DELETE FROM held WHERE id = 1');
      const work = db.transaction((tx) => tx.execute('INSERT INTO holds VALUES (1)'));
      const refused = expect(work).rejects.toMatchObject({
        message: 'COMMIT was not answered: whether it took effect is not known',
      });
      await until('it commits', async () => (await activity('COMMIT%')) === 1);
      late.abort(new DatabaseUnavailable('the request took too long'));
      await refused;
      expect(pool.stats.cancelled).toBe(0);
      await owner.query('ROLLBACK');
      expect(await databases.for(alpha).query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    });
  });

  it('of a caller who is gone is not sent; one who waits for a connection leaves the queue', async () => {
    await withPool({ max: 1 }, async (pool, databases) => {
      const caller = new AbortController();
      const db = databases.for(alpha);
      await db.transaction(async () => {
        const waiting = db.boundTo({ userId: 1, signal: caller.signal }).query('SELECT 1');
        expect(pool.stats.waiting).toBe(1);
        caller.abort(new CallerGone());
        await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
        expect(pool.stats.waiting).toBe(0);
      });
      await expect(db.boundTo({ signal: caller.signal }).query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(await db.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    });
  });
});
