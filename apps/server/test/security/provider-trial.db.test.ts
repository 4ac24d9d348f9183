/**
 * Trial sign-ins by an identity provider that runs on loopback: they tell what a sign-in would do,
 * change nothing, and can be finished by nobody but the administrator who began them.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  CLIENT,
  type Person,
  startProvider,
  type TestProvider,
} from '../../src/modules/people/identity-providers/provider.fixture.ts';
import { dumpTenant } from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestAnswer, type TestPortal, type TestTenant } from '../support/index.ts';
import { faults } from '../support/test-world.ts';

const ADMIN = '/portal/api/external/v2/admin';
const PASSWORD = 'correct horse è 42';
let provider: TestProvider;
let portal: TestPortal;
let tenant: TestTenant;
let elsewhere: TestTenant;
let chief: number;
let now = Date.now();
const logged: string[] = [];
const ids: Record<string, number> = {};
let staff: number;
let plant: number;

beforeAll(async () => {
  provider = await startProvider();
  const log = (fields: object, message?: string) => void logged.push(JSON.stringify([fields, message]));
  portal = await createTestPortal({
    env: { PORTICO_INTERNAL_PROVIDERS: provider.host },
    clock: { now: () => now },
    log: { debug: log, info: log, warn: log, error: log },
  });
  tenant = await portal.createTenant();
  elsewhere = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
  const group = async (name: string) =>
    (await tenant.request(chief, 'POST', `${ADMIN}/manage/groups`, { name, visible: true })).body.groupId as number;
  [staff, plant] = [await group('Staff'), await group('Plant')];
  const settings = {
    main: { createUsers: true },
    linking: { createUsers: true, linkByVerifiedEmail: true },
    closed: {},
    off: { enabled: false, createUsers: true },
    domains: { createUsers: true, emailDomains: ['acme.example'] },
    groups: {
      createUsers: true,
      scopes: ['email', 'profile', 'groups'],
      groupsClaim: 'groups',
      groupMappings: [
        { value: 'staff', groupId: staff },
        { value: 'plant', groupId: plant },
      ],
    },
  };
  const uris: string[] = [];
  for (const [key, more] of Object.entries(settings)) uris.push(await connect(tenant, chief, key, more));
  uris.push(await connect(elsewhere, await elsewhere.createUser({ admin: true }), 'main', { createUsers: true }));
  provider.register(uris);
});
beforeEach(() => {
  provider.intercept = undefined;
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
  if (within === tenant) ids[key] = made.body.identityProviderId;
  return made.body.redirectUri;
}

const newPerson = (more: object = {}): Person => {
  const sub = randomUUID();
  return { sub, given_name: 'Ada', family_name: 'Rossi', email: `${sub}@x.example`, email_verified: true, ...more };
};
/** Sends a request as somebody with an access token, or in a session. */
type Ask = (method: string, path: string, body?: unknown) => Promise<TestAnswer>;
const as =
  (userId: number, within = tenant): Ask =>
  (method, path, body) =>
    within.request(userId, method, path, body);

const begin = (key: string, ask = as(chief)) => ask('POST', `${ADMIN}/data/identity-providers/${ids[key]}/test`);
const finish = (answer: string, ask = as(chief)) =>
  ask('POST', `${ADMIN}/data/identity-providers/finish-test`, { answer });

/** @returns the address that the provider redirects to */
async function answered(key: string, person: Person, ask = as(chief)): Promise<URL> {
  const begun = await begin(key, ask);
  expect(begun.status, begun.text).toBe(200);
  return provider.signIn(begun.body.authorizationUrl, person);
}

