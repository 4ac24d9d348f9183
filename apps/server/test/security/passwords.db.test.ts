/**
 * Sign-in of people with a password: the accounts let in, the cost and message of every refusal,
 * and the permitted number of failures.
 */
import { createHook } from 'node:async_hooks';
import { stableHash } from '@portico/platform/tokens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inHashSlot } from '../../src/modules/people/users/passwords.ts';
import { OperatorError, OperatorSession } from '../../src/operator/index.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const API = '/portal/api/external/v2';
const SIGN_IN = `${API}/core/auth/create-access-token-by-credentials`;
const PASSWORD = 'correct horse è 42';
let portal: TestPortal;
let tenant: TestTenant;
let other: TestTenant;
let admin: number;

/** Number of password hashes that Node computes, for any caller. */
let hashes = 0;
const hook = createHook({
  init(_id, type) {
    if (type === 'ARGON2REQUEST') hashes++;
  },
});

beforeAll(async () => {
  hook.enable();
  portal = await createTestPortal({ env: { PORTICO_SIGN_IN_FAILURES: '1000' } });
  tenant = await portal.createTenant();
  other = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(async () => {
  hook.disable();
  await portal.close();
});

let people = 0;
/** A person with a password, made as administrators make them. */
async function person(forced = false, command: object = { password: PASSWORD }, mayChange = false) {
  const username = `Person${++people}`;
  const contactEmail = `${username}@people.example`;
  const { status, body } = await tenant.request(admin, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    contactEmail,
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: mayChange } },
    resetUserCustomCredentialsCommand: { ...command, forceCredentialsExpiration: forced },
  });
  expect(status).toBe(200);
  return { userId: body.userId as number, username, contactEmail, answer: body };
}

const signIn = (body: object, at = tenant) => at.request(null, 'POST', SIGN_IN, body);
const me = (token: string, at = tenant) =>
  at.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, { Authorization: `Bearer ${token}` });
/** @returns the answer and how many hashes it took */
async function costOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  const before = hashes;
  return [await work(), hashes - before];
}

