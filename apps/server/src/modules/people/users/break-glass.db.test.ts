/** The break-glass administrator in a tenant that requires sign-in by an identity provider. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { faults } from '../../../../test/support/test-world.ts';
import { makeBreakGlass, readBreakGlass, withdrawBreakGlass } from './break-glass.ts';

const API = '/portal/api';
const PASSWORD = 'correct horse è 42';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const system = () => tenant.scope(tenant.systemUserId);
const ask = (method: string, path: string, body?: unknown) =>
  tenant.request(admin, method, `${API}/admin${path}`, body);
const signIn = (body: object) =>
  tenant.request(null, 'POST', `${API}/core/auth/create-access-token-by-credentials`, body);

async function requireProvider(): Promise<void> {
  const path = '/manage/tenant-settings';
  const { hosts: _hosts, ...settings } = (await ask('GET', path)).body;
  const edit = { ...settings, requireProvider: true };
  expect(faults(await ask('PUT', path, edit))).toEqual(['requireProvider: INVALID_VALUE']);
  const provider = { key: 'p', name: 'P', issuer: 'https://id.acme.example', clientId: 'portico', enabled: true };
  expect((await ask('POST', '/manage/identity-providers', provider)).status).toBe(200);
  expect((await ask('PUT', path, edit)).status).toBe(200);
}

test('signs in with password and code alone where others need a provider, and every use is recorded', async () => {
  await ask('POST', '/manage/users', {
    firstname: 'Ada',
    lastname: 'Rossi',
    userCredentialsConfiguration: { custom: { username: 'ada', active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
  });
  expect(await readBreakGlass(await system())).toBeUndefined();
  const made = await makeBreakGlass(await system());
  const { username, password, userId } = made;
  await requireProvider();
  await expect.poll(async () => (await signIn({ username: 'ada', password: PASSWORD })).status).toBe(401);
  expect((await signIn({ username, password })).body.code).toBe('SECOND_FACTOR_REQUIRED');
  const code = new TOTP({ secret: made.totpSecret }).generate();
  const signedIn = await signIn({ username, password, secondFactorCode: code });
  expect(signedIn.status, signedIn.text).toBe(200);
  const headers = { Authorization: `Bearer ${signedIn.body.accessToken}` };
  const glass = (method: string, path: string, body?: object) =>
    tenant.request(null, method, `${API}/admin${path}`, body, headers);
  const form = await glass('GET', '/manage/tenant-settings');
  expect(form.status).toBe(200);
  // Sessions from before the setting have ended too.
  const before = await ask('GET', '/manage/tenant-settings');
  expect([before.status, before.body.code]).toEqual([401, 'INVALID_AUTH_TOKEN']);
  const filters = { actions: ['signedIn'], actorIds: [userId] };
  const log = await glass('POST', '/data/audit-entries', filters);
  expect(log.body.items).toMatchObject([{ objectId: userId, changes: [{ field: 'breakGlass', after: 'true' }] }]);
  expect(await readBreakGlass(await system())).toMatchObject({
    userId,
    withdrawn: false,
    recoveryCodesLeft: 10,
    signIns: [{ address: '127.0.0.1' }],
  });
  const { hosts: _hosts, ...settings } = form.body;
  expect((await glass('PUT', '/manage/tenant-settings', { ...settings, requireProvider: false })).status).toBe(200);
  await expect.poll(async () => (await ask('GET', '/manage/tenant-settings')).status).toBe(200);
});

test('is changed by the operator alone, and renewed and withdrawn at once', async () => {
  const before = (await readBreakGlass(await system()))!;
  const { userId } = before;
  for (const verb of ['block', 'sign-out', 'erase', 'reset-password', 'remove-totp'])
    expect((await ask('POST', `/manage/users/${userId}/${verb}`)).status, verb).toBe(403);
  expect((await ask('DELETE', `/manage/users/${userId}`)).status).toBe(403);
  const { occToken } = (await ask('GET', `/manage/users/${userId}/credentials/edit`)).body;
  const removal = { userCredentialsConfiguration: { custom: { active: false } }, occToken };
  expect((await ask('PUT', `/manage/users/${userId}/credentials`, removal)).status).toBe(403);
  const renewed = await makeBreakGlass(await system());
  expect(renewed.userId).toBe(userId);
  const [recoveryCode] = renewed.recoveryCodes;
  const credentials = { username: renewed.username, password: renewed.password, secondFactorCode: recoveryCode };
  const { body } = await signIn(credentials);
  const headers = { Authorization: `Bearer ${body.accessToken}` };
  const totp = { code: renewed.recoveryCodes[1] };
  const remove = await tenant.request(null, 'POST', `${API}/core/auth/manage/totp/remove`, totp, headers);
  expect(remove.status).toBe(403);
  expect(await withdrawBreakGlass(await system())).toBe(userId);
  const again = await tenant.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, headers);
  expect(again.status).toBe(401);
  expect((await signIn({ ...credentials, secondFactorCode: renewed.recoveryCodes[2] })).status).toBe(401);
  expect(await readBreakGlass(await system())).toMatchObject({ withdrawn: true });
});
