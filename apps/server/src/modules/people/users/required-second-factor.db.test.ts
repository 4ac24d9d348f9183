/**
 * Tenants that require a second factor: the operations allowed without one, and the end of the
 * sign-in.
 */
import { randomUUID } from 'node:crypto';
import type { RequiredSecondFactor } from '@portico/contract';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SoftPasskey } from '../../../../test/support/authenticator.ts';
import {
  createTestPortal,
  settingsReadAnew,
  type TestPortal,
  type TestTenant,
} from '../../../../test/support/index.ts';
import { CLIENT, startProvider, type TestProvider } from '../identity-providers/provider.fixture.ts';

const API = '/portal/api/external/v2';
const AUTH = `${API}/core/auth`;
const PROVIDERS = '/portal/api/core/auth/providers';
const SETTINGS = `${API}/admin/manage/tenant-settings`;
const PASSWORD = 'correct horse è 42';

let provider: TestProvider;
let portal: TestPortal;
let tenant: TestTenant;
/** Administrator with an authenticator app, whose access is never restricted. */
let chief: number;
let people = 0;

beforeAll(async () => {
  provider = await startProvider();
  portal = await createTestPortal({
    env: { PORTICO_SIGN_IN_FAILURES: '1000', PORTICO_INTERNAL_PROVIDERS: provider.host },
  });
});
afterAll(async () => {
  await portal?.close();
  await provider?.close();
});
beforeEach(async () => {
  tenant = await portal.createTenant();
  const first = await tenant.createUser({ admin: true });
  chief = (await withPassword(first, true)).userId;
  await withApp(chief);
});

type Headers = Record<string, string>;
const ask = (headers: Headers, method: string, path: string, body?: object) =>
  tenant.request(null, method, path, body, headers);
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body?.code];
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

async function withPassword(by: number, admin = false): Promise<{ userId: number; username: string }> {
  const username = `factor${++people}`;
  const made = await tenant.request(by, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD, forceCredentialsExpiration: false },
  });
  expect(made.status, made.text).toBe(200);
  if (admin) await giveRights('users', made.body.userId);
  return { userId: made.body.userId, username };
}

/** Gives the rights of administrators, which no operation does. */
async function giveRights(table: 'users' | 'groups', id: number): Promise<void> {
  const { db } = await tenant.scope(tenant.systemUserId);
  await db.transaction(async (tx) => {
    const where = [tx.tenantId, id];
    if (table === 'users')
      await tx.execute(
        'UPDATE users SET manages_users = true, manages_workplace = true WHERE tenant_id = $1 AND id = $2',
        where,
      );
    else await tx.execute('UPDATE groups SET manages_workplace = true WHERE tenant_id = $1 AND id = $2', where);
    await tx.execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
      tx.tenantId,
    ]);
  });
}

/** Adds a passkey, by requests of an account with a password. */
async function givePasskey(headers: Headers): Promise<SoftPasskey> {
  const passkey = new SoftPasskey(`https://${tenant.host}`);
  const { body } = await ask(headers, 'POST', `${AUTH}/passkeys/start`, { password: PASSWORD });
  const added = await ask(headers, 'POST', `${AUTH}/manage/passkeys/confirm`, {
    name: 'Laptop',
    credential: passkey.make(body.options),
  });
  expect(added.status, added.text).toBe(200);
  return passkey;
}

/** Sets up an authenticator app, by requests of an account. */
async function setUp(headers: Headers, password?: string): Promise<TOTP> {
  const started = await ask(headers, 'POST', `${AUTH}/manage/totp/start`, { password });
  expect(started.status, started.text).toBe(200);
  const totp = new TOTP({ secret: started.body.secret });
  const confirmed = await ask(headers, 'POST', `${AUTH}/manage/totp/confirm`, { code: totp.generate() });
  expect(confirmed.status, confirmed.text).toBe(200);
  return totp;
}
const withApp = async (userId: number) => setUp(bearer(await tenant.token(userId)), PASSWORD);

async function require(whom: RequiredSecondFactor): Promise<void> {
  const { body } = await tenant.request(chief, 'GET', SETTINGS);
  const { name: _name, hosts: _hosts, ...settings } = body;
  const edited = await tenant.request(chief, 'PUT', SETTINGS, { ...settings, requireSecondFactor: whom });
  expect(edited.status, edited.text).toBe(200);
  await settingsReadAnew(portal.services, tenant.tenant);
}

const signIn = (username: string, more: object = {}) =>
  ask({}, 'POST', `${AUTH}/create-access-token-by-credentials`, { username, password: PASSWORD, ...more });
