/** Webhooks from the write to the receiver, on a real server on loopback. */
import { randomBytes, verify } from 'node:crypto';
import { Visibility } from '@portico/contract';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster, createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../../test/support/test-world.ts';
import { deliverWebhooks } from '../../jobs/deliver-webhooks.ts';
import { setCommunityRoles } from '../communities/index.ts';
import { withoutPost } from './bodies.ts';
import { bodiesNaming, replaceBody } from './deliveries/deliveries.repository.ts';
import { startTestReceiver, type TestReceiver } from './receiver.fixture.ts';
import { WebhookSender } from './send/webhook-sender.ts';

const ADMIN = '/portal/api/external/v2/admin';
const HOUR = 3_600_000;
const NAMES = Array.from({ length: 30 }, () => `w-${randomBytes(5).toString('hex')}`);

let receiver: TestReceiver;
let portal: TestPortal;
let world: TestWorld;
let account: number;
let now = Date.now();
const clock = { now: () => now };
let used = 0;

beforeAll(async () => {
  receiver = await startTestReceiver();
  const internal = NAMES.map((name) => `${name}=${receiver.host}`).join(',');
  portal = await createTestPortal({
    database: await createDatabaseOnOwnCluster(),
    env: { PORTICO_INTERNAL_WEBHOOKS: internal },
    clock,
  });
});
afterAll(async () => {
  await portal?.close();
  await receiver?.close();
});
beforeEach(async () => {
  receiver.taken.length = 0;
  receiver.answer = (response) => void response.end();
  const name = NAMES[used++];
  world = await createTestWorld({ ...portal, createTenant: () => portal.createTenant(name) });
  account = await serviceAccount();
});

const call = (method: string, path: string, body?: unknown, by = world.people.admin) =>
  world.tenant.request(by, method, `${ADMIN}/${path}`, body);
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
async function ok(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
async function serviceAccount(role = 3): Promise<number> {
  const { userId } = await ok('POST', 'manage/service-accounts', { name: 'Mirror' });
  await setCommunityRoles(await world.scope(world.people.admin), world.communityId, [{ principal: userId, role }]);
  return userId;
}
const create = (body: object = {}, path = '/hook') =>
  ok('POST', 'manage/webhooks', {
    name: 'Mirror',
    serviceAccountId: account,
    address: `http://${receiver.host}${path}?key=hush`,
    ...body,
  });
async function deliver(services = portal.services): Promise<void> {
  await world.tenant.settleStream();
  while (await deliverWebhooks(services, world.tenant.tenant));
  await services.webhooks.settled();
}
const log = async (webhookId: number, body: object = {}) =>
  (await ok('POST', `data/webhooks/${webhookId}/deliveries`, { pageSize: 500, ...body })).items;
const events = (path = '/hook?key=hush') => receiver.to(path).map(({ body }) => [body.type, body.data.postId]);
/** The signature by the public verifier. */
function signatureOf(secret: string, { headers, text }: TestReceiver['taken'][number]): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return new Verifier(secret).sign(headers['webhook-id'] as string, at, text);
}
const publicPost = () => world.post(world.people.author);
const privatePost = () => world.post(world.people.author, { visibility: Visibility.PRIVATE });

