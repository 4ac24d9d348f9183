/** Personal access tokens: their access, their end, and operations that they can never call. */
import { mostPersonalTokens } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { createTestWorld, statementsOf, type TestWorld } from '../../../../test/support/test-world.ts';
import { tidy } from '../../../jobs/tidy.ts';
import { createCommunity, setCommunityRoles } from '../../communities/index.ts';
import { personalTokenHandlers } from './personal-tokens.ts';

const API = '/portal/api';
const TOKENS = `${API}/core/auth/manage/personal-tokens`;
const DAY = 86_400_000;

let portal: TestPortal;
let world: TestWorld;
let tenant: TestTenant;
/** A second community in which only the author has a role: manager. */
let other: number;
/** The time of the portal; tests move it forward. */
let now = Date.now();

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => now } });
  world = await createTestWorld(portal);
  tenant = world.tenant;
  const system = await tenant.scope(tenant.systemUserId);
  other = await createCommunity(system, { workspaceId: world.workspaceId, name: 'Other' });
  await setCommunityRoles(system, other, [{ principal: world.people.author, role: 1 }]);
});
afterAll(() => portal.close());

const create = (userId: number, body: object = {}) =>
  tenant.request(userId, 'POST', TOKENS, { name: 'Report', access: 'write', validDays: 30, ...body });

