/**
 * Browser sessions: the cookie, the requests that it signs in, the renewal of its secret, and the
 * end of a session.
 */
import { operationList } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSealer } from '../../../../test/support/encryption.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { tidy } from '../../../jobs/tidy.ts';
import { createTenant } from '../../tenants/index.ts';

const API = '/portal/api';
const PASSWORD = 'correct horse è 42';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let people = 0;
/** The time of the portal; tests move it forward. */
let now = Date.now();

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_SIGN_IN_FAILURES: '1000' }, clock: { now: () => now } });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

async function withPassword(): Promise<{ userId: number; username: string }> {
  const username = `browser${++people}`;
  const made = await tenant.request(admin, 'POST', `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
  });
  expect(made.status, made.text).toBe(200);
  return { userId: made.body.userId, username };
}

/**
 * Returns the session cookie that a response sets, as a request sends it; undefined when it sets
 * none.
 */
function cookieOf(headers: Headers): string | undefined {
  return headers.get('set-cookie')?.split(';')[0];
}

const start = (username: string, headers: Record<string, string> = {}, body: object = {}) =>
  tenant.request(null, 'POST', `${API}/core/auth/start-session`, { username, password: PASSWORD, ...body }, headers);

interface Browser {
  userId: number;
  username: string;
  sessionId: number;
  cookie: string;
  /** Sends a request as a page of the portal does, and keeps the cookie of the response. */
  ask(method: string, path: string, body?: unknown): ReturnType<TestTenant['request']>;
}

async function browserOf(person?: { userId: number; username: string }): Promise<Browser> {
  const { userId, username } = person ?? (await withPassword());
  const started = await start(username, { 'User-Agent': 'Firefox on a train' });
  expect(started.status, started.text).toBe(200);
  const browser: Browser = {
    userId,
    username,
    sessionId: started.body.sessionId,
    cookie: cookieOf(started.headers)!,
    ask: async (method, path, body) => {
      const headers = { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin', Origin: `https://${tenant.host}` };
      const answer = await tenant.request(null, method, `${API}${path}`, body, headers);
      browser.cookie = cookieOf(answer.headers) ?? browser.cookie;
      return answer;
    },
  };
  return browser;
}

const me = (browser: Browser) => browser.ask('GET', '/core/auth/current-user-data');

