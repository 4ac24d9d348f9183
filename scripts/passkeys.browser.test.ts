/** Passkeys in a real browser, with its virtual authenticator, on a page of the portal itself. */
import { createTestPortal, type TestPortal, type TestTenant } from '@portico/server/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startBrowser, type TestBrowser } from './browser.ts';

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

/** The browser's answer to options, made or used. */
function answerOf(page: Page, verb: 'create' | 'get', options: string): Promise<string> {
  return page.evaluate(
    `(async () => {
      const options = ${options};
      const publicKey = PublicKeyCredential.${verb === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'}(options);
      return JSON.stringify(await navigator.credentials.${verb}({ publicKey }));
    })()`,
  );
}

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
  const context = await chromium.browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  // An empty page on the address of the portal; what it sends goes to the portal.
  const empty = `http://${host}/passkeys`;
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(empty);

  const started = await post(userId, `${AUTH}/passkeys/start`, { password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  const credential = await answerOf(page, 'create', started.body.options);
  const added = await post(userId, `${AUTH}/manage/passkeys/confirm`, { name: 'Chromium', credential });
  expect(added.status, added.text).toBe(200);

  const { options } = (await post(null, `${AUTH}/start-passkey-sign-in`)).body;
  const answer = await answerOf(page, 'get', options);
  // Sent by the page, so that the browser keeps the cookie.
  const me = await page.evaluate(
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
  await context.close();
});
