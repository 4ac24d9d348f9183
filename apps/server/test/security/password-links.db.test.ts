/**
 * One-time links: their recipients, their permissions and number of uses, and the information that
 * a request for one reveals.
 */
import { createHash } from 'node:crypto';
import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendMails } from '../../src/jobs/send-mails.ts';
import { tidy } from '../../src/jobs/tidy.ts';
import { OperatorError, OperatorSession } from '../../src/operator/index.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const API = '/portal/api/external/v2';
const USERS = `${API}/admin/manage/users`;
const OLD = 'the password of before';
const NEW = 'the password of afterwards';
const DAY = 24 * 3_600_000;
let smtp: TestSmtp;
let portal: TestPortal;
let tenant: TestTenant;
let other: TestTenant;
let admin: number;
let now = Date.now();

beforeAll(async () => {
  smtp = await startTestSmtp();
  portal = await createTestPortal({ env: smtp.env, clock: { now: () => now } });
  tenant = await portal.createTenant();
  other = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(async () => {
  await portal?.close();
  await smtp?.close();
});
beforeEach(() => {
  smtp.taken.length = 0;
  now = Date.now();
});

let people = 0;
async function person({ mayChange = true, language = 'en', command = { password: [OLD] } as object } = {}) {
  const username = `Person${++people}`;
  const contactEmail = `${username}@people.example`;
  const { status, body } = await tenant.request(admin, 'POST', USERS, {
    firstname: 'Ada',
    lastname: username,
    contactEmail,
    userPreferences: { defaultLanguageId: language },
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: mayChange } },
    resetUserCustomCredentialsCommand: command,
  });
  expect(status).toBe(200);
  return { userId: body.userId as number, username, contactEmail, made: body };
}

const send = (userId: number, verb: 'invite' | 'reset-password', by = admin, headers = {}, query = '') =>
  tenant.request(by, 'POST', `${USERS}/${userId}/${verb}${query}`, undefined, headers);
const choose = (token: string, newPassword = NEW, at = tenant) =>
  at.request(null, 'POST', `${API}/core/auth/set-password-by-link`, { token, newPassword });
const forget = (username: string) =>
  tenant.request(null, 'POST', `${API}/core/auth/request-password-reset`, { username });
const signIn = (username: string, password: string) =>
  tenant.request(null, 'POST', `${API}/core/auth/create-access-token-by-credentials`, { username, password });
const me = (token: string) =>
  tenant.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, { Authorization: `Bearer ${token}` });
const rows = <R>(sql: string, values: unknown[] = []) =>
  portal.services.databases.for(tenant.tenant.id).query<R>(sql, [tenant.tenant.id, ...values]);
const mailsTo = async (address: string) =>
  (
    await rows<{ count: number }>(
      'SELECT count(*) AS count FROM outgoing_mails WHERE tenant_id = $1 AND recipient = $2',
      [address],
    )
  )[0]!.count;

/** Sends due mails. @returns the token of the mail to an address */
async function received(address: string): Promise<string> {
  await sendMails(portal.services, tenant.tenant);
  const mail = smtp.taken.findLast(({ to }) => to.includes(address));
  const text = mail!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const [, token] = /\/portal\/#\/(?:invitation|password-reset)\/([\w-]+)/.exec(text)!;
  return token!;
}

const refusedToken = { field: 'token', code: 'INVALID_VALUE' };
const faults = (body: { validationErrors?: { list: object[] } }) => body.validationErrors?.list;

describe('an invitation', () => {
  test('leads to the address of the tenant, lets a password be chosen once, and is kept as a hash', async () => {
    const { userId, username, contactEmail } = await person({ language: 'it', command: {} });
    const sent = await send(userId, 'invite');
    expect([sent.status, sent.body]).toEqual([
      200,
      { userId, recipient: contactEmail, expiryTimestamp: now + 7 * DAY, sentEmailNotify: true },
    ]);
    const token = await received(contactEmail);
    const { raw } = smtp.taken.at(-1)!;
    expect(raw).toMatch(/^Subject: Il tuo invito/m);
    expect(raw.replaceAll('=\r\n', '')).toContain(`https://${tenant.host}/portal/#/invitation/${token}`);
    const [row] = await rows<{ hash: Buffer; all: string }>(
      'SELECT token_hash AS hash, l::text AS all FROM one_time_links l WHERE tenant_id = $1 AND user_id = $2',
      [userId],
    );
    expect(row!.hash).toEqual(createHash('sha256').update(token).digest());
    expect(row!.all).not.toContain(token);
    const chosen = await choose(token);
    expect([chosen.status, chosen.body]).toEqual([200, { username }]);
    expect((await signIn(username, NEW)).status).toBe(200);
    const again = await choose(token, `${NEW}!`);
    expect([again.status, faults(again.body)]).toMatchObject([400, [refusedToken]]);
    expect((await signIn(username, NEW)).status).toBe(200);
  });

  test('is sent to the addresses that are named when a user is made, without the password', async () => {
    const recipient = `desk${people}@people.example`;
    const { username, made } = await person({
      command: { generatePassword: true, forceCredentialsExpiration: true, emailNotifyRecipients: [recipient] },
    });
    expect(made.sentEmailNotify).toBe(true);
    const token = await received(recipient);
    expect(smtp.taken.at(-1)!.raw).not.toContain(made.generatedPassword[0]);
    expect((await choose(token)).status).toBe(200);
    expect((await signIn(username, NEW)).status).toBe(200);
    expect((await person()).made.sentEmailNotify).toBe(false);
  });
});

