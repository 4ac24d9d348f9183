/** Identities that people and administrators see and remove. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { startSession } from '../auth/sessions.ts';

const ROOT = '/portal/api/external/v2';
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;
const providers: number[] = [];

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
  for (const [key, enabled] of [
    ['one', true],
    ['two', true],
    ['off', false],
  ] as const) {
    const body = { key, name: `Provider ${key}`, issuer: 'https://id.acme.example', clientId: 'portico', enabled };
    const made = await tenant.request(chief, 'POST', `${ROOT}/admin/manage/identity-providers`, body);
    providers.push(made.body.identityProviderId);
  }
});
afterAll(() => portal.close());

async function linked(...ids: number[]): Promise<number> {
  const userId = await tenant.createUser();
  for (const id of ids)
    await portal.services.databases
      .for(tenant.tenant.id)
      .execute(
        'INSERT INTO user_identities (tenant_id, provider_id, subject, user_id, linked_at) VALUES ($1, $2, $3, $4, now())',
        [tenant.tenant.id, id, randomUUID(), userId],
      );
  return userId;
}
const mine = async (userId: number) =>
  (await tenant.request(userId, 'GET', `${ROOT}/core/auth/identities`)).body.identities.map(
    (one: { identityProviderId: number }) => one.identityProviderId,
  );
const remove = (userId: number, id: number) =>
  tenant.request(userId, 'POST', `${ROOT}/core/auth/manage/identities/${id}/remove`);

test('the sign-in page learns the name of the portal, key and name of the enabled providers, and nothing else', async () => {
  const answer = await tenant.request(null, 'GET', `${ROOT}/core/auth/providers`);
  expect(answer.body).toEqual({
    portalName: tenant.tenant.displayName,
    providers: [
      { key: 'one', name: 'Provider one' },
      { key: 'two', name: 'Provider two' },
    ],
  });
  const elsewhere = await portal.createTenant();
  expect((await elsewhere.request(null, 'GET', `${ROOT}/core/auth/providers`)).body).toEqual({
    portalName: elsewhere.tenant.displayName,
    providers: [],
  });
});

test('people unlink an identity where another way to sign in is left', async () => {
  const [one, two, off] = providers as [number, number, number];
  const userId = await linked(one, two, off);
  expect(await mine(userId)).toEqual([one, two, off]);
  expect((await remove(userId, one)).status).toBe(200);
  expect((await remove(userId, one)).status).toBe(404);
  // The disabled provider does not count as a way to sign in.
  expect((await remove(userId, two)).status).toBe(409);
  expect(await mine(userId)).toEqual([two, off]);
  expect((await remove(userId, off)).status).toBe(200);
  expect(await mine(await tenant.createUser())).toEqual([]);
});

test('of two identities that are unlinked at once one stays', async () => {
  const [one, two] = providers as [number, number];
  const userId = await linked(one, two);
  const answers = await Promise.all([remove(userId, one), remove(userId, two)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await mine(userId)).toHaveLength(1);
});

test('an administrator sees and removes identities, which ends the sign-ins of the person and is recorded', async () => {
  const [one] = providers as [number];
  const userId = await linked(one);
  const path = `${ROOT}/admin/manage/users/${userId}/identities`;
  const token = await tenant.token(userId);
  const seen = await tenant.request(chief, 'GET', path);
  expect(seen.body.identities).toMatchObject([{ identityProviderId: one, key: 'one', enabled: true }]);
  expect((await tenant.request(userId, 'GET', path)).status).toBe(403);
  expect((await tenant.request(chief, 'POST', `${path}/${one}/remove`)).status).toBe(200);
  expect((await tenant.request(chief, 'POST', `${path}/${one}/remove`)).status).toBe(404);
  const me = await tenant.request(null, 'GET', `${ROOT}/core/auth/identities`, undefined, {
    Authorization: `Bearer ${token}`,
  });
  expect(me.status).toBe(401);
  const log = await tenant.request(chief, 'POST', `${ROOT}/admin/data/audit-entries`, { objectIds: [userId] });
  expect(JSON.stringify(log.body.items[0])).toContain('identities');
});

test('a sign-in begins no session whose identity was unlinked meanwhile', async () => {
  const [one, two] = providers as [number, number];
  const userId = await linked(one, two);
  const scope = await tenant.scope(tenant.systemUserId);
  const cookie = { value: undefined, userAgent: undefined, set: () => undefined, clear: () => undefined };
  const begin = (providerId: number) =>
    startSession(scope, { userId, keyId: null, sessionVersion: 1, byProvider: true, providerId }, cookie);
  expect((await remove(userId, one)).status).toBe(200);
  await expect(begin(one)).rejects.toThrow(expect.objectContaining({ code: 'INVALID_CREDENTIALS' }));
  expect((await begin(two)).userId).toBe(userId);
});

test('sessions that an identity began end with it, with the provider too, and others go on', async () => {
  const [one, two] = providers as [number, number];
  const userId = await linked(one, two);
  const db = portal.services.databases.for(tenant.tenant.id);
  const begin = async (providerId: number | null) => {
    const [row] = await db.query<{ id: number }>(
      `INSERT INTO user_sessions (tenant_id, user_id, session_version, secret_hash, renewed_at, created_at, last_used_at, provider_id)
       VALUES ($1, $2, 1, sha256('secret'), now(), now(), now(), $3) RETURNING id`,
      [tenant.tenant.id, userId, providerId],
    );
    return row!.id;
  };
  const [ofOne, ofTwo, byPassword] = [await begin(one), await begin(two), await begin(null)];
  const open = async () =>
    (await tenant.request(userId, 'GET', `${ROOT}/core/auth/sessions`)).body.sessions
      .map(({ id }: { id: number }) => id)
      .toSorted((a: number, b: number) => a - b);
  expect(await open()).toEqual([ofOne, ofTwo, byPassword]);
  expect((await remove(userId, one)).status).toBe(200);
  expect(await open()).toEqual([ofTwo, byPassword]);
  const path = `${ROOT}/admin/manage/identity-providers/${two}`;
  expect((await tenant.request(chief, 'DELETE', path)).status).toBe(200);
  expect(await open()).toEqual([byPassword]);
});