describe('messages', () => {
  test('changes arrive as the account sees them, in their order, signed for the public verifier', async () => {
    const before = await publicPost();
    const { secret } = await create();
    const seen = await publicPost();
    await privatePost();
    await world.ok(world.people.author, 'POST', `posts/manage/create-comment/${before}`, {
      comment: 'Hello',
      commentFormat: 2,
    });
    await deliver();
    expect(events()).toEqual([
      ['post.created', seen],
      ['post.comment.added', before],
    ]);
    const numbers = receiver.taken.map(({ body }) => body.data.number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const received of receiver.taken) {
      const { headers, body } = received;
      const { communityId } = world;
      expect(body.data).toMatchObject({ communityId, contents: 'thin', generation: expect.any(Number) });
      expect(headers['content-type']).toBe('application/json');
      expect(signatureOf(secret, received)).toBe(headers['webhook-signature']);
    }
  });

  test('a post that the account no longer sees is gone for it, and one that opens is created', async () => {
    await create({ events: ['post.created', 'post.gone'] });
    const postId = await world.post(world.people.author);
    const hidden = await privatePost();
    await deliver();
    const watch = (change: object) =>
      world.ok(world.people.author, 'PUT', `posts/manage/edit-post-watchers/${hidden}`, change);
    await watch({ addWatcherUserIds: [account] });
    await deliver();
    await watch({ removeWatcherUserIds: [account] });
    await world.ok(world.people.author, 'DELETE', `posts/manage/delete-post/${postId}`);
    await deliver();
    expect(events()).toEqual([
      ['post.created', postId],
      ['post.created', hidden],
      ['post.gone', hidden],
      ['post.gone', postId],
    ]);
  });

  test('posts that roles take are gone, once, if messages told of them; a chat hears of none', async () => {
    await create();
    const { webhookId: chat } = await create({ form: 'slack' }, '/chat');
    const [first, removed, last] = [await publicPost(), await publicPost(), await publicPost()];
    await world.ok(world.people.author, 'DELETE', `posts/manage/delete-post/${removed}`);
    await deliver();
    const told = (await log(chat)).length;
    receiver.taken.length = 0;
    for (const role of [null, 3, null]) {
      await world.role(account, role as 3 | null);
      await deliver();
    }
    expect(events()).toEqual([first, last].map((id) => ['post.gone', id]));
    expect(await log(chat)).toHaveLength(told);
  });

  test('a filter of the list is asked of the post after the change', async () => {
    await create({
      communityIds: [world.communityId],
      filter: { communityPostFilters: { title: 'pump' } },
      events: ['post.created'],
    });
    const match = await world.post(world.people.author, { title: 'A pump' });
    await world.post(world.people.author, { title: 'A valve' });
    await deliver();
    expect(events()).toEqual([['post.created', match]]);
  });

  test('a whole message has the post; a longer one is thin and says so', async () => {
    await create({ contents: 'whole' });
    await world.post(world.people.author, { title: 'Short' });
    await world.post(world.people.author, { title: 'Long', description: 'x'.repeat(25_000) });
    await deliver();
    const [short, long] = receiver.taken.map(({ body }) => body.data);
    expect(short).toMatchObject({
      contents: 'whole',
      post: { title: 'Short', creatorUser: { id: world.people.author } },
    });
    expect(long).toMatchObject({ contents: 'tooLarge' });
    expect(long).not.toHaveProperty('post');
  });
});

