/**
 * A client that fails to sign in again and again is refused unheard for a while; a client that
 * succeeds is never refused because of others.
 */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeServiceAccountKey } from '../../src/modules/people/auth/service-account-keys.ts';
import { createServiceAccountKey, type ServiceAccountKeyFile } from '../../src/modules/people/index.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const EXCHANGES = '/portal/api/core/auth';
const MOST = 5;
let now = Date.now();
let portal: TestPortal;
let tenant: TestTenant;

beforeAll(async () => {
  portal = await createTestPortal({
    clock: { now: () => now },
    env: { PORTICO_SIGN_IN_FAILURES: String(MOST), PORTICO_TRUSTED_PROXIES: '127.0.0.1' },
  });
  tenant = await portal.createTenant();
});
afterAll(() => portal.close());

function assertion(key: ServiceAccountKeyFile, pem = key.private_key): string {
  const at = Math.floor(now / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id });
  const aud = 'portico/portal-authenticator';
  const body = encode({ iss: key.client_id, aud, iat: at, exp: at + 300, jti: randomUUID() });
  return `${head}.${body}.${sign('RSA-SHA512', Buffer.from(`${head}.${body}`), pem).toString('base64url')}`;
}

async function newKey(userId?: number): Promise<ServiceAccountKeyFile> {
  const account = userId ?? (await tenant.createUser({ service: true }));
  return createServiceAccountKey(portal.services.databases.for(tenant.tenant.id), account, now);
}

async function exchange(address: string, jwtAssertion: string) {
  return tenant.request(
    null,
    'POST',
    `${EXCHANGES}/create-access-token-by-service-account`,
    { jwtAssertion },
    {
      'X-Forwarded-For': address,
    },
  );
}

async function statuses(times: number, ask: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) found.push((await ask(n)).status);
  return found;
}

test('an address that failed too often waits out its minute, with either exchange', async () => {
  const key = await newKey();
  const address = '192.0.2.1';
  expect(await statuses(MOST, () => exchange(address, 'no assertion'))).toEqual(Array(MOST).fill(401));
  const refused = await exchange(address, assertion(key));
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBe(60);
  const google = await tenant.request(
    null,
    'POST',
    `${EXCHANGES}/create-access-token-by-google-oauth2-access-token-credentials`,
    { googleOAuth2Token: 'x' },
    { 'X-Forwarded-For': address },
  );
  expect(google.status).toBe(429);
  // The limit does not affect other addresses and signed-in users.
  expect((await exchange('192.0.2.2', assertion(key))).status).toBe(200);
  const user = await tenant.createUser();
  const me = await tenant.request(user, 'GET', `${EXCHANGES}/current-user-data`, undefined, {
    'X-Forwarded-For': address,
  });
  expect(me.status).toBe(200);
  now += wait * 1000;
  expect((await exchange(address, assertion(key))).status).toBe(200);
});

test('successes and requests without an assertion do not count', async () => {
  const key = await newKey();
  const address = '192.0.2.3';
  expect(await statuses(3 * MOST, () => exchange(address, assertion(key)))).toEqual(Array(3 * MOST).fill(200));
  expect(await statuses(2 * MOST, () => exchange(address, ''))).toEqual(Array(2 * MOST).fill(400));
  expect((await exchange(address, assertion(key))).status).toBe(200);
});

test('addresses of one IPv6 network are one client', async () => {
  const asked = await statuses(MOST + 1, (n) => exchange(`2001:db8::${n + 1}`, 'no assertion'));
  expect(asked).toEqual([...Array(MOST).fill(401), 429]);
});

test('a revoked key is refused wherever it comes from; other keys of the account, and forgers, change nothing', async () => {
  const key = await newKey();
  const other = await newKey(key.client_id);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const from = (n: number) => `198.51.100.${n}`;
  // Forged ones, from anywhere, do not keep the key out.
  expect(await statuses(2 * MOST, (n) => exchange(from(n), assertion(key, privateKey)))).toEqual(
    Array(2 * MOST).fill(401),
  );
  expect((await exchange(from(50), assertion(key))).status).toBe(200);
  await portal.services.databases
    .for(tenant.tenant.id)
    .transaction((tx) => revokeServiceAccountKey(tx, key.client_id, key.private_key_id, now));
  expect(await statuses(MOST + 2, (n) => exchange(from(100 + n), assertion(key)))).toEqual([
    ...Array(MOST).fill(401),
    429,
    429,
  ]);
  expect((await exchange(from(200), assertion(other))).status).toBe(200);
});

test('a right password without a code does not use up the limit of its address', async () => {
  const admin = await tenant.createUser({ admin: true });
  const username = 'two-factors';
  const password = 'correct horse è 42';
  const made = await tenant.request(admin, 'POST', '/portal/api/admin/manage/users', {
    firstname: 'Ada',
    lastname: 'Rossi',
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password, forceCredentialsExpiration: false },
  });
  const totp = (verb: string, body: object) =>
    tenant.request(made.body.userId, 'POST', `${EXCHANGES}/manage/totp/${verb}`, body);
  const { body: started, status } = await totp('start', { password });
  expect(status).toBe(200);
  const app = new TOTP({ secret: started.secret });
  expect((await totp('confirm', { code: app.generate({ timestamp: now }) })).status).toBe(200);
  const signIn = (body: object) =>
    tenant.request(
      null,
      'POST',
      `${EXCHANGES}/create-access-token-by-credentials`,
      { username, password, ...body },
      { 'X-Forwarded-For': '192.0.2.77' },
    );
  expect(await statuses(MOST + 2, () => signIn({}))).toEqual(Array(MOST + 2).fill(401));
  const accepted = await signIn({ secondFactorCode: app.generate({ timestamp: now + 30_000 }) });
  expect(accepted.status, accepted.text).toBe(200);
  // A wrong password does.
  expect(await statuses(MOST, () => signIn({ password: 'of somebody else' }))).toEqual(Array(MOST).fill(401));
  expect((await signIn({})).status).toBe(429);
});
