/** Administrators see the sessions and the ways to sign in of a person, and end single sessions. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const API = '/portal/api';
const PASSWORD = 'correct horse è 42';
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;
let people = 0;

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_SIGN_IN_FAILURES: '1000' } });
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

interface Signer {
  userId: number;
  username: string;
}

async function person(adminCapabilities: string[] = []): Promise<Signer> {
  const username = `signer${++people}`;
  const made = await tenant.request(chief, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    adminCapabilities,
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
  });
  expect(made.status, made.text).toBe(200);
  return { userId: made.body.userId, username };
}

/** A browser in which a person is signed in. */
async function browser({ username }: Signer, userAgent = 'Firefox on a train') {
  const own = { 'Sec-Fetch-Site': 'same-origin', Origin: `https://${tenant.host}` };
  const started = await tenant.request(
    null,
    'POST',
    `${API}/core/auth/start-session`,
    { username, password: PASSWORD },
    { ...own, 'User-Agent': userAgent },
  );
  expect(started.status, started.text).toBe(200);
  const Cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  const ask = (method: string, path: string, body?: unknown) =>
    tenant.request(null, method, `${API}${path}`, body, { ...own, Cookie });
  return {
    sessionId: started.body.sessionId as number,
    ask,
    status: async () => (await ask('GET', '/core/auth/current-user-data')).status,
  };
}

const signIns = (userId: number, by = chief) =>
  tenant.request(by, 'GET', `${API}/admin/manage/users/${userId}/sign-ins`);
const revoke = (userId: number, sessionId: number, by = chief, query = '') =>
  tenant.request(by, 'POST', `${API}/admin/manage/users/${userId}/sessions/${sessionId}/revoke${query}`);

test('the sessions are those that the person sees, without secrets', async () => {
  const ada = await person();
  const [train, desk] = [await browser(ada), await browser(ada, 'Chrome at a desk')];
  const own = (await desk.ask('GET', '/core/auth/sessions')).body.sessions;
  const seen = await signIns(ada.userId);
  expect(seen.status, seen.text).toBe(200);
  expect(seen.body).toEqual({
    sessions: own.map((session: object) => ({ ...session, current: false })),
    password: true,
    authenticatorApp: false,
    passkeys: [],
    identities: [],
    tokens: [],
  });
  expect(own.map(({ id }: { id: number }) => id).sort()).toEqual([train.sessionId, desk.sessionId].sort());
  expect(own.map(({ userAgent }: { userAgent: string }) => userAgent).sort()).toEqual([
    'Chrome at a desk',
    'Firefox on a train',
  ]);
  expect(own[0]).toMatchObject({ address: '127.0.0.1', creationTimestamp: expect.any(Number) });
});

test('every way to sign in is listed', async () => {
  const ada = await person();
  const { ask } = await browser(ada);
  const token = { name: 'Report', access: 'read', validDays: 30 };
  expect((await ask('POST', '/core/auth/manage/personal-tokens', token)).status).toBe(200);
  const db = portal.services.databases.for(tenant.tenant.id);
  const values = [tenant.tenant.id, ada.userId];
  await db.execute(
    `INSERT INTO passkeys (tenant_id, user_id, credential_id, public_key, counter, name, transports, synced, created_at)
     VALUES ($1, $2, 'credential', '', 0, 'Key ring', '{usb}', false, now())`,
    values,
  );
  await db.execute(
    `INSERT INTO totp_factors (tenant_id, user_id, sealed_secret, created_at, confirmed_at, last_step)
     VALUES ($1, $2, '', now(), now(), 0)`,
    values,
  );
  const provider = await tenant.request(chief, 'POST', `${API}/admin/manage/identity-providers`, {
    key: 'acme',
    name: 'Acme account',
    issuer: 'https://id.acme.example',
    clientId: 'portico',
  });
  await db.execute(
    `INSERT INTO user_identities (tenant_id, provider_id, subject, user_id, linked_at) VALUES ($1, $3, 'ada', $2, now())`,
    [...values, provider.body.identityProviderId],
  );
  const { body, text } = await signIns(ada.userId);
  expect(body).toMatchObject({
    password: true,
    authenticatorApp: true,
    recoveryCodesLeft: 0,
    passkeys: [{ name: 'Key ring', transports: ['usb'] }],
    identities: [{ name: 'Acme account', subject: 'ada', enabled: false }],
    tokens: [{ name: 'Report', access: 'read' }],
  });
  expect(text).not.toMatch(/secret|hash/i);
});

test('one session ends at once, the others and the tokens stay, and the log tells who ended it', async () => {
  const ada = await person();
  const [train, desk] = [await browser(ada), await browser(ada)];
  const dry = await revoke(ada.userId, train.sessionId, chief, '?dryRun=true');
  expect([dry.status, dry.body.dryRun.changes.length]).toEqual([200, 1]);
  expect(await train.status()).toBe(200);
  expect((await revoke(ada.userId, train.sessionId)).status).toBe(200);
  expect([await train.status(), await desk.status()]).toEqual([401, 200]);
  expect((await tenant.request(ada.userId, 'GET', `${API}/core/auth/current-user-data`)).status).toBe(200);
  expect((await revoke(ada.userId, train.sessionId)).status).toBe(404);
  const log = await tenant.request(chief, 'POST', `${API}/admin/data/audit-entries`, {
    objectTypes: ['user'],
    objectIds: [ada.userId],
    actions: ['modified'],
  });
  expect(log.body.items[0]).toMatchObject({ operation: 'revokeUserSession', actorId: chief });
  expect((await tenant.request(chief, 'POST', `${API}/admin/manage/users/${ada.userId}/sign-out`)).status).toBe(200);
  expect(await desk.status()).toBe(401);
  expect((await signIns(ada.userId)).body.sessions).toEqual([]);
});

test('only holders of manageUsers see them, and nobody ends a session of a holder of more rights', async () => {
  const [ada, bo, half] = [await person(), await person(), await person(['manageUsers'])];
  const whole = await person(['manageUsers', 'manageDigitalWorplace']);
  const [adas, wholes, halfs] = [await browser(ada), await browser(whole), await browser(half)];
  expect((await signIns(ada.userId, bo.userId)).status).toBe(403);
  expect((await revoke(ada.userId, adas.sessionId, bo.userId)).status).toBe(403);
  expect((await signIns(ada.userId, half.userId)).status).toBe(200);
  expect((await revoke(whole.userId, wholes.sessionId, half.userId)).status).toBe(403);
  expect(await wholes.status()).toBe(200);
  // A session of somebody else under the id of a person whose sessions may be ended.
  expect((await revoke(ada.userId, wholes.sessionId, half.userId)).status).toBe(404);
  expect(await wholes.status()).toBe(200);
  expect((await revoke(half.userId, halfs.sessionId, half.userId)).status).toBe(200);
  expect(await halfs.status()).toBe(401);
  expect((await revoke(tenant.systemUserId, 1)).status).toBe(403);
  expect((await signIns(4711)).status).toBe(404);
  const elsewhere = await portal.createTenant();
  const foreign = await elsewhere.createUser({ admin: true });
  const path = `${API}/admin/manage/users/${ada.userId}`;
  expect((await elsewhere.request(foreign, 'GET', `${path}/sign-ins`)).status).toBe(404);
  expect((await elsewhere.request(foreign, 'POST', `${path}/sessions/${adas.sessionId}/revoke`)).status).toBe(404);
  expect(await adas.status()).toBe(200);
});
