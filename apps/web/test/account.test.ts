/** People look after their own account, in a real browser: password, passkeys, authenticator app, sessions and tokens. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { API, PASSWORD as FIRST, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/portico.mjs', import.meta.url));
const SECOND = 'another horse è 43';

let web: WebTest;
let context: BrowserContext;
let page: Page;
let requireSecondFactor: () => Promise<void>;
let origin: string;

test.beforeAll(async ({ portal, browser }) => {
  // Browsers make passkeys for names of hosts only, not for addresses of machines.
  web = await startWebTest({ portal, browser }, 'account', 'localhost');
  const { tenant, admin } = web;
  origin = web.origin;
  await web.createPerson('ada', 'Ada', 'Rossi');
  requireSecondFactor = async () => {
    const path = `${API}/admin/manage/tenant-settings`;
    const { name: _name, hosts: _hosts, ...settings } = (await tenant.request(admin, 'GET', path)).body;
    const edited = await tenant.request(admin, 'PUT', path, { ...settings, requireSecondFactor: 'all' });
    expect(edited.status, edited.text).toBe(200);
    // Servers follow within a second; the administrator has no second factor either.
    await expect.poll(async () => (await tenant.request(admin, 'GET', path)).status).toBe(403);
  };
  await web.createPerson('bo', 'Bo', 'Rossi');
  ({ context, page } = await web.visit({ viewport: { width: 360, height: 740 } }));
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
});

afterAll(async () => {
  await web?.close();
  expect(web.complaints).toEqual([]);
});

async function signIn(password: string): Promise<void> {
  await page.goto(`${origin}/portal/me/security`);
  await page.getByLabel('User name or e-mail').fill('ada');
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Change password' }).waitFor();
}

test('a passkey is added, named and signs in by itself', async () => {
  await signIn(FIRST);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const form = page.getByRole('form', { name: 'Add a passkey' });
  await form.getByLabel('Name').fill('Laptop');
  await form.getByRole('textbox', { name: 'Your password' }).fill('not this one');
  await form.getByRole('button', { name: 'Add a passkey' }).click();
  await form.getByText('The password is wrong.').waitFor();
  await mustBeAccessible(page);
  await form.getByRole('textbox', { name: 'Your password' }).fill(FIRST);
  await form.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Rename: Laptop' }).click();
  await page.getByRole('form', { name: 'Rename: Laptop' }).getByLabel('Name').fill('Work laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Rename: Work laptop' }).waitFor();

  await context.clearCookies();
  await page.goto(`${origin}/portal/me/security`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('Work laptop').waitFor();
  await page.getByRole('button', { name: 'Remove: Work laptop' }).click();
  const removal = page.getByRole('form', { name: 'Remove: Work laptop' });
  await removal.getByRole('textbox', { name: 'Your password' }).fill(FIRST);
  await removal.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('You have no passkeys yet.').waitFor();
});

test('another password is chosen, which this browser stays signed in with', async () => {
  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('form', { name: 'Change password' });
  await form.getByLabel('User name or e-mail').fill('ada');
  await form.getByRole('textbox', { name: 'Current password' }).fill(FIRST);
  await form.getByRole('textbox', { name: 'New password' }).fill(SECOND);
  await form.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.getByText('This browser').waitFor();
  expect(await page.getByRole('button', { name: 'End session' }).count()).toBe(0);
});

test('an authenticator app is set up, whose recovery codes are shown once and turn it off', async () => {
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const start = page.getByRole('form', { name: 'Set up an app' });
  await start.getByRole('textbox', { name: 'Your password' }).fill(SECOND);
  await start.getByRole('button', { name: 'Set up an app' }).click();
  const secret = await page.getByRole('textbox', { name: 'Authenticator app' }).inputValue();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const confirm = page.getByRole('form', { name: 'Turn on' });
  await confirm.getByLabel('Code').fill(await codeOf(secret));
  await confirm.getByRole('button', { name: 'Turn on' }).click();
  const codes = (await page.getByRole('textbox', { name: 'Recovery codes' }).inputValue()).split('\n');
  expect(codes).toHaveLength(10);
  await mustBeAccessible(page);
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await page.getByText('Recovery codes left: 10').waitFor();
  await page.getByRole('button', { name: 'Turn off' }).click();
  const removal = page.getByRole('form', { name: 'Turn off' });
  await removal.getByLabel('Code').fill(codes[0]!);
  await removal.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up an app' }).waitFor();
});

test('a token is created, works, and is revoked', async () => {
  await page.getByRole('link', { name: 'Access tokens' }).click();
  await page.getByRole('button', { name: 'Create a token' }).click();
  const form = page.getByRole('form', { name: 'Create a token' });
  await form.getByLabel('Name').fill('Report');
  await mustBeAccessible(page);
  await form.getByRole('button', { name: 'Create a token' }).click();
  const secret = await page.getByRole('textbox', { name: 'Your new token' }).inputValue();
  const ask = () =>
    fetch(`${origin}${API}/core/auth/current-user-data`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await ask()).status).toBe(200);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke: Report' }).click();
  await page.getByText('You have no tokens yet.').waitFor();
  expect((await ask()).status).toBe(401);
});

test('the command signs in by the page, and out again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-login-'));
  const env = { ...process.env, PORTICO_CONFIG: join(folder, 'config.json') };
  const portico = (...words: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND, ...words], { env, encoding: 'utf8' });
  const login = portico('login', '--url', origin, '--no-browser', '--no-keychain', '--days', '7');
  try {
    let shown = '';
    login.child.stderr!.on('data', (text) => (shown += text));
    await expect.poll(() => shown, { timeout: 20_000 }).toContain('Your code is');
    const [, code, address] = /code is ([A-Z]{4}-[A-Z]{4})\. .* at (\S+)/.exec(shown) ?? [];
    await page.goto(`${address}?code=${code}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Confirm only if you started it yourself').waitFor();
    for (const text of [`portico on ${hostname()}`, 'Read and write', '7 days', code!])
      await page.getByText(text, { exact: true }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The device is signed in.').waitFor();
    expect((await login).stdout).toContain('as Ada Rossi');
    const [file] = await readdir(join(folder, 'tokens'));
    expect((await stat(join(folder, 'tokens', file!))).mode & 0o777).toBe(0o600);
    expect(await readFile(env.PORTICO_CONFIG, 'utf8')).not.toContain('ptc_');
    const token = (await portico('token')).stdout.trim();
    expect(JSON.parse((await portico('whoami', '--json')).stdout)).toMatchObject({ firstName: 'Ada' });
    await page.goto(`${origin}/portal/me/tokens`);
    await page.getByRole('button', { name: `Revoke: portico on ${hostname()}` }).waitFor();
    expect((await portico('logout')).stdout).toContain('Revoked the token');
    const refused = await fetch(`${origin}${API}/core/auth/current-user-data`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(401);
    await expect(portico('whoami')).rejects.toMatchObject({ code: 2 });
  } finally {
    login.child.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

test('who must have a second factor and has none is led to where it is set up', async () => {
  await requireSecondFactor();
  const { context: other, page: visited } = await web.visit();
  await visited.goto(`${origin}/portal/`);
  await visited.getByLabel('User name or e-mail').fill('bo');
  await visited.getByRole('textbox', { name: 'Password' }).fill(FIRST);
  await visited.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visited.getByRole('link', { name: 'Set up a second factor' }).first().click();
  await visited.getByRole('button', { name: 'Set up an app' }).waitFor();
  await other.close();
});

/** The code that an app shows now for a secret in base32. */
async function codeOf(secret: string): Promise<string> {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = Uint8Array.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(Date.now() / 30_000)));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const hash = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const value = hash.getUint32(hash.getUint8(19) & 15) & 0x7fff_ffff;
  return String(value % 1_000_000).padStart(6, '0');
}