describe('a right password', () => {
  test('signs in by user name and by contact address, in any case, below both prefixes', async () => {
    const { userId, username, contactEmail } = await person();
    for (const login of [username, username.toUpperCase(), ` ${contactEmail.toLowerCase()} `]) {
      const { status, body, headers } = await signIn({ username: login, password: PASSWORD });
      expect(status, login).toBe(200);
      expect(Object.keys(body)).toEqual(['accessToken']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect((await me(body.accessToken)).body.userData.id).toBe(userId);
    }
    const core = SIGN_IN.replace('/external/v2', '');
    expect((await tenant.request(null, 'POST', core, { username, password: PASSWORD })).status).toBe(200);
    // The same letters, composed otherwise.
    expect((await signIn({ username, password: PASSWORD.normalize('NFD') })).status).toBe(200);
  });

  test('of another tenant does not, and its token is of no use there', async () => {
    const { username } = await person();
    expect((await signIn({ username, password: PASSWORD }, other)).status).toBe(401);
    const { body } = await signIn({ username, password: PASSWORD });
    expect((await me(body.accessToken, other)).status).toBe(401);
  });

  test('signs in the holder of an address, not who took it as user name in an earlier version', async () => {
    const first = await person();
    const second = await person(false, { password: 'another one of length' });
    const form = `${API}/admin/manage/users/${second.userId}/credentials`;
    const refused = await tenant.request(admin, 'PUT', form, {
      userCredentialsConfiguration: { custom: { username: first.contactEmail, active: true } },
      occToken: 1,
    });
    expect([refused.status, refused.body.validationErrors?.list[0].code]).toEqual([400, 'DUPLICATE_VALUE']);
    const { db } = await tenant.scope(admin);
    await db.execute('UPDATE users SET custom_username = $3 WHERE tenant_id = $1 AND id = $2', [
      db.tenantId,
      second.userId,
      first.contactEmail,
    ]);
    const { body } = await signIn({ username: first.contactEmail, password: PASSWORD });
    expect((await me(body.accessToken)).body.userData.id).toBe(first.userId);
  });

  test('that was generated signs in as it was shown', async () => {
    const { username, answer } = await person(false, { generatePassword: true });
    expect((await signIn({ username, password: answer.generatedPassword[0] })).status).toBe(200);
  });
});

describe('a refusal', () => {
  test('says and costs the same for whatever reason', async () => {
    const { username } = await person();
    const blocked = await person();
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${blocked.userId}/block`);
    const deleted = await person();
    await tenant.request(admin, 'DELETE', `${API}/admin/manage/users/${deleted.userId}`);
    const removed = await person();
    await tenant.request(admin, 'PUT', `${API}/admin/manage/users/${removed.userId}/credentials`, {
      userCredentialsConfiguration: { custom: { active: false } },
      occToken: 1,
    });
    const unset = `without.password@${tenant.host}`;
    await tenant.createUser({ email: unset });
    const program = `program@${tenant.host}`;
    await tenant.createUser({ email: program, service: true });
    const attempts = {
      wrong: { username, password: `${PASSWORD}.` },
      unknown: { username: 'nobody at all', password: PASSWORD },
      blocked: { username: blocked.username, password: PASSWORD },
      deleted: { username: deleted.username, password: PASSWORD },
      removed: { username: removed.contactEmail, password: PASSWORD },
      'without password': { username: unset, password: PASSWORD },
      program: { username: program, password: PASSWORD },
      'new password': { username, password: 'wrong one', newPassword: 'correct horse 43' },
    };
    const seen = new Set<string>();
    for (const [name, attempt] of Object.entries(attempts)) {
      const [answer, cost] = await costOf(() => signIn(attempt));
      expect([answer.status, answer.headers.get('www-authenticate'), cost], name).toEqual([
        401,
        'INVALID_AUTH_TOKEN',
        1,
      ]);
      const { requestId: _own, ...said } = answer.body;
      seen.add(JSON.stringify(said));
    }
    expect(seen.size).toBe(1);
    expect((await costOf(() => signIn({ username, password: PASSWORD })))[1]).toBe(1);
  });

  test('names the field of a bad input and costs no hash', async () => {
    const bad: [object, string, string][] = [
      [{ password: 'x' }, 'username', 'REQUIRED_FIELD'],
      [{ username: ' ', password: 'x' }, 'username', 'REQUIRED_FIELD'],
      [{ username: 'x' }, 'password', 'REQUIRED_FIELD'],
      [{ username: 'x', password: 7 }, 'password', 'INVALID_TYPE'],
      [{ username: 'x'.repeat(321), password: 'x' }, 'username', 'TEXT_TOO_LONG'],
      [{ username: 'x', password: 'x'.repeat(257) }, 'password', 'TEXT_TOO_LONG'],
      [{ username: 'x', password: 'x', newPassword: 'x'.repeat(257) }, 'newPassword', 'TEXT_TOO_LONG'],
      [{ username: 'x\u0000', password: 'x' }, 'username', 'INVALID_TEXT'],
      [{ username: 'x', password: 'x', passwort: 'x' }, 'passwort', 'UNRECOGNIZED_FIELD'],
    ];
    for (const [body, field, code] of bad) {
      const [answer, cost] = await costOf(() => signIn(body));
      expect([answer.status, cost], field).toEqual([400, 0]);
      expect(answer.body.validationErrors.list).toMatchObject([{ field, code }]);
    }
  });

  test('ends what blocking, removal and signing out end', async () => {
    const { userId, username } = await person();
    const { body } = await signIn({ username, password: PASSWORD });
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/block`);
    expect((await me(body.accessToken)).status).toBe(401);
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${userId}/unblock`);
    expect((await me(body.accessToken)).status).toBe(401);
    expect((await signIn({ username, password: PASSWORD })).status).toBe(200);
  });
});

describe('a password that must be changed', () => {
  const next = 'a password of her own';
  const change = (username: string, newPassword = next) => signIn({ username, password: PASSWORD, newPassword });

  test('signs in only with the one that takes its place', async () => {
    const { userId, username } = await person(true);
    const without = await signIn({ username, password: PASSWORD });
    expect(without.status).toBe(400);
    expect(without.body.validationErrors.list).toMatchObject([{ field: 'newPassword', code: 'REQUIRED_FIELD' }]);
    for (const bad of ['short', PASSWORD, username, 'password123', 'IloveYou123']) {
      const answer = await change(username, bad);
      expect([answer.status, answer.body.validationErrors?.list[0].field], bad).toEqual([400, 'newPassword']);
    }
    const token = (await change(username)).body.accessToken as string;
    expect((await me(token)).body.userData.id).toBe(userId);
    expect((await signIn({ username, password: PASSWORD })).status).toBe(401);
    expect((await signIn({ username, password: next })).status).toBe(200);
    // A stale credentials form is detected by its token.
    const form = await tenant.request(admin, 'GET', `${API}/admin/manage/users/${userId}/credentials/edit`);
    expect(form.body.occToken).toBe(2);
    const needless = await signIn({ username, password: next, newPassword: PASSWORD });
    expect(needless.body.validationErrors.list).toMatchObject([{ field: 'newPassword', code: 'INVALID_VALUE' }]);
  });

  test('is changed once by two who try at once', async () => {
    const { username } = await person(true);
    const [first, second] = await Promise.all([
      change(username, 'the first of two'),
      change(username, 'the second of two'),
    ]);
    expect([first.status, second.status].sort()).toEqual([200, 401]);
    const kept = first.status === 200 ? 'the first of two' : 'the second of two';
    expect((await signIn({ username, password: kept })).status).toBe(200);
  });
});

test('an operator replaces a password by one that must be changed, which ends every sign-in', async () => {
  const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
  const { name } = tenant.tenant;
  const { userId, username, contactEmail } = await person();
  const before = (await signIn({ username, password: PASSWORD })).body.accessToken as string;
  const { password, ...shown } = await session.resetPassword(name, contactEmail.toUpperCase());
  expect(shown).toEqual({ username });
  expect((await me(before)).status).toBe(401);
  expect((await signIn({ username, password: PASSWORD })).status).toBe(401);
  expect((await signIn({ username, password })).body.validationErrors.list).toMatchObject([
    { field: 'newPassword', code: 'REQUIRED_FIELD' },
  ]);
  const { body } = await signIn({ username, password, newPassword: 'a password of her own' });
  expect((await me(body.accessToken)).body.userData.id).toBe(userId);

  const unnamed = await tenant.createUser();
  const inactive = await person();
  const closed = await tenant.request(admin, 'PUT', `${API}/admin/manage/users/${inactive.userId}/credentials`, {
    userCredentialsConfiguration: { custom: { active: false } },
    occToken: 1,
  });
  expect(closed.status).toBe(200);
  for (const who of ['nobody@people.example', String(unnamed), String(inactive.userId)])
    await expect(session.resetPassword(name, who), who).rejects.toThrow(OperatorError);
  await expect(session.resetPassword(other.tenant.name, contactEmail)).rejects.toThrow(OperatorError);
  expect((await me(body.accessToken)).status).toBe(200);
});

describe('a password that its holder may change', () => {
  const next = 'a password of her own';
  const own = () => person(false, { password: PASSWORD }, true);
  const change = (username: string, newPassword = next, at = tenant) =>
    signIn({ username, password: PASSWORD, newPassword }, at);

  test('is changed by a sign-in with the present one, which ends the earlier sign-ins', async () => {
    const { userId, username } = await own();
    const before = (await signIn({ username, password: PASSWORD })).body.accessToken as string;
    const token = (await change(username)).body.accessToken as string;
    expect((await me(token)).body.userData.id).toBe(userId);
    expect((await me(before)).status).toBe(401);
    expect((await signIn({ username, password: PASSWORD })).status).toBe(401);
    expect((await signIn({ username, password: next })).status).toBe(200);
    const form = await tenant.request(admin, 'GET', `${API}/admin/manage/users/${userId}/credentials/edit`);
    expect(form.body.occToken).toBe(2);
  });

  test('stays, with its sign-ins, when the change is refused', async () => {
    const { username } = await own();
    const fixed = await person();
    const token = (await signIn({ username, password: PASSWORD })).body.accessToken as string;
    for (const bad of ['short', PASSWORD, PASSWORD.normalize('NFD'), username, 'password123']) {
      const answer = await change(username, bad);
      expect([answer.status, answer.body.validationErrors?.list[0].field], bad).toEqual([400, 'newPassword']);
    }
    expect((await signIn({ username, password: 'wrong one', newPassword: next })).status).toBe(401);
    expect((await change(username, next, other)).status).toBe(401);
    const refused = await change(fixed.username);
    expect(refused.body.validationErrors.list).toMatchObject([{ field: 'newPassword', code: 'INVALID_VALUE' }]);
    expect((await signIn({ username: fixed.username, password: PASSWORD })).status).toBe(200);
    expect((await me(token)).status).toBe(200);
    expect((await signIn({ username, password: PASSWORD })).status).toBe(200);
  });

  test('is changed once by many who try at once', async () => {
    const { username } = await own();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(username, `the new password ${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await me(answers[winner]!.body.accessToken)).status).toBe(200);
    expect((await signIn({ username, password: `the new password ${winner}` })).status).toBe(200);
  });
});

