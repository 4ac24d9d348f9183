/** Notifications of browsers, from the event to a push service on loopback. */
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { NotificationKind } from '@portico/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  settingsReadAnew,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { sendPushes } from '../../../jobs/send-pushes.ts';
import { tidy } from '../../../jobs/tidy.ts';
import { createServices } from '../../../process/services.ts';
import { deliverNotifications } from '../deliver-notifications.ts';
import { browserKeys, startPushService, type TestPushService } from './push-service.fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SUBSCRIPTIONS = 'notifications/manage/push-subscriptions';
const NAMES = Array.from({ length: 30 }, () => `p-${randomBytes(5).toString('hex')}`);

/** A browser with its keys. */
interface Browser extends ReturnType<typeof browserKeys> {
  readonly path: string;
  readonly id: number;
}

let service: TestPushService;
let portal: TestPortal;
let world: TestWorld;
let now = Date.now() + HOUR;
const clock = { now: () => now };
let used = 0;

beforeAll(async () => {
  service = await startPushService();
  portal = await createTestPortal({
    env: { PORTICO_INTERNAL_WEBHOOKS: NAMES.map((name) => `${name}=${service.host}`).join(',') },
    clock,
  });
});
afterAll(async () => {
  await portal?.close();
  await service?.close();
});
beforeEach(async () => {
  const name = NAMES[used++];
  world = await createTestWorld({ ...portal, createTenant: () => portal.createTenant(name) });
  await allow(true);
  service.taken.length = 0;
  service.answer = () => 201;
});

async function allow(push: boolean): Promise<void> {
  await world.db.execute('UPDATE tenant_settings SET notification_push = $2 WHERE tenant_id = $1', [
    world.db.tenantId,
    push,
  ]);
  await settingsReadAnew(portal.services, world.tenant.tenant);
}
async function work(services = portal.services): Promise<void> {
  await deliverNotifications(world.db, now);
  now += MINUTE;
  while (await sendPushes(services, world.tenant.tenant)) await services.push.settled();
  await services.push.settled();
}
let paths = 0;
async function subscribe(userId: number, path = `/send/${++paths}`): Promise<Browser> {
  // The key of the tenant, with which a browser subscribes.
  await list(userId);
  const keys = browserKeys();
  const body = { endpoint: `http://${service.host}${path}`, p256dh: keys.p256dh, auth: keys.auth };
  const { subscriptionId } = await world.ok(userId, 'POST', SUBSCRIPTIONS, body);
  return { ...keys, path, id: subscriptionId };
}
/** What a browser shows. */
const shown = ({ path, read }: Browser) =>
  service.taken.filter((one) => one.path === path).map(({ body }) => read(body));
const list = (userId: number) => world.ok(userId, 'GET', 'notifications/data/push-subscriptions');
const mention = (userId: number) => ({
  title: 'Secret plans',
  description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
  descriptionFormat: 1,
});
const mentioned = () => world.post(world.people.author, mention(world.people.reader));
const waiting = () => world.rows('SELECT FROM push_messages WHERE tenant_id = $1');
const user = (userId: number, assignment: string) =>
  world.rows(`UPDATE users SET ${assignment} WHERE tenant_id = $1 AND id = $2`, [userId]);

