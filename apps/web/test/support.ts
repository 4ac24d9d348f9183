/** What tests of the page share: a portal with a tenant at an address of this machine, a browser, and what is complained about. */
import { livePath, operations } from '@portico/contract';
import { createTestPortal, type TestPortal, type TestTenant } from '@portico/server/testing';
import { type AxeResults, source as axeSource } from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startBrowser, type TestBrowser } from '../../../scripts/browser.ts';
import { readWebPage } from '../../server/src/http/web.ts';
import { buildWeb } from '../build.ts';

export const API = '/portal/api';
export const PASSWORD = 'correct horse è 42';

export interface WebTest {
  readonly portal: TestPortal;
  readonly tenant: TestTenant;
  readonly admin: number;
  readonly browser: TestBrowser;
  /** What pages complained about, addresses outside the portal that they asked, and requests that are no operation. */
  readonly complaints: string[];
  /** Makes a person who signs in with `username` and {@link PASSWORD}. @returns their id */
  createPerson(username: string, firstName: string, lastName: string): Promise<number>;
  /** Opens a page, on which somebody has signed in. */
  open(username: string, options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>;
  close(): Promise<void>;
}

export async function startWebTest(tenantName: string): Promise<WebTest> {
  await buildWeb();
  const portal = await createTestPortal({ web: await readWebPage() });
  // A browser reaches the portal by its address alone.
  const tenant = await portal.createTenant(tenantName, '127.0.0.1');
  const admin = await tenant.createUser({ admin: true });
  const browser = await startBrowser();
  const complaints: string[] = [];
  return {
    portal,
    tenant,
    admin,
    browser,
    complaints,
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
    open: async (username, options = {}) => {
      const context = await browser.browser.newContext({ locale: 'en-GB', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      watch(page, portal.origin, complaints);
      await page.goto(`${portal.origin}/portal/`);
      await page.getByLabel('User name or e-mail').fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.locator('#content').waitFor();
      return { context, page };
    },
    close: async () => {
      await browser.close();
      await portal.close();
    },
  };
}

/** Patterns of all operations, by method. */
const PATHS = [...Object.values(operations), { method: 'GET', path: livePath }].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${API}(?:/external/v2)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Notes what a page complains about, and what it asks that is neither an operation nor a file of the portal. */
export function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => {
    // A refusal is an answer with a status, which browsers log.
    if (['error', 'warning'].includes(message.type()) && !/status of 40[0134]/.test(message.text()))
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

/** Fails where axe finds something, or where the page is wider than the window. */
export async function mustBeAccessible(page: Page): Promise<void> {
  // The page keeps axe until it is loaded again.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'], resultTypes: ['violations'] }).then((found) => found.violations)`,
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
}
