/**
 * Tasks of new users in few actions, by names alone; and actions on many posts. An action is a
 * click or a typed text.
 */
import type { PorticoClient } from '@portico/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { deliverNotifications } from '../../server/src/modules/notifications/index.ts';
import { makeServiceDesk, PICTURE, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let origin: string;
let communityId: number;
let fields: ServiceDesk['fields'];
let people: ServiceDesk['people'];
let write: ServiceDesk['write'];
let client: PorticoClient;
/** The browsers of Ada, and of Bo, who writes posts. */
let page: Page;
let other: Page;
let actions = 0;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'actions');
  origin = web.origin;
  ({ communityId, fields, people, client, write } = await makeServiceDesk(web));
  for (const title of ['Lift stuck', 'Lift noisy', 'Door open']) await write(title);
  ({ page } = await web.open('ada', { viewport: { width: 1280, height: 800 } }));
  ({ page: other } = await web.open('bo', { viewport: { width: 1280, height: 800 } }));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const read = (postId: number) => client.posts.get({ postId });

/** A click; counts as one action. */
async function click(what: Locator): Promise<void> {
  actions += 1;
  await what.click();
}

/** Types text at the cursor; counts as one action. */
async function type(words: string): Promise<void> {
  actions += 1;
  await other.keyboard.type(words);
}

/**
 * Starts at Home.
 * @returns functions that find buttons and other elements by name on the page of Bo
 */
async function begin() {
  await other.goto(`${origin}/portal/`);
  await other.getByRole('heading', { name: 'Waiting for me' }).waitFor();
  actions = 0;
  return (role: Parameters<Page['getByRole']>[0], name: string | RegExp) =>
    other.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).last();
}

