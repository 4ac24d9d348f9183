/** Rate limits: of accounts and tenants where they are set, of client addresses without a sign-in always. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form, formType, send } from '../support/file-server.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const ME = '/portal/api/core/auth/current-user-data';
const EXCHANGE = '/portal/api/core/auth/create-access-token-by-service-account';
const MOST = 20;
let portal: TestPortal;
let strict: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
  strict = await createTestPortal({
    env: { PORTICO_ANONYMOUS_REQUESTS: String(MOST), PORTICO_TRUSTED_PROXIES: '127.0.0.1' },
  });
});

afterAll(async () => {
  await portal?.close();
  await strict?.close();
});

async function limit(tenant: TestTenant, settings: { account?: number; tenant?: number }): Promise<void> {
  const db = portal.services.databases.for(tenant.tenant.id);
  await db.execute(
    'UPDATE tenant_settings SET account_requests_per_minute = $2, requests_per_minute = $3 WHERE tenant_id = $1',
    [tenant.tenant.id, settings.account ?? null, settings.tenant ?? null],
  );
  // Settings are read again when they are a second old.
  const limited = async () => (await tenant.request(await tenant.createUser(), 'GET', ME)).headers.has('ratelimit');
  await expect.poll(limited).toBe(true);
}

const statuses = async (count: number, request: () => Promise<{ status: number }>) => {
  const seen: Record<number, number> = {};
  for (let done = 0; done < count; done++) {
    const { status } = await request();
    seen[status] = (seen[status] ?? 0) + 1;
  }
  return seen;
};

describe('accounts and tenants', () => {
  test('have no limit until one is set', async () => {
    const tenant = await portal.createTenant();
    const user = await tenant.createUser();
    expect(await statuses(200, () => tenant.request(user, 'GET', ME))).toEqual({ 200: 200 });
    const { headers } = await tenant.request(user, 'GET', ME);
    expect(headers.has('ratelimit')).toBe(false);
    expect(headers.has('ratelimit-policy')).toBe(false);
  });

  test('are held to it, each account for itself, and told what is left', async () => {
    const tenant = await portal.createTenant();
    await limit(tenant, { account: 10 });
    const [ada, bob] = [await tenant.createUser(), await tenant.createUser()];
    const first = await tenant.request(ada, 'GET', ME);
    expect(first.headers.get('ratelimit-policy')).toBe('"account";q=10;w=60');
    expect(first.headers.get('ratelimit')).toBe('"account";r=9;t=60');
    expect(await statuses(14, () => tenant.request(ada, 'GET', ME))).toEqual({ 200: 9, 429: 5 });
    const refused = await tenant.request(ada, 'GET', ME);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toBe(`"account";r=0;t=${seconds}`);
    expect((await tenant.request(bob, 'GET', ME)).status).toBe(200);
  });

  test('share the limit of their tenant, and no other tenant is concerned', async () => {
    const [tenant, other] = [await portal.createTenant(), await portal.createTenant()];
    await limit(tenant, { account: 1_000, tenant: 30 });
    const users = [await tenant.createUser(), await tenant.createUser(), await tenant.createUser()];
    let turn = 0;
    const seen = await statuses(40, () => tenant.request(users[turn++ % 3]!, 'GET', ME));
    expect(seen[429]).toBeGreaterThanOrEqual(10);
    const refused = await tenant.request(users[0]!, 'GET', ME);
    expect(refused.headers.get('ratelimit-policy')).toBe('"account";q=1000;w=60, "tenant";q=30;w=60');
    expect(await statuses(40, async () => other.request(await other.createUser(), 'GET', ME))).toEqual({ 200: 40 });
  });
});

describe('client addresses', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('have a limit of requests without a sign-in, whatever they ask for', async () => {
    const tenant = await strict.createTenant();
    const paths = ['/portal/api/openapi.json', '/portal/api/docs', '/nothing', '/portal/api/docs/swagger-ui.css'];
    let turn = 0;
    const ask = () => tenant.request(null, 'GET', paths[turn++ % paths.length]!, undefined, from('192.0.2.1'));
    const seen = await statuses(MOST + 10, ask);
    expect(seen[429]).toBe(10);
    const signIn = await tenant.request(null, 'POST', EXCHANGE, { jwtAssertion: 'x' }, from('192.0.2.1'));
    expect([signIn.status, signIn.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(signIn.headers.get('retry-after'))).toBeGreaterThan(0);
    // The limit does not affect other addresses, signed-in users, and watchers of the process.
    expect((await tenant.request(null, 'GET', paths[0]!, undefined, from('192.0.2.2'))).status).toBe(200);
    const user = await tenant.createUser();
    expect((await tenant.request(user, 'GET', ME, undefined, from('192.0.2.1'))).status).toBe(200);
    expect((await tenant.request(null, 'GET', '/healthz', undefined, from('192.0.2.1'))).status).toBe(200);
  });

  test('that send forms without a valid policy are refused before a form is read', async () => {
    const tenant = await strict.createTenant();
    const url = `${strict.origin}/portal/storage/upload`;
    const headers = { Host: tenant.host, 'Content-Type': formType, ...from('192.0.2.3') };
    const fields = { key: 'temporary-uploads/x', policy: 'e30=', signature: 'x' };
    const upload = () => send(url, { method: 'POST', headers, body: form(fields, Buffer.from('x')) });
    expect(await statuses(MOST + 5, upload)).toEqual({ 403: MOST, 429: 5 });
    const user = await tenant.createUser();
    const begun = await tenant.request(user, 'POST', '/portal/api/core/storage/upload-new-attachment');
    const good = await send(url, {
      method: 'POST',
      headers: { ...headers, ...from('192.0.2.4') },
      body: form(begun.body.uploadMultipartRequestBodyParams, Buffer.from('x')),
    });
    expect(good.status).toBe(204);
  });
});
