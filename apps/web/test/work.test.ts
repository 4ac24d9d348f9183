/** Everyday work in a real browser: Home, tasks, people, the palette, the profile. */
import { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import {
  createCommunity,
  createWorkflow,
  createWorkspace,
  setCommunityRole,
} from '../../server/src/modules/communities/index.ts';
import { deliverNotifications } from '../../server/src/modules/notifications/index.ts';
import { mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let communityId: number;
let bo: PorticoClient;
let adaId: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'work');
  const { tenant } = web;
  adaId = await web.createPerson('ada', 'Ada', 'Rossi');
  const boId = await web.createPerson('bo', 'Bo', 'Bianchi');
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const workflow = await createWorkflow(system, {
    title: 'Repair',
    states: [
      { name: 'Reported', initial: true },
      { name: 'Mended', terminal: true },
    ],
    transitions: [{ name: 'Mend', from: 'Reported', to: 'Mended' }],
  });
  communityId = await createCommunity(system, {
    workspaceId,
    name: 'Service desk',
    descriptionEnabled: 1,
    workflowId: workflow.id,
  });
  for (const id of [adaId, boId]) await setCommunityRole(system, communityId, [id], 2);
  bo = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'bo', password: PASSWORD } });
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

/** A post of Bo that mentions Ada and has a task for her. */
async function writePost(title: string): Promise<number> {
  const mention = { insert: { mention: { id: adaId, denotationChar: '@', value: 'Ada Rossi' } } };
  const { postId } = await bo.posts.create({
    communityId,
    title,
    announcement: false,
    visibility: 2,
    description: JSON.stringify([{ insert: 'Ask ' }, mention, { insert: '\n' }]),
    descriptionFormat: 1,
  });
  return postId!;
}

describe('Home', () => {
  test('says that there is nothing, and is accessible', async () => {
    await page.getByText('Nothing is waiting for you.').waitFor();
    await mustBeAccessible(page);
  });

  test('lists tasks, which E finishes and Undo opens again', async () => {
    const postId = await writePost('Lift');
    await bo.tasks.create({
      postId,
      title: 'Order a seal',
      assigneeUserId: adaId,
      expiration: { datetime: '2030-01-01T12:00:00', timezone: 'Europe/Rome' },
    });
    await page.reload();
    await page.getByRole('link', { name: 'Order a seal' }).waitFor();
    await mustBeAccessible(page);
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press('j');
      if (
        await page
          .getByRole('link', { name: 'Order a seal' })
          .evaluate((link) => link === link.ownerDocument.activeElement)
      )
        break;
    }
    await page.keyboard.press('e');
    await page.getByText('The task was closed.').waitFor();
    const own = page.getByRole('button', { name: 'Undo: Order a seal' });
    await own.waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await own.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close the task: Order a seal' }).waitFor();
  });

  test('counts notifications, which opening reads', async () => {
    await deliverNotifications(web.portal.services.databases.for(web.tenant.tenant.id), Date.now());
    await page.reload();
    await page.getByText('Bo Bianchi mentioned you').waitFor();
    await page.getByRole('link', { name: /Home.*unread/ }).waitFor();
    const news = page.locator('section', { has: page.getByRole('heading', { name: 'Notifications' }) });
    await news.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor();
    await news.getByRole('link', { name: 'Order a seal' }).first().click();
    await page.getByRole('heading', { name: 'Lift' }).waitFor();
  });

  test('answers a mention in its row, which is then done', async () => {
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('button', { name: 'Reply: Lift' }).click();
    await page.getByRole('textbox', { name: 'Reply to Bo Bianchi' }).pressSequentially('I am on it');
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your reply to Bo Bianchi was sent.').waitFor();
    await page.getByRole('button', { name: 'Reply: Lift' }).waitFor({ state: 'detached' });
  });
});

