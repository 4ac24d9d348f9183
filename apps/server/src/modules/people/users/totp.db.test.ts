/**
 * Authenticator apps: when a code is required, which codes are accepted and how often, and the loss
 * of an app.
 */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import { FailureLimit } from '../../../kernel/failure-limit.ts';
import { LocalLimits } from '../../../kernel/node-limits.ts';
import { readTotpFactor } from './totp.repository.ts';
import { acceptCode } from './totp.ts';

const API = '/portal/api/external/v2';
const PASSWORD = 'correct horse è 42';
const STEP_MS = 30_000;

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let people = 0;

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_SIGN_IN_FAILURES: '1000' } });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

interface Person {
  userId: number;
  username: string;
  totp: TOTP;
  recoveryCodes: string[];
}

const totpPath = (verb?: string) => `${API}/core/auth/${verb ? `manage/totp${verb}` : 'totp'}`;
const signIn = (username: string, body: object = {}) =>
  tenant.request(null, 'POST', `${API}/core/auth/create-access-token-by-credentials`, {
    username,
    password: PASSWORD,
    ...body,
  });

async function withPassword(forced = false): Promise<{ userId: number; username: string }> {
  const username = `coder${++people}`;
  const made = await tenant.request(admin, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD, forceCredentialsExpiration: forced },
  });
  expect(made.status, made.text).toBe(200);
  return { userId: made.body.userId, username };
}

/** A person with an authenticator app; the code of the present step has been used, codes of later steps have not. */
async function withApp(forced = false): Promise<Person> {
  const { userId, username } = await withPassword(forced);
  const started = await tenant.request(userId, 'POST', totpPath('/start'), { password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  const totp = new TOTP({ secret: started.body.secret });
  expect(TOTP.prototype.toString.call(totp)).toContain(started.body.secret);
  expect(started.body.uri).toMatch(/^otpauth:\/\/totp\/.*secret=/);
  const confirmed = await tenant.request(userId, 'POST', totpPath('/confirm'), { code: totp.generate() });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { userId, username, totp, recoveryCodes: confirmed.body.recoveryCodes };
}

async function failure(work: Promise<unknown>): Promise<PorticoError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PorticoError);
  return error as PorticoError;
}

/** The code of the next step, which the window of one step accepts already. */
const nextCode = (totp: TOTP) => totp.generate({ timestamp: Date.now() + STEP_MS });

