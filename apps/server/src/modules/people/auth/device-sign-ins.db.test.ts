/** Sign-ins on devices: codes, who confirms them, what the device receives, and how that ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestAnswer, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { tidy } from '../../../jobs/tidy.ts';

const AUTH = '/portal/api/core/auth';
const PASSWORD = 'correct horse è 42';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let people = 0;
/** The time of the portal; tests move it forward. */
let now = Date.now();

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => now } });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

type Ask = (operation: string, body?: object) => Promise<TestAnswer>;

/** Signs a new person in by a browser. @returns a function that sends requests of its page */
async function browserOf(rights: object = {}): Promise<Ask & { userId: number }> {
  const username = `device${++people}`;
  const made = await tenant.request(admin, 'POST', '/portal/api/admin/manage/users', {
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
    ...rights,
  });
  expect(made.status, made.text).toBe(200);
  const started = await tenant.request(null, 'POST', `${AUTH}/start-session`, { username, password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  const headers = { Cookie: started.headers.get('set-cookie')!.split(';')[0]!, Origin: `https://${tenant.host}` };
  const ask = (operation: string, body?: object) =>
    tenant.request(null, body ? 'POST' : 'GET', `${AUTH}/${operation}`, body, headers);
  return Object.assign(ask, { userId: made.body.userId as number });
}

const device = (operation: string, body: object) => tenant.request(null, 'POST', `${AUTH}/${operation}`, body);

/** Begins a sign-in on a device. */
async function begin(body: object = {}): Promise<{ deviceCode: string; userCode: string }> {
  now += MINUTE;
  const answer = await device('start-device-sign-in', { name: 'portico on laptop', ...body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const collect = async (deviceCode: string) => (await device('collect-device-sign-in', { deviceCode })).body;
const withToken = (secret: string, method: string, path: string, body?: object) =>
  tenant.request(null, method, `/portal/api${path}`, body, { Authorization: `Bearer ${secret}` });
const me = (secret: string) => withToken(secret, 'GET', '/core/auth/current-user-data');

describe('a device', () => {
  test('shows a code, and receives a listed, audited and revocable token once a person confirms it', async () => {
    const person = await browserOf();
    const { deviceCode, userCode } = await begin({ access: 'read', validDays: 7 });
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(await collect(deviceCode)).toEqual({ status: 'pending' });
    // People type codes in any form.
    const read = await person('device-sign-ins/read', { userCode: userCode.toLowerCase().replace('-', ' ') });
    expect(read.body).toMatchObject({
      name: 'portico on laptop',
      access: 'read',
      validDays: 7,
      creationTimestamp: now,
      expirationTimestamp: now + 10 * MINUTE,
      mayManageUsers: false,
    });
    const confirmed = await person('device-sign-ins/confirm', { userCode });
    expect(confirmed.body).toEqual({ tokenId: expect.any(Number), expirationTimestamp: now + 7 * DAY });
    const received = await collect(deviceCode);
    expect(received).toEqual({ status: 'confirmed', accessToken: expect.any(String), ...confirmed.body });
    expect((await me(received.accessToken)).body.userData.id).toBe(person.userId);
    const { tokens } = (await person('personal-tokens')).body;
    expect(tokens).toMatchObject([{ id: received.tokenId, name: 'portico on laptop', access: 'read' }]);

    // The device signs itself out, and nothing else.
    const revoke = (id: number) =>
      withToken(received.accessToken, 'POST', `/core/auth/manage/personal-tokens/${id}/revoke`);
    expect((await revoke(received.tokenId + 1)).body.code).toBe('PERSONAL_TOKEN_NOT_ACCEPTED');
    expect((await revoke(received.tokenId)).status).toBe(200);
    expect((await me(received.accessToken)).status).toBe(401);
    expect(await collect(deviceCode)).toEqual({ status: 'expired' });
    const log = await tenant.request(admin, 'POST', '/portal/api/admin/data/audit-entries', {
      objectIds: [person.userId],
    });
    const operations = log.body.items.map(({ operation }: { operation: string }) => operation);
    expect(operations).toEqual(expect.arrayContaining(['confirmDeviceSignIn', 'revokePersonalToken']));
    expect(log.text).not.toContain(received.accessToken);
  });

  test('keeps manageUsers for eight hours if a holder of the right says so', async () => {
    const manager = await browserOf();
    const confirm = (codes: object) => manager('device-sign-ins/confirm', { ...codes, manageUsers: true });
    const listPeople = async (secret: string) => (await withToken(secret, 'POST', '/admin/data/users', {})).status;
    const first = await begin();
    expect((await confirm({ userCode: first.userCode })).status).toBe(403);
    const db = portal.services.databases.for(tenant.tenant.id);
    const setRight = async (held: boolean) => {
      await db.execute('UPDATE users SET manages_users = $3 WHERE tenant_id = $1 AND id = $2', [
        db.tenantId,
        manager.userId,
        held,
      ]);
      await db.execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
        db.tenantId,
      ]);
    };
    await setRight(true);
    expect((await manager('device-sign-ins/read', { userCode: first.userCode })).body.mayManageUsers).toBe(true);
    expect((await manager('device-sign-ins/confirm', { userCode: first.userCode })).status).toBe(200);
    const second = await begin();
    expect((await confirm({ userCode: second.userCode })).body.expirationTimestamp).toBe(now + 8 * HOUR);
    const ordinary = (await collect(first.deviceCode)).accessToken;
    const managing = (await collect(second.deviceCode)).accessToken;
    expect([await listPeople(ordinary), await listPeople(managing)]).toEqual([403, 200]);
    const { tokens } = (await manager('personal-tokens')).body;
    expect(tokens.map(({ manageUsers }: { manageUsers?: boolean }) => manageUsers)).toEqual([true, undefined]);
    // It gives no further way to sign in.
    const another = await withToken(managing, 'POST', '/core/auth/manage/personal-tokens', {});
    expect(another.body.code).toBe('PERSONAL_TOKEN_NOT_ACCEPTED');
    await setRight(false);
    expect(await listPeople(managing)).toBe(403);
    now += 8 * HOUR;
    expect([(await me(managing)).status, (await me(ordinary)).status]).toEqual([401, 200]);
  });

  test('learns that it was refused', async () => {
    const person = await browserOf();
    const { deviceCode, userCode } = await begin();
    expect((await person('device-sign-ins/refuse', { userCode })).status).toBe(200);
    expect(await collect(deviceCode)).toEqual({ status: 'refused' });
    expect((await person('device-sign-ins/confirm', { userCode })).body.validationErrors.list).toMatchObject([
      { field: 'userCode', code: 'INVALID_VALUE' },
    ]);
  });

  test('has ten minutes, and leaves nothing behind', async () => {
    const person = await browserOf();
    const { deviceCode, userCode } = await begin();
    now += 10 * MINUTE;
    expect(await collect(deviceCode)).toEqual({ status: 'expired' });
    expect((await person('device-sign-ins/confirm', { userCode })).status).toBe(400);
    await tidy(portal.services, tenant.tenant);
    const db = portal.services.databases.for(tenant.tenant.id);
    expect(await db.query('SELECT FROM device_sign_ins WHERE tenant_id = $1', [db.tenantId])).toEqual([]);
  });

  test.each([
    ['start-device-sign-in', 20, { name: 'Loop' }],
    ['collect-device-sign-in', 30, { deviceCode: 'unknown' }],
  ])('may ask %s %i times within a minute', async (operation, most, body) => {
    now += MINUTE;
    const answers = await Promise.all(Array.from({ length: most + 5 }, () => device(operation, body)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, answers.length - refused.length]).toEqual([5, most]);
  });
});

describe('a code', () => {
  test('is decided about once, however many confirm it together', async () => {
    const person = await browserOf();
    const { userCode } = await begin();
    const answers = await Promise.all([1, 2, 3, 4].map(() => person('device-sign-ins/confirm', { userCode })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect((await person('personal-tokens')).body.tokens).toHaveLength(1);
  });

  test('is guessed ten times a minute at most, and each guess counts as a failed sign-in', async () => {
    const person = await browserOf();
    now += MINUTE;
    const guess = () => person('device-sign-ins/read', { userCode: 'BBBB-BBBB' });
    for (let tries = 0; tries < 10; tries++) expect((await guess()).status).toBe(400);
    const refused = await guess();
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The right code is refused too, until the minute is over.
    const { userCode } = await begin();
    expect((await person('device-sign-ins/confirm', { userCode })).status).toBe(200);
  });

  test('is accepted from the session of a browser alone', async () => {
    const person = await browserOf();
    const { userCode } = await begin();
    const mine = await begin();
    await person('device-sign-ins/confirm', { userCode: mine.userCode });
    const { accessToken } = await collect(mine.deviceCode);
    for (const operation of ['read', 'confirm', 'refuse']) {
      const byToken = await tenant.request(person.userId, 'POST', `${AUTH}/device-sign-ins/${operation}`, { userCode });
      expect([operation, byToken.status]).toEqual([operation, 403]);
      const byPersonal = await withToken(accessToken, 'POST', `/core/auth/device-sign-ins/${operation}`, { userCode });
      expect([operation, byPersonal.body.code]).toEqual([operation, 'PERSONAL_TOKEN_NOT_ACCEPTED']);
    }
    expect((await person('device-sign-ins/read', { userCode })).status).toBe(200);
  });

  test('of another tenant is unknown', async () => {
    const person = await browserOf();
    const other = await portal.createTenant();
    const { body } = await other.request(null, 'POST', `${AUTH}/start-device-sign-in`, { name: 'Elsewhere' });
    expect((await person('device-sign-ins/read', { userCode: body.userCode })).status).toBe(400);
  });
});