describe('the tasks', () => {
  test('are closed in the list, and opened again among the closed ones', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByRole('heading', { name: 'Later' }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Close the task Order a seal' }).click();
    await page.getByText('No tasks.').waitFor();
    await page.getByRole('radio', { name: 'Closed' }).check();
    await page.getByRole('button', { name: 'Reopen the task Order a seal' }).click();
    await page.getByText('The task was reopened.').waitFor();
  });

  test('of all communities are narrowed by relation, due date and priority, which the address keeps', async () => {
    const { items } = await bo.posts.list({ communityId, pageSize: 1 });
    const { userData } = await bo.auth.currentUser();
    await bo.tasks.create({
      ...{ postId: items[0]!.id, title: 'Oil the pump', priority: 3, assigneeUserId: userData!.id! },
      expiration: { datetime: '2020-01-02T12:00:00', timezone: 'UTC' },
    });
    const task = (name: string) => page.locator('main').getByRole('link', { name });
    await page.goto(`${web.origin}/portal/tasks`);
    await task('Order a seal').waitFor();
    expect(await task('Oil the pump').count()).toBe(0);
    await page.getByRole('radio', { name: 'All' }).check();
    await task('Oil the pump').waitFor();
    await page.getByRole('combobox', { name: 'Due' }).selectOption({ label: 'Overdue' });
    await task('Order a seal').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Priority' }).selectOption({ label: 'High' });
    await task('Oil the pump').waitFor();
    await page.reload();
    await task('Oil the pump').waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('combobox', { name: 'Priority' }).selectOption({ label: 'Urgent' });
    await page.getByText('No tasks.').waitFor();
  });
});

describe('people', () => {
  test('are found by part of a name, and shown with their posts', async () => {
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: /Ada Rossi/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Find people' }).fill('bian');
    await page.getByRole('button', { name: /Ada Rossi/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /Bo Bianchi/ }).click();
    const card = page.getByRole('complementary', { name: 'Bo Bianchi' }).last();
    await mustBeAccessible(page);
    await card.getByRole('link', { name: 'Service desk' }).click();
    await page.getByRole('button', { name: 'Author: Bo Bianchi' }).waitFor();
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('heading', { name: 'Operations' }).waitFor();
    await page.getByText('1 post', { exact: true }).waitFor();
  });
});

describe('the palette', () => {
  test('finds posts by title and pages, by keys alone', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('lif');
    await page.getByRole('option', { name: /Lift/ }).waitFor();
    await mustBeAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lift' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('ask');
    await page.getByRole('option', { name: 'All results (1)' }).click();
    await page.locator('main').getByRole('link', { name: 'Lift' }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('searchbox').blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search').first().waitFor();
    await mustBeAccessible(page);
    await page.keyboard.press('Escape');
  });
});

