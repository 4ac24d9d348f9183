/** Statements of a transaction that are sent before the results of earlier ones arrive. */
import { CallerGone } from '@portico/platform/db/connection-pool';
import { ScopedPool } from '@portico/platform/db/scoped-pool';
import { TenantDatabases, type TenantTx } from '@portico/platform/db/tenant-db';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/cluster.ts';
import { testSealer } from '../../test/support/encryption.ts';
import { createTenant } from '../modules/tenants/index.ts';

let database: TestDatabase;
let tenantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client(database.owner);
  await owner.connect();
  tenantId = (await createTenant(owner, testSealer, { name: 'alpha', hosts: ['alpha.test'] })).id;
  await owner.end();
});
afterAll(() => database.drop());

const INSERT = 'INSERT INTO areas (tenant_id, name) VALUES ($1, $2)';
const NAMES = 'SELECT name FROM areas WHERE tenant_id = $1 ORDER BY id';

describe.each(['connection', 'transaction'] as const)('sent statements, in scope mode %s', (mode) => {
  async function open() {
    const statements: [text: string, sent: boolean][] = [];
    const pool = new ScopedPool({
      connection: database.service,
      mode,
      max: 1,
      onStatement: (text, _milliseconds, sent) => statements.push([text, sent]),
    });
    onTestFinished(() => pool.end());
    const db = new TenantDatabases(pool).for(tenantId);
    await db.execute('DELETE FROM areas WHERE tenant_id = $1', [tenantId]);
    const names = async (of: Pick<TenantTx, 'query'> = db) =>
      (await of.query<{ name: string }>(NAMES, [tenantId])).map(({ name }) => name);
    return { db, pool, names, statements };
  }
  const send = (tx: TenantTx, name: string) => tx.send(INSERT, [tx.tenantId, name]);
  const divide = (tx: TenantTx) => tx.send('SELECT 1 / $1::int', [0]);

  it('run in their order, before the next one that is waited for', async () => {
    const { db, names, statements } = await open();
    statements.length = 0;
    await db.transaction(async (tx) => {
      for (let n = 0; n < 200; n++) await send(tx, `${n}`);
      expect(await names(tx)).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`));
      await send(tx, 'last');
    });
    expect((await names()).at(-1)).toBe('last');
    expect(statements.map(([, sent]) => sent)).toEqual([...Array(200).fill(true), false, true, false]);
  });

  it('fail the next statement that is waited for with their own error', async () => {
    const { db, names } = await open();
    await db.transaction((tx) => send(tx, 'kept'));
    const work = db.transaction(async (tx) => {
      await divide(tx);
      await send(tx, 'lost');
      await names(tx);
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await names()).toEqual(['kept']);
  });

  it('fail the commit where none is waited for', async () => {
    const { db, names } = await open();
    const work = db.transaction(async (tx) => {
      await send(tx, 'lost');
      await divide(tx);
    });
    await expect(work).rejects.toMatchObject({ code: '22012' });
    expect(await names()).toEqual([]);
  });

  it('are checked before the commit', async () => {
    const { db, names } = await open();
    const work = db.transaction(async (tx) => {
      await send(tx, 'lost');
      await tx.send('DELETE FROM areas WHERE tenant_id = $1 AND name = $2', [tx.tenantId, 'none'], (count) => {
        expect(count).toBe(1);
      });
    });
    await expect(work).rejects.toThrow('expected +0 to be 1');
    expect(await names()).toEqual([]);
  });

  it('fail a part of a transaction alone', async () => {
    const { db, names } = await open();
    await db.transaction(async (tx) => {
      await send(tx, 'first');
      const part = tx.transaction(async (within) => {
        await send(within, 'lost');
        await divide(within);
      });
      await expect(part).rejects.toMatchObject({ code: '22012' });
      const thrown = tx.transaction(async (within) => {
        await divide(within);
        throw new Error('planned');
      });
      await expect(thrown).rejects.toThrow('planned');
      await send(tx, 'last');
    });
    expect(await names()).toEqual(['first', 'last']);
  });

  it('are rolled back with the work that throws, and with the caller that goes away', async () => {
    const { db, names } = await open();
    const thrown = db.transaction(async (tx) => {
      await send(tx, 'lost');
      throw new Error('planned');
    });
    await expect(thrown).rejects.toThrow('planned');
    const caller = new AbortController();
    const left = db.boundTo({ signal: caller.signal }).transaction(async (tx) => {
      await send(tx, 'lost');
      await tx.send('SELECT pg_sleep(60)', []);
      caller.abort(new CallerGone());
      await send(tx, 'lost too');
    });
    await expect(left).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  it('write nothing where the transaction could not begin', async () => {
    const { db, names } = await open();
    const owner = new pg.Client(database.owner);
    await owner.connect();
    onTestFinished(() => owner.end());
    const [backend] = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const gone = async () => {
      const { rowCount } = await owner.query('SELECT FROM pg_stat_activity WHERE pid = $1', [backend!.pid]);
      return rowCount === 0;
    };
    const work = db.transaction(async (tx) => {
      await owner.query('SELECT pg_terminate_backend($1)', [backend!.pid]);
      await expect.poll(gone).toBe(true);
      await send(tx, 'lost');
    });
    await expect(work).rejects.toThrow();
    expect(await names()).toEqual([]);
  });
});
