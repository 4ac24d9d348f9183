/** Pages whose content stays where it appeared, with the data of the demo: every address, on a desktop and on a phone. */

import { livePath } from '@portico/contract';
import type { TestPortal } from '@portico/server/testing';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, describe, expect } from 'vitest';
import { createDemo } from '../../server/src/demo/index.ts';
import { addresses } from '../src/addresses.ts';
import { mustBeAccessible, openSite, PASSWORD, type Site, test } from './support.ts';

/** Sum of the layout shifts of a page at most, as `web-vitals` counts them. */
const MOST_SHIFT = 0.05;
/** Time without a request, a shift and a change of the page after which it is complete. Milliseconds. */
const QUIET = 500;

const FORMS: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** Notes each shift that no input caused, with the elements that moved, and the time of the last change. */
const OBSERVER = `
  window.shifts = [];
  window.changed = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries()) {
      window.changed = performance.now();
      if (hadRecentInput) continue;
      const name = ({ node }) => {
        const element = node?.nodeType === 1 ? node : node?.parentElement;
        return element ? element.tagName.toLowerCase() + '.' + element.className + ' ' + element.textContent.slice(0, 30) : 'gone';
      };
      const at = ({ previousRect: a, currentRect: b }) => [a.x, a.y, a.width, a.height, '->', b.x, b.y, b.width, b.height].map((n) => typeof n === 'number' ? Math.round(n) : n).join(' ');
      window.shifts.push({ value, at: Math.round(startTime), moved: sources.map((source) => name(source) + ' | ' + at(source)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver(() => { window.changed = performance.now(); })
    .observe(document, { childList: true, subtree: true });
`;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

let site: Site;
/** Addresses of all pages, with ids of the demo. */
let paths: string[];
/** The address of a community. */
let community: string;
const open = new Map<string, Page>();
/** Requests of each page that are not answered yet, without the stream, which never ends. */
const pending = new Map<Page, Set<Request>>();

function countRequests(page: Page): void {
  const waiting = new Set<Request>();
  pending.set(page, waiting);
  page.on('request', (request) => request.url().includes(livePath) || waiting.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => void waiting.delete(request));
}

test.beforeAll(async ({ portal, browser }) => {
  site = await openSite(portal, 'calm');
  const { services } = portal;
  const { tenant, systemUserId } = site.tenant;
  const { passwords } = await createDemo(services, tenant, systemUserId);
  const [{ username, password } = { username: '', password: '' }] = passwords as {
    username: string;
    password: string;
  }[];
  paths = await pathsOf(portal, site);
  let own = password;
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block', ...options });
    await context.addInitScript(OBSERVER);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    countRequests(page);
    await page.goto(`${site.origin}/portal/`);
    await page.getByLabel('User name or e-mail').fill(username);
    await page.getByRole('textbox', { name: 'Password' }).fill(own);
    await page.locator('button[type=submit]').click();
    if (own === password) {
      own = PASSWORD;
      await page.getByRole('textbox', { name: 'New password' }).fill(own);
      await page.locator('button[type=submit]').click();
    }
    await page.locator('#content').waitFor();
    open.set(form, page);
  }
});

afterAll(async () => {
  for (const page of open.values()) await page.context().close();
  await site?.close();
});

/** @returns each address of the page, with ids for its parameters */
async function pathsOf({ services }: TestPortal, { tenant }: Site): Promise<string[]> {
  const db = services.databases.for(tenant.tenant.id);
  const first = async (from: string) => {
    const [row] = await db.query<{ id: number }>(`SELECT id FROM ${from}`, [tenant.tenant.id]);
    return String(row!.id);
  };
  const ids: Readonly<Record<string, string>> = {
    communityId: await first('communities WHERE tenant_id = $1 ORDER BY id LIMIT 1'),
    postId: await first('posts WHERE tenant_id = $1 AND NOT draft ORDER BY comments_count DESC, id LIMIT 1'),
    personId: await first('users WHERE tenant_id = $1 AND NOT service_account ORDER BY id DESC LIMIT 1'),
    groupId: await first('groups WHERE tenant_id = $1 ORDER BY id LIMIT 1'),
    accountId: await first('users WHERE tenant_id = $1 AND service_account ORDER BY id DESC LIMIT 1'),
    webhookId: '1',
  };
  const all = Object.values(addresses).map((path) => path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name]!));
  community = `/community/${ids['communityId']}`;
  return [...all, ...['?layout=board', '?layout=calendar', '?group=state'].map((search) => community + search)];
}

