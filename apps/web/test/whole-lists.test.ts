/** Whole lists: actions on all of their posts, and groups with counts and sums. */
import type { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

/** More than two portions of an action, and more than two pages of the list. */
const POSTS = 430;

let web: WebTest;
let address: string;
let communityId: number;
let count: number;
let urgent: number;
let fields: ServiceDesk['fields'];
let people: ServiceDesk['people'];
let client: PorticoClient;
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'whole');
  ({ communityId, fields, people, client } = await makeServiceDesk(web));
  count = fields.get('Count')!;
  urgent = fields.get('Urgent')!;
  const { fieldDefinitions } = await client.communities.definition({ communityId });
  const severity = fieldDefinitions!.find(({ label }) => label === 'Severity')!;
  const customData = { [severity.id!]: [severity.enumValues![0]!.id!], [count]: 2 };
  await client.posts.createMany({
    communityId,
    posts: Array.from({ length: POSTS }, (_, index) => ({
      title: `Heap ${String(index).padStart(3, '0')}`,
      announcement: false,
      visibility: 2,
      customData,
    })),
  });
  await client.posts.createMany({ communityId, posts: [{ title: 'Apart', announcement: false, customData }] });
  address = `${web.origin}/portal/community/${communityId}?text=heap&order=title&columns=["field-${count}"]`;
  ({ page } = await web.open('bo', { viewport: { width: 1280, height: 800 } }));
  // Hundreds of writes take long on a busy machine.
  page.setDefaultTimeout(120_000);
});

afterAll(() => web?.close());

afterEach(() => {
  // The network is broken on purpose.
  expect(web.complaints.splice(0).filter((complaint) => !complaint.includes('net::ERR_FAILED'))).toEqual([]);
});

const bar = () => page.getByRole('region', { name: 'Selected posts' });
const dialog = () => page.locator('dialog[open]');
/** Number of posts whose count is the given one. */
const holding = async (value: number) =>
  (
    await client.posts.list({
      communityId,
      postFieldFilters: [{ columnId: count, typeId: 1, parameters: [value] }],
      calculateTotalItemsCount: true,
      pageSize: 1,
    })
  ).totalItemsCount;

/** Selects all posts of the filter, and begins to edit the count. */
async function editAll(value: string): Promise<void> {
  await page.goto(address);
  await page.getByText('The first 100 of 430 posts').waitFor();
  await page.getByRole('checkbox', { name: 'Select all loaded posts' }).check();
  await bar().getByText('100 selected').waitFor();
  await bar().getByRole('button', { name: 'Select all 430 posts of this filter' }).click();
  await bar().getByText('430 selected').waitFor();
  await bar().getByRole('button', { name: 'Edit a field' }).click();
  await page.getByRole('dialog', { name: 'Edit a field' }).getByRole('button', { name: 'Count' }).click();
  await dialog().getByRole('textbox', { name: 'Count' }).fill(value);
}

