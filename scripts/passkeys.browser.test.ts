/** Passkeys in a real browser, with its virtual authenticator, on a page of the portal itself. */
import { afterAll, expect, vi } from 'vitest';
import { openSite, type Site, test } from '../apps/web/test/support.ts';
import { openVirtualAuthenticator } from './virtual-authenticator.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const API = '/portal/api/external/v2';
const AUTH = `${API}/core/auth`;
const PASSWORD = 'correct horse è 42';

let site: Site;

test.beforeAll(async ({ portal }) => {
  // Browsers make passkeys on pages of https, and of localhost.
  site = await openSite(portal, 'passkeys', 'localhost');
});
afterAll(() => site?.close());

const post = (userId: number | null, path: string, body?: object) => site.tenant.request(userId, 'POST', path, body);

test('makes a passkey and signs in by it', async ({ browser }) => {
  const admin = await site.tenant.createUser({ admin: true });
  const made = await post(admin, `${API}/admin/manage/users`, {
    firstname: 'Ada',
    lastname: 'Rossi',
    userCredentialsConfiguration: { custom: { username: 'ada.rossi', active: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD, forceCredentialsExpiration: false },
  });
  expect(made.status, made.text).toBe(200);
  const { userId } = made.body;
  const authenticator = await openVirtualAuthenticator(browser, site.origin);

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
