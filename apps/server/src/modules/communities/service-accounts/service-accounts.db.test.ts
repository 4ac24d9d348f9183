/** Service accounts and their keys, used by administrators and by programs. */
import { createSign, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import type { ServiceAccountKeyFile } from '../../people/index.ts';
import { createCommunity } from '../create-community.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';

const ROOT = '/portal/api/external/v2';
const ADMIN = `${ROOT}/admin/manage/service-accounts`;
const DAY = 86_400_000;
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const call = (method: string, path: string, body?: unknown, by = chief) => tenant.request(by, method, path, body);
const db = () => portal.services.databases.for(tenant.tenant.id);

async function make(body: object = {}): Promise<number> {
  const made = await call('POST', ADMIN, { name: 'Program', ...body });
  expect(made.status, made.text).toBe(200);
  return made.body.userId;
}

async function newKey(userId: number, body: object = {}): Promise<ServiceAccountKeyFile> {
  const made = await call('POST', `${ADMIN}/${userId}/keys`, body);
  expect(made.status, made.text).toBe(200);
  expect(made.body.keyId).toBe(made.body.keyFile.private_key_id);
  return made.body.keyFile;
}

/** Signs in with a key file. @returns the access token, or undefined when it was refused */
async function signIn(key: ServiceAccountKeyFile): Promise<string | undefined> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: key.client_id,
    aud: 'portico/portal-authenticator',
    iat: now,
    exp: now + 300,
    jti: randomUUID(),
  };
  const unsigned = [{ alg: 'RS512', typ: 'JWT', kid: key.private_key_id }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createSign('RSA-SHA512').update(unsigned).sign(key.private_key).toString('base64url');
  const answer = await tenant.request(null, 'POST', '/portal/api/core/auth/create-access-token-by-service-account', {
    jwtAssertion: `${unsigned}.${signature}`,
  });
  return answer.status === 200 ? answer.body.accessToken : undefined;
}

const statusWith = async (token: string) =>
  (
    await tenant.request(null, 'GET', `${ROOT}/core/auth/current-user-data`, undefined, {
      Authorization: `Bearer ${token}`,
    })
  ).status;

test('an account is made with roles, gets a key, signs in, and sees what it may', async () => {
  const scope = await tenant.scope(chief);
  const workspaceId = await createWorkspace(scope, { name: 'Plant' });
  const communities = [
    await createCommunity(await tenant.scope(chief), { workspaceId, name: 'One' }),
    await createCommunity(await tenant.scope(chief), { workspaceId, name: 'Two' }),
  ] as const;
  const userId = await make({ name: ' ERP sync ', communityRoles: [{ communityId: communities[1], roleId: 3 }] });
  const key = await newKey(userId, { name: 'nightly' });
  expect(key).toMatchObject({ type: 'service_account', client_id: userId });
  const token = (await signIn(key))!;
  const seen = async () => {
    const { body } = await tenant.request(
      null,
      'GET',
      `${ROOT}/communication/settings/communities/view-post`,
      undefined,
      {
        Authorization: `Bearer ${token}`,
      },
    );
    return body.communities.map((one: { name: string }) => one.name).sort();
  };
  expect(await seen()).toEqual(['Two']);

  const form = await call('GET', `${ADMIN}/${userId}`);
  expect(form.body).toMatchObject({
    name: 'ERP sync',
    adminCapabilities: [],
    communityRoles: [{ communityId: communities[1], roleId: 3 }],
    keys: [{ id: key.private_key_id, name: 'nightly', active: true }],
    blocked: false,
  });
  expect(form.text).not.toContain('PRIVATE KEY');
  const edited = await call('PUT', `${ADMIN}/${userId}`, { name: 'ERP', roleId: 2, occToken: form.body.occToken });
  expect(edited.body.nextOccToken).toBe(form.body.occToken + 1);
  expect(await seen()).toEqual(['One', 'Two']);
  const stale = await call('PUT', `${ADMIN}/${userId}`, { name: 'Late', occToken: form.body.occToken });
  expect(stale.status).toBe(409);
  await call('PUT', `${ADMIN}/${userId}`, { name: 'ERP', occToken: edited.body.nextOccToken });
  expect(await seen()).toEqual([]);
});

test('the list has the accounts of the tenant, page by page, and no people', async () => {
  const elsewhere = await portal.createTenant();
  await elsewhere.createUser({ service: true });
  const ids = [await make({ name: 'A', roleId: 3 }), await make({ name: 'B', adminCapabilities: ['manageUsers'] })];
  await newKey(ids[0]!);
  const found: { userId: number }[] = [];
  for (let pageToken: string | undefined, more = true; more; more = pageToken !== undefined) {
    const { body } = await call('POST', `${ROOT}/admin/data/service-accounts`, {
      pageSize: 2,
      pageToken,
      calculateTotalItemsCount: true,
    });
    found.push(...body.items);
    pageToken = body.nextPageToken;
    if (!more || pageToken === undefined) expect(found).toHaveLength(body.totalItemsCount);
  }
  expect(found.slice(-2)).toMatchObject([
    { userId: ids[0], name: 'A', roleId: 3, adminCapabilities: [], activeKeysCount: 1, blocked: false },
    { userId: ids[1], name: 'B', adminCapabilities: ['manageUsers'], activeKeysCount: 0 },
  ]);
  expect(found.map(({ userId }) => userId)).not.toContain(chief);
});

