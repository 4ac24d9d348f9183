/**
 * Shared parts of the tests of the page: a portal with a tenant at an address of this machine, a
 * browser, and the complaints of pages.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { livePath, operations } from '@portico/contract';
import { createTestPortal, type TestPortal, type TestTenant } from '@portico/server/testing';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { startBrowser } from '../../../scripts/browser.ts';
import { readWebPage } from '../../server/src/http/web.ts';
import { startPushService } from '../../server/src/modules/notifications/push/push-service.fixture.ts';
import { startTestReceiver } from '../../server/src/modules/webhooks/receiver.fixture.ts';
import { buildWeb } from '../build.ts';

export const API = '/portal/api';
export const PASSWORD = 'correct horse è 42';

/**
 * All files of a worker share a browser, a portal, a receiver of the webhooks of the tenant
 * `administration`, and a push service of the tenant `push`. They start with the first file that
 * uses them, and end with the worker.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what the fixture needs
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const { browser, close } = await startBrowser();
    onCleanup(close);
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what the fixture needs
  .extend('receiver', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const receiver = await startTestReceiver();
    onCleanup(receiver.close);
    return receiver;
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what the fixture needs
  .extend('pushService', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const service = await startPushService();
    onCleanup(service.close);
    return service;
  })
  .extend('portal', { scope: 'worker' }, async ({ receiver, pushService }, { onCleanup }) => {
    await buildWeb();
    const env = { PORTICO_INTERNAL_WEBHOOKS: `administration=${receiver.host},push=${pushService.host}` };
    const portal = await createTestPortal({ web: await readWebPage(), env });
    onCleanup(portal.close);
    return portal;
  });

/** Objects shared by the files of a worker. */
interface Shared {
  readonly portal: TestPortal;
  readonly browser: Browser;
}

/** A tenant with an address of its own: browsers select the tenant by the address alone. */
export interface Site {
  /** `http://HOST:PORT` */
  readonly origin: string;
  readonly tenant: TestTenant;
  close(): Promise<void>;
}

/**
 * Creates a tenant, and a port at which the portal answers for it.
 * @param host of this machine
 */
export async function openSite(portal: TestPortal, tenantName: string, host = '127.0.0.1'): Promise<Site> {
  const server = createServer((request, response) => portal.app.routing(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${address}`,
    tenant: await portal.createTenant(tenantName, address),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface WebTest extends Shared, Site {
  readonly admin: number;
  /**
   * Complaints of pages, requested addresses outside of the portal, and requests that are no
   * operation.
   */
  readonly complaints: string[];
  /**
   * Creates a person who signs in with `username` and {@link PASSWORD}.
   * @returns their id
   */
  createPerson(username: string, firstName: string, lastName: string): Promise<number>;
  /** Opens an empty page in a new browser context. */
  visit(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>;
  /** Opens a page and signs in. */
  open(username: string, options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>;
}

export async function startWebTest({ portal, browser }: Shared, tenantName: string, host?: string): Promise<WebTest> {
  const site = await openSite(portal, tenantName, host);
  const { origin, tenant } = site;
  const admin = await tenant.createUser({ admin: true });
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  const visit = async (options: BrowserContextOptions = {}) => {
    // A service worker would answer requests that a test answers itself.
    const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    watch(page, origin, complaints);
    return { context, page };
  };
  return {
    ...site,
    portal,
    browser,
    admin,
    complaints,
    visit,
    createPerson: async (username, firstname, lastname) => {
      const made = await tenant.request(admin, 'POST', `${API}/admin/manage/users`, {
        firstname,
        lastname,
        userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
        resetUserCustomCredentialsCommand: { password: PASSWORD },
      });
      expect(made.status, made.text).toBe(200);
      return made.body.userId as number;
    },
    open: async (username, options) => {
      const { context, page } = await visit(options);
      await page.goto(`${origin}/portal/`);
      await page.getByLabel('User name or e-mail').fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.locator('#content').waitFor();
      return { context, page };
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await site.close();
    },
  };
}

/** Patterns of all operations, by method. */
const PATHS = [...Object.values(operations), { method: 'GET', path: livePath }].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${API}(?:/external/v2)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * Records the complaints of a page, and requests for neither an operation nor a file of the portal.
 */
function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => {
    // Browsers log the status of a refused request.
    if (
      ['error', 'warning'].includes(message.type()) &&
      !/status of 40[0134]|blocked by Playwright/.test(message.text())
    )
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (['data:', 'blob:'].includes(url.protocol)) return;
    if (url.origin !== origin) complaints.push(`asked ${url.href}`);
    else if (
      url.pathname.startsWith(API) &&
      !PATHS.some(({ method, pattern }) => method === request.method() && pattern.test(url.pathname))
    )
      complaints.push(`no operation: ${request.method()} ${url.pathname}`);
  });
}

/** Fails if axe finds a violation, or if the page is wider than the window. */
export async function mustBeAccessible(page: Page): Promise<void> {
  // The page keeps axe until a reload.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'], resultTypes: ['violations'] }).then((found) => found.violations)`,
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
}