describe('failures', () => {
  test('are limited by the name that was sent, in any case, and whether it names an account or not', async () => {
    const { username, contactEmail } = await person();
    for (const logins of [
      [username, username.toUpperCase()],
      [contactEmail, contactEmail.toUpperCase()],
      ['nobody.here', 'Nobody.Here'],
    ]) {
      for (let count = 0; count < 10; count++)
        expect((await signIn({ username: logins[count % 2], password: 'wrong' })).status).toBe(401);
      const [refused, cost] = await costOf(() => signIn({ username: logins[0], password: PASSWORD }));
      expect([refused.status, refused.body.code, cost]).toEqual([429, 'RATE_LIMITED', 0]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Neither name tells of the other: six of each are answered alike, whether one account has both or nobody.
    const both = await person();
    for (const names of [
      [both.username, both.contactEmail],
      ['nobody.at.all', 'nobody.at.all@x.example'],
    ]) {
      const statuses = [];
      for (let count = 0; count < 12; count++)
        statuses.push((await signIn({ username: names[count % 2], password: 'wrong' })).status);
      expect(statuses).toEqual(Array(12).fill(401));
    }
    const { username: another } = await person();
    expect((await signIn({ username: another, password: PASSWORD })).status).toBe(200);
  });

  test('at once get no more attempts than one after another, but for those under way', async () => {
    const { username } = await person();
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn({ username, password: 'wrong' })));
    const tried = answers.filter(({ status }) => status === 401).length;
    expect(tried).toBeGreaterThanOrEqual(10);
    expect(tried).toBeLessThanOrEqual(11);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - tried);
  });
});