describe('the cookie', () => {
  test('is for the host alone, and out of reach of scripts', async () => {
    const { username, userId } = await withPassword();
    const { status, headers, body } = await start(username);
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-portico_session=\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ userId, sessionId: expect.any(Number), expirationTimestamp: now + 30 * DAY });
  });

  test('is not Secure where the portal is reached by http', async () => {
    const { id } = await createTenant(portal.owner, testSealer, { name: 'local', hosts: ['127.0.0.1'] });
    expect(id).toBeGreaterThan(0);
    const ended = await fetch(`${portal.origin}${API}/core/auth/end-session`, { method: 'POST' });
    expect(ended.headers.get('set-cookie')).toBe('portico_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
  });

  test('signs requests in, and an access token goes before it', async () => {
    const browser = await browserOf();
    const mine = await me(browser);
    expect(mine.body.userData.id).toBe(browser.userId);
    // No cache between browser and portal may store it: the response is personal.
    expect(mine.headers.get('cache-control')).toBe('no-store');
    const both = await tenant.request(admin, 'GET', `${API}/core/auth/current-user-data`, undefined, {
      Cookie: browser.cookie,
    });
    expect(both.body.userData.id).toBe(admin);
    const broken = await tenant.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, {
      Cookie: browser.cookie,
      Authorization: 'Bearer no.token',
    });
    expect(broken.status).toBe(401);
  });

  test('costs a request no statement more than an access token', async () => {
    const browser = await browserOf();
    await me(browser);
    portal.takeStatements();
    await me(browser);
    const byCookie = portal.takeStatements().length;
    await tenant.request(browser.userId, 'GET', `${API}/core/auth/current-user-data`);
    expect(byCookie).toBe(portal.takeStatements().length);
  });

  test.for([
    ['of nothing', 'x'],
    ['of another secret', `1.${'a'.repeat(43)}`],
    ['that is empty', ''],
  ])('%s is refused and removed', async ([, value]) => {
    const answer = await tenant.request(null, 'GET', `${API}/core/auth/sessions`, undefined, {
      Cookie: `a=b; __Host-portico_session=${value}`,
    });
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_AUTH_TOKEN']);
    expect(answer.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test('of another tenant is refused', async () => {
    const browser = await browserOf();
    const other = await portal.createTenant();
    const answer = await other.request(null, 'GET', `${API}/core/auth/sessions`, undefined, { Cookie: browser.cookie });
    expect(answer.status).toBe(401);
    expect((await me(browser)).status).toBe(200);
  });
});

describe('requests of other sites', () => {
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.test' },
    { Origin: 'null' },
    { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    {},
  ];

  test('are refused by every operation that is not a GET, and change nothing', async () => {
    const browser = await browserOf({ userId: 0, username: (await withPassword()).username });
    const operations = operationList.filter(({ method, permission }) => method !== 'GET' && permission !== 'public');
    expect(operations.length).toBeGreaterThan(60);
    for (const { id, method, path } of operations) {
      for (const headers of foreign) {
        const answer = await tenant.request(
          null,
          method,
          `${API}${path.replaceAll(/\{\w+\}/g, '1')}`,
          method === 'DELETE' ? undefined : {},
          { Cookie: browser.cookie, ...headers },
        );
        expect([id, answer.status, answer.body.code]).toEqual([id, 403, 'CROSS_SITE_REQUEST']);
      }
    }
    expect((await me(browser)).status).toBe(200);
  });

  test('begin no session and end none', async () => {
    const browser = await browserOf();
    for (const headers of foreign.filter((one) => Object.keys(one).length > 0)) {
      expect((await start(browser.username, headers)).body.code).toBe('CROSS_SITE_REQUEST');
      const ended = await tenant.request(null, 'POST', `${API}/core/auth/end-session`, undefined, {
        Cookie: browser.cookie,
        ...headers,
      });
      expect(ended.status).toBe(403);
    }
    expect((await me(browser)).status).toBe(200);
  });

  test('are accepted from the address that the request names', async () => {
    const browser = await browserOf();
    const own: Record<string, string>[] = [{ Origin: `http://${tenant.host}` }, { 'Sec-Fetch-Site': 'same-origin' }];
    for (const headers of own) {
      const answer = await tenant.request(
        null,
        'POST',
        `${API}/communication/people/data/users`,
        {},
        {
          Cookie: browser.cookie,
          ...headers,
        },
      );
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test('are given no leave to send the cookie', async () => {
    const answer = await tenant.request(null, 'OPTIONS', `${API}/core/auth/sessions`, undefined, {
      Origin: 'https://evil.test',
      'Access-Control-Request-Method': 'GET',
    });
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('a session ends', () => {
  test('when the browser signs out', async () => {
    const browser = await browserOf();
    const before = browser.cookie;
    const ended = await browser.ask('POST', '/core/auth/end-session');
    expect([ended.status, browser.cookie]).toEqual([200, '__Host-portico_session=']);
    browser.cookie = before;
    expect((await me(browser)).status).toBe(401);
  });

  test('when the browser signs in again', async () => {
    const browser = await browserOf();
    const again = await start(browser.username, { Cookie: browser.cookie });
    expect(cookieOf(again.headers)).not.toBe(browser.cookie);
    expect((await me(browser)).status).toBe(401);
  });

  test('when it is revoked, alone or with all others, and nobody else can do so', async () => {
    const first = await browserOf();
    const others = [await browserOf(first), await browserOf(first)];
    const stranger = await browserOf();
    const listed = await first.ask('GET', '/core/auth/sessions');
    expect(listed.body.sessions).toHaveLength(3);
    expect(listed.body.sessions.filter(({ current }: { current: boolean }) => current)).toEqual([
      {
        id: first.sessionId,
        current: true,
        userAgent: 'Firefox on a train',
        address: '127.0.0.1',
        creationTimestamp: now,
        lastUseTimestamp: now,
        expirationTimestamp: now + 7 * DAY,
      },
    ]);
    const revoke = (by: Browser, id: number) => by.ask('POST', `/core/auth/manage/sessions/${id}/revoke`);
    expect((await revoke(stranger, first.sessionId)).status).toBe(404);
    expect((await revoke(first, others[0]!.sessionId)).status).toBe(200);
    expect((await revoke(first, others[0]!.sessionId)).status).toBe(404);
    expect((await me(others[0]!)).status).toBe(401);
    expect((await me(others[1]!)).status).toBe(200);
    const rest = await first.ask('POST', '/core/auth/manage/sessions/revoke-others');
    expect(rest.body).toEqual({ revokedCount: 1 });
    expect((await me(others[1]!)).status).toBe(401);
    expect((await me(first)).status).toBe(200);
    expect((await me(stranger)).status).toBe(200);
  });

  test.for([
    ['blocked', 'block'],
    ['signed out', 'sign-out'],
  ] as const)('when its holder is %s', async ([, verb]) => {
    const browser = await browserOf();
    await tenant.request(admin, 'POST', `${API}/admin/manage/users/${browser.userId}/${verb}`);
    expect((await me(browser)).status).toBe(401);
  });

  test('when the password is changed, but for the session that begins with the new one', async () => {
    const browser = await browserOf();
    const changed = await start(browser.username, {}, { newPassword: 'another horse è 42' });
    expect(changed.status, changed.text).toBe(200);
    expect((await me(browser)).status).toBe(401);
    browser.cookie = cookieOf(changed.headers)!;
    expect((await me(browser)).status).toBe(200);
  });

  test('after seven days without use', async () => {
    const browser = await browserOf();
    now += 6 * DAY;
    expect((await me(browser)).status).toBe(200);
    await portal.services.accesses.flush();
    now += 6 * DAY;
    expect((await me(browser)).status).toBe(200);
    now += 7 * DAY;
    expect((await me(browser)).status).toBe(401);
    expect((await me(browser)).headers.get('set-cookie')).toContain('Max-Age=0');
  });

  test('after thirty days in any case, and is then removed', async () => {
    const browser = await browserOf();
    for (let day = 0; day < 30; day += 5) {
      expect((await me(browser)).status).toBe(200);
      await portal.services.accesses.flush();
      now += 5 * DAY;
    }
    expect((await me(browser)).status).toBe(401);
    await tidy(portal.services, tenant.tenant);
    const left = await portal.services.databases
      .for(tenant.tenant.id)
      .query('SELECT id FROM user_sessions WHERE tenant_id = $1 AND user_id = $2', [tenant.tenant.id, browser.userId]);
    expect(left).toEqual([]);
  });

  test('when the same person begins fifty more', async () => {
    const oldest = await browserOf();
    now += 1_000;
    const second = await browserOf(oldest);
    now += 1_000;
    await Promise.all(Array.from({ length: 49 }, () => start(oldest.username)));
    expect((await me(oldest)).status).toBe(401);
    expect((await me(second)).status).toBe(200);
  });
});

describe('the secret', () => {
  test('is renewed within an hour or so, and the one before is refused once the new one was used for a minute', async () => {
    const browser = await browserOf();
    const first = browser.cookie;
    expect((await me(browser)).headers.get('set-cookie')).toBeNull();
    now += HOUR + 1;
    const renewed = await me(browser);
    expect(renewed.headers.get('set-cookie')).toMatch(/Max-Age=25884\d\d; HttpOnly/);
    expect(browser.cookie).not.toBe(first);
    // Requests sent at the same time still have the former cookie.
    const late = { ...browser, cookie: first };
    expect((await tenant.request(null, 'GET', `${API}/core/auth/sessions`, undefined, { Cookie: first })).status).toBe(
      200,
    );
    now += 61_000;
    expect((await me(browser)).status).toBe(200);
    await portal.services.accesses.flush();
    expect(
      (await tenant.request(null, 'GET', `${API}/core/auth/sessions`, undefined, { Cookie: late.cookie })).status,
    ).toBe(401);
    expect((await me(browser)).status).toBe(200);
  });

  test('is renewed once by requests that come together', async () => {
    const browser = await browserOf();
    now += HOUR + 1;
    const ask = () => tenant.request(null, 'GET', `${API}/core/auth/sessions`, undefined, { Cookie: browser.cookie });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const cookies = answers.map(({ headers }) => cookieOf(headers)).filter((cookie) => cookie !== undefined);
    expect(cookies).toHaveLength(1);
    browser.cookie = cookies[0]!;
    expect((await me(browser)).status).toBe(200);
  });

  test('that did not reach the browser costs nobody their session', async () => {
    const browser = await browserOf();
    now += HOUR;
    // A use before the renewal, recorded together with it.
    await me(browser);
    now += 1;
    const lost = await tenant.request(null, 'GET', `${API}/core/auth/sessions`, undefined, { Cookie: browser.cookie });
    expect(cookieOf(lost.headers)).toBeDefined();
    await portal.services.accesses.flush();
    now += 2 * HOUR;
    expect((await me(browser)).status).toBe(200);
    expect(browser.cookie).not.toBe(cookieOf(lost.headers));
    expect((await me(browser)).status).toBe(200);
  });
});

test('no request waits for a write that holds the row of its session', async () => {
  const browser = await browserOf();
  now += HOUR + 1;
  await portal.services.databases.for(tenant.tenant.id).transaction(async (tx) => {
    await tx.query('SELECT id FROM user_sessions WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
      tx.tenantId,
      browser.sessionId,
    ]);
    const answer = await me(browser);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    await portal.services.accesses.flush();
  });
  expect((await me(browser)).headers.get('set-cookie')).not.toBeNull();
});

test('a use is noted at most every five minutes', async () => {
  const browser = await browserOf();
  const lastUse = async () => {
    await me(browser);
    await portal.services.accesses.flush();
    return (await browser.ask('GET', '/core/auth/sessions')).body.sessions[0].lastUseTimestamp;
  };
  const begun = now;
  now += 4 * 60_000;
  expect(await lastUse()).toBe(begun);
  now += 2 * 60_000;
  expect(await lastUse()).toBe(now);
});

test('a sign-in and the end of a session are in the audit log', async () => {
  const browser = await browserOf();
  const other = await browserOf(browser);
  await browser.ask('POST', `/core/auth/manage/sessions/${other.sessionId}/revoke`);
  const log = await tenant.request(admin, 'POST', `${API}/admin/data/audit-entries`, { objectIds: [browser.userId] });
  const entries = log.body.items.filter(({ objectId }: { objectId: number }) => objectId === browser.userId);
  expect(entries.map(({ action, operation }: Record<string, string>) => `${action} ${operation}`).sort()).toEqual([
    'created createUser',
    'modified revokeSession',
    'signedIn startSession',
    'signedIn startSession',
  ]);
  expect(JSON.stringify(entries)).not.toContain(other.cookie.split('.')[1]);
});

test('last as long as the tenant says', async () => {
  const path = `${API}/admin/manage/tenant-settings`;
  const { hosts: _hosts, ...settings } = (await tenant.request(admin, 'GET', path)).body;
  const edit = { ...settings, sessionIdleSeconds: 600, sessionSeconds: 1_200 };
  const browser = await browserOf();
  expect((await tenant.request(admin, 'PUT', path, edit)).status).toBe(200);
  const expiry = async () => (await browser.ask('GET', '/core/auth/sessions')).body?.sessions?.[0].expirationTimestamp;
  await expect.poll(expiry).toBe(now + 600_000);
  now += 599_000;
  expect((await browser.ask('GET', '/core/auth/current-user-data')).status).toBe(200);
  now += 602_000;
  expect((await browser.ask('GET', '/core/auth/current-user-data')).status).toBe(401);
});
