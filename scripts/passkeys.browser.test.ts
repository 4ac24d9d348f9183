/** Passkeys in a real browser, with its virtual authenticator, on a page of the portal itself. */
import { createTestPortal, type TestPortal, type TestTenant } from '@portico/server/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startBrowser, type TestBrowser } from './browser.ts';
import { openVirtualAuthenticator } from './virtual-authenticator.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const API = '/portal/api/external/v2';
const AUTH = `${API}/core/auth`;
const PASSWORD = 'correct horse è 42';

let portal: TestPortal;
let tenant: TestTenant;
let chromium: TestBrowser;
let host: string;

beforeAll(async () => {
  [portal, chromium] = await Promise.all([createTestPortal(), startBrowser()]);
  tenant = await portal.createTenant();
  // Browsers make passkeys on pages of https, and of localhost.
  host = `localhost:${new URL(portal.origin).port}`;
  await portal.owner.query('UPDATE tenant_hosts SET host = $1 WHERE host = $2', [host, tenant.host]);
});
afterAll(async () => {
  await chromium?.close();
  await portal?.close();
});

const post = (userId: number | null, path: string, body?: object) =>
  tenant.request(userId, 'POST', path, body, { Host: host });

it('makes a passkey and signs in by it', async () => {
  const admin = await tenant.createUser({ admin: true });
  const made = await post(admin, `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: 'Rossi',
    userCredentialsConfiguration: { custom: { username: 'ada.rossi', active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD, forceCredentialsExpiration: false },
  });
  expect(made.status, made.text).toBe(200);
  const { userId } = made.body;
  const authenticator = await openVirtualAuthenticator(chromium.browser, `http://${host}`);

  const started = await post(userId, `${AUTH}/passkeys/start`, { password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  const credential = await authenticator.make(started.body.options);
  const added = await post(userId, `${AUTH}/manage/passkeys/confirm`, { name: 'Chromium', credential });
  expect(added.status, added.text).toBe(200);

  const { options } = (await post(null, `${AUTH}/start-passkey-sign-in`)).body;
  const answer = await authenticator.use(options);
  // Sent by the page, so that the browser keeps the cookie.
  const me = await authenticator.evaluate(
    async ({ auth, credential }) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ credential });
      const signedIn = await fetch(`${auth}/start-session-by-passkey`, { method: 'POST', headers, body });
      if (!signedIn.ok) throw new Error(await signedIn.text());
      const me = (await (await fetch(`${auth}/current-user-data`)).json()) as { userData: { id: number } };
      return me.userData.id;
    },
    { auth: AUTH, credential: answer },
  );
  expect(me).toBe(userId);
  await authenticator.close();
});
