/** Failures: of parts of the page, of requests, of actions, of addresses. */
import type { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let origin: string;
let communityId: number;
let people: ServiceDesk['people'];
let write: ServiceDesk['write'];
let client: PorticoClient;
/** The page of Ada. */
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'survival');
  origin = web.origin;
  ({ communityId, people, client, write } = await makeServiceDesk(web));
  ({ page } = await web.open('ada', { viewport: { width: 1280, height: 800 } }));
});

afterAll(() => web?.close());

/** Console messages of browsers and React about the failures that these tests cause. */
const CAUSED =
  /net::ERR_|status of 50|status of 404|dynamically imported|React will try|above error occurred|PartError|reading 'id'/;

afterEach(async () => {
  await page.unrouteAll();
  expect(web.complaints.splice(0).filter((complaint) => !CAUSED.test(complaint))).toEqual([]);
});

const missing = () => page.getByRole('alert').filter({ hasText: 'could not be loaded' });

describe('addresses', () => {
  test('that nobody knows have a page of their own, in the frame', async () => {
    for (const [path, status] of [
      ['nosuch/page', 404],
      ['admin/nosuch', 404],
      ['community/abc', 200],
      ['post/0', 200],
      ['admin/group/x', 200],
    ] as const) {
      const response = await page.goto(`${origin}/portal/${path}`);
      expect(response?.status(), path).toBe(status);
      await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
      // The checks of accessibility take text in the colour of its background for hidden.
      const [color, background] = await page.evaluate<string[]>(
        `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.no-such-page a')))`,
      );
      expect(color).not.toBe(background);
      await page.getByRole('link', { name: /^Home/ }).first().waitFor();
    }
    await mustBeAccessible(page);
  });

  test('that clients compose lead to the person and to the group', async () => {
    await page.goto(`${origin}/portal/admin/user/${people.get('bo')}/`);
    await page.getByRole('complementary', { name: /^Bo/ }).first().waitFor();
    const made = await web.tenant.request(web.admin, 'POST', `${API}/admin/manage/groups`, {
      name: 'Plumbers',
      visible: true,
    });
    expect(made.status, made.text).toBe(200);
    await page.goto(`${origin}/portal/admin/group/${made.body.groupId ?? made.body.id}`);
    // The group has no role in a community of Ada yet, so she is told nothing about it.
    await page.getByText('This does not exist, or you do not have access to it.').waitFor();
    await mustBeAccessible(page);
  });
});

describe('a list', () => {
  test('keeps all rows when 60 of its posts change at once, and reads them by one request', async () => {
    const first = await write('Pump 1000');
    const { items = [] } = await client.posts.list({ communityId, postId: first });
    const posts = Array.from({ length: 129 }, (_, index) => ({
      title: `Pump ${1001 + index}`,
      announcement: false,
      visibility: 2 as const,
      customData: items[0]!.customData!,
    }));
    const made = await client.posts.createMany({ communityId, posts });
    const ids = [first, ...made.items!.map(({ postId }) => postId!)];
    expect(ids).toHaveLength(130);
    await page.goto(`${origin}/portal/community/${communityId}?order=title&desc=false&text=Pump`);
    await page.getByText('The first 100 of 130 posts').first().waitFor();
    await page.locator('.rows').hover();
    await page.mouse.wheel(0, 20_000);
    await page.getByText('130 posts', { exact: true }).first().waitFor();
    await page.mouse.wheel(0, 20_000);
    const asked: number[][] = [];
    page.on('request', (request) => {
      const body = request.url().includes('/data/list/') ? (request.postData() ?? '') : '';
      const { postIds } = (body === '' ? {} : JSON.parse(body)) as { postIds?: number[] };
      if (postIds !== undefined) asked.push(postIds);
    });
    const changed = ids.slice(70);
    await client.posts.updateMany({
      posts: changed.map((postId, index) => ({ postId, patch: { title: `Pump ${1070 + index} mended` } })),
    });
    // A busy page may ask again for some of them, or for posts whose creation is told late.
    await expect.poll(() => changed.filter((id) => !asked.flat().includes(id))).toEqual([]);
    expect(asked.length).toBeLessThan(10);
    await page
      .getByText(/ mended$/)
      .first()
      .waitFor();
    await page.getByText('130 posts', { exact: true }).first().waitFor();
  });
});