describe('a new user', () => {
  test('finds a post by a word and a state in 5 actions', async () => {
    const named = await begin();
    await click(named('link', /^Service desk/));
    await click(named('searchbox', 'Search posts'));
    await type('lift');
    await click(other.locator('main').getByRole('button', { name: 'State', exact: true }).first());
    await click(named('checkbox', 'Reported'));
    await other.getByText('2 posts', { exact: true }).waitFor();
    expect(actions).toBeLessThanOrEqual(5);
  });

  test('finds a post by a word from anywhere in 3, with its state', async () => {
    const named = await begin();
    await click(named('button', 'Search'));
    await type('stuck');
    await click(named('option', /Lift stuck.*Reported/));
    await named('heading', 'Lift stuck').waitFor();
    expect(actions).toBeLessThanOrEqual(3);
  });

  test('finds posts by a word and a state from anywhere in 5, is told how many there are, and sends the address', async () => {
    const ids: number[] = [];
    for (let number = 1; number <= 7; number++) ids.push(await write(`Ramp ${number}`));
    const { workflowDefinition } = await client.communities.definition({ communityId });
    await client.posts.transitionMany({
      postIds: ids.slice(0, 2),
      workflowOperationId: workflowDefinition!.transitions!.find(({ name }) => name === 'Plan')!.id!,
    });
    const named = await begin();
    await click(named('button', 'Search'));
    await type('ramp');
    await other.getByRole('group', { name: 'Results: 5 of 7' }).waitFor();
    await mustBeAccessible(other);
    await click(named('option', 'All results (7)'));
    await other.getByRole('status').getByText('7 results').waitFor();
    const planned = other.getByRole('group', { name: 'State' }).getByRole('button', { name: /^Planned/ });
    await click(planned);
    await other.getByRole('status').getByText('2 results').waitFor();
    expect(actions).toBeLessThanOrEqual(5);
    await mustBeAccessible(other);
    await planned.click();
    await other.getByRole('status').getByText('7 results').waitFor();
    await planned.click();
    await other.getByRole('status').getByText('2 results').waitFor();
    await other.reload();
    await other.getByRole('status').getByText('2 results').waitFor();
    // The search of the palette offers the states.
    await begin();
    await click(named('button', 'Search'));
    await type('ramp');
    await click(named('option', 'Planned'));
    await other.getByRole('status').getByText('2 results').waitFor();
    expect(actions).toBeLessThanOrEqual(3);
  });

  test('filters by two fields and saves the view in 8', async () => {
    const named = await begin();
    const main = other.locator('main');
    await click(named('link', /^Service desk/));
    // The list is ordered by a column that is shown.
    await main.getByRole('button', { name: 'Last activity', exact: true }).waitFor();
    const head = main.getByRole('button', { name: 'Post', exact: true });
    const { y } = (await head.boundingBox())!;
    await click(main.getByRole('button', { name: 'State', exact: true }).first());
    await click(named('checkbox', 'Reported'));
    // It stays open for others, and nothing below it moves.
    await named('checkbox', 'Planned').check();
    await main.getByRole('button', { name: 'State: Reported, Planned' }).waitFor();
    await named('button', 'Save view').waitFor();
    await named('checkbox', 'Planned').uncheck();
    expect((await head.boundingBox())!.y).toBe(y);
    await click(main.getByRole('button', { name: 'Severity', exact: true }).first());
    await click(named('checkbox', 'High'));
    await click(named('button', 'Save view'));
    await type('Urgent ones');
    await click(named('button', 'Save'));
    await other
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Urgent ones' })
      .first()
      .waitFor();
    expect(actions).toBeLessThanOrEqual(8);
  });

  test('writes a post with a picture in 10', async () => {
    const named = await begin();
    await click(named('button', 'New post'));
    await other.getByRole('textbox', { name: 'Title' }).waitFor();
    await type('A picture');
    const [chooser] = await Promise.all([
      other.waitForEvent('filechooser'),
      click(other.getByRole('dialog').getByRole('button', { name: 'Attach files' }).first()),
    ]);
    actions += 1;
    await chooser.setFiles({ name: 'lift.png', mimeType: 'image/png', buffer: PICTURE });
    await named('button', 'Remove lift.png').waitFor();
    await click(named('combobox', 'Severity'));
    await click(named('option', 'High'));
    await click(named('button', 'Create'));
    await named('heading', 'A picture').waitFor();
    expect(actions).toBeLessThanOrEqual(10);
  });

  test('decides a step with a screen in 4', async () => {
    await write('To decide');
    const named = await begin();
    // From a list: the post opens beside it, its steps are at its head.
    await other.goto(`${origin}/portal/community/${communityId}?text=decide`);
    await click(other.locator('main').getByRole('link', { name: /To decide/ }));
    await click(named('button', 'Mend'));
    await other.getByRole('textbox', { name: 'Reason' }).waitFor();
    await type('Because');
    await click(other.getByRole('dialog').getByRole('button', { name: 'Mend', exact: true }));
    await other.getByText('Moved to Mended.').waitFor();
    expect(actions).toBeLessThanOrEqual(4);
  });

  test('answers a mention from Home in 3', async () => {
    const mention = { insert: { mention: { id: people.get('bo')!, denotationChar: '@', value: 'Bo' } } };
    const postId = await write('Question');
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'Write a comment' }).waitFor();
    await page.evaluate(
      async ([path, id, delta]) => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify({ comment: delta });
        await fetch(`${path}/create-comment/${id}`, { method: 'POST', headers, body });
      },
      [
        '/portal/api/communication/posts/manage',
        String(postId),
        JSON.stringify([mention, { insert: ' ?\n' }]),
      ] as const,
    );
    await deliverNotifications(web.portal.services.databases.for(web.tenant.tenant.id), Date.now());
    const named = await begin();
    await click(named('button', 'Reply: Question'));
    await other.getByRole('textbox', { name: 'Reply to Ada Rossi' }).waitFor();
    // The quoted comment is above the answer.
    await other.getByRole('blockquote').getByText('?').waitFor();
    await type('Yes');
    await click(named('button', 'Send'));
    await other.getByText('Your reply to Ada Rossi was sent.').waitFor();
    expect(actions).toBeLessThanOrEqual(3);
  });

  test('takes a deletion back in 2', async () => {
    const named = await begin();
    await other.goto(`${origin}/portal/community/${communityId}?text=picture`);
    await other
      .locator('main')
      .getByRole('link', { name: /A picture/ })
      .click();
    await named('button', 'Actions').click();
    await named('menuitem', 'Delete').click();
    await other.getByText('“A picture” was deleted.').waitFor();
    actions = 0;
    await click(named('button', 'Undo'));
    await named('heading', 'A picture').waitFor();
    expect(actions).toBeLessThanOrEqual(2);
  });

  test('restores what was deleted long ago from the list of what can be restored', async () => {
    const postId = await write('Deleted by mistake');
    await client.posts.delete({ postId });
    const named = await begin();
    await other.getByRole('link', { name: /^Bo / }).click();
    await named('link', 'Deleted posts').waitFor();
    await named('link', /^Service desk/).click();
    await other.locator('main').getByRole('button', { name: 'More', exact: true }).click();
    await named('link', 'Deleted posts').click();
    await named('heading', 'Deleted posts of Service desk').waitFor();
    await named('button', 'Restore Deleted by mistake').waitFor();
    await mustBeAccessible(other);
    await named('button', 'Restore Deleted by mistake').click();
    await other.getByText('“Deleted by mistake” was restored.').waitFor();
    await named('button', 'Restore Deleted by mistake').waitFor({ state: 'detached' });
    expect((await read(postId)).title).toBe('Deleted by mistake');
    await named('button', 'Open').click();
    await named('heading', 'Deleted by mistake').waitFor();
  });
});

