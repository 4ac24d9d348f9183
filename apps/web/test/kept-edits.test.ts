/**
 * Unsaved input is kept when people leave, lose the connection or are signed out, and while others
 * write.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let desk: ServiceDesk;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'kept');
  desk = await makeServiceDesk(web);
  ({ context, page } = await web.open('bo'));
});

afterAll(() => web?.close());

afterEach(() => {
  // Browsers log failed connections and error statuses.
  const found = web.complaints.splice(0).filter((line) => !/ERR_|status of 409/.test(line));
  expect(found).toEqual([]);
});

/** Returns the keys of the edits that the browser keeps. */
const KEPT_KEYS = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('portico-drafts');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const keys = opening.result.transaction('drafts').objectStore('drafts').getAllKeys();
    keys.onsuccess = () => resolve(keys.result);
  };
})`;
const read = (postId: number) => desk.client.posts.get({ postId });
const open = async (postId: number) => {
  await page.goto(`${web.origin}/portal/post/${postId}`);
  await page.getByRole('button', { name: 'Edit Title' }).waitFor();
};
const input = (name: string) => page.getByRole('textbox', { name, exact: true });

test('an edit that was left by the way back is offered again, and saved or discarded', async () => {
  const postId = await desk.write('Left behind');
  await open(postId);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Edit Title' }).click();
  await input('Title').fill('Left behind, then found');
  await page.goForward();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect((await read(postId)).title).toBe('Left behind');
  await page.goBack();
  await page.getByText('You have changes that were not saved.').waitFor();
  await mustBeAccessible(page);
  await page.getByRole('button', { name: 'Continue editing Title' }).click();
  expect(await input('Title').inputValue()).toBe('Left behind, then found');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Left behind, then found' }).waitFor();
  await expect.poll(async () => (await read(postId)).title).toBe('Left behind, then found');
  await page.reload();
  await page.getByRole('button', { name: 'Edit Title' }).waitFor();
  expect(await page.getByText('You have changes that were not saved.').count()).toBe(0);
});

test('an edit whose write lost its response is not offered when the page is loaded again', async () => {
  const postId = await desk.write('Answered to nobody');
  await open(postId);
  await page.getByRole('button', { name: 'Edit Title' }).click();
  await input('Title').fill('Written, unanswered');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/patch-post/${postId}**`, async (route) => {
    await route.fetch();
    await released;
    await route.abort();
  });
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await read(postId)).title).toBe('Written, unanswered');
  await page.reload();
  release();
  await page.getByRole('heading', { name: 'Written, unanswered' }).waitFor();
  await expect
    .poll(() => page.evaluate<string[]>(KEPT_KEYS))
    .not.toContainEqual(expect.stringContaining(`/${postId}/`));
  expect(await page.getByText('You have changes that were not saved.').count()).toBe(0);
  await page.unroute(`**/patch-post/${postId}**`);
});

test('an edit that Escape ended comes back by Undo', async () => {
  await open(await desk.write('Escaped'));
  await page.getByRole('button', { name: 'Edit Title' }).click();
  await input('Title').fill('Written for an hour');
  await page.keyboard.press('Escape');
  await page.getByText('The changes of Title were discarded.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await input('Title').inputValue()).toBe('Written for an hour');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Written for an hour' }).waitFor();
});

test('a comment that was cancelled comes back by Undo', async () => {
  await open(await desk.write('Commented'));
  await page.getByRole('button', { name: 'Write a comment …' }).click();
  await input('Write a comment …').pressSequentially('A long comment');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('The comment was discarded.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await input('Write a comment …').getByText('A long comment').waitFor();
});

test('an edit that found no connection stays in its input, which says so, and is saved when there is one', async () => {
  const postId = await desk.write('Cut off');
  await open(postId);
  await page.getByRole('button', { name: 'Edit Title' }).click();
  await input('Title').fill('Cut off, but kept');
  await context.setOffline(true);
  await page.keyboard.press('Enter');
  await page.getByText('The portal cannot be reached. Check your connection.').waitFor();
  expect(await input('Title').inputValue()).toBe('Cut off, but kept');
  await context.setOffline(false);
  await expect.poll(async () => (await read(postId)).title).toBe('Cut off, but kept');
  await page.getByRole('heading', { name: 'Cut off, but kept' }).waitFor();
});

test('who is signed out while writing is told so, and goes on after signing in', async () => {
  const postId = await desk.write('Signed out');
  await open(postId);
  await page.getByRole('button', { name: 'Edit Title' }).click();
  await input('Title').fill('Signed out, but kept');
  await context.clearCookies();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your session has ended.' }).waitFor();
  expect(await input('Title').inputValue()).toBe('Signed out, but kept');
  await page.reload();
  await page.getByLabel('User name or e-mail').fill('bo');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Continue editing Title' }).click();
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await read(postId)).title).toBe('Signed out, but kept');
});