/** @returns the shifts until the page is complete */
async function shiftsOf(page: Page, path: string): Promise<{ total: number; shifts: Shift[] }> {
  await page.goto(`${site.origin}/portal${path}`, { waitUntil: 'domcontentloaded' });
  await expect
    .poll(async () => (pending.get(page)!.size > 0 ? 0 : page.evaluate<number>('performance.now() - window.changed')))
    .toBeGreaterThan(QUIET);
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  return { total: shifts.reduce((sum, { value }) => sum + value, 0), shifts };
}

describe('the content of a page stays where it appeared', () => {
  for (const form of Object.keys(FORMS)) {
    test(`on a ${form}`, async () => {
      const page = open.get(form)!;
      const moved: string[] = [];
      for (const path of paths) {
        const { total, shifts } = await shiftsOf(page, path);
        if (total > MOST_SHIFT) moved.push(`${path}: ${total.toFixed(3)} ${JSON.stringify(shifts, null, 1)}`);
      }
      expect(moved).toEqual([]);
    });
  }
});

describe('the place of the reader', () => {
  test('is the heading of a page that opens, and the row of a list that is returned to', async () => {
    const page = open.get('desktop')!;
    const { origin } = site;
    await page.goto(`${origin}/portal${community}?order=title`);
    const rows = page.locator('.rows');
    const first = rows.getByRole('row').first();
    await first.waitFor();
    await rows.evaluate((list) => list.scrollTo(0, 500));
    const link = rows.locator('[aria-rowindex="20"] a[data-item]');
    const name = await link.innerText();
    await page.setViewportSize({ width: 1100, height: 800 });
    await link.focus();
    const top = await rows.evaluate((list) => list.scrollTop);
    await page.keyboard.press('Enter');
    const heading = page.locator('#content h1');
    await expect.poll(() => heading.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(name).toContain(await heading.innerText());
    await page.goBack();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe(name);
    expect(await rows.evaluate((list) => list.scrollTop)).toBe(top);
    await page.keyboard.press('j');
    await expect.poll(() => rows.locator('[aria-rowindex="21"] a:focus').count()).toBe(1);
    await page
      .getByRole('link', { name: 'People' })
      .or(page.getByRole('link', { name: 'Persone' }))
      .click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('a table for those who hear it', () => {
  test('is a grid with names of columns, and says which of how many rows one is', async () => {
    const page = open.get('desktop')!;
    await page.goto(`${site.origin}/portal${community}?order=title`);
    const grid = page.getByRole('grid');
    await grid.getByRole('row').nth(3).waitFor();
    await mustBeAccessible(page);
    const count = Number(await grid.getAttribute('aria-rowcount'));
    const names = await grid.getByRole('columnheader').allInnerTexts();
    expect(names.length).toBe(Number(await grid.getAttribute('aria-colcount')));
    const row = grid.getByRole('row').nth(3);
    expect(await row.getAttribute('aria-rowindex')).toBe('4');
    expect(await row.getByRole('rowheader').count()).toBe(1);
    expect(await row.getByRole('gridcell').count()).toBe(names.length - 1);
    expect(await treeOf(page)).toMatchSnapshot();
    // The rows of further pages, which are read while it is scrolled, are counted from the beginning.
    const rows = page.locator('.rows');
    const last = grid.locator(`[aria-rowindex="${count}"]`);
    const toEnd = async () => {
      await rows.evaluate((list) => list.scrollTo(0, list.scrollHeight));
      return last.count();
    };
    await expect.poll(toEnd).toBe(1);
  });

  test('has groups whose heads are rows', async () => {
    const page = open.get('desktop')!;
    await page.goto(`${site.origin}/portal${community}?group=state`);
    const grid = page.getByRole('grid');
    await grid.getByRole('rowheader').first().waitFor();
    await mustBeAccessible(page);
    expect(await treeOf(page)).toMatchSnapshot();
  });
});

/** @returns the first lines of the tree that a screen reader gets of the table, without texts of the demo */
async function treeOf(page: Page): Promise<string[]> {
  const tree = await page.getByRole('grid').ariaSnapshot();
  return tree
    .split('\n')
    .slice(0, 52)
    .map((line) => line.replace(/^(\s*- (?:row|rowheader|gridcell|link|img|text)\b)(?:[ :].*?)?(:?)$/, '$1$2'));
}
