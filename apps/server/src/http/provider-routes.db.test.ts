/** Sign-in by an identity provider as browsers do it: redirects and cookies. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';
import { deleteIdentityProvider } from '../modules/people/identity-providers/edit-provider.ts';
import { CLIENT, startProvider, type TestProvider } from '../modules/people/identity-providers/provider.fixture.ts';

const ROOT = '/portal/api/external/v2';
const PROVIDERS = '/portal/api/core/auth/providers';
let provider: TestProvider;
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;

beforeAll(async () => {
  provider = await startProvider();
  portal = await createTestPortal({ env: { PORTICO_INTERNAL_PROVIDERS: provider.host } });
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
  const made = await tenant.request(chief, 'POST', `${ROOT}/admin/manage/identity-providers`, {
    key: 'acme',
    name: 'Acme account',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    enabled: true,
    createUsers: true,
  });
  provider.register([made.body.redirectUri]);
});
beforeEach(() => {
  provider.intercept = undefined;
});
afterAll(async () => {
  await portal.close();
  await provider.close();
});

const visit = (path: string, cookies: readonly string[] = [], method = 'GET') =>
  tenant.request(null, method, path, undefined, { Cookie: cookies.join('; '), 'User-Agent': 'Test browser' });
const cookiesOf = (answer: { headers: Headers }) => answer.headers.getSetCookie();
const pair = (cookie: string | undefined) => cookie?.split(';')[0] ?? '';
const newPerson = () => ({ sub: randomUUID(), name: 'Ada Rossi' });

async function begin(returnTo?: string) {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`;
  const answer = await visit(`${PROVIDERS}/acme/start${query}`);
  expect(answer.status, answer.text).toBe(302);
  const [cookie = ''] = cookiesOf(answer);
  return { cookie, location: answer.headers.get('location') as string };
}
const callback = (back: URL, cookies: readonly string[], method?: string) =>
  visit(`${back.pathname}${back.search}`, cookies, method);

test('a person is sent to the provider and comes back with a session, on the page that they wanted', async () => {
  const person = newPerson();
  const { cookie, location } = await begin('/portal/#/post/3');
  expect(cookie).toMatch(/^(__Host-)?portico_sign_in=[\w-]+; /);
  for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=600']) expect(cookie).toContain(attribute);
  const back = await provider.signIn(location, person);
  // Asked for by something that does not end it.
  expect((await callback(back, [pair(cookie)], 'HEAD')).status).toBeGreaterThanOrEqual(400);
  const answer = await callback(back, [pair(cookie)]);
  expect(answer.headers.get('location')).toBe('/portal/#/post/3');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const [session, gone] = cookiesOf(answer);
  expect(session).toMatch(/^(__Host-)?portico_session=/);
  expect(gone).toMatch(/^(__Host-)?portico_sign_in=; .*Max-Age=0/);
  const me = await visit(`${ROOT}/core/auth/current-user-data`, [pair(session)]);
  expect(me.body.userData).toMatchObject({ lastName: 'Ada Rossi' });

  const again = await callback(back, [pair(cookie)]);
  expect(again.headers.get('location')).toBe('/portal/#/sign-in?error=sign-in-expired');
  expect(cookiesOf(again)).toEqual([]);
  const log = await tenant.request(chief, 'POST', `${ROOT}/admin/data/audit-entries`, { pageSize: 50 });
  expect(log.body.items).toContainEqual(
    expect.objectContaining({ action: 'signedIn', operation: 'signInByProvider', actorId: me.body.userData.id }),
  );
});

test('a sign-in that fails ends on the sign-in page with a code, and is counted', async () => {
  const failures = async () => {
    const [row] = await portal.services.databases
      .for(tenant.tenant.id)
      .query<{ count: number }>(
        `SELECT coalesce(sum(count), 0)::int AS count FROM sign_in_failures WHERE tenant_id = $1 AND operation = 'signInByProvider'`,
        [tenant.tenant.id],
      );
    return row!.count;
  };
  const before = await failures();
  const { cookie, location } = await begin();
  const back = await provider.signIn(location, newPerson());
  const ending = async (url: URL, cookies: string[]) => (await callback(url, cookies)).headers.get('location');
  expect(await ending(back, [])).toBe('/portal/#/sign-in?error=sign-in-expired');
  back.searchParams.set('code', 'made-up');
  expect(await ending(back, [pair(cookie)])).toBe('/portal/#/sign-in?error=sign-in-refused');
  expect((await failures()) - before).toBe(2);
  const cancelled = await begin();
  const refusal = await provider.signIn(cancelled.location, { sub: '' });
  expect(await ending(refusal, [pair(cancelled.cookie)])).toBe('/portal/#/sign-in?error=sign-in-cancelled');
});

test('unknown providers and those that are down are said on the sign-in page too', async () => {
  for (const key of ['nobody', 'ACME', '%00', '..%2f..', 'x'.repeat(300)]) {
    const answer = await visit(`${PROVIDERS}/${key}/start`);
    expect([key, answer.status, answer.headers.get('location')]).toEqual([
      key,
      302,
      '/portal/#/sign-in?error=unknown-provider',
    ]);
  }
  provider.intercept = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  const elsewhere = await portal.createTenant();
  const by = await elsewhere.createUser({ admin: true });
  await elsewhere.request(by, 'POST', `${ROOT}/admin/manage/identity-providers`, {
    key: 'down',
    name: 'Down',
    issuer: `${provider.issuer}/down`,
    clientId: CLIENT.id,
    enabled: true,
  });
  const answer = await elsewhere.request(null, 'GET', `${PROVIDERS}/down/start`);
  expect(answer.headers.get('location')).toBe('/portal/#/sign-in?error=provider-unavailable');
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test('a sign-in that begins at another host of the tenant goes on at the one that the provider knows', async () => {
  const host = `zz-other.${tenant.host}`;
  await portal.owner.query('INSERT INTO tenant_hosts (host, tenant_id) VALUES ($1, $2)', [host, tenant.tenant.id]);
  const path = `${PROVIDERS}/acme/start?returnTo=%2Fportal%2F%23%2Fpost%2F3`;
  const answer = await tenant.request(null, 'GET', path, undefined, { Host: host });
  expect(answer.status, answer.text).toBe(302);
  expect(answer.headers.get('location')).toBe(`https://${tenant.host}${path}`);
  expect(cookiesOf(answer)).toEqual([]);
});

test('a browser that is signed in as somebody else leaves that session', async () => {
  const cookies: string[] = [];
  const people: number[] = [];
  for (let n = 0; n < 2; n++) {
    const { cookie, location } = await begin();
    const back = await provider.signIn(location, newPerson());
    const answer = await callback(back, [pair(cookie), ...cookies]);
    cookies.splice(0, 1, pair(cookiesOf(answer).find((one) => one.includes('portico_session='))));
    const me = await visit(`${ROOT}/core/auth/current-user-data`, cookies);
    people.push(me.body.userData.id);
  }
  expect(new Set(people).size).toBe(2);
});

test('a session that a provider began stays where the tenant requires a provider, one by a password ends', async () => {
  const { cookie, location } = await begin();
  const answer = await callback(await provider.signIn(location, newPerson()), [pair(cookie)]);
  const byProvider = pair(cookiesOf(answer).find((one) => one.includes('portico_session=')));
  const password = 'correct horse è 42';
  await tenant.request(chief, 'POST', `${ROOT}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: 'Rossi',
    userCredentialsConfiguration: { custom: { username: 'ada', active: true } },
    resetUserCustomCredentialsCommand: { password },
  });
  const signedIn = await tenant.request(null, 'POST', `${ROOT}/core/auth/start-session`, { username: 'ada', password });
  const byPassword = pair(cookiesOf(signedIn)[0]);
  const program = await tenant.createUser({ service: true });
  const statusOf = async (session: string) => (await visit(`${ROOT}/core/auth/current-user-data`, [session])).status;
  expect([await statusOf(byProvider), await statusOf(byPassword)]).toEqual([200, 200]);
  const path = `${ROOT}/admin/manage/tenant-settings`;
  const { hosts: _hosts, ...settings } = (await tenant.request(chief, 'GET', path)).body;
  expect((await tenant.request(chief, 'PUT', path, { ...settings, requireProvider: true })).status).toBe(200);
  await expect.poll(() => statusOf(byPassword)).toBe(401);
  expect(await statusOf(byProvider)).toBe(200);
  // Nobody could sign in without it.
  const chiefAgain = await tenant.scope(chief);
  const [own] = await portal.services.databases
    .for(tenant.tenant.id)
    .query<{ id: number }>('SELECT id FROM identity_providers WHERE tenant_id = $1', [tenant.tenant.id]);
  await expect(deleteIdentityProvider(chiefAgain, own!.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await tenant.request(program, 'GET', `${ROOT}/core/auth/current-user-data`)).status).toBe(200);
});