test('a task that somebody else changed meanwhile is not overwritten', async () => {
  const postId = await desk.write('With a task');
  const expiration = { datetime: '2030-01-02T12:00:00', timezone: 'UTC' };
  const assigneeUserId = desk.people.get('bo')!;
  const { taskId } = await desk.client.tasks.create({ postId, title: 'Measure', assigneeUserId, expiration });
  await open(postId);
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await input('Task title').fill('Measure twice');
  const { occToken, subTasks = [] } = await desk.client.tasks.get({ taskId: taskId! });
  const theirs = { title: 'Weigh', assigneeUserId, expiration, subTasks };
  await desk.client.tasks.replace({ taskId: taskId!, occToken: occToken!, ...theirs });
  await page.getByRole('button', { name: 'Weigh', exact: true }).waitFor();
  await page.getByRole('form', { name: 'Measure' }).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert', { name: 'Measure was changed meanwhile' }).waitFor();
  expect((await desk.client.tasks.get({ taskId: taskId! })).title).toBe('Weigh');
  await page.getByRole('button', { name: 'Keep yours' }).click();
  await expect.poll(async () => (await desk.client.tasks.get({ taskId: taskId! })).title).toBe('Measure twice');
});

test('keys alone lead into what opens and back to what opened it', async () => {
  const focused = () =>
    page.evaluate<string>("document.activeElement.innerText || document.activeElement.ariaLabel || ''");
  await open(await desk.write('By keys'));
  await page.getByRole('button', { name: 'New task' }).press('Enter');
  await page.getByRole('textbox', { name: 'Task title' }).press('Escape');
  await expect.poll(focused).toContain('New task');
  // Passing by opens nothing.
  await page.getByRole('button', { name: 'Write a comment …' }).focus();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Write a comment …' }).press('Enter');
  await input('Write a comment …').pressSequentially('Written by keys');
  await page.keyboard.press('Control+Enter');
  await page.locator('article.comment').getByText('Written by keys').waitFor();
  await expect.poll(focused).toContain('Write a comment');
  await page.getByRole('button', { name: 'Reply' }).press('Enter');
  await page.getByRole('textbox', { name: 'Reply to' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.isContentEditable')).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(focused).toContain('Reply');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  await page.goto(`${web.origin}/portal/community/${desk.communityId}`);
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter');
  await page.keyboard.type('autho');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toContain('Author');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toContain('Filter');
});

test('a task that is being written is there when the page is loaded again', async () => {
  await open(await desk.write('With a new task'));
  await page.getByRole('button', { name: 'New task' }).click();
  await input('Task title').fill('Order a pump');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New task' }).click();
  await expect.poll(() => input('Task title').inputValue()).toBe('Order a pump');
  await page.reload();
  await page.getByRole('button', { name: 'New task' }).click();
  await expect.poll(() => input('Task title').inputValue()).toBe('Order a pump');
  await page.getByRole('form', { name: 'New task' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'New task' }).click();
  expect(await input('Task title').inputValue()).toBe('');
});

test('two tabs write a post each', async () => {
  const other = await context.newPage();
  for (const [tab, title] of [
    [page, 'From the first tab'],
    [other, 'From the second tab'],
  ] as const) {
    await tab.goto(`${web.origin}/portal/community/${desk.communityId}`);
    await tab.getByRole('button', { name: 'New post' }).click();
    const written = tab.getByRole('textbox', { name: 'Title' });
    await written.waitFor();
    expect(await written.inputValue()).toBe('');
    await written.fill(title);
    await tab.getByRole('combobox', { name: 'Severity' }).click();
    await tab.getByRole('option', { name: 'High' }).click();
    await tab.getByText('Saved in this browser').waitFor();
  }
  for (const [tab, title] of [
    [page, 'From the first tab'],
    [other, 'From the second tab'],
  ] as const) {
    await tab.getByRole('button', { name: 'Create', exact: true }).click();
    await tab.getByRole('heading', { name: title }).waitFor();
  }
  await other.close();
});

test('a long post is printed whole, without what can only be pressed', async () => {
  const text = Array.from({ length: 120 }, (_, line) => `Line ${line}`).join('\n');
  await open(await desk.write('On paper', { description: JSON.stringify([{ insert: `${text}\n` }]) }));
  await page.emulateMedia({ media: 'print' });
  const hidden = await page.evaluate<number>(
    "(() => { const main = document.querySelector('main'); return main.scrollHeight - main.clientHeight; })()",
  );
  expect(hidden).toBe(0);
  expect(await page.getByRole('button', { name: 'Write a comment …' }).isVisible()).toBe(false);
  expect(await page.getByText('Line 119').isVisible()).toBe(true);
  await page.emulateMedia({ media: null });
});

test('a comment that was changed in another tab meanwhile is not overwritten', async () => {
  const postId = await desk.write('Edited twice');
  const comment = (text: string) => JSON.stringify([{ insert: `${text}\n` }]);
  const made = await desk.client.comments.create({ postId, comment: comment('First'), attachments: [] });
  const commentId = made.comment!.id!;
  await open(postId);
  const box = page.locator('article.comment');
  const form = page.waitForResponse((response) => response.url().includes(`/${commentId}`));
  await box.getByRole('button', { name: 'Edit' }).click();
  await form;
  await input('Edit Comment').pressSequentially('Mine');
  const { occToken } = await desk.client.comments.readForEdit({ commentId });
  await desk.client.comments.replace({ commentId, comment: comment('Theirs'), occToken: occToken! });
  await page.keyboard.press('Control+Enter');
  const conflict = page.getByRole('alert', { name: 'Comment was changed meanwhile' });
  await conflict.getByText('Theirs').first().waitFor();
  await conflict.getByRole('button', { name: 'Edit before saving' }).click();
  await input('Edit Comment').getByText('Mine').waitFor();
});
