/** The packed client library in a real browser, on a page of another origin than the portal's and on one of the portal. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ServerProcess, startServer } from '@portico/server/testing/process';
import type { Browser } from 'playwright-core';
import { afterAll, expect, vi } from 'vitest';
import { test as it } from '../apps/web/test/support.ts';
import { PorticoClient } from '../packages/sdk/src/node.ts';
import { stagePackage } from './package.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const PORTICO = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));
const PAGE = fileURLToPath(new URL('browser-page.js', import.meta.url));

let folder: string;
let portal: ServerProcess;
let pages: Server;
let port: number;
let chromium: Browser;
let token: string;

it.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), 'portico-page-'));
  await stagePackage('sdk', join(folder, 'sdk'));
  pages = createServer(({ url = '/' }, answer) => {
    const path = new URL(url, 'http://page').pathname;
    if (path === '/') {
      answer.setHeader('Content-Type', 'text/html');
      return answer.end('<!doctype html><title>Another origin</title><script type="module" src="/page.js"></script>');
    }
    answer.setHeader('Content-Type', extname(path) === '.js' ? 'text/javascript' : 'application/octet-stream');
    const file = /^\/sdk\/((?:\w+\/)?[\w.-]+\.js)$/.exec(path)?.[1];
    if (path !== '/page.js' && !file) return answer.writeHead(404).end();
    return answer.end(readFileSync(file ? join(folder, 'sdk/dist', file) : PAGE));
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  port = (pages.address() as { port: number }).port;
  chromium = browser;
  portal = await startServer(true);
  token = await new PorticoClient({
    baseUrl: portal.baseUrl,
    credentials: { serviceAccount: portal.keyPath },
  }).accessToken();
});
afterAll(async () => {
  await portal?.stop();
  await new Promise((resolve) => pages?.close(resolve));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Runs a function of the page with one argument. */
async function inPage<T>(origin: string, name: string, input: object): Promise<T> {
  const page = await chromium.newPage();
  try {
    await page.goto(`${origin}/`);
    await page.waitForFunction('globalThis.ready === true');
    return (await page.evaluate(`globalThis[${JSON.stringify(name)}](${JSON.stringify(input)})`)) as T;
  } finally {
    await page.close();
  }
}

/** Changes a setting as an operator, while the server runs. */
function allow(origin: string): void {
  execFileSync(process.execPath, [PORTICO, 'tenant', 'settings', 'demo', '--cors-origins', origin], {
    env: { ...process.env, DATABASE_URL: '', PORTICO_DATA_DIR: dirname(portal.keyPath) },
  });
}

it('is refused where the tenant does not allow the origin, and works where it does', async () => {
  const [allowed, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const input = { baseUrl: portal.baseUrl, token, community: 'IT Service Desk' };
  const refused = { is: true, name: 'NetworkError' };
  expect(await inPage(allowed, 'tryOut', input)).toEqual(refused);

  allow(allowed);
  await expect
    .poll(() => inPage(allowed, 'tryOut', input), { timeout: 20_000 })
    // The server applies settings within a second.
    .toEqual({ is: false, name: 'no failure' });
  expect(await inPage(other, 'tryOut', input)).toEqual(refused);

  const report = await inPage<Record<string, unknown> & { postId: number; progress: { sentBytes: number }[] }>(
    allowed,
    'use',
    input,
  );
  expect(report).toMatchObject({
    origin: allowed,
    me: (JSON.parse(readFileSync(portal.keyPath, 'utf8')) as { client_id: number }).client_id,
    listed: 3,
    iterated: { length: 5 },
    files: [['measures.txt', 3_000_000]],
    downloaded: 3_000_000,
    followed: [[report.postId, 'CREATED']],
    failures: {
      notFound: { is: true, name: 'NotFoundError', status: 404, requestId: expect.stringMatching(/./) },
      validation: { is: true, name: 'ValidationError', status: 400 },
      conflict: { is: true, name: 'ConflictError', status: 409 },
      name: { is: true, name: 'UnknownNameError' },
    },
    tokenSeen: false,
  });
  expect(report['total']).toBeGreaterThan(3);
  expect(report['before']).toBeGreaterThan(400);
  const sent = report.progress.map(({ sentBytes }) => sentBytes);
  expect(sent).toEqual([...sent].sort((a, b) => a - b));
  expect(report.progress.at(-1)).toEqual({ sentBytes: 3_000_000, totalBytes: 3_000_000 });

  // A page may hold a key of its own, too: Web Crypto signs as Node.js does.
  const key = JSON.parse(readFileSync(portal.keyPath, 'utf8')) as object;
  expect(await inPage(allowed, 'signIn', { baseUrl: portal.baseUrl, key })).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});

it('signs pages of the portal in by a session, which a page of another port cannot use', async () => {
  const operator = ['admin', 'user', 'reset', '--tenant', 'demo', '--print-password', 'admin@alveria.example'];
  const printed = execFileSync(process.execPath, [PORTICO, ...operator], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', PORTICO_DATA_DIR: dirname(portal.keyPath) },
  });
  const [, username, oneTime] = /^User name: (\S+)\nOne-time password: (\S+)\n/.exec(printed) ?? [];
  const password = 'a password of this test';
  const context = await chromium.newContext();
  try {
    // The portal serves a page and the library, as it will serve its own.
    await context.route(`${portal.baseUrl}/{page,page.js,sdk/**}`, (route) => {
      const file = new URL(route.request().url()).pathname;
      return file === '/page'
        ? route.fulfill({
            contentType: 'text/html',
            body: '<!doctype html><script type="module" src="/page.js"></script>',
          })
        : route.fulfill({
            contentType: 'text/javascript',
            path: file === '/page.js' ? PAGE : join(folder, file.replace('/sdk/', 'sdk/dist/')),
          });
    });
    const page = await context.newPage();
    const call = async (name: string, input: object = {}) => {
      await page.waitForFunction('globalThis.ready === true');
      return page.evaluate(`globalThis[${JSON.stringify(name)}](${JSON.stringify(input)})`);
    };
    await page.goto(`${portal.baseUrl}/page`);
    const started = (await call('startSession', { username, password: oneTime, newPassword: password })) as object;
    expect(started).toEqual({
      before: { is: true, name: 'AuthenticationError', status: 401, requestId: expect.any(String) },
      userId: expect.any(Number),
      cookie: '',
    });
    const elsewhere = await fetch(`${portal.baseUrl}/portal/api/core/auth/start-session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    const { userId } = (await elsewhere.json()) as { userId: number };
    await page.reload();
    expect(await call('session')).toEqual({ userId, sessions: 2 });

    // To browsers it is the same site: the cookie goes with the request.
    const other = await context.newPage();
    await other.goto(`http://${new URL(portal.baseUrl).hostname}:${port}/`);
    await other.waitForFunction('globalThis.ready === true');
    const request = other.waitForRequest('**/revoke-others');
    expect(await other.evaluate(`globalThis.forge({ baseUrl: ${JSON.stringify(portal.baseUrl)} })`)).toBe('opaque');
    expect(await (await request).headerValue('cookie')).toContain('portico_session=');
    expect((await (await request).response())?.status()).toBe(403);
    expect(await call('session')).toEqual({ userId, sessions: 2 });

    expect(await call('revokeOthers')).toEqual({ revokedCount: 1 });
    expect(await call('session')).toEqual({ userId, sessions: 1 });
    await call('signOut');
    expect(await call('session')).toBeUndefined();
    expect(await context.cookies()).toEqual([]);
  } finally {
    await context.close();
  }
});