async function secretOf(userId: number, body: object = {}): Promise<string> {
  const answer = await create(userId, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.secret;
}

const ask = (secret: string, method: string, path: string, body?: unknown, at = tenant) =>
  at.request(null, method, `${API}${path}`, body, { Authorization: `Bearer ${secret}` });
const me = (secret: string) => ask(secret, 'GET', '/core/auth/current-user-data');
const listOf = async (userId: number) =>
  (await tenant.request(userId, 'GET', `${API}/core/auth/personal-tokens`)).body.tokens;

const post = (communityId: number) => `/communication/posts/manage/create-post/${communityId}` as const;
const POST = { title: 'A post', description: 'Some text', descriptionFormat: 2, announcement: false };

describe('a token', () => {
  test('signs in with and without a scheme, at its tenant alone', async () => {
    const userId = await tenant.createUser();
    const secret = await secretOf(userId);
    expect(secret).toMatch(/^ptc_[\w-]{43}$/);
    for (const Authorization of [`Bearer ${secret}`, `bearer ${secret}`, secret]) {
      const answer = await tenant.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, {
        Authorization,
      });
      expect([answer.status, answer.body.userData?.id], answer.text).toEqual([200, userId]);
    }
    const elsewhere = await portal.createTenant();
    const refused = await ask(secret, 'GET', '/core/auth/current-user-data', undefined, elsewhere);
    expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_AUTH_TOKEN']);
    expect((await me(`${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401);
  });

  test('is kept as a hash, listed without its secret, and removed by a job when it has expired', async () => {
    const userId = await tenant.createUser();
    const { body } = await create(userId, { name: ' Sensors ', access: 'read', validDays: 1 });
    expect(body.expirationTimestamp).toBe(now + DAY);
    const rows = await world.rows(
      'SELECT t::text AS text FROM personal_tokens t WHERE tenant_id = $1 AND user_id = $2',
      [userId],
    );
    expect(JSON.stringify(rows)).not.toContain(body.secret.slice(4));
    expect(await listOf(userId)).toEqual([
      {
        id: body.tokenId,
        name: 'Sensors',
        access: 'read',
        creationTimestamp: now,
        expirationTimestamp: now + DAY,
      },
    ]);
    now += DAY;
    expect((await me(body.secret)).status).toBe(401);
    expect(await listOf(userId)).toEqual([]);
    await tidy(portal.services, tenant.tenant);
    expect(await world.rows('SELECT id FROM personal_tokens WHERE tenant_id = $1 AND user_id = $2', [userId])).toEqual(
      [],
    );
  });

  test('costs as many statements as a sign-in', async () => {
    const { reader } = world.people;
    const secret = await secretOf(reader);
    const cost = async (request: () => Promise<unknown>) => (await statementsOf(portal, request)).statements;
    const signedIn = await cost(() => tenant.request(reader, 'GET', `${API}/core/user-profile/info`));
    expect(await cost(() => ask(secret, 'GET', '/core/user-profile/info'))).toHaveLength(signedIn.length);
  });

  test('notes its use at most every five minutes', async () => {
    const userId = await tenant.createUser();
    const secret = await secretOf(userId);
    const lastUse = async () => {
      await me(secret);
      await portal.services.accesses.flush();
      return (await listOf(userId))[0].lastUseTimestamp;
    };
    const begun = now;
    expect(await lastUse()).toBe(begun);
    now += 4 * 60_000;
    expect(await lastUse()).toBe(begun);
    now += 2 * 60_000;
    expect(await lastUse()).toBe(now);
  });

  test('is in the audit log without its secret, when it is created and revoked', async () => {
    const userId = await tenant.createUser();
    const { body } = await create(userId, { name: 'Nightly' });
    expect((await tenant.request(userId, 'POST', `${TOKENS}/${body.tokenId}/revoke`)).status).toBe(200);
    const log = await tenant.request(world.people.admin, 'POST', `${API}/admin/data/audit-entries`, {
      objectIds: [userId],
      actions: ['modified'],
    });
    expect(log.body.items.map(({ operation }: { operation: string }) => operation).sort()).toEqual([
      'createPersonalToken',
      'revokePersonalToken',
    ]);
    expect(log.text).toContain('Nightly');
    expect(log.text).not.toContain('ptc_');
  });
});

describe('a token ends', () => {
  test('when its holder revokes it, and nobody else can', async () => {
    const [userId, somebody] = [await tenant.createUser(), await tenant.createUser()];
    const { body } = await create(userId);
    const revoke = (by: number) => tenant.request(by, 'POST', `${TOKENS}/${body.tokenId}/revoke`);
    expect((await revoke(somebody)).status).toBe(404);
    expect((await me(body.secret)).status).toBe(200);
    expect((await revoke(userId)).status).toBe(200);
    expect((await me(body.secret)).status).toBe(401);
    expect((await revoke(userId)).status).toBe(404);
  });

  test.each(['block', 'sign-out'])('with the sign-ins of the account: %s', async (verb) => {
    const userId = await tenant.createUser();
    const secret = await secretOf(userId);
    const admin = (path: string) =>
      tenant.request(world.people.admin, 'POST', `${API}/admin/manage/users/${userId}/${path}`);
    expect((await admin(verb)).status).toBe(200);
    expect((await me(secret)).status).toBe(401);
    if (verb === 'block') expect((await admin('unblock')).status).toBe(200);
    expect((await me(secret)).status).toBe(401);
    await tidy(portal.services, tenant.tenant);
    expect(await world.rows('SELECT id FROM personal_tokens WHERE tenant_id = $1 AND user_id = $2', [userId])).toEqual(
      [],
    );
  });
});

describe('a token for chosen communities', () => {
  test('sees and writes there alone, as its holder does there', async () => {
    const { author } = world.people;
    const secret = await secretOf(author, { onlyCommunityIds: [other, other] });
    expect((await listOf(author))[0].onlyCommunityIds).toEqual([other]);
    const theirs = await world.post(author, { title: 'In the community of all' });
    const made = await ask(secret, 'POST', post(other), POST);
    expect(made.status, made.text).toBe(200);
    expect((await ask(secret, 'POST', post(world.communityId), POST)).status).toBe(404);
    const visible = async () =>
      (await ask(secret, 'POST', '/communication/posts/data/check-visibility', { ids: [theirs, made.body.postId] }))
        .body.posts;
    expect((await visible()).map(({ id }: { id: number }) => id)).toEqual([made.body.postId]);
    await tenant.settleStream();
    const stream = await ask(secret, 'POST', '/communication/posts/data/global-stream', {});
    const items: { communityId: number }[] = stream.body.items;
    expect(new Set(items.map(({ communityId }) => communityId))).toEqual(new Set([other]));
    // A write reads the rights again after a change of any of them.
    await world.role(world.people.outsider, 3);
    await world.role(world.people.outsider, null);
    expect((await ask(secret, 'POST', post(world.communityId), POST)).status).toBe(404);
    expect((await ask(secret, 'POST', post(other), POST)).status).toBe(200);
  });

  test('gets no stored answer of another community', async () => {
    const { author } = world.people;
    const secret = await secretOf(author, { onlyCommunityIds: [other] });
    const headers = { 'Idempotency-Key': 'of-the-author' };
    const path = `${API}${post(world.communityId)}`;
    expect((await tenant.request(author, 'POST', path, POST, headers)).status).toBe(200);
    const again = await tenant.request(null, 'POST', path, POST, { ...headers, Authorization: secret });
    expect(again.status).toBe(404);
  });

  test('is refused for communities without a role, and for none', async () => {
    const { reader } = world.people;
    const refused = await create(reader, { onlyCommunityIds: [world.communityId, other, 4711] });
    expect(refused.status).toBe(400);
    expect(refused.body.validationErrors.list).toMatchObject([
      { field: 'onlyCommunityIds', code: 'UNKNOWN_REFERENCE', args: [other, 4711].sort((a, b) => a - b) },
    ]);
    expect((await create(reader, { onlyCommunityIds: [] })).status).toBe(400);
  });
});

describe('the limits', () => {
  test.each([
    ['name', '', 'INVALID_VALUE'],
    ['name', '   ', 'INVALID_VALUE'],
    ['name', 'x'.repeat(101), 'TEXT_TOO_LONG'],
    ['access', 'all', 'INVALID_VALUE'],
    ['validDays', 0, 'INVALID_VALUE'],
    ['validDays', 367, 'INVALID_VALUE'],
    ['validDays', undefined, 'REQUIRED_FIELD'],
    ['access', undefined, 'REQUIRED_FIELD'],
    ['name', null, 'REQUIRED_FIELD'],
  ])('%s %s is a 400', async (field, value, code) => {
    const { status, body } = await create(world.people.reader, { [field]: value });
    expect([status, body.validationErrors?.list]).toMatchObject([400, [{ field, code }]]);
  });

  test('service accounts have keys instead', async () => {
    expect((await create(await tenant.createUser({ service: true }))).status).toBe(403);
  });

  test('a person has so many and no more, however many requests come together', async () => {
    const userId = await tenant.createUser();
    await world.db.execute(
      `INSERT INTO personal_tokens (tenant_id, id, user_id, session_version, secret_hash, name, read_only, created_at, expires_at)
       SELECT u.tenant_id, n.id, u.id, 1, sha256(('token ' || n.id)::bytea), 'Token', true, $4::timestamptz, $4
         FROM users u, unnest($3::bigint[]) AS n (id) WHERE u.tenant_id = $1 AND u.id = $2`,
      [
        world.db.tenantId,
        userId,
        await takeIds(world.db, 'personal_tokens', mostPersonalTokens - 2),
        new Date(now + DAY),
      ],
    );
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(userId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array.from({ length: 8 }, () => 409)]);
  });

  test('a request whose sign-in has ended meanwhile creates none', async () => {
    const userId = await tenant.createUser();
    const ended = { ...(await tenant.scope(userId)), sessionVersion: 0 };
    const body = { name: 'Late', access: 'write', validDays: 1 };
    const request = { scope: ended, body, params: {}, query: {} } as Parameters<
      typeof personalTokenHandlers.createPersonalToken
    >[0];
    await expect(personalTokenHandlers.createPersonalToken(request)).rejects.toMatchObject({
      code: 'INVALID_AUTH_TOKEN',
    });
    expect(await listOf(userId)).toEqual([]);
  });
});