describe('a part of the page', () => {
  test('that an upgrade replaced makes the page load again, once', async () => {
    await page.goto(`${origin}/portal/community/${communityId}`);
    await page.getByRole('radio', { name: 'Board' }).waitFor({ state: 'attached' });
    let loads = 0;
    page.on('load', () => loads++);
    await page.route(/\/assets\/board-/, (route) => route.fulfill({ status: 404, body: '' }));
    const loaded = page.waitForEvent('load');
    await page.getByRole('radio', { name: 'Board' }).click({ force: true });
    await loaded;
    await missing().waitFor();
    expect(loads).toBe(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Board' }).waitFor();
  });

  test('that cannot be loaded says so, and opens when it is tried again', async () => {
    // The page loads the part ahead as soon as it is idle.
    await page.route(/\/assets\/new-post-panel-/, (route) => route.abort());
    await page.goto(`${origin}/portal/community/${communityId}`);
    await page
      .getByRole('button', { name: /^New post/ })
      .first()
      .click();
    await missing().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('dialog', { name: 'New post' }).getByRole('combobox').first().waitFor();
    await page.keyboard.press('Escape');
  });

  test('that was asked for without a network opens when the network is back', async () => {
    await page.goto(`${origin}/portal/community/${communityId}`);
    await page
      .getByRole('button', { name: /^New post/ })
      .first()
      .waitFor();
    await page.context().setOffline(true);
    await page.keyboard.press('c');
    await missing().waitFor();
    // The rest of the page is there.
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Service desk');
    await page.context().setOffline(false);
    await page.getByRole('dialog', { name: 'New post' }).getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
  });

  test('that breaks leaves the others as they are', async () => {
    const postId = await write('A broken history');
    await page.route(/\/history/, (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"items":[null]}' }),
    );
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByText('No comments yet.').waitFor();
    await page.getByRole('radio', { name: 'Changes' }).click({ force: true });
    await page.getByRole('alert').filter({ hasText: 'This part of the page failed' }).waitFor();
    await page.getByRole('heading', { name: 'A broken history' }).waitFor();
    await page.getByRole('radio', { name: 'Comments' }).click({ force: true });
    await page.getByText('No comments yet.').waitFor();
  });
});

describe('an action that fails', () => {
  /** Lets requests of an operation fail: the network, or the server. */
  const fail = (path: RegExp, how: 'network' | 'server') =>
    page.route(
      (url) => path.test(url.pathname),
      (route) => {
        if (route.request().method() === 'GET') return route.continue();
        return how === 'network' ? route.abort() : route.fulfill({ status: 500, json: { code: 'INTERNAL' } });
      },
    );
  const notice = (text: RegExp) => page.locator('.notice').filter({ hasText: text });

  /** Runs an action that fails first, repeats it by the button of the notice, and waits for its effect. */
  async function failsThenRepeats(path: RegExp, how: 'network' | 'server', run: () => Promise<void>): Promise<void> {
    await fail(path, how);
    await run();
    const said = notice(how === 'network' ? /cannot be reached/ : /Something went wrong/);
    await said.waitFor();
    await page.unrouteAll();
    await said.getByRole('button', { name: 'Try again' }).click();
    await said.waitFor({ state: 'detached' });
  }

  test('says so and is repeated: in the account', async () => {
    await web.open('ada');
    await page.goto(`${origin}/portal/me/security`);
    const end = page.getByRole('button', { name: 'End session' });
    await end.first().waitFor();
    const before = await end.count();
    await failsThenRepeats(/revoke/, 'server', () => end.first().click());
    await expect.poll(() => end.count()).toBe(before - 1);
    await page.goto(`${origin}/portal/me/notifications`);
    const box = page.getByRole('checkbox').first();
    await box.waitFor();
    await failsThenRepeats(/preferences/, 'network', () => box.click());
    await expect.poll(() => box.isChecked()).toBe(false);
    // Mail of the second kind, and the hour of the digest.
    const mail = page.getByRole('combobox', { name: 'Mail: You are assigned a task: All communities' });
    await failsThenRepeats(/preferences/, 'server', async () => void (await mail.selectOption('atOnce')));
    await expect.poll(() => mail.inputValue()).toBe('atOnce');
    const hour = page.getByLabel('Time of the daily digest');
    await failsThenRepeats(/user-profile\/manage/, 'server', async () => void (await hour.selectOption('18')));
    await expect.poll(() => hour.inputValue()).toBe('18');
    await page.reload();
    await expect.poll(() => mail.inputValue()).toBe('atOnce');
    await expect.poll(() => hour.inputValue()).toBe('18');
    await expect.poll(() => box.isChecked()).toBe(false);
  });

  test('says so and is repeated: in lists and on Home', async () => {
    await write('News');
    await page.goto(`${origin}/portal/community/${communityId}`);
    const star = page.getByRole('button', { name: 'Add to favourites' });
    await failsThenRepeats(/favourite/, 'network', () => star.click());
    await page.getByRole('button', { name: 'Remove from favourites' }).waitFor();
    const seen = page.getByRole('button', { name: /Mark all posts as seen/ });
    await failsThenRepeats(/visit/, 'server', () => seen.click());
    await notice(/marked as seen/).waitFor();
    const postId = await write('To oil');
    await client.tasks.create({
      postId,
      title: 'Oil it',
      assigneeUserId: people.get('ada')!,
      expiration: { datetime: '2030-01-02T12:00:00', timezone: 'UTC' },
    });
    await page.goto(`${origin}/portal/`);
    const row = page.getByRole('listitem').filter({ hasText: 'Oil it' }).first();
    await failsThenRepeats(/state/, 'network', () => row.getByRole('button', { name: /^Close/ }).click());
    await notice(/closed/).waitFor();
    await page.goto(`${origin}/portal/tasks?closed=true`);
    const closed = page.getByRole('button', { name: /Oil it/ });
    await failsThenRepeats(/state/, 'server', () => closed.click());
    await closed.waitFor({ state: 'detached' });
  });

  test('says so and is repeated: on a post', async () => {
    const postId = await write('A tap');
    await client.comments.create({ postId, comment: JSON.stringify([{ insert: 'It drips\n' }]) });
    await page.goto(`${origin}/portal/post/${postId}`);
    const like = page.locator('.post-head').getByRole('button', { name: /^Like/ });
    await failsThenRepeats(/like/, 'network', () => like.click());
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true');
    const likeComment = page.locator('.comment').getByRole('button', { name: /^Like/ });
    await failsThenRepeats(/like/, 'server', () => likeComment.click());
    await expect.poll(() => likeComment.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: /Notifications: mentions/ }).click();
    await failsThenRepeats(/follow/, 'network', () => page.getByRole('menuitem', { name: /^Follow/ }).click());
    await page.getByRole('button', { name: 'Following: all activity' }).waitFor();
  });
});
