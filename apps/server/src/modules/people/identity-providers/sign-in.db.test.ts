/** Sign-in by an OpenID Connect provider that runs on loopback. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { CLIENT, type Person, startProvider, type TestProvider } from './provider.fixture.ts';
import { ProviderClient } from './provider-client.ts';
import { beginSignIn, finishSignIn, pageBelowPortal } from './sign-in.ts';
import { SignInFailure } from './sign-in-failure.ts';

const ADMIN = '/portal/api/external/v2/admin';
let provider: TestProvider;
let portal: TestPortal;
let tenant: TestTenant;
let elsewhere: TestTenant;
let chief: number;
let client: ProviderClient;

const keys = ['main', 'linking', 'closed', 'groups', 'domains'] as const;
type Key = (typeof keys)[number];

beforeAll(async () => {
  provider = await startProvider();
  portal = await createTestPortal({ env: { PORTICO_INTERNAL_PROVIDERS: provider.host } });
  tenant = await portal.createTenant();
  elsewhere = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
  const uris: string[] = [];
  const settings: Record<Key, object> = {
    main: { createUsers: true },
    linking: { createUsers: true, linkByVerifiedEmail: true },
    closed: {},
    groups: { createUsers: true, scopes: ['email', 'profile', 'groups'], groupsClaim: 'groups' },
    domains: { createUsers: true, emailDomains: ['acme.example'] },
  };
  for (const key of keys) uris.push(await connect(tenant, chief, key, settings[key]));
  uris.push(await connect(elsewhere, await elsewhere.createUser({ admin: true }), 'main', { createUsers: true }));
  provider.register(uris);
});
beforeEach(() => {
  provider.intercept = undefined;
  client = new ProviderClient({ internalHosts: [provider.host], timeoutMs: 1_000 });
});
afterAll(async () => {
  await portal.close();
  await provider.close();
});

/** @returns the redirect URI */
async function connect(within: TestTenant, by: number, key: string, more: object): Promise<string> {
  const made = await within.request(by, 'POST', `${ADMIN}/manage/identity-providers`, {
    key,
    name: key,
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    enabled: true,
    ...more,
  });
  expect(made.status, made.text).toBe(200);
  return made.body.redirectUri;
}

const newPerson = (more: object = {}): Person => {
  const sub = randomUUID();
  return { sub, given_name: 'Ada', family_name: 'Rossi', email: `${sub}@x.example`, email_verified: true, ...more };
};
const scopeOf = (within = tenant): Promise<TenantScope> => within.scope(within.systemUserId);
const begin = async (key: Key, within = tenant, returnTo?: string) =>
  beginSignIn(await scopeOf(within), client, key, returnTo);
const finish = async (key: Key, cookie: string | undefined, back: URL, within = tenant) =>
  finishSignIn(await scopeOf(within), client, key, { cookie, query: back.search }, () =>
    within.scope(within.systemUserId),
  );

async function signIn(key: Key, person: Person): Promise<number> {
  const { location, cookie } = await begin(key);
  return (await finish(key, cookie, await provider.signIn(location, person))).signIn.userId;
}