describe('attempts', () => {
  test('a failed message is repeated with the same id and a new timestamp, and others go on', async () => {
    const { webhookId } = await create();
    let down = true;
    receiver.answer = (response) => void response.writeHead(down ? 500 : 204).end('no\0t now'.repeat(1_000));
    await world.post(world.people.author);
    await deliver();
    const [failed] = await log(webhookId);
    expect(failed).toMatchObject({ state: 'waiting', attempts: 1, status: 500, error: expect.stringContaining('500') });
    const { answer, body } = await ok('GET', `data/webhooks/${webhookId}/deliveries/${failed.id}`);
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(3 * 4_096);
    expect(JSON.parse(body).type).toBe('post.created');
    down = false;
    now += 3 * HOUR;
    await deliver();
    const ids = receiver.taken.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(receiver.taken.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(2);
    expect(await log(webhookId)).toMatchObject([{ state: 'sent', attempts: 2 }]);
    expect(await ok('GET', `manage/webhooks/${webhookId}`)).not.toHaveProperty('failingTimestamp');
  });

  test('410 stops the webhook; enabled again it continues with what it missed', async () => {
    const { webhookId } = await create();
    receiver.answer = (response) => void response.writeHead(410).end();
    const first = await world.post(world.people.author);
    await deliver();
    const second = await world.post(world.people.author);
    now += 24 * HOUR;
    await deliver();
    expect(receiver.taken).toHaveLength(1);
    const form = await ok('GET', `manage/webhooks/${webhookId}`);
    expect(form).toMatchObject({ state: 'gone', missedFromNumber: expect.any(Number) });
    receiver.answer = (response) => void response.end();
    await ok('PUT', `manage/webhooks/${webhookId}`, { name: 'Mirror', occToken: form.occToken });
    await deliver();
    expect(events().slice(1)).toEqual([
      ['post.created', first],
      ['post.created', second],
    ]);
  });

  test('a message is given up after ten attempts, and a receiver that never answers is stopped', async () => {
    const { webhookId } = await create();
    receiver.answer = (response) => void response.writeHead(503).end();
    await world.post(world.people.author);
    for (let attempt = 0; attempt < 10; attempt++) {
      await deliver();
      now += 27 * HOUR;
    }
    await deliver();
    expect(receiver.taken).toHaveLength(10);
    expect(await log(webhookId, { states: ['failed'] })).toHaveLength(1);
    expect(await ok('GET', `manage/webhooks/${webhookId}`)).toMatchObject({ state: 'failing' });
  });

  test('a receiver that is overloaded gets nothing until the time that it names', async () => {
    await create();
    receiver.answer = (response) => void response.writeHead(429, { 'Retry-After': '7200' }).end();
    await world.post(world.people.author);
    await deliver();
    await world.post(world.people.author);
    now += HOUR;
    await deliver();
    expect(receiver.taken).toHaveLength(1);
    receiver.answer = (response) => void response.end();
    now += 2 * HOUR;
    await deliver();
    expect(receiver.taken).toHaveLength(3);
  });

  test('a redirect is a failure, and an address inside is refused at the connection', async () => {
    const { webhookId } = await create();
    receiver.answer = (response) => void response.writeHead(302, { Location: '/elsewhere' }).end();
    await world.post(world.people.author);
    await deliver();
    expect(receiver.taken.map(({ path }) => path)).toEqual(['/hook?key=hush']);
    const { services } = portal;
    const webhooks = new WebhookSender({ clock, log: services.log, sealer: services.sealer, receivers: [] });
    now += HOUR;
    await deliver({ ...services, webhooks });
    expect(receiver.taken).toHaveLength(1);
    expect(await log(webhookId)).toMatchObject([{ attempts: 2, error: expect.stringContaining('https') }]);
  });

  test('one receiver that does not answer delays no other', async () => {
    await create({}, '/slow');
    await create({}, '/quick');
    const held: (() => void)[] = [];
    receiver.answer = (response, { path }) => {
      if (path.startsWith('/slow')) held.push(() => response.end());
      else response.end();
    };
    const posts = [await world.post(world.people.author), await world.post(world.people.author)];
    await world.tenant.settleStream();
    await expect
      .poll(async () => {
        await deliverWebhooks(portal.services, world.tenant.tenant);
        return events('/quick?key=hush').map(([, id]) => id);
      })
      .toEqual(posts);
    expect(held).toHaveLength(1);
    receiver.answer = (response) => void response.end();
    for (const answer of held) answer();
    await deliver();
    expect(events('/slow?key=hush').map(([, id]) => id)).toEqual(posts);
  });

  test('a node that ends during an attempt repeats the message with its id', async () => {
    await create();
    const postId = await world.post(world.people.author);
    receiver.answer = () => undefined;
    const { services } = portal;
    const { log, sealer, config } = services;
    const webhooks = new WebhookSender({ clock, log, sealer, receivers: config.internalWebhooks });
    await world.tenant.settleStream();
    await deliverWebhooks({ ...services, webhooks }, world.tenant.tenant);
    await expect.poll(() => receiver.taken.length).toBe(1);
    await webhooks.close();
    receiver.answer = (response) => void response.end();
    await deliver();
    expect(events()).toEqual([
      ['post.created', postId],
      ['post.created', postId],
    ]);
    expect(receiver.taken[1]?.headers['webhook-id']).toBe(receiver.taken[0]?.headers['webhook-id']);
  });
});

describe('chats', () => {
  const chat = (form: string, body: object = {}) =>
    create({ form, template: '{{event}}: {{post}} by {{author}}', ...body }, `/${form}`);
  const to = (form: string) => receiver.to(`/${form}?key=hush`);

  test('each chat gets its own form, unsigned, with escaped texts and a link', async () => {
    for (const form of ['slack', 'mattermost', 'teams']) expect(await chat(form)).not.toHaveProperty('secret');
    const postId = await world.post(world.people.author, { title: '<!channel> @here' });
    await deliver();
    const link = `https://${world.tenant.host}/portal/post/${postId}`;
    expect(to('slack')[0]!.body.blocks[0].text.text).toContain(`New post: <${link}|&lt;!channel&gt; @here> by Ada `);
    const markdown = `New post: [&lt;\\!channel\\> @\u200Bhere](${link}) by Ada `;
    expect(to('mattermost')[0]!.body.text).toContain(markdown);
    expect(to('teams')[0]!.body.attachments[0].content.body[0].text).toContain(markdown);
    expect(receiver.taken.flatMap(({ headers }) => Object.keys(headers))).not.toContain('webhook-signature');
  });

  test('at most one message a second arrives; more events are gathered, and repeated together', async () => {
    const { webhookId } = await chat('mattermost');
    const texts = () => to('mattermost').map(({ body }) => body.text.split('\n').length);
    receiver.answer = (response) => void response.writeHead(500).end();
    for (let count = 0; count < 3; count++) await world.post(world.people.author);
    await deliver();
    receiver.answer = (response) => void response.end();
    for (const later of [0, 1_000, HOUR]) {
      if (later < HOUR) await world.post(world.people.author);
      now += later;
      await deliver();
    }
    expect(texts()).toEqual([3, 2, 3]);
    expect((await log(webhookId)).map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('sent'));
  });

  test('a chat has neither signatures nor secrets', async () => {
    const { webhookId } = await chat('slack');
    const form = await ok('GET', `manage/webhooks/${webhookId}`);
    expect(form).toMatchObject({ form: 'slack', template: expect.any(String) });
    expect(form).not.toHaveProperty('signature');
    expect((await call('POST', `manage/webhooks/${webhookId}/rotate-secret`, {})).status).toBe(400);
    await ok('PUT', `manage/webhooks/${webhookId}`, { name: 'Chat', occToken: form.occToken });
    await ok('POST', `manage/webhooks/${webhookId}/test`);
    await deliver();
    expect(to('slack').map(({ body }) => body.text)).toEqual(['Test message']);
    const list = await call('POST', 'data/webhooks', {});
    const shown = [list, await call('POST', 'data/audit-entries', { pageSize: 500 })];
    for (const { text } of shown) expect(text).not.toMatch(/hush|\/slack/);
  });
});

describe('secrets', () => {
  test('two secrets sign during a rotation, and one after it', async () => {
    const { webhookId, secret: old } = await create();
    const { secret } = await ok('POST', `manage/webhooks/${webhookId}/rotate-secret`, { overlapHours: 2 });
    const send = async () => {
      receiver.taken.length = 0;
      await ok('POST', `manage/webhooks/${webhookId}/test`);
      await deliver();
      return receiver.taken[0]!;
    };
    const both = await send();
    expect(both.headers['webhook-signature']).toBe(`${signatureOf(secret, both)} ${signatureOf(old, both)}`);
    expect(both.body).toMatchObject({ type: 'webhook.test' });
    now += 3 * HOUR;
    const one = await send();
    expect(one.headers['webhook-signature']).toBe(signatureOf(secret, one));
  });

  test('a repeated request creates one webhook, or secret, or test, and shows no secret again', async () => {
    const { webhookId } = await create();
    const requests: [string, object][] = [
      ['manage/webhooks', { name: 'Twice', serviceAccountId: account, address: 'https://hooks.acme.example/' }],
      [`manage/webhooks/${webhookId}/rotate-secret`, { overlapHours: 1 }],
      [`manage/webhooks/${webhookId}/test`, {}],
    ];
    for (const [path, body] of requests) {
      const send = () =>
        world.tenant.request(world.people.admin, 'POST', `${ADMIN}/${path}`, path.endsWith('test') ? undefined : body, {
          'Idempotency-Key': `twice ${path}`,
        });
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status]).toEqual([200, 200]);
      const { secret, ...kept } = first.body;
      expect(second.body).toEqual(kept);
    }
    const count = (table: string) => world.rows(`SELECT FROM ${table} WHERE tenant_id = $1`);
    expect([await count('webhooks'), await count('webhook_secrets'), await count('webhook_deliveries')]).toMatchObject([
      { length: 2 },
      { length: 3 },
      { length: 1 },
    ]);
  });

  test('ed25519 is verified by the public key that the form shows', async () => {
    const { webhookId, ...shown } = await create({ signature: 'v1a' });
    expect(shown).not.toHaveProperty('secret');
    const { publicKey } = await ok('GET', `manage/webhooks/${webhookId}`);
    expect(publicKey).toBe(shown.publicKey);
    await ok('POST', `manage/webhooks/${webhookId}/test`);
    await deliver();
    const { headers, text } = receiver.taken[0]!;
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const [version, signature] = (headers['webhook-signature'] as string).split(',');
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
    const key = { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' as const };
    expect([version, verify(null, signed, key, Buffer.from(signature!, 'base64'))]).toEqual(['v1a', true]);
  });

  test('no answer, no row and no entry of the audit log shows the path of an address or a secret', async () => {
    await create({ form: 'slack' });
    const { webhookId, secret } = await create();
    const shown = [
      await call('GET', `manage/webhooks/${webhookId}`),
      await call('POST', 'data/webhooks', {}),
      await call('POST', 'data/audit-entries', { pageSize: 500 }),
    ];
    const rows = await world.rows<{ row: string }>(
      'SELECT w::text AS row FROM webhooks w WHERE tenant_id = $1 UNION SELECT s::text FROM webhook_secrets s WHERE tenant_id = $1',
    );
    const bare = secret.slice('whsec_'.length);
    for (const text of [...shown.map((one) => one.text), ...rows.map(({ row }) => row)])
      for (const hidden of ['hush', '/hook', bare, Buffer.from(bare, 'base64').toString('hex')])
        expect(text).not.toContain(hidden);
    expect(shown[0]!.body.address).toBe(`http://${receiver.host}`);
  });
});