async function attempt(key: string, person: Person): Promise<TestAnswer['body']> {
  const answer = await finish((await answered(key, person)).href);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Signs a person in for real, as their browser does. @returns the address at which it ends */
async function signIn(key: string, person: Person): Promise<string | null> {
  const path = '/portal/api/core/auth/providers';
  const begun = await tenant.request(null, 'GET', `${path}/${key}/start`);
  const back = await provider.signIn(begun.headers.get('location')!, person);
  const cookie = begun.headers.getSetCookie()[0]!.split(';')[0]!;
  const ended = await tenant.request(null, 'GET', back.pathname + back.search, undefined, { Cookie: cookie });
  return ended.headers.get('location');
}

/** An administrator in a browser. */
async function inSession(username: string): Promise<Ask> {
  const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: `https://${tenant.host}` };
  const started = await tenant.request(
    null,
    'POST',
    '/portal/api/core/auth/start-session',
    { username, password: PASSWORD },
    headers,
  );
  expect(started.status, started.text).toBe(200);
  const Cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  return (method, path, body) => tenant.request(null, method, path, body, { ...headers, Cookie });
}

async function administrator(username: string): Promise<number> {
  const made = await tenant.request(chief, 'POST', `${ADMIN}/manage/users`, {
    firstname: 'Bo',
    lastname: username,
    adminCapabilities: ['manageUsers', 'manageDigitalWorplace'],
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
  });
  expect(made.status, made.text).toBe(200);
  return made.body.userId;
}

/** Rows of the tenant but those that a trial adds. */
async function rowsOf(): Promise<Map<string, string[]>> {
  const dump = await dumpTenant({ portal, tenant });
  for (const table of ['audit_entries', 'used_sign_in_states']) dump.delete(table);
  return dump;
}

const mustBeNoTrial = (answer: TestAnswer, reason: RegExp) => {
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(reason)]);
  expect(faults(answer)).toEqual(['answer: INVALID_VALUE']);
};

test('a trial tells claims and the account that would be created, and changes nothing', async () => {
  const person = newPerson();
  const before = await rowsOf();
  const begun = await begin('main');
  expect(begun.body).toEqual({
    redirectUri: expect.stringContaining('/portal/api/core/auth/providers/main/callback'),
    authorizationUrl: expect.stringContaining(provider.issuer),
    expiryTimestamp: now + 600_000,
  });
  const asked = new URL(begun.body.authorizationUrl).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  const back = await provider.signIn(begun.body.authorizationUrl, person);
  logged.length = 0;
  const answer = await finish(back.href);
  expect(answer.status, answer.text).toBe(200);
  const { claims, ...rest } = answer.body;
  expect(rest).toEqual({
    identityProviderId: ids['main'],
    key: 'main',
    name: 'main',
    enabled: true,
    outcome: 'create',
    newAccount: { firstname: 'Ada', lastname: 'Rossi', contactEmail: person['email'] },
    joinedGroups: [],
    leftGroups: [],
    unmappedGroups: [],
    groupsElsewhere: false,
  });
  expect(claims).toEqual(
    expect.arrayContaining([
      { name: 'sub', value: person.sub },
      { name: 'email', value: person['email'] },
      { name: 'email_verified', value: 'true' },
      { name: 'iss', value: provider.issuer },
      { name: 'aud', value: CLIENT.id },
    ]),
  );
  expect(await rowsOf()).toEqual(before);

  // Neither claims nor secrets are in the log, in the audit log or in any table.
  const log = await tenant.request(chief, 'POST', `${ADMIN}/data/audit-entries`, {
    objectTypes: ['identityProvider'],
    actions: ['tested'],
  });
  expect(log.body.items).toEqual([
    expect.objectContaining({
      action: 'tested',
      objectId: ids['main'],
      actorId: chief,
      operation: 'finishIdentityProviderTest',
      changes: [{ field: 'outcome', after: '"create"' }],
    }),
  ]);
  const kept = [...(await dumpTenant({ portal, tenant })).values()].flat().concat(logged).join('\n');
  for (const secret of [person.sub, person['email'] as string, back.searchParams.get('code')!, CLIENT.secret])
    expect(kept).not.toContain(secret);
  for (const secret of [CLIENT.secret, back.searchParams.get('code')!, asked.get('nonce')!])
    expect(answer.text).not.toContain(secret);
});