describe('a message', () => {
  test('tells kind, sentence, post and address in the language of the reader, encrypted, signed as the tenant', async () => {
    const { reader } = world.people;
    await user(reader, `language = 'it'`);
    const { publicKey, enabled } = await list(reader);
    expect(enabled).toBe(true);
    const browser = await subscribe(reader);
    const postId = await mentioned();
    await work();
    const [notification] = (await world.ok(reader, 'POST', 'notifications/data/notifications', {})).items;
    expect(shown(browser)).toEqual([
      {
        id: notification.id,
        kind: NotificationKind.MENTION,
        title: 'Ada Last3 ti ha menzionato',
        body: 'Secret plans',
        url: `/portal/post/${postId}`,
        unread: 1,
      },
    ]);
    const [{ headers }] = service.taken as [(typeof service.taken)[0]];
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', topic: `n${notification.id}` });
    const [, token = '', key] = /^vapid t=(.*), k=(.*)$/.exec(headers.authorization ?? '') ?? [];
    expect(key).toBe(publicKey);
    const [head, claims, signature] = token.split('.') as [string, string, string];
    const point = Buffer.from(publicKey, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
    const signed = { key: jwk, dsaEncoding: 'ieee-p1363' as const };
    expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: `http://${service.host}`,
      sub: `https://${world.tenant.host}`,
    });
    expect(await waiting()).toEqual([]);
    expect((await list(reader)).subscriptions).toMatchObject([
      { id: browser.id, service: service.host, current: false },
    ]);
  });

  test('goes to every browser of the person, and to nobody else', async () => {
    const { reader, contributor } = world.people;
    const browsers = [await subscribe(reader), await subscribe(reader)];
    const other = await subscribe(contributor);
    await mentioned();
    await work();
    expect(browsers.map((one) => shown(one).length)).toEqual([1, 1]);
    expect(shown(other)).toEqual([]);
    await work();
    expect(service.taken).toHaveLength(2);
  });

  test('is not sent of what was read meanwhile, or may not be seen any more', async () => {
    const { reader, author } = world.people;
    await subscribe(reader);
    await mentioned();
    await deliverNotifications(world.db, now);
    await world.ok(reader, 'POST', 'notifications/manage/mark', { untilId: Number.MAX_SAFE_INTEGER, read: true });
    await work();
    const postId = await mentioned();
    await deliverNotifications(world.db, now);
    await world.ok(author, 'DELETE', `posts/manage/delete-post/${postId}`);
    await work();
    await mentioned();
    await deliverNotifications(world.db, now);
    await world.role(reader, null);
    await work();
    expect(service.taken).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test('follows the choices: of the community before all, and mentions without one', async () => {
    const { reader, author } = world.people;
    const browser = await subscribe(reader);
    await world.ok(reader, 'PUT', `communities/manage/following/${world.communityId}`, { following: 1 });
    const prefer = (preferences: object[]) =>
      world.ok(reader, 'POST', 'notifications/manage/preferences', { preferences });
    await world.post(author);
    await work();
    expect(shown(browser)).toEqual([]);
    await prefer([{ kind: NotificationKind.FOLLOW, push: true }]);
    await world.post(author);
    await work();
    expect(shown(browser).map(({ kind }) => kind)).toEqual([NotificationKind.FOLLOW]);
    await prefer([{ kind: NotificationKind.MENTION, push: false, communityId: world.communityId }]);
    const { preferences } = await world.ok(reader, 'GET', 'notifications/data/preferences');
    expect(preferences).toEqual([
      { kind: NotificationKind.FOLLOW, push: true },
      { kind: NotificationKind.MENTION, push: false, communityId: world.communityId },
    ]);
    await mentioned();
    await work();
    expect(shown(browser)).toHaveLength(1);
  });

  test('is not sent where the tenant has switched it off, nor to blocked people', async () => {
    const { reader } = world.people;
    await subscribe(reader);
    await mentioned();
    await deliverNotifications(world.db, now);
    await allow(false);
    await work();
    expect(await list(reader)).toMatchObject({ enabled: false });
    expect((await list(reader)).publicKey).toBeUndefined();
    await mentioned();
    await work();
    await allow(true);
    await mentioned();
    await deliverNotifications(world.db, now);
    await user(reader, 'blocked = true');
    await work();
    expect(service.taken).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});

describe('what became of a notification', () => {
  const outcomes = async (userId: number) =>
    (await world.ok(userId, 'POST', 'notifications/data/notifications', {})).items.map(
      ({ push }: { push?: object }) => push,
    );
  const explained = async (userId: number, postId: number) => {
    const { pushHeld, items } = await world.ok(userId, 'GET', `posts/data/explain-notifications/${postId}`);
    const { push, sentence } = items.find(({ notified }: { notified: boolean }) => notified);
    return { pushHeld, push, sentence };
  };

  test('is said with each, and why', async () => {
    const { reader } = world.people;
    await mentioned();
    await work();
    await subscribe(reader);
    await mentioned();
    await deliverNotifications(world.db, now);
    expect(await outcomes(reader)).toEqual([{ outcome: 'waiting' }, undefined]);
    await work();
    service.answer = () => 400;
    await mentioned();
    await work();
    service.answer = () => 201;
    await mentioned();
    await deliverNotifications(world.db, now);
    await world.ok(reader, 'POST', 'notifications/manage/mark', { untilId: Number.MAX_SAFE_INTEGER, read: true });
    await work();
    service.answer = () => 410;
    await mentioned();
    await work();
    const timestamp = expect.any(Number);
    expect(await outcomes(reader)).toEqual([
      { outcome: 'failed', reason: 'browserGone', timestamp },
      { outcome: 'held', reason: 'read', timestamp },
      { outcome: 'failed', reason: 'refused', timestamp },
      { outcome: 'sent', timestamp },
      undefined,
    ]);
  });

  test('counts the browser that got it, whatever becomes of the others', async () => {
    const { reader } = world.people;
    const browsers = [await subscribe(reader), await subscribe(reader)];
    service.answer = ({ path }) => (path === browsers[1]!.path ? 201 : 410);
    await mentioned();
    await work();
    expect(await outcomes(reader)).toMatchObject([{ outcome: 'sent' }]);
  });

  test('is explained, also where nothing was to be sent', async () => {
    const { reader, author } = world.people;
    const postId = await mentioned();
    await work();
    expect(await explained(reader, postId)).toMatchObject({
      pushHeld: 'noBrowser',
      push: { outcome: 'held', reason: 'noBrowser' },
      sentence: expect.stringContaining('no browser that shows notifications'),
    });
    await subscribe(reader);
    await world.ok(reader, 'PUT', `communities/manage/following/${world.communityId}`, { following: 1 });
    const followed = await world.post(author);
    await work();
    const unwanted = await explained(reader, followed);
    expect(unwanted).toMatchObject({ push: { outcome: 'held', reason: 'never' } });
    expect(unwanted.pushHeld).toBeUndefined();
    const sent = await mentioned();
    await work();
    expect(await explained(reader, sent)).toMatchObject({
      push: { outcome: 'sent' },
      sentence: expect.stringContaining('a browser got it'),
    });
    await allow(false);
    expect(await explained(reader, postId)).toMatchObject({ pushHeld: 'tenantOff', push: { reason: 'tenantOff' } });
  });
});

describe('a push service', () => {
  test('that knows a browser no more ends it', async () => {
    const { reader } = world.people;
    for (const status of [404, 410]) {
      await subscribe(reader);
      service.answer = () => status;
      await mentioned();
      await work();
      expect((await list(reader)).subscriptions).toEqual([]);
      expect(await waiting()).toEqual([]);
    }
  });

  test('that fails is asked again, some times, and holds up no other', async () => {
    const { reader } = world.people;
    const [bad, good] = [await subscribe(reader, '/bad'), await subscribe(reader)];
    const status = { '/bad': 503 } as Record<string, number>;
    service.answer = ({ path }) => status[path] ?? 201;
    await mentioned();
    await work();
    expect([shown(bad).length, shown(good).length]).toEqual([1, 1]);
    status['/bad'] = 302;
    await mentioned();
    await work();
    expect(shown(good)).toHaveLength(2);
    status['/bad'] = 503;
    await mentioned();
    for (let hours = 0; hours < 20; hours++) {
      now += HOUR;
      await work();
    }
    expect(shown(good)).toHaveLength(3);
    expect(service.taken.some(({ path }) => path === '/elsewhere')).toBe(false);
    expect(await waiting()).toEqual([]);
    const attempts = Map.groupBy(shown(bad), ({ id }) => id);
    for (const [, tries] of attempts) expect(tries.length).toBeLessThanOrEqual(6);
    expect((await list(reader)).subscriptions).toHaveLength(2);
  });

  test('gets a message again after a process ended in between, with the same id', async () => {
    const { reader } = world.people;
    const browser = await subscribe(reader);
    const services = await createServices({
      config: portal.services.config,
      database: portal.database.service,
      sealer: portal.services.sealer,
      log: portal.services.log,
      clock,
    });
    const arrived = Promise.withResolvers<void>();
    const { push } = services;
    service.answer = () => {
      arrived.resolve();
      // The process ends while the answer is under way.
      void push.close();
      return 201;
    };
    await mentioned();
    await deliverNotifications(world.db, now);
    now += MINUTE;
    await sendPushes(services, world.tenant.tenant);
    await arrived.promise;
    await services.close();
    service.answer = () => 201;
    await work();
    const ids = shown(browser).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(await waiting()).toEqual([]);
  });
});

describe('a subscription', () => {
  test('ends with the session that stored it, and with the sign-ins of the account', async () => {
    const { reader } = world.people;
    const { id } = await subscribe(reader);
    const [session] = await world.rows<{ id: number }>(
      `INSERT INTO user_sessions (tenant_id, user_id, session_version, secret_hash, renewed_at, created_at, last_used_at, user_agent)
       SELECT tenant_id, id, session_version, $3, now(), now(), now(), 'Firefox' FROM users WHERE tenant_id = $1 AND id = $2
       RETURNING id`,
      [reader, randomBytes(32)],
    );
    await world.rows('UPDATE push_subscriptions SET session_id = $3 WHERE tenant_id = $1 AND id = $2', [
      id,
      session!.id,
    ]);
    expect((await list(reader)).subscriptions).toMatchObject([{ id, userAgent: 'Firefox' }]);
    await world.rows('DELETE FROM user_sessions WHERE tenant_id = $1 AND id = $2', [session!.id]);
    expect((await list(reader)).subscriptions).toEqual([]);
    await subscribe(reader);
    await mentioned();
    await deliverNotifications(world.db, now);
    await user(reader, 'session_version = session_version + 1');
    await work();
    expect(service.taken).toEqual([]);
    await tidy(portal.services, world.tenant.tenant);
    expect(await world.rows('SELECT FROM push_subscriptions WHERE tenant_id = $1')).toEqual([]);
  });

  test('moves to the person who uses the browser now, and is stored encrypted', async () => {
    const { reader, contributor } = world.people;
    const { id, path } = await subscribe(reader);
    await mentioned();
    await deliverNotifications(world.db, now);
    const again = await subscribe(contributor, path);
    expect(again.id).toBe(id);
    expect((await list(reader)).subscriptions).toEqual([]);
    await work();
    expect(service.taken).toEqual([]);
    const rows = await world.rows('SELECT * FROM push_subscriptions WHERE tenant_id = $1');
    expect(JSON.stringify(rows)).not.toContain(path);
    const [key] = await world.rows<{ sealed: Buffer }>(
      'SELECT sealed_private_key AS sealed FROM push_keys WHERE tenant_id = $1',
    );
    expect(key).toBeDefined();
  });

  test('is one of twenty at most, at a public https address, of a person', async () => {
    const { reader, admin } = world.people;
    const { id, path } = await subscribe(reader);
    for (let index = 1; index < 20; index++) await subscribe(reader);
    const send = (endpoint: string, by = reader) =>
      world.send(by, 'POST', SUBSCRIPTIONS, {
        endpoint,
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      });
    expect((await send(`http://${service.host}/more`)).body.validationErrors.list).toMatchObject([
      { code: 'TOO_MANY_ITEMS' },
    ]);
    expect((await send(`http://${service.host}${path}`)).status).toBe(200);
    for (const endpoint of [
      'http://push.example.com/1',
      'https://127.0.0.1/1',
      'https://[::1]/1',
      'https://localhost/',
      'x',
    ])
      expect((await send(endpoint, admin)).body.validationErrors.list, endpoint).toMatchObject([{ field: 'endpoint' }]);
    expect((await world.send(admin, 'DELETE', `${SUBSCRIPTIONS}/${id}`)).status).toBe(404);
    expect((await world.send(reader, 'DELETE', `${SUBSCRIPTIONS}/${id}`)).status).toBe(200);
    expect((await list(reader)).subscriptions).toHaveLength(19);
  });
});