describe('a sign-in with a password', () => {
  test('needs a code once the app is confirmed, not before', async () => {
    const { userId, username } = await withPassword();
    expect((await tenant.request(userId, 'GET', totpPath())).body).toEqual({ active: false });
    const started = await tenant.request(userId, 'POST', totpPath('/start'), { password: PASSWORD });
    expect((await signIn(username)).status).toBe(200);
    const code = new TOTP({ secret: started.body.secret }).generate();
    await tenant.request(userId, 'POST', totpPath('/confirm'), { code });
    expect((await tenant.request(userId, 'GET', totpPath())).body).toEqual({ active: true, recoveryCodesLeft: 10 });
    const refused = await signIn(username);
    expect([refused.status, refused.body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    // Counted for the audit log, which will name the accounts with a right password and no code.
    const { db } = await tenant.scope(admin);
    const failures = await db.query('SELECT count FROM sign_in_failures WHERE tenant_id = $1 AND user_id = $2', [
      db.tenantId,
      userId,
    ]);
    expect(failures).toEqual([{ count: 1 }]);
    // A client without the password learns nothing about the app.
    const guessed = await signIn(username, { password: 'of somebody else' });
    expect([guessed.status, guessed.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('takes each code once, also of many at once', async () => {
    const { username, totp } = await withApp();
    const secondFactorCode = nextCode(totp);
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(username, { secondFactorCode })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
    expect((await signIn(username, { secondFactorCode })).body.code).toBe('INVALID_CREDENTIALS');
  });

  test('takes each recovery code once, however it is typed, and then nothing is left of it', async () => {
    const { userId, username, recoveryCodes } = await withApp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const typed = ` ${recoveryCodes[0]!.toUpperCase().replace('-', ' ')} `;
    expect((await signIn(username, { secondFactorCode: typed })).status).toBe(200);
    expect((await signIn(username, { secondFactorCode: recoveryCodes[0] })).status).toBe(401);
    expect((await tenant.request(userId, 'GET', totpPath())).body.recoveryCodesLeft).toBe(9);
    const { items } = (await tenant.request(admin, 'POST', `${API}/admin/data/audit-entries`, { objectIds: [userId] }))
      .body;
    const used = items.find(
      ({ changes }: { changes: { field: string }[] }) => changes[0]?.field === 'recoveryCodesLeft',
    );
    expect(used).toMatchObject({ actorId: userId, changes: [{ after: '9' }] });
  });

  test('is refused after ten wrong codes within a minute, whatever comes then', async () => {
    const { username, recoveryCodes } = await withApp();
    const wrong = await Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(username, { secondFactorCode: String(100_000 + index) })),
    );
    const statuses = wrong.map(({ status }) => status);
    // A random code is right about once in several hundred thousand attempts.
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect((await signIn(username, { secondFactorCode: recoveryCodes[0] })).status).toBe(429);
  });

  test('waits longer after each wrong code beyond nine in a row, on all nodes, until one is right', async () => {
    const { userId, totp } = await withApp();
    const scope = await tenant.scope(userId);
    const { sealedSecret } = (await readTotpFactor(scope.db, userId))!;
    let time = Date.now();
    // Each attempt runs on a separate node without knowledge of the others.
    const attempt = (code: string) => {
      const failures = new FailureLimit({ node: new LocalLimits(), of: 'accounts', most: 1 });
      return acceptCode({ ...scope, clock: { now: () => time } }, userId, sealedSecret, code, failures);
    };
    const wait = async () => {
      const refused = await failure(attempt(totp.generate({ timestamp: time })));
      expect([refused.code, refused.status]).toEqual(['RATE_LIMITED', 429]);
      return Number(refused.headers?.['Retry-After']);
    };
    const wrong = 'abcdefghjk';
    const first = await Promise.all(Array.from({ length: 9 }, () => attempt(wrong)));
    expect(first).toEqual(first.map(() => false));
    expect(await attempt(wrong)).toBe(false);
    expect(await wait()).toBe(60);
    time += 60_000;
    expect(await attempt(wrong)).toBe(false);
    expect(await wait()).toBe(120);
    time += 120_000;
    expect(await attempt(totp.generate({ timestamp: time }))).toBe(true);
    expect(await attempt(wrong)).toBe(false);
    time += 60_000;
    expect(await attempt(totp.generate({ timestamp: time }))).toBe(true);
    // The longest wait is an hour.
    await scope.db.execute('UPDATE totp_factors SET failed_codes = 500 WHERE tenant_id = $1 AND user_id = $2', [
      scope.db.tenantId,
      userId,
    ]);
    expect(await attempt(wrong)).toBe(false);
    expect(await wait()).toBe(3600);
  });

  test('keeps the code when the new password is not acceptable', async () => {
    const { username, totp } = await withApp();
    const secondFactorCode = nextCode(totp);
    const refused = await signIn(username, { secondFactorCode, newPassword: 'short' });
    expect(refused.status).toBe(400);
    expect((await signIn(username, { newPassword: 'another horse è 42' })).body.code).toBe('SECOND_FACTOR_REQUIRED');
    const changed = await signIn(username, { secondFactorCode, newPassword: 'another horse è 42' });
    expect(changed.status, changed.text).toBe(200);
    const headers = { Authorization: `Bearer ${changed.body.accessToken}` };
    expect((await tenant.request(null, 'GET', totpPath(), undefined, headers)).body.active).toBe(true);
  });
});

describe('an authenticator app', () => {
  test('is set up with the password, once, and only by people who have one', async () => {
    const { userId } = await withPassword();
    const start = (by: number, password: string) => tenant.request(by, 'POST', totpPath('/start'), { password });
    expect((await start(userId, 'of somebody else')).status).toBe(400);
    expect((await start(admin, PASSWORD)).status).toBe(403);
    expect((await tenant.request(userId, 'POST', totpPath('/confirm'), { code: '123456' })).status).toBe(404);
    const person = await withApp();
    expect((await start(person.userId, PASSWORD)).status).toBe(409);
    const again = await tenant.request(person.userId, 'POST', totpPath('/confirm'), { code: nextCode(person.totp) });
    expect(again.status).toBe(409);
  });

  test('is removed with a code, or by an administrator who holds the rights of the person', async () => {
    const { userId, username, totp } = await withApp();
    expect((await tenant.request(userId, 'POST', totpPath('/remove'), { code: '000000' })).status).toBe(400);
    expect((await tenant.request(userId, 'POST', totpPath('/remove'), { code: nextCode(totp) })).status).toBe(200);
    expect((await signIn(username)).status).toBe(200);
    expect((await tenant.request(userId, 'POST', totpPath('/remove'), { code: '123456' })).status).toBe(404);

    const lost = await withApp();
    const remove = (by: number, of: TestTenant) =>
      of.request(by, 'POST', `${API}/admin/manage/users/${lost.userId}/remove-totp`);
    const other = await portal.createTenant();
    expect((await remove(await other.createUser({ admin: true }), other)).status).toBe(404);
    expect((await remove(userId, tenant)).status).toBe(403);
    expect((await signIn(lost.username)).body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await remove(admin, tenant)).status).toBe(200);
    expect((await signIn(lost.username)).status).toBe(200);
  });

  test('leaves neither its secret nor recovery codes readable in the database', async () => {
    const { userId, totp, recoveryCodes } = await withApp();
    const rows = await portal.services.databases.for(tenant.tenant.id).query(
      `SELECT f.sealed_secret AS sealed, to_jsonb(f)::text AS factor, (SELECT json_agg(c)::text FROM recovery_codes c
            WHERE c.tenant_id = $1 AND c.user_id = $2) AS codes
           FROM totp_factors f WHERE f.tenant_id = $1 AND f.user_id = $2`,
      [tenant.tenant.id, userId],
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(Buffer.from(totp.secret.bytes).toString('hex'));
    for (const code of recoveryCodes) expect(text).not.toContain(code.replace('-', ''));
  });
});
