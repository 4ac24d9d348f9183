/**
 * `kill -9` of the server and of PostgreSQL while messages of webhooks are composed, claimed, under
 * way and answered: the next start sends each of them, with the id that it had.
 */
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { startTestReceiver, type TestReceiver } from '../../src/modules/webhooks/receiver.fixture.ts';
import { readConfig } from '../../src/process/config/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { ask, demoKey, postgresPid, Surroundings, signIn, until } from './process.fixture.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const surroundings = new Surroundings();
let receiver: TestReceiver;
let proxy: TcpProxy;
afterAll(async () => {
  await surroundings.clean();
  await proxy?.stop();
  await receiver?.close();
});

/** Opens a session of the owner in the database of a running server, for the rows of the demo tenant. */
async function openSession(dataDir: string): Promise<pg.Client> {
  const database = await openDatabase(readConfig({ PORTICO_DATA_DIR: dataDir }), silent, 'command');
  const session = new pg.Client(database.owner);
  // PostgreSQL is killed below.
  session.on('error', () => undefined);
  await session.connect();
  await database.close();
  await session.query(`SELECT set_config('app.tenant_id', (SELECT id::text FROM tenants WHERE name = 'demo'), false)`);
  return session;
}

/** Starts a server with a service account whose webhooks the receiver gets. */
async function start(dataDir: string) {
  const hosts = [receiver.host, `127.0.0.1:${proxy.port}`];
  const running = surroundings.start({
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: undefined,
    PORTICO_INTERNAL_WEBHOOKS: hosts.map((host) => `demo=${host}`).join(','),
  });
  const origin = await running.ready();
  const key = demoKey(dataDir);
  const token = await signIn(origin, key);
  const call = (method: string, path: string, body?: unknown) => ask(origin, token, method, path, body);
  return {
    running,
    call,
    /** @param path at the receiver @returns the id of a webhook for comments */
    create: async (path: string, host = receiver.host): Promise<number> => {
      const body = { name: path, serviceAccountId: key.client_id, events: ['post.comment.added'] };
      const { webhookId } = await call('POST', 'admin/manage/webhooks', { ...body, address: `http://${host}${path}` });
      return webhookId as number;
    },
    log: async (webhookId: number): Promise<{ state: string; attempts: number; messageId: string }[]> =>
      (await call('POST', `admin/data/webhooks/${webhookId}/deliveries`, {}))['items'],
  };
}

it('messages that are composed, claimed, under way or answered arrive after a kill, with their ids', {
  timeout: 400_000,
}, async () => {
  receiver = await startTestReceiver();
  proxy = await TcpProxy.start({ host: '127.0.0.1', port: Number(receiver.host.split(':')[1]) });
  const dataDir = await surroundings.dataDirectory({ demo: true });
  const before = await start(dataDir);
  const { communities } = await before.call('GET', 'communication/settings/communities');
  const list = `communication/posts/data/list/community/${communities[0].id}`;
  const [post] = (await before.call('POST', list, { pageSize: 1 }))['items'];
  const comment = () =>
    before.call('POST', `communication/posts/manage/create-comment/${post.id}`, { comment: 'Told', commentFormat: 2 });

  await proxy.set('black hole');
  const open = new Map<string, ServerResponse>();
  receiver.answer = (response, { path }) => void open.set(path, response);
  const claimed = await before.create('/claimed', `127.0.0.1:${proxy.port}`);
  const underWay = await before.create('/under-way');
  const answered = await before.create('/answered');
  await comment();
  await until('a message is claimed, and two are under way', async () => {
    const [message] = await before.log(claimed);
    return message?.attempts === 1 && open.size === 2;
  });
  const composed = await before.create('/composed');
  // A lock of the table, not of a row: a transaction with an id holds back the numbers of changes.
  const holder = await openSession(dataDir);
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE webhook_deliveries IN EXCLUSIVE MODE');
  const waiting = (count: number) => async () => {
    const { rows } = await holder.query(
      `SELECT FROM pg_locks WHERE relation = 'webhook_deliveries'::regclass AND NOT granted`,
    );
    return rows.length === count;
  };
  open.get('/answered')!.end();
  await until('an answer has arrived and is not recorded', waiting(1));
  await comment();
  await until('messages are composed and not committed', waiting(2));

  const postgres = postgresPid(dataDir) as number;
  before.running.child.kill('SIGKILL');
  process.kill(postgres, 'SIGKILL');
  await before.running.exited;
  expect(receiver.to('/claimed')).toEqual([]);
  expect(receiver.to('/composed')).toEqual([]);
  await proxy.set('open');
  receiver.answer = (response) => void response.end();

  const after = await start(dataDir);
  // Another node would wait until the lease of the killed one has ended.
  const session = await openSession(dataDir);
  await session.query(`UPDATE webhook_deliveries SET due_at = now() WHERE state = 'waiting'`);
  await session.end();
  const webhooks = { '/claimed': claimed, '/under-way': underWay, '/answered': answered, '/composed': composed };
  for (const [path, webhookId] of Object.entries(webhooks)) {
    const comments = path === '/composed' ? 1 : 2;
    await until(`the messages to ${path} have arrived`, async () => {
      const messages = await after.log(webhookId);
      return messages.length === comments && messages.every(({ state }) => state === 'sent');
    });
    const arrived = receiver.to(path).map(({ headers }) => headers['webhook-id'] as string);
    const ids = (await after.log(webhookId)).map(({ messageId }) => messageId);
    expect(new Set(arrived)).toEqual(new Set(ids));
    // The first message was repeated where the receiver had it already.
    const known = ['/under-way', '/answered'].includes(path);
    expect(arrived.length).toBeGreaterThanOrEqual(known ? comments + 1 : comments);
  }
  expect((await after.running.end()).code).toBe(0);
});