describe('a post', () => {
  test('is confirmed as read by those who were asked', async () => {
    const postId = await write('Rules of the house');
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Actions' }).click();
    await other.getByRole('menuitem', { name: 'Request acknowledgement …' }).click();
    const dialog = other.locator('dialog[open]');
    await dialog.getByRole('combobox', { name: 'Person' }).fill('ada');
    await other.getByRole('option', { name: 'Ada Rossi' }).click();
    await other.keyboard.press('Escape');
    await mustBeAccessible(other);
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await other.getByText('The request was sent.').waitFor();
    await page.goto(`${origin}/portal/`);
    await page.getByRole('link', { name: 'Rules of the house' }).first().waitFor();
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'I have read it' }).click();
    await page.getByText('Confirmed.').waitFor();
    await page.getByRole('button', { name: 'I have read it' }).waitFor({ state: 'detached' });
    expect((await client.posts.acknowledgements({ postId })).items).toMatchObject([{ acknowledged: true }]);
  });
});

describe('a table', () => {
  test('is edited in its cells, and its columns get the width that one draws', async () => {
    const postId = await write('Cells');
    await other.goto(`${origin}/portal/community/${communityId}?text=cells&columns=["field-${fields.get('Count')}"]`);
    const row = other.locator('main').getByRole('row', { name: /Cells/ });
    await row.locator('[data-cell]').dblclick();
    await other.getByRole('textbox', { name: 'Count' }).fill('41');
    await mustBeAccessible(other);
    await other.keyboard.press('Enter');
    await expect.poll(async () => (await read(postId)).customData![fields.get('Count')!]).toBe(41);
    await other.getByRole('dialog', { name: 'Count' }).waitFor({ state: 'detached' });
    const grip = other.getByRole('separator', { name: 'Width of Count' });
    await grip.press('ArrowRight');
    await other.reload();
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe('156');
  });

  test('is edited by keys alone: arrows choose a cell, which is edited, left, copied and pasted into', async () => {
    const [count, severity] = [fields.get('Count')!, fields.get('Severity')!];
    const [first, second] = [await write('Keys one'), await write('Keys two')];
    const held = async (postId: number, field = count) => (await read(postId)).customData![field];
    const columns = JSON.stringify([`field-${count}`, `field-${severity}`]);
    await other.goto(`${origin}/portal/community/${communityId}?text=keys&order=title&columns=${columns}`);
    await other.getByText('2 posts', { exact: true }).waitFor();
    await other.keyboard.press('j');
    await other.keyboard.press('ArrowRight');
    await other.getByRole('status').getByText('Count:').waitFor();
    const input = other.getByRole('textbox', { name: 'Count' });
    const dialog = other.getByRole('dialog', { name: 'Count' });
    await other.keyboard.press('Enter');
    await input.fill('5');
    await other.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await held(first)).toBeUndefined();
    await other.keyboard.press('Enter');
    await input.fill('6');
    await other.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await other.getByRole('status').getByText('Count: 6').waitFor();
    expect(await held(first)).toBe(6);

    await other.keyboard.press('Control+c');
    await other.keyboard.press('ArrowDown');
    await other.keyboard.press('Control+v');
    await other.getByText('Count of “Keys two” was changed.').waitFor();
    expect(await held(second)).toBe(6);
    // The cell that was edited before has a notice with Undo, too.
    const pasted = other.locator('.notice').filter({ hasText: 'Keys two' });
    await pasted.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => held(second)).toBeUndefined();

    const paste = (text: string) =>
      other.evaluate(
        `{
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', ${JSON.stringify(text)});
          document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        }`,
      );
    await other
      .locator('main')
      .getByRole('link', { name: /Keys two/ })
      .focus();
    await other.keyboard.press('ArrowRight');
    const before = await held(second, severity);
    await paste('low\n');
    await other.getByText('Severity of “Keys two” was changed.').waitFor();
    expect(await held(second, severity)).not.toEqual(before);
    await paste('Middling');
    await other.getByText('Severity was not changed: “Middling” is not a value of Severity.').waitFor();
    await mustBeAccessible(other);
    await other.keyboard.press('?');
    await other.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Edit the cell').waitFor();
    await other.keyboard.press('Escape');
  });
});