describe('all posts of a filter', () => {
  test('are selected with their sums, changed after their number is confirmed, and changed back', async () => {
    await editAll('7');
    await bar().getByText('Count: 860 in total').waitFor();
    await mustBeAccessible(page);
    await dialog().getByRole('button', { name: 'Count of 430 posts' }).click();
    await page.getByText('430 posts changed.').waitFor();
    expect([await holding(7), await holding(2)]).toEqual([POSTS, 1]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The change of 430 posts was undone.').waitFor();
    expect(await holding(2)).toBe(POSTS + 1);
  });

  test('are changed in portions between which one stops, and continues', async () => {
    await editAll('8');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/patch-posts*', async (route) => {
      await held;
      await route.continue();
    });
    await dialog().getByRole('button', { name: 'Count of 430 posts' }).click();
    await dialog().getByText('0 of 430 posts done').waitFor();
    await mustBeAccessible(page);
    await dialog().getByRole('button', { name: 'Stop' }).click();
    release();
    await page.getByText('200 of 430 posts were changed.').waitFor();
    await dialog().getByText('200 changed · 230 not tried').waitFor();
    expect(await holding(8)).toBe(200);
    await mustBeAccessible(page);
    await dialog().getByRole('button', { name: 'Continue with 230 posts' }).click();
    await page.getByText('430 posts changed.').waitFor();
    await page.unrouteAll();
    expect(await holding(8)).toBe(POSTS);
  });

  test('are not lost when the network breaks, and none is written twice', async () => {
    await editAll('9');
    let requests = 0;
    await page.route('**/patch-posts*', async (route) => {
      requests += 1;
      if (requests === 1) return route.continue();
      // The answer of a portion that was written is lost.
      if (requests === 2) await route.fetch();
      return route.abort();
    });
    await dialog().getByRole('button', { name: 'Count of 430 posts' }).click();
    await dialog().getByText('200 changed · 230 not tried').waitFor();
    expect(await holding(9)).toBe(400);
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Continue with 230 posts' }).click();
    await page.getByText('430 posts changed.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The change of 430 posts was undone.').waitFor();
    expect(await holding(8)).toBe(POSTS);
  });

  test('that are refused stay selected, and the report says why', async () => {
    const { items } = await client.posts.list({ communityId, containsText: 'Heap 42', pageSize: 10 });
    await editAll('3');
    for (const { id } of items) await client.posts.delete({ postId: id });
    await dialog().getByRole('button', { name: 'Count of 430 posts' }).click();
    await dialog().getByText('420 changed · 10 refused').waitFor();
    await dialog().getByText('Heap 421').waitFor();
    await mustBeAccessible(page);
    expect(await dialog().getByRole('button', { name: 'Count of 430 posts' }).isDisabled()).toBe(true);
    for (const { id } of items) await client.posts.restore({ postId: id });
  });

  test('are forgotten with the filter, and their reading can be stopped', async () => {
    await page.goto(address);
    await page.getByText('The first 100 of 430 posts').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded posts' }).check();
    await page.route('**/data/list/community/*', () => {});
    await bar().getByRole('button', { name: 'Select all 430 posts of this filter' }).click();
    await bar().getByText('0 of 430 read …').waitFor();
    await bar().getByRole('button', { name: 'Stop' }).click();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await bar().getByRole('button', { name: 'Select all 430 posts of this filter' }).click();
    await bar().getByText('430 selected').waitFor();
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('heap 1');
    await bar().waitFor({ state: 'detached' });
  });

  test('are selected on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(address);
    await page.getByText('The first 100 of 430 posts').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bar().getByText('1 selected').waitFor();
    await bar().getByRole('button', { name: 'Select all 430 posts of this filter' }).click();
    await bar().getByText('430 selected').waitFor();
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('are deleted, and the report stays when the list is empty', async () => {
    await page.goto(address);
    await page.getByText('The first 100 of 430 posts').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded posts' }).check();
    await bar().getByRole('button', { name: 'Select all 430 posts of this filter' }).click();
    await bar().getByText('430 selected').waitFor();
    await bar().getByRole('button', { name: 'Delete' }).click();
    const { items } = await client.posts.list({ communityId, containsText: 'Heap 00', pageSize: 10 });
    for (const { id } of items) await client.posts.delete({ postId: id });
    await dialog().getByRole('button', { name: 'Delete 430 posts' }).click();
    await dialog().getByText('420 deleted · 10 refused').waitFor();
    await page.getByText('No posts match').waitFor();
    expect((await client.posts.list({ communityId, containsText: 'Heap', pageSize: 1 })).items).toEqual([]);
  });
});

