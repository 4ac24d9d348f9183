/** Passkeys: adding and removing them, and the accepted sign-ins. */
import { mostPasskeys } from '@portico/contract';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerOptions, SoftPasskey } from '../../../../test/support/authenticator.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { forgetChallenges } from './passkeys.repository.ts';

const API = '/portal/api/external/v2';
const AUTH = `${API}/core/auth`;
const PASSWORD = 'correct horse è 42';

let now = Date.now();
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let people = 0;

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_SIGN_IN_FAILURES: '1000' }, clock: { now: () => now } });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const site = (of = tenant) => `https://${of.host}`;
const post = (userId: number | null, path: string, body?: object) =>
  tenant.request(userId, 'POST', `${AUTH}${path}`, body);
const listed = async (userId: number) => (await tenant.request(userId, 'GET', `${AUTH}/passkeys`)).body.passkeys;

async function withPassword(): Promise<number> {
  const username = `keyholder${++people}`;
  const made = await tenant.request(admin, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD, forceCredentialsExpiration: false },
  });
  expect(made.status, made.text).toBe(200);
  return made.body.userId;
}

async function creationOptions(userId: number): Promise<string> {
  const started = await post(userId, '/passkeys/start', { password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  return started.body.options;
}

async function addPasskey(userId: number, passkey = new SoftPasskey(site())) {
  const credential = passkey.make(await creationOptions(userId));
  const added = await post(userId, '/manage/passkeys/confirm', { name: 'Laptop', credential });
  expect(added.status, added.text).toBe(200);
  return { passkey, passkeyId: added.body.passkeyId as number };
}

const requestOptions = async () => (await post(null, '/start-passkey-sign-in')).body.options as string;
const exchange = (credential: string) => post(null, '/create-access-token-by-passkey', { credential });
const signIn = async (passkey: SoftPasskey, changes?: AnswerOptions) =>
  exchange(passkey.use(await requestOptions(), changes));

describe('a passkey', () => {
  test('is added with the password, listed, signs in by itself, and is removed with the password', async () => {
    const userId = await withPassword();
    expect((await post(userId, '/passkeys/start', { password: 'of nobody' })).status).toBe(400);
    const { passkey, passkeyId } = await addPasskey(userId);
    const [made] = await listed(userId);
    expect(made).toMatchObject({ id: passkeyId, name: 'Laptop', transports: ['internal'], synced: false });
    expect(made.lastUseTimestamp).toBeUndefined();
    const signedIn = await signIn(passkey);
    expect(signedIn.status, signedIn.text).toBe(200);
    const me = await tenant.request(null, 'GET', `${AUTH}/current-user-data`, undefined, {
      Authorization: `Bearer ${signedIn.body.accessToken}`,
    });
    expect(me.body.userData.id).toBe(userId);
    expect((await listed(userId))[0].lastUseTimestamp).toBe(now);
    const path = `/manage/passkeys/${passkeyId}/remove`;
    expect((await post(userId, path, { password: 'of nobody' })).status).toBe(400);
    expect((await post(await withPassword(), path, { password: PASSWORD })).status).toBe(404);
    expect((await post(userId, path, { password: PASSWORD })).status).toBe(200);
    expect(await listed(userId)).toEqual([]);
    expect((await signIn(passkey)).status).toBe(401);
  });

  test('signs a browser in, and its removal ends the sessions', async () => {
    const userId = await withPassword();
    const { passkey, passkeyId } = await addPasskey(userId);
    const started = await post(null, '/start-session-by-passkey', { credential: passkey.use(await requestOptions()) });
    expect(started.status, started.text).toBe(200);
    const cookie = (started.headers.get('set-cookie') as string).split(';')[0] as string;
    const me = () => tenant.request(null, 'GET', `${AUTH}/current-user-data`, undefined, { Cookie: cookie });
    expect((await me()).body.userData.id).toBe(userId);
    await post(userId, `/manage/passkeys/${passkeyId}/remove`, { password: PASSWORD });
    expect((await me()).status).toBe(401);
  });

  test('is renamed by its owner alone', async () => {
    const [userId, somebody] = [await withPassword(), await withPassword()];
    const { passkeyId } = await addPasskey(userId);
    const rename = (by: number, name: string) => post(by, `/manage/passkeys/${passkeyId}/rename`, { name });
    expect((await rename(somebody, 'Mine')).status).toBe(404);
    expect((await rename(userId, '')).status).toBe(400);
    expect((await rename(userId, ' Desk ')).status).toBe(200);
    expect((await listed(userId))[0].name).toBe('Desk');
    const log = await tenant.request(admin, 'POST', `${API}/admin/data/audit-entries`, { objectIds: [userId] });
    expect(log.body.items[0]).toMatchObject({ operation: 'renamePasskey', actorId: userId });
  });

  test('takes the place of a code beside the password, once, for its own account', async () => {
    const userId = await withPassword();
    const username = `keyholder${people}`;
    const { passkey } = await addPasskey(userId);
    const somebody = await withPassword();
    const { passkey: theirs } = await addPasskey(somebody);
    const { secret } = (await post(userId, '/manage/totp/start', { password: PASSWORD })).body;
    const code = new TOTP({ secret }).generate({ timestamp: now });
    const confirmed = await post(userId, '/manage/totp/confirm', { code });
    expect(confirmed.status, confirmed.text).toBe(200);
    const withIt = (body: object) =>
      post(null, '/create-access-token-by-credentials', { username, password: PASSWORD, ...body });
    expect((await withIt({})).body.code).toBe('SECOND_FACTOR_REQUIRED');
    const answer = passkey.use(await requestOptions());
    expect((await withIt({ password: 'of nobody at all', secondFactorPasskey: answer })).status).toBe(401);
    const signedIn = await withIt({ secondFactorPasskey: answer });
    expect(signedIn.status, signedIn.text).toBe(200);
    expect(typeof signedIn.body.accessToken).toBe('string');
    const others = theirs.use(await requestOptions());
    for (const secondFactorPasskey of [answer, others, '{}', 'no JSON']) {
      const refused = await withIt({ secondFactorPasskey });
      expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    }
    // The response sent for the wrong account is still valid for its own.
    expect((await exchange(others)).status).toBe(200);
    const started = await post(null, '/start-session', {
      username,
      password: PASSWORD,
      secondFactorPasskey: passkey.use(await requestOptions()),
    });
    expect([started.status, started.body.userId]).toEqual([200, userId]);
  });

  test('is removed by an administrator with the authenticator app', async () => {
    const userId = await withPassword();
    const { passkey } = await addPasskey(userId);
    const removed = await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/remove-totp`);
    expect(removed.status, removed.text).toBe(200);
    expect((await signIn(passkey)).status).toBe(401);
  });

  test('is added once, and by nobody without a password', async () => {
    const userId = await withPassword();
    const { passkey } = await addPasskey(userId);
    const options = await creationOptions(userId);
    expect(JSON.parse(options).excludeCredentials).toMatchObject([{ id: passkey.id.toString('base64url') }]);
    const again = await post(userId, '/manage/passkeys/confirm', { name: 'Copy', credential: passkey.make(options) });
    expect(again.status).toBe(409);
    expect((await post(admin, '/passkeys/start', { password: PASSWORD })).status).toBe(403);
  });

  test(`is one of ${mostPasskeys} at most`, async () => {
    const userId = await withPassword();
    const waiting = await creationOptions(userId);
    for (let made = 0; made < mostPasskeys; made++) await addPasskey(userId);
    expect((await post(userId, '/passkeys/start', { password: PASSWORD })).status).toBe(409);
    const credential = new SoftPasskey(site()).make(waiting);
    expect((await post(userId, '/manage/passkeys/confirm', { name: 'More', credential })).status).toBe(409);
  });
});

describe('an answer that is no answer to the options', () => {
  const refused = async (userId: number, credential: string) => {
    const answer = await post(userId, '/manage/passkeys/confirm', { name: 'Key', credential });
    expect([answer.status, answer.body.validationErrors?.list[0].field]).toEqual([400, 'credential']);
  };

  test('adds no passkey', async () => {
    const userId = await withPassword();
    const options = await creationOptions(userId);
    await refused(userId, 'no JSON');
    await refused(userId, '{}');
    await refused(userId, new SoftPasskey(site()).make(options, { origin: 'https://evil.test' }));
    await refused(userId, new SoftPasskey('https://evil.test').make(options, { origin: site() }));
    await refused(userId, new SoftPasskey(site()).make(options, { verified: false }));
    await refused(userId, new SoftPasskey(site()).make(await creationOptions(await withPassword())));
    const { challenge } = JSON.parse(await requestOptions());
    await refused(userId, new SoftPasskey(site()).make(JSON.stringify({ challenge, user: { id: '' } })));
    // To check a certificate, the server would call an address that it names.
    await refused(userId, new SoftPasskey(site()).make(options, { format: 'packed', certified: true }));
    await refused(userId, new SoftPasskey(site()).make(options, { format: 'android-safetynet' }));
    const used = new SoftPasskey(site()).make(options, { format: 'packed' });
    expect((await post(userId, '/manage/passkeys/confirm', { name: 'Key', credential: used })).status).toBe(200);
    await refused(userId, new SoftPasskey(site()).make(options));
    const late = new SoftPasskey(site()).make(await creationOptions(userId));
    now += 300_000;
    await refused(userId, late);
    expect(await listed(userId)).toHaveLength(1);
  });
});

describe('a sign-in by a passkey is refused with the same answer', () => {
  const refused = async (answer: Promise<{ status: number; body: { code: string; message: string } }>) => {
    const { status, body } = await answer;
    expect([status, body.code, body.message]).toEqual([401, 'INVALID_CREDENTIALS', expect.stringMatching(/./)]);
    return body.message;
  };

  test('whatever is wrong', async () => {
    const userId = await withPassword();
    const { passkey } = await addPasskey(userId);
    const messages = new Set<string>();
    const check = async (answer: ReturnType<typeof exchange>) => messages.add(await refused(answer));
    await check(exchange('no JSON'));
    await check(exchange('null'));
    await check(exchange(JSON.stringify({ id: passkey.id.toString('base64url') })));
    await check(signIn(new SoftPasskey(site())));
    await check(signIn(passkey, { origin: 'https://evil.test' }));
    await check(signIn(passkey, { verified: false }));
    await check(signIn(passkey, { userHandle: '' }));
    await check(exchange(passkey.use(await creationOptions(userId))));
    const late = passkey.use(await requestOptions());
    now += 300_000;
    await check(exchange(late));
    expect(messages.size).toBe(1);
    expect((await signIn(passkey)).status).toBe(200);
  });

  test('when an answer comes again, also of many at once', async () => {
    const { passkey } = await addPasskey(await withPassword());
    const credential = passkey.use(await requestOptions());
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(401)]);
    await refused(exchange(credential));
    // The challenge is used up, also if the authenticator has no counter.
    const { passkey: other } = await addPasskey(await withPassword());
    const uncounted = other.use(await requestOptions(), { counter: 0 });
    expect((await exchange(uncounted)).status).toBe(200);
    await refused(exchange(uncounted));
  });

  test('when the counter does not grow', async () => {
    const { passkey } = await addPasskey(await withPassword());
    expect((await signIn(passkey, { counter: 7 })).status).toBe(200);
    await refused(signIn(passkey, { counter: 7 }));
    await refused(signIn(passkey, { counter: 6 }));
    expect((await signIn(passkey, { counter: 8 })).status).toBe(200);
  });

  test('when the account is blocked or deleted, or the passkey belongs to another tenant', async () => {
    const userId = await withPassword();
    const { passkey } = await addPasskey(userId);
    const other = await portal.createTenant();
    const options = await other.request(null, 'POST', `${AUTH}/start-passkey-sign-in`);
    const credential = passkey.use(options.body.options, { origin: site(other) });
    await refused(other.request(null, 'POST', `${AUTH}/create-access-token-by-passkey`, { credential }));
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/block`);
    await refused(signIn(passkey));
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/unblock`);
    expect((await signIn(passkey)).status).toBe(200);
    await tenant.request(admin, 'DELETE', `${API}/admin/manage/users/${userId}`);
    await refused(signIn(passkey));
  });

  test('and failures of an account are limited', async () => {
    const { passkey } = await addPasskey(await withPassword());
    for (let failed = 0; failed < 10; failed++) await refused(signIn(passkey, { verified: false }));
    expect((await signIn(passkey)).status).toBe(429);
    now += 60_000;
    expect((await signIn(passkey)).status).toBe(200);
  });
});

test('only challenges that were signed are kept, until they expire', async () => {
  const db = portal.services.databases.for(tenant.tenant.id);
  const kept = () => db.query('SELECT FROM used_passkey_challenges WHERE tenant_id = $1', [db.tenantId]);
  now += 300_000;
  await forgetChallenges(db, now);
  for (let asked = 0; asked < 5; asked++) await requestOptions();
  expect(await kept()).toHaveLength(0);
  const { passkey } = await addPasskey(await withPassword());
  await signIn(passkey);
  expect(await kept()).toHaveLength(2);
  await forgetChallenges(db, now + 300_000);
  expect(await kept()).toHaveLength(0);
});
