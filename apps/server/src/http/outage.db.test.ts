/**
 * The database goes away, in every way: the responses to requests and /readyz, and the node's own
 * recovery.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestPortal, TcpProxy, type TestPortal, type TestTenant } from '../../test/support/index.ts';

/** A node recovers within ten seconds; tests wait twice that. */
const RECOVERED_MS = 20_000;
const READ = '/portal/api/core/auth/current-user-data';
const WRITE = '/portal/api/admin/manage/groups';

let proxy: TcpProxy;
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let token: string;
let groups = 0;

beforeAll(async () => {
  portal = await createTestPortal({
    // As in service, but not as long.
    requestMs: 2_000,
    statementMs: 3_000,
    through: async (service) => {
      proxy = await TcpProxy.start(service);
      return proxy.through(service);
    },
  });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  token = await tenant.token(admin);
  portal.services.monitor.start();
});
afterAll(async () => {
  await portal.close();
  await proxy.stop();
});
beforeEach(async () => {
  proxy.delayMs = 0;
  await proxy.set('open');
  await recovered();
});

const headers = () => ({ Authorization: `Bearer ${token}` });
const read = async () => (await tenant.request(null, 'GET', READ, undefined, headers())).status;
const write = async () => (await tenant.request(null, 'POST', WRITE, { name: `group ${++groups}` }, headers())).status;
const ready = async () => {
  const answer = await tenant.request(null, 'GET', '/readyz');
  return [answer.status, answer.body.status];
};

/** An answer of /readyz is at most a moment old. */
async function readyBecomes(wanted: [number, string]): Promise<void> {
  await expect.poll(ready, { timeout: RECOVERED_MS }).toEqual(wanted);
}

/** Waits until everything answers as it should, ten times in a row. */
async function recovered(): Promise<void> {
  const deadline = performance.now() + RECOVERED_MS;
  let good = 0;
  let last: unknown;
  while (good < 10) {
    if (performance.now() > deadline) throw new Error(`not recovered: ${JSON.stringify(last)}`);
    last = [await read(), await write(), await ready()];
    good = JSON.stringify(last) === '[200,200,[200,"ok"]]' ? good + 1 : 0;
    if (good === 0) await sleep(100);
  }
}

/** Many requests at once. @returns their different answers, sorted */
async function many(count = 30): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => (index % 3 === 0 ? write() : read())));
  return [...new Set(answers)].sort();
}

describe('a database that', () => {
  it('cuts its connections costs single requests', async () => {
    const flying = many(60);
    for (let turn = 0; turn < 5; turn++) {
      await sleep(10);
      proxy.cut();
    }
    for (const status of await flying) expect([200, 503]).toContain(status);
    await recovered();
  });

  it('refuses connections is a 503', async () => {
    await proxy.set('refuse');
    expect(await many()).toEqual([503]);
    await readyBecomes([503, 'unavailable']);
  });

  it('is silent is a 503 within the time of a request, and the connections to it are given up', async () => {
    const flying = many();
    await proxy.set('black hole');
    for (const status of await flying) expect([200, 503]).toContain(status);
    expect(await many()).toEqual([503]);
    await readyBecomes([503, 'unavailable']);
    // Silent connections stay silent: only new connections lead to the database again.
    await proxy.set('open');
    await recovered();
    expect(await many()).toEqual([200]);
  });

  it('is slow is waited for', async () => {
    proxy.delayMs = 20;
    expect(await read()).toBe(200);
    expect(await ready()).toEqual([200, 'ok']);
  });

  it('takes no writes any more is a 503 for them, and its connections are thrown away', async () => {
    const { name } = portal.database;
    await portal.owner.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    proxy.cut();
    try {
      // The cut connections answer 503 once.
      for (let turn = 0; turn < 20; turn++) await read();
      const made = portal.services.pool.stats.made;
      for (let turn = 0; turn < 5; turn++) expect(await write()).toBe(503);
      expect(portal.services.pool.stats.made).toBeGreaterThanOrEqual(made + 4);
      expect(await read()).toBe(200);
      await readyBecomes([503, 'read-only']);
    } finally {
      await portal.owner.query('SET default_transaction_read_only = off');
      await portal.owner.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    }
    await recovered();
  });

  it('makes writes wait leaves reads alone', async () => {
    await portal.owner.query('BEGIN');
    await portal.owner.query('LOCK TABLE groups IN ACCESS EXCLUSIVE MODE');
    try {
      const writes = Array.from({ length: 30 }, () => write());
      const waiting = async () =>
        (await portal.owner.query('SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass', ['groups']))
          .rowCount;
      await expect.poll(waiting).toBeGreaterThan(0);
      for (let turn = 0; turn < 10; turn++) expect(await read()).toBe(200);
      expect([...new Set(await Promise.all(writes))]).toEqual([503]);
    } finally {
      await portal.owner.query('ROLLBACK');
    }
  });
});