test('at most two hashes run at once, and a hundred wait; more are refused', async () => {
  const { username } = await person();
  let running = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const work = Array.from({ length: 102 }, () =>
    inHashSlot(undefined, async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
    }),
  );
  const refused = await signIn({ username, password: PASSWORD }).finally(() => gate.resolve());
  await Promise.all(work);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '5']);
  expect(most).toBe(2);
  expect((await signIn({ username, password: PASSWORD })).status).toBe(200);
});

test('what is kept to recognise a repeated request gives nobody who reads it a way to try passwords', async () => {
  const username = 'repeated.request';
  const body = (password: string) => ({
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password: [password] },
  });
  const key = { 'Idempotency-Key': username };
  const create = (password: string) =>
    tenant.request(admin, 'POST', '/portal/api/admin/manage/users', body(password), key);
  const made = await create(PASSWORD);
  expect(made.status, made.text).toBe(200);
  const db = portal.services.databases.for(tenant.tenant.id);
  const [kept] = await db.query<{ hash: string }>(
    'SELECT request_hash AS hash FROM idempotency_keys WHERE tenant_id = $1 AND key = $2',
    [tenant.tenant.id, username],
  );
  const guess = stableHash(['createUser', {}, {}, body(PASSWORD)]);
  expect(kept!.hash).not.toBe(guess);
  expect((await create(PASSWORD)).body).toEqual(made.body);
  expect((await create('another horse è 42')).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
});
