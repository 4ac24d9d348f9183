/** Content that stays in place, ways back, and undo. */
import type { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { deliverNotifications, notifyOfDueTasks } from '../../server/src/modules/notifications/index.ts';
import { makeServiceDesk, PICTURE, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let origin: string;
let communityId: number;
let fields: ServiceDesk['fields'];
let people: ServiceDesk['people'];
let write: ServiceDesk['write'];
let client: PorticoClient;
/** The page of Ada. */
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'steady');
  origin = web.origin;
  ({ communityId, fields, people, client, write } = await makeServiceDesk(web));
  ({ page } = await web.open('ada', { viewport: { width: 1280, height: 800 } }));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const mention = () => ({ insert: { mention: { id: people.get('ada')!, denotationChar: '@', value: 'Ada Rossi' } } });
const deliver = () => deliverNotifications(web.portal.services.databases.for(web.tenant.tenant.id), Date.now());

describe('Home', () => {
  test('says the words of a mention in a text, which is no view of the post', async () => {
    const description = JSON.stringify([mention(), { insert: ' which seal fits?\n' }]);
    const postId = await write('A seal', { description, descriptionFormat: 1 });
    const views = async () =>
      (await client.posts.list({ communityId, postId, fields: 'viewsCount' })).items?.[0]?.viewsCount;
    const before = await views();
    await deliver();
    await page.goto(`${origin}/portal/`);
    await page.getByText('which seal fits?').first().waitFor();
    await mustBeAccessible(page);
    expect(await views()).toBe(before);
  });

  test('names a task that is due, and says that it is overdue by now', async () => {
    const postId = await write('A pump');
    await client.tasks.create({
      postId,
      title: 'Oil the pump',
      assigneeUserId: people.get('ada')!,
      expiration: { datetime: '2020-01-02T12:00:00', timezone: 'UTC' },
    });
    await web.portal.services.databases
      .for(web.tenant.tenant.id)
      .query(`UPDATE tasks SET created_at = '2020-01-01' WHERE tenant_id = $1`, [web.tenant.tenant.id]);
    // The notification is from the day before and is read today.
    await notifyOfDueTasks(web.portal.services.databases.for(web.tenant.tenant.id), Date.parse('2020-01-02T09:00:00Z'));
    await page.goto(`${origin}/portal/`);
    const news = page.locator('section', { has: page.getByRole('heading', { name: 'Notifications' }) });
    const row = news.getByRole('listitem').filter({ hasText: 'Your task is overdue' });
    await row.getByRole('link', { name: 'Oil the pump' }).waitFor();
    expect(await news.getByText('due soon').count()).toBe(0);
    // A phone, too, shows the time and the community.
    await page.setViewportSize({ width: 390, height: 844 });
    await row.getByText('Service desk').waitFor();
    const cut = await page.evaluate<number>(
      "Math.max(...[...document.querySelectorAll('.list-row-details:has(.late)')].map((line) => Math.max(line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight)))",
    );
    expect(cut).toBeLessThanOrEqual(0);
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('keeps what was finished in its place, with Undo, until it is opened again, and tells one number', async () => {
    await page.goto(`${origin}/portal/`);
    const waiting = page.locator('section', { has: page.getByRole('heading', { name: 'Waiting for me' }) });
    const rows = waiting.locator('li');
    await rows.nth(1).waitFor();
    const count = await rows.count();
    const last = (await rows.last().boundingBox())!;
    await rows.first().getByRole('button').last().click();
    await waiting.getByText(String(count - 1), { exact: true }).waitFor();
    expect(await rows.last().boundingBox()).toEqual(last);
    expect(await rows.count()).toBe(count);
    await page.mouse.move(5, 5);
    await mustBeAccessible(page);
    expect(await rows.last().boundingBox()).toEqual(last);
    await rows
      .first()
      .getByRole('button', { name: /^Undo: / })
      .click();
    await waiting.getByText(String(count), { exact: true }).waitFor();
    expect(await rows.last().boundingBox()).toEqual(last);
    await page.mouse.move(5, 5);
    await rows.first().getByRole('link').focus();
    await page.keyboard.press('e');
    await rows
      .first()
      .getByRole('button', { name: /^Undo: / })
      .waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('link', { name: /^Home/ }).click();
    await expect.poll(() => rows.count()).toBe(count - 1);
    const badge = (await page.getByRole('link', { name: /^Home/ }).innerText()).replace(/\D+/, '');
    await page
      .getByText(new RegExp(`^${Number.parseInt(badge, 10)} unread`))
      .last()
      .waitFor();
  });
});

describe('notifications', () => {
  test('are marked as read all at once, and Undo makes those unread that were', async () => {
    await page.goto(`${origin}/portal/`);
    const count = page.getByText(/^\d+ unread notifications?$/).last();
    const before = await count.textContent();
    expect(before).toMatch(/^\d/);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('All notifications are marked as read.').waitFor();
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
    expect(await count.textContent()).toBe(before);
  });
});

describe('a community', () => {
  test('has its news marked as seen, and Undo makes them new again', async () => {
    await page.goto(`${origin}/portal/community/${communityId}`);
    const mark = page.getByRole('button', { name: /\d new.*Mark all posts as seen/ });
    const before = await mark.innerText();
    await mark.click();
    await page.getByText('All posts are marked as seen.').waitFor();
    await mark.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await mark.waitFor();
    expect(await mark.innerText()).toBe(before);
  });

  test('has its layouts in one place', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 900, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(`${origin}/portal/community/${communityId}`);
      const layouts = page.getByRole('group', { name: 'Layout' });
      await page.getByRole('combobox', { name: 'Order' }).waitFor();
      const place = (await layouts.boundingBox())!;
      await layouts.getByRole('radio', { name: 'Board' }).click({ force: true });
      await page.getByRole('combobox', { name: 'Order' }).waitFor({ state: 'hidden' });
      expect(await layouts.boundingBox()).toEqual(place);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('shows the order whole on a phone', async () => {
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await page.goto(`${origin}/portal/community/${communityId}`);
      await page.getByRole('combobox', { name: 'Order' }).waitFor();
      const cut = await page.evaluate<number>(`(() => {
        const select = document.querySelector('.table-controls select');
        const alone = select.cloneNode(false);
        alone.append(select.selectedOptions[0].cloneNode(true));
        alone.style.cssText = 'inline-size: max-content; max-inline-size: none; position: absolute';
        document.body.append(alone);
        const needed = alone.getBoundingClientRect().width;
        alone.remove();
        return needed - select.getBoundingClientRect().width;
      })()`);
      expect(cut).toBeLessThanOrEqual(0);
      await mustBeAccessible(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('shows what can be done with selected posts beside or above an open one, which an action closes', async () => {
    const ids = [await write('Beside one'), await write('Beside two')];
    for (const width of [1280, 1000]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${origin}/portal/community/${communityId}?text=beside&order=title&peek=${ids[0]}`);
      const open = page.locator('.peek');
      await open.getByRole('heading', { name: 'Beside one' }).waitFor();
      await page
        .locator('main')
        .getByRole('link', { name: /Beside one/ })
        .focus();
      await page.keyboard.press('x');
      const bar = page.getByRole('region', { name: 'Selected posts' });
      const [barBox, openBox] = [(await bar.boundingBox())!, (await open.boundingBox())!];
      if (width === 1280) expect(barBox.x + barBox.width).toBeLessThanOrEqual(openBox.x);
      await mustBeAccessible(page);
      await bar.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText('1 refused').waitFor();
      await open.waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await bar.getByText('1 selected').waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('opens the page of a link from its cell, and shows the link in the post', async () => {
    const url = `${origin}/portal/people`;
    const field = fields.get('Page')!;
    const severity = fields.get('Severity')!;
    const postId = await write('Linked');
    const { occToken, contentData } = await client.posts.readForEdit({ postId, loadAttachments: false });
    expect(contentData?.customData?.[severity]).toBeDefined();
    await client.posts.update(postId, { version: occToken!, customData: { [field]: url } });
    const columns = JSON.stringify([`field-${field}`]);
    await page.goto(`${origin}/portal/community/${communityId}?text=linked&columns=${columns}`);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('main').getByText(url).click()]);
    expect(opened.url()).toBe(url);
    expect(await opened.evaluate('window.opener')).toBeNull();
    await opened.close();
    await page.goto(`${origin}/portal/post/${postId}`);
    const link = page.getByRole('link', { name: url });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(url);
    expect(await link.getAttribute('rel')).toContain('noopener');
  });

  test('asks for nothing of a post that was just deleted, and its deleted posts lead back', async () => {
    const { page: bo } = await web.open('bo', { viewport: { width: 1280, height: 800 } });
    const postId = await write('In vain');
    const missing: string[] = [];
    bo.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await bo.goto(`${origin}/portal/post/${postId}`);
    await bo.getByText('No comments yet.').waitFor();
    await bo.getByRole('button', { name: 'Actions' }).click();
    await bo.getByRole('menuitem', { name: 'Delete' }).click();
    await bo.getByText('“In vain” was deleted.').waitFor();
    // The event of the deletion reaches this page, too.
    await bo.waitForTimeout(1_500);
    expect(missing).toEqual([]);
    await bo.getByRole('button', { name: 'Undo', exact: true }).click();
    await bo.getByRole('heading', { name: 'In vain' }).waitFor();
    await bo.getByText('No comments yet.').waitFor();

    await bo.goto(`${origin}/portal/deleted?community=${communityId}`);
    await mustBeAccessible(bo);
    await bo.getByRole('main').getByRole('link', { name: 'Service desk' }).click();
    await bo.getByRole('heading', { name: /^Service desk/ }).waitFor();
    await bo.goto(`${origin}/portal/deleted`);
    await bo.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await bo.getByRole('heading', { name: /^Bo/ }).waitFor();
  });
});

describe('a new post', () => {
  test('has pictures that are chosen in its text, other files beside it, and says which keys create it', async () => {
    await page.goto(`${origin}/portal/community/${communityId}`);
    await page.getByRole('button', { name: 'New post' }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Chosen');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Attach files' }).first().click(),
    ]);
    await chooser.setFiles([
      { name: 'lift.png', mimeType: 'image/png', buffer: PICTURE },
      { name: 'lift.txt', mimeType: 'text/plain', buffer: Buffer.from('lift') },
    ]);
    await dialog.getByRole('button', { name: 'Remove lift.txt' }).waitFor();
    await dialog.locator('.ql-editor img').waitFor();
    expect(await dialog.locator('.ql-editor img').count()).toBe(1);
    await dialog.getByText('Ctrl ↵').waitFor();
    await mustBeAccessible(page);
  });
});