test('a trial tells which account would sign in or be linked, and which one stands in the way', async () => {
  const email = `${randomUUID()}@x.example`;
  const userId = await tenant.createUser({ firstName: 'Bo', lastName: 'Bianchi', email });
  const person = newPerson({ email });
  const found = { userId, userName: 'Bo Bianchi' };
  expect(await attempt('main', person)).toMatchObject({
    outcome: 'refuse',
    refusal: { code: 'account-exists' },
    ...found,
  });
  expect(await attempt('linking', person)).toMatchObject({ outcome: 'link', ...found });
  // Nothing was linked: a second trial finds the same.
  expect(await attempt('linking', person)).toMatchObject({ outcome: 'link', ...found });
  expect(await signIn('linking', person)).toBe('/portal/');
  expect(await attempt('linking', person)).toMatchObject({ outcome: 'signIn', ...found });
  expect(await attempt('linking', newPerson({ email }))).toMatchObject({
    outcome: 'refuse',
    refusal: { code: 'account-exists', reason: expect.stringContaining('another identity') },
  });
  expect(await attempt('closed', newPerson())).toMatchObject({ refusal: { code: 'unknown-account' } });
  expect((await tenant.request(chief, 'POST', `${ADMIN}/manage/users/${userId}/block`)).status).toBe(200);
  expect(await attempt('linking', person)).toMatchObject({ refusal: { code: 'account-blocked' }, ...found });
});

test('a refused person sees the claims that led to the refusal', async () => {
  const person = newPerson();
  const refused = await attempt('domains', person);
  expect(refused).toMatchObject({ outcome: 'refuse', refusal: { code: 'sign-in-refused' } });
  expect(refused.claims).toContainEqual({ name: 'email', value: person['email'] });
  const long = await attempt(
    'main',
    newPerson({ name: 'x'.repeat(3_000), given_name: undefined, family_name: undefined }),
  );
  expect(long.claims.find(({ name }: { name: string }) => name === 'name').value).toHaveLength(2_000);
});

test('a trial tells the groups that a person would join and leave', async () => {
  const person = newPerson({ groups: ['staff', 'canteen'] });
  const first = await attempt('groups', person);
  expect(first).toMatchObject({
    outcome: 'create',
    joinedGroups: [{ groupId: staff, name: 'Staff' }],
    leftGroups: [],
    unmappedGroups: ['canteen'],
  });
  expect(first.claims).toContainEqual({ name: 'groups', value: '["staff","canteen"]' });
  await signIn('groups', person);
  expect(await attempt('groups', { ...person, groups: 'plant' })).toMatchObject({
    outcome: 'signIn',
    joinedGroups: [{ groupId: plant, name: 'Plant' }],
    leftGroups: [{ groupId: staff, name: 'Staff' }],
  });
  const elsewhereClaims = { groups: undefined, _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } };
  expect(await attempt('groups', { ...person, ...elsewhereClaims })).toMatchObject({
    groupsElsewhere: true,
    joinedGroups: [],
    leftGroups: [],
  });
});

test('a disabled provider can be tried, and still signs in nobody', async () => {
  const person = newPerson();
  expect(await attempt('off', person)).toMatchObject({ enabled: false, outcome: 'create' });
  const start = await tenant.request(null, 'GET', '/portal/api/core/auth/providers/off/start');
  expect(start.headers.get('location')).toBe('/portal/#/sign-in?error=unknown-provider');
});