/** Returns the code of a failed sign-in. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => 'none',
    (error: unknown) => error,
  );
  if (outcome instanceof SignInFailure) return outcome.code;
  throw outcome;
}

const formOf = async (userId: number) =>
  (await tenant.request(chief, 'GET', `${ADMIN}/manage/users/${userId}/edit`)).body;

test('the first sign-in makes an account, the second finds it; the provider learns PKCE, state and nonce', async () => {
  const person = newPerson();
  const { location } = await begin('main');
  const asked = new URL(location).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: CLIENT.id,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    redirect_uri: expect.stringContaining('/portal/api/core/auth/providers/main/callback'),
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)!.length).toBeGreaterThan(40);
  const userId = await signIn('main', person);
  expect(await formOf(userId)).toMatchObject({ firstname: 'Ada', lastname: 'Rossi', contactEmail: person['email'] });
  expect(await signIn('main', { ...person, family_name: 'Bianchi' })).toBe(userId);
  // By another provider of the tenant the person is unknown.
  expect(await failureOf(signIn('closed', newPerson()))).toBe('unknown-account');
});

test('accounts are linked by verified address where the administrator says so, and to one identity of a provider', async () => {
  const email = `${randomUUID()}@x.example`;
  const userId = await tenant.createUser({ email });
  expect(await failureOf(signIn('main', newPerson({ email })))).toBe('account-exists');
  expect(await failureOf(signIn('closed', newPerson({ email })))).toBe('account-exists');
  for (const email_verified of [false, undefined, 'yes', 1]) {
    const made = await signIn('linking', newPerson({ email, email_verified }));
    expect(made).not.toBe(userId);
    expect((await formOf(made)).contactEmail).toBeUndefined();
  }
  const person = newPerson({ email: email.toUpperCase() });
  expect(await signIn('linking', person)).toBe(userId);
  expect(await signIn('linking', { ...person, email: undefined })).toBe(userId);
  // The provider has reassigned the address to another person.
  expect(await failureOf(signIn('linking', newPerson({ email })))).toBe('account-exists');
});

test('programs are never linked', async () => {
  const email = `${randomUUID()}@x.example`;
  const program = await tenant.createUser({ service: true });
  await portal.services.databases
    .for(tenant.tenant.id)
    .execute('UPDATE users SET contact_email = $3 WHERE tenant_id = $1 AND id = $2', [
      tenant.tenant.id,
      program,
      email,
    ]);
  expect(await failureOf(signIn('linking', newPerson({ email })))).toBe('account-exists');
});

test('a blocked and a deleted account are refused, linked or not', async () => {
  const person = newPerson();
  const userId = await signIn('main', person);
  const manage = (method: string, path: string) =>
    tenant.request(chief, method, `${ADMIN}/manage/users/${userId}${path}`);
  expect((await manage('POST', '/block')).status).toBe(200);
  expect(await failureOf(signIn('main', person))).toBe('account-blocked');
  expect(await failureOf(signIn('linking', newPerson({ email: person['email'] })))).toBe('account-blocked');
  await manage('POST', '/unblock');
  expect(await signIn('main', person)).toBe(userId);
  expect((await manage('DELETE', '')).status).toBe(200);
  expect(await failureOf(signIn('main', person))).toBe('account-blocked');
});

test('addresses of other domains, and those that are not verified, are refused where domains are set', async () => {
  const email = `${randomUUID()}@Acme.example`;
  expect(await failureOf(signIn('domains', newPerson()))).toBe('sign-in-refused');
  expect(await failureOf(signIn('domains', newPerson({ email, email_verified: false })))).toBe('sign-in-refused');
  expect(await failureOf(signIn('domains', newPerson({ email: `${email}.evil.example` })))).toBe('sign-in-refused');
  expect(await signIn('domains', newPerson({ email }))).toBeGreaterThan(0);
});

test('groups that the settings name follow the claim, others stay', async () => {
  const group = async (name: string, memberIds: number[] = []) =>
    (await tenant.request(chief, 'POST', `${ADMIN}/manage/groups`, { name, visible: true, memberIds })).body
      .groupId as number;
  const [staff, plant] = [await group('Staff'), await group('Plant')];
  const list = await tenant.request(chief, 'POST', `${ADMIN}/data/identity-providers`, {});
  const { identityProviderId } = list.body.items.find((one: { key: string }) => one.key === 'groups');
  const path = `${ADMIN}/manage/identity-providers/${identityProviderId}`;
  const { body: form } = await tenant.request(chief, 'GET', path);
  const { key: _key, issuer: _issuer, hasClientSecret: _secret, redirectUri: _uri, ...body } = form;
  const groupMappings = [
    { value: 'staff', groupId: staff },
    { value: 'plant', groupId: plant },
  ];
  expect((await tenant.request(chief, 'PUT', path, { ...body, groupMappings })).status).toBe(200);

  const groupsOf = async (userId: number) => {
    const rows = await portal.services.databases
      .for(tenant.tenant.id)
      .query<{ id: number }>(
        'SELECT group_id AS id FROM group_members WHERE tenant_id = $1 AND user_id = $2 ORDER BY 1',
        [tenant.tenant.id, userId],
      );
    return rows.map(({ id }) => id);
  };
  const person = newPerson({ groups: ['staff', 'unknown'] });
  const userId = await signIn('groups', person);
  const own = await group('Own', [userId]);
  expect(await groupsOf(userId)).toEqual([staff, own]);
  expect(await signIn('groups', { ...person, groups: 'plant' })).toBe(userId);
  expect(await groupsOf(userId)).toEqual([plant, own]);
  const elsewhere = {
    _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph.example/' } },
  };
  const { location, cookie } = await begin('groups');
  const back = await provider.signIn(location, { ...person, groups: undefined, ...elsewhere });
  const scope = await scopeOf();
  const warn = vi.fn();
  const logged = { ...scope, log: Object.assign(Object.create(scope.log), { warn }) };
  await finishSignIn(logged, client, 'groups', { cookie, query: back.search }, () => tenant.scope(tenant.systemUserId));
  expect(await groupsOf(userId)).toEqual([plant, own]);
  expect(warn.mock.calls).toEqual([
    [{ tenant: tenant.tenant.name, provider: 'groups' }, expect.stringContaining('names groups elsewhere')],
  ]);
  await signIn('groups', { ...person, groups: undefined });
  expect(await groupsOf(userId)).toEqual([own]);
});

test('a callback counts once, in the browser that began, with its state, at its provider and in its tenant', async () => {
  const person = newPerson();
  const { location, cookie } = await begin('main');
  const back = await provider.signIn(location, person);
  const other = await begin('main');
  const changed = (name: string, value: string) => {
    const url = new URL(back);
    url.searchParams.set(name, value);
    return url;
  };
  for (const refused of [
    () => finish('main', undefined, back),
    () => finish('main', 'AAAA', back),
    () => finish('main', other.cookie, back),
    () => finish('linking', cookie, back),
    () => finish('main', cookie, back, elsewhere),
    () => finish('main', cookie, changed('state', 'another')),
  ])
    expect(await failureOf(refused())).toBe('sign-in-expired');
  const ended = await Promise.allSettled(Array.from({ length: 5 }, () => finish('main', cookie, back)));
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await failureOf(finish('main', cookie, back))).toBe('sign-in-expired');
});

test('another issuer, code or nonce is refused, and so is who ends it at the provider', async () => {
  const failsWith = async (change: (back: URL) => void) => {
    const { location, cookie } = await begin('main');
    const back = await provider.signIn(location, newPerson());
    change(back);
    return failureOf(finish('main', cookie, back));
  };
  expect(await failsWith((back) => back.searchParams.set('iss', 'https://evil.example'))).toBe('sign-in-refused');
  expect(await failsWith((back) => back.searchParams.delete('iss'))).toBe('sign-in-refused');
  expect(await failsWith((back) => back.searchParams.set('code', 'made-up'))).toBe('sign-in-refused');
  expect(await failsWith((back) => back.searchParams.delete('code'))).toBe('sign-in-refused');
  // The code of a sign-in that another browser began: neither its verifier nor its nonce fits.
  const stolen = await provider.signIn((await begin('main')).location, newPerson());
  expect(await failsWith((back) => back.searchParams.set('code', stolen.searchParams.get('code') as string))).toBe(
    'sign-in-refused',
  );
  const { location, cookie } = await begin('main');
  const other = new URL(location);
  other.searchParams.set('nonce', 'of-somebody-else');
  const back = await provider.signIn(other.href, newPerson());
  expect(await failureOf(finish('main', cookie, back))).toBe('sign-in-refused');
  const cancelled = await begin('main');
  expect(
    await failureOf(finish('main', cancelled.cookie, await provider.signIn(cancelled.location, { sub: '' }))),
  ).toBe('sign-in-cancelled');
});

test('a provider that is down, slow or talks nonsense is unavailable; keys that it replaces are known at once', async () => {
  const person = newPerson();
  const userId = await signIn('main', person);
  provider.rotateKeys();
  expect(await signIn('main', person)).toBe(userId);

  const at = (path: string, answer: (response: import('node:http').ServerResponse) => void) => {
    provider.intercept = (request, response) => {
      if (!request.url?.startsWith(path)) return false;
      answer(response);
      return true;
    };
  };
  const { location, cookie } = await begin('main');
  const back = await provider.signIn(location, person);
  at('/token', (response) => response.writeHead(503).end());
  expect(await failureOf(finish('main', cookie, back))).toBe('provider-unavailable');
  for (const answer of [
    (response: import('node:http').ServerResponse) => response.writeHead(500).end(),
    (response: import('node:http').ServerResponse) => response.writeHead(302, { Location: '/elsewhere' }).end(),
    (response: import('node:http').ServerResponse) => response.end('not json'),
    (response: import('node:http').ServerResponse) => response.destroy(),
    () => undefined,
    (response: import('node:http').ServerResponse) =>
      response.setHeader('Content-Type', 'application/json').end('{"issuer":"https://evil.example"}'),
  ]) {
    client = new ProviderClient({ internalHosts: [provider.host], timeoutMs: 300 });
    at('/.well-known/', answer);
    expect(['provider-unavailable', 'sign-in-refused']).toContain(await failureOf(begin('main')));
  }
  provider.intercept = undefined;
  expect(await signIn('main', person)).toBe(userId);
});

test('the configuration of a provider is asked for once, and never where its host is not listed', async () => {
  provider.asked.length = 0;
  await Promise.all(Array.from({ length: 5 }, () => begin('main')));
  expect(provider.asked.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1);
  client = new ProviderClient({ internalHosts: [], timeoutMs: 1_000 });
  provider.asked.length = 0;
  expect(await failureOf(begin('main'))).toBe('provider-unavailable');
  expect(provider.asked).toEqual([]);
});

test('first sign-ins of one person at once make one account', async () => {
  const person = newPerson();
  const begun = [];
  for (let n = 0; n < 4; n++) {
    const { location, cookie } = await begin('main');
    begun.push({ cookie, back: await provider.signIn(location, person) });
  }
  const ended = await Promise.all(begun.map(({ cookie, back }) => finish('main', cookie, back)));
  expect(new Set(ended.map(({ signIn }) => signIn.userId)).size).toBe(1);
});

test('people return to pages of the portal only', async () => {
  expect(pageBelowPortal('/portal/#/post/4?a=b')).toBe('/portal/#/post/4?a=b');
  expect(pageBelowPortal('/portal/post/4?a=b')).toBe('/portal/post/4?a=b');
  for (const page of [
    undefined,
    ['/portal/a', '/portal/b'],
    'https://evil.example/portal/',
    '//evil.example/portal/',
    '/portal/../../evil',
    '/portal/%2e%2e/evil',
    '/portal/api/docs',
    '/portal\\evil',
    '/other',
    `/portal/${'x'.repeat(500)}`,
  ])
    expect([page, pageBelowPortal(page)]).toEqual([page, '/portal/']);
  const { location, cookie } = await begin('main', tenant, '/portal/#/community/3');
  expect((await finish('main', cookie, await provider.signIn(location, newPerson()))).returnTo).toBe(
    '/portal/#/community/3',
  );
});