describe('many posts', () => {
  const selectAll = async () => {
    await other.goto(`${origin}/portal/community/${communityId}?text=batch`);
    await other.getByText('2 posts', { exact: true }).waitFor();
    await other.getByRole('checkbox', { name: 'Select all loaded posts' }).check();
  };

  test('are changed, moved and deleted at once after a try, and all of it is taken back', async () => {
    const ids = [await write('Batch one'), await write('Batch two')];
    await selectAll();
    const bar = other.getByRole('region', { name: 'Selected posts' });
    await bar.getByRole('button', { name: 'Edit a field' }).click();
    await other.getByRole('dialog', { name: 'Edit a field' }).getByRole('button', { name: 'Count' }).click();
    const dialog = other.locator('dialog[open]');
    await dialog.getByRole('textbox', { name: 'Count' }).fill('8');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('2 accepted').waitFor();
    await mustBeAccessible(other);
    const counts = async () => Promise.all(ids.map(async (id) => (await read(id)).customData![fields.get('Count')!]));
    expect(await counts()).toEqual([undefined, undefined]);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await other.getByText('2 posts changed.').waitFor();
    expect(await counts()).toEqual([8, 8]);
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByText('The change of 2 posts was undone.').waitFor();
    expect(await counts()).toEqual([undefined, undefined]);

    await selectAll();
    await bar.getByRole('button', { name: 'Take a step' }).click();
    await other.getByRole('menuitem', { name: /^Mend / }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('All of them');
    await dialog.getByRole('button', { name: 'Mend', exact: true }).click();
    await other.getByText('2 posts changed.').waitFor();
    expect((await read(ids[1]!)).currentWorkflowState?.name).toBe('Mended');

    await selectAll();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('2 accepted').waitFor();
    await dialog.getByRole('button', { name: 'Delete 2 posts' }).click();
    await other.getByText('2 posts deleted.').waitFor();
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByText('2 posts', { exact: true }).waitFor();
    expect((await read(ids[0]!)).title).toBe('Batch one');
  });

  test('are refused with the reason where one may not', async () => {
    await page.goto(`${origin}/portal/community/${communityId}?text=batch`);
    await page.getByText('2 posts', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/You may not delete the post, because/).waitFor();
    expect(await page.getByRole('button', { name: 'Delete 1 post' }).isDisabled()).toBe(true);
  });

  test('are selected by touch on a phone', async () => {
    const { context, page: phone } = await web.open('ada', {
      ...{ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    });
    await phone.goto(`${origin}/portal/community/${communityId}?text=batch`);
    const first = phone.getByRole('row').first();
    await first.waitFor();
    expect(await first.getByRole('checkbox').isVisible()).toBe(false);
    await phone.locator('main').getByRole('button', { name: 'More', exact: true }).tap();
    await phone.getByRole('button', { name: 'Select posts' }).tap();
    await first.getByRole('checkbox').tap();
    await phone.getByRole('region', { name: 'Selected posts' }).getByText('1 selected').waitFor();
    await mustBeAccessible(phone);
    await context.close();
  });
});

describe('a post', () => {
  test('is edited, commented and followed by keys, which the list of keys names', async () => {
    const postId = await write('By keys', {
      description: JSON.stringify([{ insert: 'Words\n' }]),
      descriptionFormat: 1,
    });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.locator('.post-actions').waitFor();
    for (const [key, selector] of [
      ['t', '.in-place-title textarea'],
      ['e', '.in-place-text [contenteditable]'],
      ['r', '.activity [contenteditable]'],
    ] as const) {
      await other.keyboard.press(key);
      await other.locator(`${selector}:focus`).waitFor();
      await other.keyboard.press('Escape');
      await other.evaluate('document.activeElement.blur()');
    }
    for (const [key, menu] of [
      ['f', '.post-follow'],
      ['a', '.post-actions'],
    ] as const) {
      await other.keyboard.press(key);
      await other.locator(`${menu} + [popover]:popover-open`).waitFor();
      await other.keyboard.press('Escape');
    }
    await other.keyboard.press('s');
    await other.locator('.steps button:focus').waitFor();
    await other.keyboard.press('?');
    await other.getByRole('dialog').getByText('Edit the text').waitFor();
    await other.keyboard.press('Escape');
  });
});