describe('stopping and replaying', () => {
  test('a blocked account pauses its webhook, which continues when it is unblocked', async () => {
    const { webhookId } = await create();
    await ok('POST', `manage/users/${account}/block`);
    const postId = await publicPost();
    await deliver();
    expect(receiver.taken).toEqual([]);
    expect(await ok('GET', `manage/webhooks/${webhookId}`)).toMatchObject({ state: 'accountBlocked' });
    await ok('POST', `manage/users/${account}/unblock`);
    await deliver();
    expect(events()).toEqual([['post.created', postId]]);
  });

  test('changes are sent again from a number, with their ids, as the account sees them now', async () => {
    const { webhookId } = await create({ events: ['post.created', 'post.gone'] });
    const kept = await world.post(world.people.author);
    const hidden = await world.post(world.people.author);
    await deliver();
    const before = receiver.taken.splice(0);
    const { db } = world;
    await db.execute('UPDATE posts SET visibility = 1 WHERE tenant_id = $1 AND id = $2', [db.tenantId, hidden]);
    const { number, generation } = before[0]!.body.data;
    await ok('POST', `manage/webhooks/${webhookId}/replay`, { fromNumber: number, generation });
    await deliver();
    expect(events()).toEqual([['post.created', kept]]);
    expect(receiver.taken[0]!.headers['webhook-id']).toBe(before[0]!.headers['webhook-id']);
    const later = { fromNumber: number, generation: generation + 1 };
    for (const body of [{ fromNumber: 0 }, { fromNumber: 10 ** 9 }, later]) {
      const refused = await call('POST', `manage/webhooks/${webhookId}/replay`, body);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Changes from')]);
    }
  });

  test('an erased person is named by no kept message', async () => {
    const { webhookId } = await create({ contents: 'whole' });
    await world.post(world.people.author);
    await deliver();
    const [message] = await log(webhookId);
    const read = async () =>
      JSON.parse((await ok('GET', `data/webhooks/${webhookId}/deliveries/${message.id}`)).body).data;
    expect((await read()).post.creatorUser.firstName).toBe('Ada');
    await world.db.transaction(async (tx) => {
      for (const { id, body } of await bodiesNaming(tx, world.people.author, 10))
        await replaceBody(tx, id, withoutPost(body));
    });
    expect(await read()).toMatchObject({ contents: 'thin', postId: message.postId });
    expect(await read()).not.toHaveProperty('post');
  });
});