test('keys overlap in a rotation: the old one signs in until its time, and its tokens end with it', async () => {
  const userId = await make();
  const old = await newKey(userId);
  const oldToken = (await signIn(old))!;
  const next = await newKey(userId, { otherKeysExpiryTimestamp: Date.now() + DAY });
  expect(await statusWith(oldToken)).toBe(200);
  expect(await signIn(old)).toBeDefined();
  const nextToken = (await signIn(next))!;
  await db().execute(`UPDATE service_account_keys SET expires_at = now() WHERE tenant_id = $1 AND id = $2`, [
    db().tenantId,
    old.private_key_id,
  ]);
  expect(await signIn(old)).toBeUndefined();
  expect(await statusWith(oldToken)).toBe(401);
  expect(await statusWith(nextToken)).toBe(200);
  const { body } = await call('GET', `${ADMIN}/${userId}`);
  expect(body.keys).toMatchObject([
    { id: next.private_key_id, active: true },
    { id: old.private_key_id, active: false },
  ]);
  expect(body.keys[0]).not.toHaveProperty('expiryTimestamp');
});

test('a revoked key is refused at once with its tokens, as often as it is revoked; a key of another account is a 404', async () => {
  const [userId, other] = [await make(), await make()];
  const key = await newKey(userId);
  const token = (await signIn(key))!;
  const revoke = (of: number, by = chief) =>
    call('POST', `${ADMIN}/${of}/keys/${key.private_key_id}/revoke`, undefined, by);
  expect((await revoke(other)).status).toBe(404);
  expect(await statusWith(token)).toBe(200);
  expect((await revoke(userId)).body).toEqual({ userId, keyId: key.private_key_id });
  const [first] = (await call('GET', `${ADMIN}/${userId}`)).body.keys;
  expect((await revoke(userId)).status).toBe(200);
  expect((await call('GET', `${ADMIN}/${userId}`)).body.keys).toEqual([first]);
  expect([await statusWith(token), await signIn(key)]).toEqual([401, undefined]);
});

test('the last use of a key is written later, at most once a minute', async () => {
  const userId = await make();
  const key = await newKey(userId);
  const lastUse = async () => (await call('GET', `${ADMIN}/${userId}`)).body.keys[0].lastUseTimestamp;
  expect(await lastUse()).toBeUndefined();
  const token = (await signIn(key))!;
  await statusWith(token);
  expect(await lastUse()).toBeUndefined();
  await portal.services.accesses.flush();
  const used = await lastUse();
  expect(used).toBeTypeOf('number');
  await statusWith(token);
  await portal.services.accesses.flush();
  expect(await lastUse()).toBe(used);
});

test('of many keys that are asked for at once, ten are made', async () => {
  const userId = await make();
  const answers = await Promise.all(Array.from({ length: 14 }, () => call('POST', `${ADMIN}/${userId}/keys`, {})));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(4);
  for (const { text } of refused) expect(text).toContain('TOO_MANY_ITEMS');
});

test('a repeated request makes one key and does not repeat its secret', async () => {
  const userId = await make();
  const send = () => tenant.request(chief, 'POST', `${ADMIN}/${userId}/keys`, {}, { 'Idempotency-Key': 'one-key' });
  const [first, second] = [await send(), await send()];
  expect(first.text).toContain('PRIVATE KEY');
  expect(second.status).toBe(200);
  expect(second.body).toEqual({ keyId: first.body.keyId });
  const rows = await db().query('SELECT FROM idempotency_keys WHERE tenant_id = $1 AND response::text ~ $2', [
    db().tenantId,
    'PRIVATE KEY',
  ]);
  expect(rows).toEqual([]);
  const dry = await call('POST', `${ADMIN}/${userId}/keys?dryRun=true`, {});
  expect(dry.status).toBe(200);
  expect((await call('GET', `${ADMIN}/${userId}`)).body.keys).toHaveLength(1);
});

test('rights and roles are given only by who may give them', async () => {
  const manager = await tenant.createUser();
  const record = await call('GET', `${ROOT}/admin/manage/users/${manager}/edit`);
  expect(record.status).toBe(200);
  await db().execute('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [
    db().tenantId,
    manager,
  ]);
  await db().execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
    db().tenantId,
  ]);
  const status = async (body: object) => (await call('POST', ADMIN, { name: 'X', ...body }, manager)).status;
  expect(await status({})).toBe(200);
  expect(await status({ adminCapabilities: ['manageUsers'] })).toBe(200);
  expect(await status({ adminCapabilities: ['manageDigitalWorplace'] })).toBe(403);
  expect(await status({ roleId: 3 })).toBe(403);
  expect(await status({ roleId: 4 })).toBe(400);
  const strong = await make({ adminCapabilities: ['manageDigitalWorplace'] });
  const { occToken } = (await call('GET', `${ADMIN}/${strong}`, undefined, manager)).body;
  expect((await call('PUT', `${ADMIN}/${strong}`, { name: 'Y', occToken }, manager)).status).toBe(403);
  expect((await call('POST', `${ADMIN}/${strong}/keys`, {}, manager)).status).toBe(403);
  expect((await call('GET', `${ADMIN}/${manager}`)).status).toBe(404);
  expect((await call('POST', `${ADMIN}/${manager}/keys`, {})).status).toBe(404);
  const nobody = await tenant.createUser();
  expect((await call('POST', ADMIN, { name: 'X' }, nobody)).status).toBe(403);
});
