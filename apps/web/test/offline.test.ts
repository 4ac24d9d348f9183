/** The page without a network, and after the end of the session. */
import type { PorticoClient } from '@portico/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let origin: string;
let communityId: number;
let write: ServiceDesk['write'];
let client: PorticoClient;
let context: BrowserContext;
/** The page of Bo, who writes the posts. */
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'offline');
  origin = web.origin;
  ({ communityId, client, write } = await makeServiceDesk(web));
  ({ context, page } = await web.open('bo', { viewport: { width: 1280, height: 800 }, serviceWorkers: 'allow' }));
});

afterAll(() => web?.close());

afterEach(async () => {
  await context.setOffline(false);
  expect(
    web.complaints
      .splice(0)
      .filter(
        (complaint) =>
          !/net::ERR_|status of 409|cross-world service worker|preloaded using link preload/.test(complaint),
      ),
  ).toEqual([]);
});

/** Waits until the browser keeps the page and the copies of what was read. */
const untilKept = async (...keys: string[]) => {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect
    .poll(() => page.evaluate<string[]>(KEPT), { timeout: 20_000 })
    .toEqual(expect.arrayContaining(keys.map((key) => expect.stringContaining(key))));
};
/** Keys of the copies in this browser. */
const KEPT = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('portico-copies');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const names = [...opening.result.objectStoreNames];
    if (names.length === 0) return resolve([]);
    const reading = opening.result.transaction(names[0]).objectStore(names[0]).getAllKeys();
    reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
  };
})`;
const comments = async (postId: number) => (await client.comments.list({ postId })).items ?? [];

describe('without a network', () => {
  test('the page opens, what was read stays readable, and a comment is kept and sent once', async () => {
    const postId = await write('A leak');
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'Write a comment …' }).waitFor();
    await untilKept(`["post",${postId}]`, '["me"]', `["comments",${postId}]`, `["capabilities",${postId}]`);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'A leak' }).waitFor();
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('button', { name: 'Write a comment …' }).click();
    const box = page.getByRole('form', { name: 'Write a comment …' });
    await box.locator('.ql-editor').fill('It drips on the floor');
    await box.getByRole('button', { name: 'Comment', exact: true }).click();
    const outbox = page.getByRole('region', { name: 'Not sent yet' });
    await outbox.getByText('It drips on the floor').waitFor();
    await mustBeAccessible(page);
    // The writing survives the page, too.
    await page.reload();
    await outbox.getByText('It drips on the floor').waitFor();
    expect(await comments(postId)).toEqual([]);
    await context.setOffline(false);
    await page.getByText('Sent: It drips on the floor').waitFor();
    await outbox.waitFor({ state: 'detached' });
    await page.locator('.comment').getByText('It drips on the floor').waitFor();
    expect(await comments(postId)).toHaveLength(1);
  });

  test('a comment whose answer was lost is not written twice', async () => {
    const postId = await write('A lost answer');
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'Write a comment …' }).click();
    const box = page.getByRole('form', { name: 'Write a comment …' });
    await box.locator('.ql-editor').fill('Once only');
    // The request arrives each time; its answer does not, and the client library repeats it twice.
    let lost = 0;
    await context.route(/\/create-comment\//, async (route) => {
      if (lost++ > 2) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await box.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByText('Sent: Once only').waitFor();
    await context.unrouteAll();
    expect(await comments(postId)).toHaveLength(1);
  });

  test('a new post is kept and created when the network is back', async () => {
    await page.goto(`${origin}/portal/community/${communityId}`);
    await page
      .getByRole('button', { name: /^New post/ })
      .first()
      .waitFor();
    await page.keyboard.press('c');
    const panel = page.getByRole('dialog', { name: 'New post' });
    await panel.getByRole('textbox', { name: 'Title' }).fill('Written in the cellar');
    await panel.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'High' }).click();
    await context.setOffline(true);
    await panel.getByRole('button', { name: 'Create' }).click();
    const outbox = page.getByRole('region', { name: 'Not sent yet' });
    await outbox.getByText('Written in the cellar').waitFor();
    await context.setOffline(false);
    await page.getByText('Sent: Written in the cellar').waitFor();
    const { items = [] } = await client.posts.list({ communityId, title: 'Written in the cellar' });
    expect(items).toHaveLength(1);
  });

  test('an edit is saved when the network is back, and a conflict is shown', async () => {
    const postId = await write('Old title');
    await page.goto(`${origin}/portal/post/${postId}`);
    const edit = async (title: string) => {
      await page.getByRole('button', { name: /^Edit Title/ }).click();
      const input = page.getByRole('textbox', { name: 'Title' });
      await input.fill(title);
      await context.setOffline(true);
      await input.press('Enter');
      await page.getByText('It is saved when the portal can be reached again.').waitFor();
    };
    await edit('New title');
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'New title' }).waitFor();
    await expect.poll(async () => (await client.posts.get({ postId })).title).toBe('New title');
    await page.getByRole('button', { name: /^Edit Title/ }).waitFor();
    await edit('Mine');
    const { occToken } = await client.posts.readForEdit({ postId });
    await client.posts.update(postId, { version: occToken!, title: 'Theirs' });
    await context.setOffline(false);
    await page.getByText('Title was changed meanwhile').first().waitFor();
    expect((await client.posts.get({ postId })).title).toBe('Theirs');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
  });
});

describe('the end of the session', () => {
  test('says why, keeps what is typed, goes on after the sign-in, and removes the copies', async () => {
    const postId = await write('A long text');
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'Write a comment …' }).click();
    const box = page.getByRole('form', { name: 'Write a comment …' });
    await box.locator('.ql-editor').fill('Half a sen');
    await untilKept(`["post",${postId}]`);
    await context.clearCookies();
    await page.getByRole('button', { name: /^Like/ }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended.' });
    await dialog.getByText('it was not used for a long time').waitFor();
    await page.keyboard.type('tence');
    expect(await dialog.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('');
    await expect.poll(() => page.evaluate<string[]>(KEPT)).toEqual([]);
    await mustBeAccessible(page);
    // Escape does not close it.
    await page.keyboard.press('Escape');
    await dialog.getByLabel('User name or e-mail').fill('bo');
    await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await box.locator('.ql-editor').innerText()).toContain('Half a sen');
    await box.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.locator('.comment').getByText('Half a sen').waitFor();
  });

  test('in another tab is said in this one, and a sign-out removes the copies', async () => {
    const other = await context.newPage();
    await other.goto(`${origin}/portal/`);
    await other.locator('#content').waitFor();
    await untilKept('["me"]');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page
      .getByRole('dialog', { name: 'Your session has ended.' })
      .getByText('You signed out in another tab')
      .waitFor();
    await expect.poll(() => page.evaluate<string[]>(KEPT)).toEqual([]);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