describe('rights', () => {
  test('only who may make a key of the account binds a webhook to it and reads its messages', async () => {
    const powerful = { name: 'S', adminCapabilities: ['manageDigitalWorplace'] };
    const { userId: strong } = await ok('POST', 'manage/service-accounts', powerful);
    const weak = await world.tenant.createUser();
    const { db } = world;
    await db.execute('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [db.tenantId, weak]);
    const raise = 'UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1';
    await db.execute(raise, [db.tenantId]);
    const address = 'https://hooks.acme.example/';
    const body = (serviceAccountId: number) => ({ name: 'X', serviceAccountId, address });
    const status = async (method: string, path: string, sent?: object) => (await call(method, path, sent, weak)).status;
    expect(await status('POST', 'manage/webhooks', body(account))).toBe(200);
    expect(await status('POST', 'manage/webhooks', body(strong))).toBe(403);
    expect(await status('POST', 'manage/webhooks', body(weak))).toBe(400);
    const { webhookId } = await create({ serviceAccountId: strong });
    expect(await status('POST', `data/webhooks/${webhookId}/deliveries`, {})).toBe(403);
    expect(await status('POST', `manage/webhooks/${webhookId}/rotate-secret`, {})).toBe(403);
    expect(await status('DELETE', `manage/webhooks/${webhookId}`)).toBe(403);
    expect(await status('GET', `manage/webhooks/${webhookId}`)).toBe(200);
  });
});