const cookieOf = (headers: globalThis.Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? '';
const browser = (cookie: string): Headers => ({
  Cookie: cookie,
  Origin: `https://${tenant.host}`,
  'Sec-Fetch-Site': 'same-origin',
});
const work = (headers: Headers) => ask(headers, 'GET', `${API}/core/user-profile/info`);

test('the setting is nobody at first, is edited, stays when it is left out, and takes its three words', async () => {
  const form = async () => {
    const { name: _name, hosts: _hosts, ...settings } = (await tenant.request(chief, 'GET', SETTINGS)).body;
    return settings;
  };
  expect((await form()).requireSecondFactor).toBe('nobody');
  await require('administrators');
  const { requireSecondFactor, ...others } = await form();
  expect(requireSecondFactor).toBe('administrators');
  expect((await tenant.request(chief, 'PUT', SETTINGS, others)).status).toBe(200);
  expect((await form()).requireSecondFactor).toBe('administrators');
  const refused = await tenant.request(chief, 'PUT', SETTINGS, { ...(await form()), requireSecondFactor: 'some' });
  expect(refused.status).toBe(400);
  expect(refused.body.validationErrors.list).toMatchObject([{ field: 'requireSecondFactor', code: 'INVALID_VALUE' }]);
});

test('who has none may only set one up, is told so, and is let in when it is there', async () => {
  const person = await withPassword(chief);
  const before = (await signIn(person.username)).body.accessToken;
  expect((await work(bearer(before))).status).toBe(200);
  await require('all');
  // A sign-in from before is limited too.
  expect(outcome(await work(bearer(before)))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  const started = await ask({}, 'POST', `${AUTH}/start-session`, { username: person.username, password: PASSWORD });
  expect(started.body).toMatchObject({ userId: person.userId, secondFactorSetupRequired: true });
  const session = browser(cookieOf(started.headers));
  for (const [method, path, body] of [
    ['GET', `${API}/core/user-profile/info`, undefined],
    ['POST', `${AUTH}/manage/personal-tokens`, { name: 'Way out', access: 'write', validDays: 1 }],
    ['GET', `${AUTH}/sessions`, undefined],
    ['POST', `${AUTH}/sessions/confirm`, { code: '123456' }],
  ] as const) {
    const answer = await ask(session, method, path, body);
    expect([path, ...outcome(answer)]).toEqual([path, 403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  }
  expect((await ask(session, 'GET', `${AUTH}/current-user-data`)).body.userData.id).toBe(person.userId);
  // The password is required, as before.
  const without = await ask(session, 'POST', `${AUTH}/manage/totp/start`, {});
  expect(without.status).toBe(400);
  expect(without.body.validationErrors.list).toMatchObject([{ field: 'password', code: 'REQUIRED_FIELD' }]);
  const totp = await setUp(session, PASSWORD);
  expect((await work(session)).status).toBe(200);
  expect((await work(bearer(before))).status).toBe(200);
  expect(outcome(await signIn(person.username))).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  const secondFactorCode = totp.generate({ timestamp: Date.now() + 30_000 });
  expect((await signIn(person.username, { secondFactorCode })).status).toBe(200);
  // An administrator removes it: from the next request on it is missing.
  const lost = await tenant.request(chief, 'POST', `${API}/admin/manage/users/${person.userId}/remove-totp`);
  expect(lost.status, lost.text).toBe(200);
  expect(outcome(await work(bearer(before)))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
});

test('of administrators alone it is required of who holds a right, also by a group, and never of programs', async () => {
  const member = await withPassword(chief);
  const admin = await withPassword(chief, true);
  const program = await tenant.request(chief, 'POST', `${API}/admin/manage/service-accounts`, { name: 'Program' });
  await require('administrators');
  const tokenOf = async ({ username }: { username: string }) => bearer((await signIn(username)).body.accessToken);
  expect((await work(await tokenOf(member))).status).toBe(200);
  expect(outcome(await work(await tokenOf(admin)))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  const group = await tenant.request(chief, 'POST', `${API}/admin/manage/groups`, { name: 'Keepers', visible: true });
  expect(group.status, group.text).toBe(200);
  await giveRights('groups', group.body.groupId);
  const joined = await tenant.request(chief, 'PUT', `${API}/admin/manage/groups/members`, {
    groupMembers: [{ id: group.body.groupId, occToken: group.body.nextOccToken, addUserIds: [member.userId] }],
  });
  expect(joined.body.successGroups, joined.text).toHaveLength(1);
  expect(outcome(await work(await tokenOf(member)))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  await require('all');
  expect(program.status, program.text).toBe(200);
  expect((await work(bearer(await tenant.token(program.body.userId)))).status).toBe(200);
});

test('a passkey is a second factor: the password alone is refused, with the passkey accepted', async () => {
  const { userId, username } = await withPassword(chief);
  const headers = bearer(await tenant.token(userId));
  const passkey = await givePasskey(headers);
  expect((await signIn(username)).status).toBe(200);
  await require('all');
  expect((await work(headers)).status).toBe(200);
  expect(outcome(await signIn(username))).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  expect(outcome(await signIn(username, { secondFactorCode: '123456' }))).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  const { options } = (await ask({}, 'POST', `${AUTH}/start-passkey-sign-in`)).body;
  const both = await signIn(username, { secondFactorPasskey: passkey.use(options) });
  expect(both.status, both.text).toBe(200);
  expect((await work(bearer(both.body.accessToken))).status).toBe(200);
});

test('a personal access token of who has none is refused', async () => {
  const { userId } = await withPassword(chief);
  const made = await tenant.request(userId, 'POST', `${AUTH}/manage/personal-tokens`, {
    name: 'Report',
    access: 'write',
    validDays: 1,
  });
  expect(made.status, made.text).toBe(200);
  const headers = bearer(made.body.secret);
  expect((await work(headers)).status).toBe(200);
  await require('all');
  expect(outcome(await work(headers))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
});

test('who signs in by a provider sets an app up, and confirms each further session by its code', async () => {
  const made = await tenant.request(chief, 'POST', `${API}/admin/manage/identity-providers`, {
    key: 'acme',
    name: 'Acme account',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    enabled: true,
    createUsers: true,
  });
  provider.register([made.body.redirectUri]);
  const identity = { sub: randomUUID(), name: 'Ada Rossi' };
  const arrive = async (): Promise<Headers> => {
    const begun = await ask({}, 'GET', `${PROVIDERS}/acme/start`);
    const back = await provider.signIn(begun.headers.get('location') as string, identity);
    const answer = await ask({ Cookie: cookieOf(begun.headers) }, 'GET', `${back.pathname}${back.search}`);
    return browser(cookieOf(answer.headers));
  };
  const early = await arrive();
  expect((await work(early)).status).toBe(200);
  // Without a password, only accounts that need a second factor may have an app.
  expect((await ask(early, 'POST', `${AUTH}/manage/totp/start`, {})).status).toBe(403);
  await require('all');
  const first = await arrive();
  expect(outcome(await work(first))).toEqual([403, 'SECOND_FACTOR_SETUP_REQUIRED']);
  const totp = await setUp(first);
  expect((await work(first)).status).toBe(200);
  const second = await arrive();
  expect(outcome(await work(second))).toEqual([403, 'SECOND_FACTOR_CONFIRMATION_REQUIRED']);
  for (const verb of ['start', 'confirm', 'remove'])
    expect(outcome(await ask(second, 'POST', `${AUTH}/manage/totp/${verb}`, { code: '123456' }))).toEqual([
      403,
      'SECOND_FACTOR_CONFIRMATION_REQUIRED',
    ]);
  const confirm = (headers: Headers, code: string) => ask(headers, 'POST', `${AUTH}/sessions/confirm`, { code });
  expect((await confirm(second, '000000')).status).toBe(400);
  expect(outcome(await work(second))).toEqual([403, 'SECOND_FACTOR_CONFIRMATION_REQUIRED']);
  const code = totp.generate({ timestamp: Date.now() + 30_000 });
  const confirmed = await confirm(second, code);
  expect(confirmed.status, confirmed.text).toBe(200);
  expect((await work(second)).status).toBe(200);
  // A code is accepted once, across sessions too.
  const third = await arrive();
  expect((await confirm(third, code)).status).toBe(400);
  expect((await ask(third, 'POST', `${AUTH}/sessions/confirm`, {})).status).toBe(400);
  // An account that also has a password may use a passkey in place of the app.
  const me = (await ask(second, 'GET', `${AUTH}/current-user-data`)).body.userData.id;
  const { db } = await tenant.scope(tenant.systemUserId);
  await db.execute(
    `UPDATE users u SET custom_username = 'by-provider', custom_active = true, password_hash = c.password_hash
       FROM users c WHERE u.tenant_id = $1 AND u.id = $2 AND c.tenant_id = $1 AND c.id = $3`,
    [db.tenantId, me, chief],
  );
  const passkey = await givePasskey(second);
  const byPasskey = async (headers: Headers) => {
    const { options } = (await ask({}, 'POST', `${AUTH}/start-passkey-sign-in`)).body;
    return ask(headers, 'POST', `${AUTH}/sessions/confirm`, { passkey: passkey.use(options) });
  };
  // The passkey of another account is rejected.
  const others = await givePasskey(bearer(await tenant.token((await withPassword(chief)).userId)));
  const { options } = (await ask({}, 'POST', `${AUTH}/start-passkey-sign-in`)).body;
  const foreign = await ask(third, 'POST', `${AUTH}/sessions/confirm`, { passkey: others.use(options) });
  expect([foreign.status, foreign.body.validationErrors.list[0].field]).toEqual([400, 'passkey']);
  const byOwn = await byPasskey(third);
  expect(byOwn.status, byOwn.text).toBe(200);
  expect((await work(third)).status).toBe(200);
});

test('a session is confirmed by who has an app, and an access token by nobody', async () => {
  const { userId } = await withPassword(chief);
  expect((await tenant.request(userId, 'POST', `${AUTH}/sessions/confirm`, { code: '123456' })).status).toBe(403);
});