describe('a table in groups', () => {
  const head = (name: string) => page.getByRole('rowgroup', { name, exact: true });
  const url = (more: string) =>
    `${web.origin}/portal/community/${communityId}?text=pile&columns=["field-${count}"]${more}`;

  test('counts and adds up the whole list, and each group loads its posts', async () => {
    const { fieldDefinitions, workflowDefinition } = await client.communities.definition({ communityId });
    const severity = fieldDefinitions!.find(({ label }) => label === 'Severity')!;
    const [high, low] = severity.enumValues!;
    const made = await client.posts.createMany({
      communityId,
      posts: Array.from({ length: 130 }, (_, index) => ({
        title: `Pile ${String(index).padStart(3, '0')}`,
        announcement: false,
        visibility: 2,
        customData: { [severity.id!]: [index < 120 ? high!.id! : low!.id!], [count]: index < 120 ? 2 : 5 },
      })),
    });
    await client.posts.transitionMany({
      postIds: made.items!.slice(100).map(({ postId }) => postId!),
      workflowOperationId: workflowDefinition!.transitions!.find(({ name }) => name === 'Plan')!.id!,
    });
    await page.goto(url(''));
    await page.getByText('The first 100 of 130 posts').waitFor();
    await page.locator('main').getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('combobox', { name: 'Group by' }).selectOption({ label: 'Severity' });
    await page.keyboard.press('Escape');
    await head('High').getByText('120 posts').waitFor();
    await head('High').getByText('Count: 240').waitFor();
    await head('Low').getByText('Count: 50').waitFor();
    await page.getByText('130 posts').waitFor();
    await page.getByText('Count: 290').waitFor();
    await head('Low')
      .getByRole('link', { name: /Pile 12\d/ })
      .first()
      .waitFor();
    expect(await head('High').getByRole('link').count()).toBe(50);
    await head('High').getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => head('High').getByRole('link').count()).toBe(100);
    await mustBeAccessible(page);
  });

  test('collapses its groups by key, and follows changes', async () => {
    const toggle = head('High').getByRole('button', { name: 'High' });
    await toggle.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => head('High').getByRole('link').count()).toBe(0);
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    const { items } = await client.posts.list({ communityId, containsText: 'Pile 129', pageSize: 1 });
    await client.posts.delete({ postId: items[0]!.id });
    await head('Low').getByText('Count: 45').waitFor();
    await head('Low').getByText('9 posts').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bar().getByText('1 selected').waitFor();
    await page.keyboard.press('Escape');
  });

  test('is saved in a view, and grouped by state, people and yes or no', async () => {
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Piles');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The view was saved.').waitFor();
    await page.goto(`${web.origin}/portal/community/${communityId}`);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Piles' }).first().click();
    await head('Low').getByText('9 posts').waitFor();
    await page.goto(url('&group=state'));
    await head('Planned').getByText('29 posts').waitFor();
    await head('Planned')
      .getByRole('link', { name: /Pile 12\d/ })
      .first()
      .waitFor();
    await page.goto(url('&group=author'));
    await page.locator('main').getByText('129 posts').first().waitFor();
    await page.goto(url(`&group=field-${urgent}`));
    await head('Without Urgent').getByText('129 posts').waitFor();
    await head('Without Urgent')
      .getByRole('link', { name: /Pile 0/ })
      .first()
      .waitFor();
    const { items } = await client.posts.list({ communityId, containsText: 'Pile 00', pageSize: 3 });
    await client.posts.updateMany({
      patch: { customData: { [fields.get('Helpers')!]: [people.get('ada')!, people.get('bo')!] } },
      postIds: items.map(({ id }) => id),
    });
    await page.goto(url(`&group=field-${fields.get('Helpers')}`));
    await head('Ada Rossi').getByText('3 posts').waitFor();
    await head('Ada Rossi').getByText('Count: 6').waitFor();
    await head('Ada Rossi')
      .getByRole('link', { name: /Pile 00/ })
      .first()
      .waitFor();
    await head('Without Helpers').getByText('126 posts').waitFor();
    await page.locator('.table-foot').getByText('129 posts').waitFor();
    // A view keeps it.
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('By helper');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'By helper' }).first().waitFor();
    await page.getByRole('button', { name: 'Remove the groups' }).click();
    await page.getByText('The first 100 of 129 posts').waitFor();
  });

  test('fits on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(url('&group=state'));
    await head('Planned').getByText('29 posts').waitFor();
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(url('&group=state'));
    await head('Planned').getByText('29 posts').waitFor();
  });
});
