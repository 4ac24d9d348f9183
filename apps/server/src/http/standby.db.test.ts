/** The address of the database leads to a standby for a while, as in a failover; the standby then takes over without the last commits. */
import { execFile } from 'node:child_process';
import { chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startTestCluster } from '@portico/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, TcpProxy, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../test/support/test-world.ts';
import { tables } from '../modules/tables.ts';
import { migrate } from '../schema/migrate.ts';

/** A node recovers within ten seconds; tests wait twice that. */
const RECOVERED_MS = 20_000;
/** Log settings of the leader that a standby requires. */
const REPLICATED = { wal_level: 'replica', max_wal_senders: '2', synchronous_commit: 'on' };
const directories: string[] = [];
let leader: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let proxy: TcpProxy;
let portal: TestPortal;
let world: TestWorld;
let tenant: TestTenant;
let token: string;

async function directory(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'portico-standby-'));
  directories.push(made);
  return made;
}

/** A server in recovery on a copy of another one's files. @param of is stopped */
async function startStandby(of: string, clusterDir: string): Promise<EmbeddedPostgres> {
  const dataDir = await directory();
  const copy = join(dataDir, 'postgres');
  await promisify(execFile)('cp', ['-a', clusterDir, copy]);
  await copyFile(join(of, 'postgres-password'), join(dataDir, 'postgres-password'));
  await writeFile(join(copy, 'standby.signal'), '');
  const { uid, gid } = await stat(copy);
  await chown(join(copy, 'standby.signal'), uid, gid);
  return startTestCluster({ dataDir, settings: REPLICATED });
}

beforeAll(async () => {
  const dataDir = await directory();
  leader = await startTestCluster({ dataDir, settings: REPLICATED });
  const owner = { ...leader.connection };
  const login = await migrate({ owner, tables });
  portal = await createTestPortal({
    database: { name: owner.database, owner, service: { ...owner, ...login }, drop: async () => undefined },
    through: async (service) => {
      proxy = await TcpProxy.start(service);
      return proxy.through(service);
    },
  });
  // Its server is stopped for a moment.
  portal.owner.on('error', () => undefined);
  world = await createTestWorld(portal);
  ({ tenant } = world);
  token = await tenant.token(await tenant.createUser({ admin: true }));
  const { clusterDir } = leader;
  await leader.stop();
  standby = await startStandby(dataDir, clusterDir);
  leader = await startTestCluster({ dataDir, settings: REPLICATED });
}, 240_000);
afterAll(async () => {
  await portal.close();
  await proxy.stop();
  await Promise.all([leader.stop(), standby.stop()]);
  for (const path of directories) await rm(path, { recursive: true, force: true, maxRetries: 10 });
});

const headers = () => ({ Authorization: `Bearer ${token}` });
const read = async () =>
  (await tenant.request(null, 'GET', '/portal/api/core/auth/current-user-data', undefined, headers())).status;
const write = async () =>
  (await tenant.request(null, 'POST', '/portal/api/admin/manage/groups', { name: 'a group' }, headers())).status;
const ready = async () => (await tenant.request(null, 'GET', '/readyz')).body.status as string;

it('answers 503 to writes and on /readyz while the address leads to a standby, and goes on with the leader', async () => {
  await expect.poll(write, { timeout: RECOVERED_MS }).toBe(200);
  proxy.switchTo(standby.connection);
  proxy.cut();
  await expect.poll(ready, { timeout: RECOVERED_MS }).toBe('read-only');
  const made = portal.services.pool.stats.made;
  for (let turn = 0; turn < 5; turn++) expect(await write()).toBe(503);
  expect(portal.services.pool.stats.made).toBeGreaterThanOrEqual(made + 4);
  expect(await read()).toBe(200);
  // Nothing is cut: the connections to the standby are given up all the same.
  proxy.switchTo(leader.connection);
  await expect.poll(ready, { timeout: RECOVERED_MS }).toBe('ok');
  expect([await write(), await write(), await read()]).toEqual([200, 200, 200]);
});

const STREAM = '/portal/api/external/v2/communication/posts/data/global-stream';
const round = (query = '') => tenant.request(world.people.manager, 'POST', `${STREAM}${query}`, {});
const sees = async (userId: number, postId: number) =>
  (await world.send(userId, 'GET', `posts/data/post-detail-by-id/${postId}`)).status === 200;

it('knows what it must forget when the server that took over lacks the last commits', async () => {
  const { author, manager, outsider } = world.people;
  await tenant.settleStream();
  const kept = (await round()).body.nextSyncToken as string;
  const before = await world.post(manager);
  // The lost commits: a role that was used, and so cached, and two changes that a follower has
  // seen.
  await world.role(outsider, 3);
  expect(await sees(outsider, before)).toBe(true);
  await world.post(manager);
  await tenant.settleStream();
  const lost = (await round()).body.nextSyncToken as string;

  proxy.switchTo(standby.connection);
  proxy.cut();
  const client = new pg.Client(standby.connection);
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
  await expect.poll(ready, { timeout: RECOVERED_MS }).toBe('ok');

  const posts = [await world.post(manager), await world.post(manager), await world.post(manager)];
  // The version of the lost role is given once more, to a change of another person's.
  await world.role(author, 1);
  for (const postId of posts) {
    expect(await sees(author, postId)).toBe(true);
    expect(await sees(outsider, postId)).toBe(false);
  }
  await tenant.settleStream();
  expect(await round(`?syncToken=${lost}`)).toMatchObject({ status: 400, body: { code: 'SYNC_TOKEN_INVALID' } });
  const { body } = await round(`?syncToken=${kept}`);
  expect(body.items.map(({ id }: { id: number }) => id).sort()).toEqual(posts.sort());
});

it('acknowledges no write whose wait for a standby was cut short', async () => {
  const { manager } = world.people;
  const client = new pg.Client(standby.connection);
  await client.connect();
  const waitFor = async (names: string) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await client.query('SELECT pg_reload_conf()');
  };
  const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  const path = `/portal/api/communication/posts/manage/create-post/${world.communityId}`;
  const form = { title: 'Once', description: 'Text', descriptionFormat: 2, announcement: false };
  let key = 0;
  const create = () => tenant.request(manager, 'POST', path, form, { 'Idempotency-Key': `cut-short-${key}` });
  try {
    await waitFor('away');
    // Until the server has taken note of the setting.
    let cut = create();
    const again = async () => {
      const ended = await Promise.race([cut, Promise.resolve()]);
      if (ended) key++;
      if (ended) cut = create();
      return (await client.query(waiting)).rowCount;
    };
    await expect.poll(again, { timeout: RECOVERED_MS }).toBe(1);
    await client.query(`SELECT pg_cancel_backend(pid) FROM (${waiting}) w`);
    expect(await cut).toMatchObject({ status: 503 });
    await waitFor('');
    const { status, body } = await create();
    expect(status).toBe(200);
    const made = await world.rows<{ id: number }>(
      `SELECT id FROM posts WHERE tenant_id = $1 AND title = 'Once' ORDER BY id`,
    );
    expect(made.map(({ id }) => id).slice(key)).toEqual([body.postId]);
  } finally {
    await client.end();
  }
});