describe('a reset', () => {
  test('changes nothing until it is used, then ends every sign-in and the other links', async () => {
    const { userId, username, contactEmail } = await person();
    const { accessToken } = (await signIn(username, OLD)).body;
    await send(userId, 'invite');
    const first = await received(contactEmail);
    await send(userId, 'reset-password');
    const second = await received(contactEmail);
    expect((await me(accessToken)).status).toBe(200);
    expect((await choose(second)).status).toBe(200);
    expect((await me(accessToken)).status).toBe(401);
    expect((await signIn(username, OLD)).status).toBe(401);
    expect((await choose(first)).status).toBe(400);
  });

  test('of eight uses at once lets one succeed', async () => {
    const { userId, username, contactEmail } = await person();
    await send(userId, 'reset-password');
    const token = await received(contactEmail);
    const passwords = Array.from({ length: 8 }, (_, index) => `${NEW} ${index}`);
    const answers = await Promise.all(passwords.map((password) => choose(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)]!;
    expect((await signIn(username, winner)).status).toBe(200);
  });

  test('keeps the link when the password is refused', async () => {
    const { userId, username, contactEmail } = await person();
    await send(userId, 'reset-password');
    const token = await received(contactEmail);
    for (const password of ['short', 'password1', username.padEnd(8, '.').slice(0, 7), 'x'.repeat(257)]) {
      const refused = await choose(token, password);
      expect([refused.status, faults(refused.body)], password).toMatchObject([400, [{ field: 'newPassword' }]]);
    }
    expect((await choose(token)).status).toBe(200);
  });

  test('is void after it expired, after a sign-out, a block, a new address or another user name, and elsewhere', async () => {
    const form = (userId: number, path: string) => tenant.request(admin, 'GET', `${USERS}/${userId}${path}/edit`);
    const voiding: Record<string, (userId: number) => Promise<unknown>> = {
      expiry: async () => {
        now += DAY;
      },
      'sign-out': (userId) => tenant.request(admin, 'POST', `${USERS}/${userId}/sign-out`),
      block: (userId) => tenant.request(admin, 'POST', `${USERS}/${userId}/block`),
      'block and unblock': async (userId) => {
        await tenant.request(admin, 'POST', `${USERS}/${userId}/block`);
        await tenant.request(admin, 'POST', `${USERS}/${userId}/unblock`);
      },
      deletion: (userId) => tenant.request(admin, 'DELETE', `${USERS}/${userId}`),
      address: async (userId) => {
        const { occToken } = (await form(userId, '')).body;
        const body = { firstname: 'Ada', lastname: 'X', contactEmail: `new${userId}@people.example`, occToken };
        expect((await tenant.request(admin, 'PUT', `${USERS}/${userId}`, body)).status).toBe(200);
      },
      'user name': async (userId) => {
        const { occToken } = (await form(userId, '/credentials')).body;
        const custom = { username: `renamed${userId}`, active: true };
        const body = { occToken, userCredentialsConfiguration: { custom } };
        expect((await tenant.request(admin, 'PUT', `${USERS}/${userId}/credentials`, body)).status).toBe(200);
      },
    };
    for (const [name, act] of Object.entries(voiding)) {
      const { userId, contactEmail } = await person();
      await send(userId, 'reset-password');
      const token = await received(contactEmail);
      expect((await choose(token, NEW, other)).status, name).toBe(400);
      await act(userId);
      const late = await choose(token);
      expect([late.status, faults(late.body)], name).toMatchObject([400, [refusedToken]]);
      now = Date.now();
    }
    expect((await choose('unknown')).status).toBe(400);
  });

  test('is refused for who has no user name, no address, is blocked or a program; by who lacks the right', async () => {
    const { userId } = await person();
    const blocked = await person();
    await tenant.request(admin, 'POST', `${USERS}/${blocked.userId}/block`);
    const nameless = await tenant.createUser();
    const program = await tenant.createUser({ service: true });
    for (const verb of ['invite', 'reset-password'] as const) {
      for (const target of [blocked.userId, nameless, program])
        expect((await send(target, verb)).status, `${verb} ${target}`).toBe(400);
      expect((await send(userId, verb, nameless)).status).toBe(403);
      expect((await send(tenant.systemUserId, verb)).status).toBe(403);
      expect((await send(999_999_999, verb)).status).toBe(404);
      expect((await send(await other.createUser(), verb)).status).toBe(404);
    }
  });

  test('is sent once for one idempotency key, and not by a dry run', async () => {
    const { userId, contactEmail } = await person();
    const key = { 'Idempotency-Key': `reset-${userId}` };
    const answers = [
      await send(userId, 'reset-password', admin, key),
      await send(userId, 'reset-password', admin, key),
    ];
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect((await send(userId, 'reset-password', admin, {}, '?dryRun=true')).status).toBe(200);
    expect(await mailsTo(contactEmail)).toBe(1);
  });

  test('is forgotten once it has expired', async () => {
    const { userId } = await person();
    await send(userId, 'reset-password');
    now += DAY;
    await tidy(portal.services, tenant.tenant);
    expect(await rows('SELECT FROM one_time_links WHERE tenant_id = $1 AND user_id = $2', [userId])).toEqual([]);
  });
});

describe('a forgotten password', () => {
  test('gets the same answer whoever is named, before anything is read of the account', async () => {
    const { username, contactEmail } = await person();
    const fixed = await person({ mayChange: false });
    const asked = [username, `nobody${people}`, fixed.username];
    const said = new Set<string>();
    for (const name of asked) {
      portal.takeStatements();
      const { status, text, headers } = await forget(name);
      said.add(JSON.stringify([status, text, headers.get('cache-control'), headers.get('content-type')]));
    }
    expect([...said]).toEqual([JSON.stringify([200, '', 'no-store', null])]);
    await vi.waitFor(async () => expect(await mailsTo(contactEmail)).toBe(1));
    expect((await choose(await received(contactEmail))).status).toBe(200);
    expect(await mailsTo(fixed.contactEmail)).toBe(0);
  });

  test('of one account is mailed three times an hour, and of one name asked for five times a minute', async () => {
    const { username, contactEmail } = await person();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) statuses.push((await forget(username)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const limited = await forget(username);
    expect(limited.body.message).toContain('Too many requests for a new password');
    await vi.waitFor(async () => expect(await mailsTo(contactEmail)).toBe(3));
    // By another name of the same account.
    expect((await forget(contactEmail)).status).toBe(200);
    expect(await mailsTo(contactEmail)).toBe(3);
    expect((await forget(' ')).status).toBe(400);
  });
});

describe('operators', () => {
  test('send and print links, and a new tenant can have one for its administrator', async () => {
    const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
    const { name } = tenant.tenant;
    const { username, contactEmail } = await person();
    expect(await session.sendPasswordLink(name, contactEmail, 'invitation')).toMatchObject({
      recipient: contactEmail,
      sentEmailNotify: true,
    });
    const printed = await session.printPasswordLink(name, contactEmail, 'password-reset');
    const start = `https://${tenant.host}/portal/#/password-reset/`;
    expect(printed).toEqual({ username, link: expect.stringContaining(start), expiresAt: now + DAY });
    expect(await mailsTo(contactEmail)).toBe(1);
    expect((await choose(printed.link.slice(start.length))).status).toBe(200);
    const nameless = await tenant.createUser();
    await expect(session.printPasswordLink(name, String(nameless), 'invitation')).rejects.toThrow(OperatorError);

    const made = { hosts: ['localhost'], adminEmail: 'root@acme.example' };
    await expect(session.createTenant({ ...made, name: 'spaced', administrator: 'a b' })).rejects.toThrow('user name');
    const { link } = await session.createTenant({ ...made, name: 'linked', administrator: 'root' });
    expect(link).toMatchObject({
      username: 'root',
      link: expect.stringMatching(/^http:\/\/localhost:8080\/portal\/#\/invitation\/[\w-]{43}$/),
    });
  });
});