test('the callback of a trial leads to the page, signs in nobody, and is none of a sign-in', async () => {
  const person = newPerson();
  const before = await rowsOf();
  const back = await answered('main', person);
  const ordinary = await tenant.request(null, 'GET', '/portal/api/core/auth/providers/main/start');
  const cookie = ordinary.headers.getSetCookie()[0]!.split(';')[0]!;
  const name = cookie.slice(0, cookie.indexOf('='));
  const state = back.searchParams.get('state')!;
  for (const held of ['', cookie, `${name}=${state}`, `${name}=${state.slice('trial.'.length)}`]) {
    const answer = await tenant.request(null, 'GET', back.pathname + back.search, undefined, { Cookie: held });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(
      `/portal/admin/providers/trial#answer=${Buffer.from(back.search).toString('base64url')}`,
    );
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  // The state of a trial without its prefix, as if it were that of a sign-in.
  const bare = new URLSearchParams(back.search);
  bare.set('state', state.slice('trial.'.length));
  const forged = await tenant.request(null, 'GET', `${back.pathname}?${bare}`, undefined, {
    Cookie: `${name}=${bare.get('state')}`,
  });
  expect(forged.headers.get('location')).toBe('/portal/#/sign-in?error=sign-in-expired');
  expect(forged.headers.getSetCookie()).toEqual([]);
  const counted = ['sign_in_failures'];
  const after = await rowsOf();
  for (const table of counted) for (const dump of [before, after]) dump.delete(table);
  expect(after).toEqual(before);
  // The callback of a sign-in finishes no trial, and the trial is still open.
  const other = await provider.signIn(ordinary.headers.get('location')!, person);
  mustBeNoTrial(await finish(other.href), /no answer to a trial/);
  expect((await finish(back.search)).body).toMatchObject({ outcome: 'create' });
});

test('an answer counts once, for the administrator, the session and the tenant that began it', async () => {
  const username = `chief-${randomUUID().slice(0, 8)}`;
  const second = await administrator(username);
  const [browser, otherBrowser] = [await inSession(username), await inSession(username)];
  const back = await answered('main', newPerson(), browser);
  mustBeNoTrial(await finish(back.href, otherBrowser), /another session/);
  mustBeNoTrial(await finish(back.href, as(second)), /another session/);
  mustBeNoTrial(await finish(back.href, as(chief)), /another session/);
  const foreign = await elsewhere.createUser({ admin: true });
  mustBeNoTrial(await finish(back.href, as(foreign, elsewhere)), /no answer to a trial/);
  const changed = new URL(back);
  changed.searchParams.set('state', `${back.searchParams.get('state')!.slice(0, -2)}AA`);
  mustBeNoTrial(await finish(changed.href, browser), /no answer to a trial/);
  for (const answer of [
    '?',
    'code=1',
    '?state=trial.',
    '?state=trial.AAAA',
    '?state=trial.%00',
    'https://evil.example/',
  ])
    mustBeNoTrial(await finish(answer, browser), /no answer to a trial/);
  const ended = await Promise.all(Array.from({ length: 4 }, () => finish(back.href, browser)));
  expect(ended.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  mustBeNoTrial(await finish(back.href, browser), /used before/);
  for (const answer of [undefined, '', 'x'.repeat(16_001)])
    expect((await as(chief)('POST', `${ADMIN}/data/identity-providers/finish-test`, { answer })).status).toBe(400);
});

test('a trial ends after ten minutes', async () => {
  const back = await answered('main', newPerson());
  now += 600_000;
  mustBeNoTrial(await finish(back.href), /took too long/);
});

test('only holders of every administrative right try providers, of their tenant', async () => {
  const plain = await tenant.createUser();
  const half = await tenant.request(chief, 'POST', `${ADMIN}/manage/users`, {
    firstname: 'Half',
    lastname: 'Chief',
    adminCapabilities: ['manageUsers'],
  });
  const back = await answered('main', newPerson());
  for (const caller of [plain, half.body.userId]) {
    expect((await begin('main', as(caller))).status).toBe(403);
    expect((await finish(back.href, as(caller))).status).toBe(403);
  }
  expect(
    (await tenant.request(null, 'POST', `${ADMIN}/data/identity-providers/finish-test`, { answer: back.href })).status,
  ).toBe(401);
  const foreign = await elsewhere.createUser({ admin: true });
  expect((await begin('closed', as(foreign, elsewhere))).status).toBe(404);
  // Rights that were lost meanwhile.
  const username = `former-${randomUUID().slice(0, 8)}`;
  const former = await administrator(username);
  const begun = await answered('main', newPerson(), as(former));
  const path = `${ADMIN}/manage/users/${former}`;
  const { firstname, lastname, occToken } = (await tenant.request(chief, 'GET', `${path}/edit`)).body;
  await tenant.request(chief, 'PUT', path, { firstname, lastname, occToken, adminCapabilities: [] });
  expect((await finish(begun.href, as(former))).status).toBe(403);
});

/** An ID token that the provider did not sign. */
const token = (claims: object) =>
  [{ alg: 'RS256', kid: 'none' }, claims, 'signature']
    .map((part) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'))
    .join('.');

test('answers of a provider that fail a check are refused, and show no claims', async () => {
  const changed = async (change: (back: URL) => void) => {
    const back = await answered('main', newPerson());
    change(back);
    return (await finish(back.href)).body;
  };
  const refused = { outcome: 'refuse', refusal: { code: 'sign-in-refused' }, claims: [] };
  expect(await changed((back) => back.searchParams.set('iss', 'https://evil.example'))).toMatchObject(refused);
  expect(await changed((back) => back.searchParams.set('code', 'made-up'))).toMatchObject({
    ...refused,
    refusal: { code: 'sign-in-refused', reason: expect.stringContaining('invalid_grant') },
  });
  const begun = await begin('main');
  const other = new URL(begun.body.authorizationUrl);
  other.searchParams.set('nonce', 'of-somebody-else');
  expect((await finish((await provider.signIn(other.href, newPerson())).href)).body).toMatchObject(refused);

  const nonce = async (begun: TestAnswer) => new URL(begun.body.authorizationUrl).searchParams.get('nonce');
  const seconds = Math.floor(Date.now() / 1000);
  const good = { iss: provider.issuer, aud: CLIENT.id, sub: 'ada', iat: seconds, exp: seconds + 60 };
  for (const [claims, reason] of [
    [{ ...good, aud: 'another' }, /aud/],
    [{ ...good, iss: 'https://evil.example' }, /iss/],
    [{ ...good, exp: seconds - 3_600 }, /exp/],
    [good, /./],
  ] as const) {
    const trial = await begin('main');
    const back = await provider.signIn(trial.body.authorizationUrl, newPerson());
    const idToken = token({ ...claims, nonce: await nonce(trial) });
    provider.intercept = (request, response) => {
      if (!request.url?.startsWith('/token')) return false;
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', id_token: idToken }));
      return true;
    };
    const answer = await finish(back.href);
    provider.intercept = undefined;
    expect(answer.body).toMatchObject({ outcome: 'refuse', claims: [] });
    expect(answer.body.refusal.reason).toMatch(reason);
    expect(answer.text).not.toContain('a-token');
  }
  const cancelled = await answered('main', { sub: '' });
  expect((await finish(cancelled.href)).body).toMatchObject({ refusal: { code: 'sign-in-cancelled' } });
});

test('a provider that cannot be read is a refusal', async () => {
  const made = await tenant.request(chief, 'POST', `${ADMIN}/manage/identity-providers`, {
    key: 'down',
    name: 'Down',
    issuer: `${provider.issuer}/down`,
    clientId: CLIENT.id,
  });
  ids['down'] = made.body.identityProviderId;
  const begun = await begin('down');
  expect([begun.status, begun.body]).toEqual([
    200,
    {
      redirectUri: expect.stringContaining('/down/callback'),
      refusal: { code: 'provider-unavailable', reason: expect.any(String) },
    },
  ]);
  expect((await as(chief)('POST', `${ADMIN}/data/identity-providers/999999/test`)).status).toBe(404);
});