describe('a list', () => {
  test('is gone through, selected from and looked into by keys', async () => {
    await writePost('Door');
    await page.goto(`${web.origin}/portal/community/${communityId}?order=title`);
    await page.getByText('2 posts', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    expect(await page.getByRole('checkbox', { name: 'Select Door' }).isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await page.getByRole('complementary', { name: 'Door' }).waitFor();
    await mustBeAccessible(page);
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Lift' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  test('follows what others write, without being loaded again', async () => {
    await writePost('Window');
    await web.tenant.settleStream();
    await page.getByRole('link', { name: 'Window' }).waitFor();
  });
});

describe('a view', () => {
  test('saves what a list shows under a name, is a favourite, and opens from the sidebar', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}?order=title`);
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('door');
    await page.getByText('1 post', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Doors');
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Doors', exact: true }).first().waitFor();
    await views.getByRole('button', { name: 'Add to favourites' }).click();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Doors' }).click();
    await page.getByText('1 post', { exact: true }).waitFor();
    await mustBeAccessible(page);
    await views.getByRole('button', { name: 'All posts' }).click();
    await page.getByText('3 posts', { exact: true }).waitFor();
  });
});

describe('a board', () => {
  const column = (name: string) => page.locator('.column', { has: page.getByRole('heading', { name }) });

  test('has a column for each state, to which posts are dragged', async () => {
    await page.getByRole('radio', { name: 'Board' }).check();
    await column('Reported').getByRole('link', { name: 'Door' }).waitFor();
    await mustBeAccessible(page);
    await column('Reported').locator('.board-card', { hasText: 'Door' }).dragTo(column('Mended'));
    await column('Mended').getByRole('link', { name: 'Door' }).waitFor();
  });

  test('moves posts by key, and says why elsewhere they cannot go', async () => {
    await column('Mended').getByRole('link', { name: 'Door' }).press('m');
    const menu = page.getByRole('dialog', { name: 'Move to …' });
    await menu.getByText('There is no step from “Mended” to this state.').waitFor();
    await mustBeAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Move Window' }).click();
    await menu.getByRole('button', { name: /Mended/ }).click();
    await column('Mended').getByRole('link', { name: 'Window' }).waitFor();
  });
});

describe('a calendar', () => {
  test('shows posts by day', async () => {
    await page.getByRole('radio', { name: 'Calendar' }).check();
    await page.locator('[data-today]').getByRole('link', { name: 'Door' }).waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.locator('main').getByRole('link', { name: 'Door' }).waitFor({ state: 'detached' });
  });
});

describe('the profile', () => {
  test('changes language and number, and what one is told of', async () => {
    await page.goto(`${web.origin}/portal/me`);
    await page.getByLabel('Phone number').fill('+39 02 1234');
    await page.getByLabel('Phone number').blur();
    await page.getByText('Saved.').waitFor();
    await mustBeAccessible(page);
    await page.getByLabel('Language').selectOption('it');
    await page.getByRole('link', { name: 'Inizio' }).waitFor();
    await page.getByLabel('Lingua').selectOption('de');
    await page.getByRole('link', { name: 'Start' }).waitFor();
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('link', { name: 'Home' }).waitFor();
    // French has no texts: the texts are in the browser's language, dates and times in the
    // profile's.
    await page.getByLabel('Language').selectOption('fr');
    await page.getByText('The portal is not translated into Français yet').waitFor();
    const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET');
    await page.getByLabel('Time zone').selectOption('Pacific/Honolulu');
    await saved;
    const postId = await writePost('Late');
    const { creationTimestamp } = await bo.posts.get({ postId });
    await page.goto(`${web.origin}/portal/post/${postId}`);
    const format = { timeZone: 'Pacific/Honolulu', dateStyle: 'medium', timeStyle: 'short' } as const;
    await page
      .getByRole('definition')
      .filter({ hasText: new Intl.DateTimeFormat('fr', format).format(creationTimestamp) })
      .first()
      .waitFor();
    await page.goto(`${web.origin}/portal/me`);
    await page.getByLabel('Language').selectOption('en');
    await page.getByRole('link', { name: 'Notifications' }).click();
    const step = page.getByRole('checkbox', {
      name: 'Somebody takes a step in a post that you follow: All communities',
    });
    await step.uncheck();
    await page.getByLabel('Add an exception').selectOption('Service desk');
    await mustBeAccessible(page);
    await page.reload();
    await step.waitFor();
    expect(await step.isChecked()).toBe(false);
  });
});

describe('on a phone, in the dark', () => {
  test('every page fits and is accessible', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [path, text] of [
      ['', 'Waiting for me'],
      ['tasks', 'Order a seal'],
      ['people', 'Bo Bianchi'],
      [`community/${communityId}?layout=board`, 'Door'],
      [`community/${communityId}?layout=calendar`, 'Door'],
      ['me', 'Time zone'],
      ['me/notifications', 'All communities'],
    ]) {
      await page.goto(`${web.origin}/portal/${path}`);
      await page.locator('main').getByText(text!).first().waitFor();
      await mustBeAccessible(page);
    }
  });
});

describe('in a language that is written from the right', () => {
  test('every page is mirrored and fits', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [path, text] of [
      ['', 'Waiting for me'],
      [`community/${communityId}`, 'Door'],
      [`community/${communityId}?layout=board`, 'Door'],
      ['people', 'Bo Bianchi'],
    ]) {
      await page.goto(`${web.origin}/portal/${path}`);
      await page.locator('main').getByText(text!).first().waitFor();
      const ends = () =>
        page.evaluate<number[]>(
          "['nav', 'main'].map((name) => document.querySelector(name).getBoundingClientRect().left)",
        );
      const [ltrSide, ltrMain] = await ends();
      await page.evaluate("document.documentElement.dir = 'rtl'");
      const [side, main] = await ends();
      expect(ltrSide).toBeLessThan(ltrMain!);
      expect(side).toBeGreaterThan(main!);
      await mustBeAccessible(page);
    }
  });
});

test('a request to another origin is noticed', async () => {
  await page.evaluate("fetch('http://127.0.0.2/planted').catch(() => undefined)");
  await expect.poll(() => web.complaints.length).toBeGreaterThan(0);
  expect(web.complaints.splice(0).join('\n')).toContain('127.0.0.2');
});
