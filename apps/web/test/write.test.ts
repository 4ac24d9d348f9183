/**
 * Writing in a real browser: posts with every type of field, edits in place, conflicts, files,
 * comments, tasks, steps.
 */
import { FieldType, type PorticoClient } from '@portico/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { addField } from '../../server/src/modules/communities/define-fields.ts';
import { createCommunity, setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { FIELDS, HOSTILE, makeServiceDesk, PICTURE, type ServiceDesk } from './service-desk.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let origin: string;
/** The browsers of Ada, and of Bo, who writes the edited posts. */
let context: BrowserContext;
let page: Page;
let other: Page;
let client: PorticoClient;
let fields: ServiceDesk['fields'];
let people: ServiceDesk['people'];
let write: ServiceDesk['write'];

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'writing');
  origin = web.origin;
  ({ fields, people, client, write } = await makeServiceDesk(web));
  ({ context, page } = await web.open('ada', { timezoneId: 'Europe/Rome' }));
  ({ page: other } = await web.open('bo'));
});

afterAll(() => web?.close());

afterEach(() => {
  // An interrupted upload is a failed connection; a conflict is an error status. Browsers log both.
  const found = web.complaints.splice(0).filter((line) => !/ERR_FAILED|status of 409/.test(line));
  expect(found).toEqual([]);
});

const idOf = (shown: Page): number => Number(/post\/(\d+)/.exec(shown.url())![1]);
const read = (postId: number) => client.posts.get({ postId });
const editor = (name: string) => page.getByRole('textbox', { name });
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
};

describe('a new post', () => {
  test('is begun by a key, stays when the tab is closed, and says at its fields what is missing', async () => {
    await page.getByRole('button', { name: 'New post' }).waitFor();
    await page.keyboard.press('c');
    await editor('Title').fill('Pump leaks');
    await page.keyboard.press('Enter');
    await editor('Text').pressSequentially('Ask @bo');
    // A name is text, whatever it contains.
    await page.getByRole('option', { name: HOSTILE }).waitFor();
    await page.keyboard.press('Enter');
    await editor('Text').pressSequentially('about #urg');
    await page.getByRole('option', { name: '#urgent' }).waitFor();
    await page.keyboard.press('Enter');
    await mustBeAccessible(page);
    await page.getByText('Saved in this browser').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.close();
    page = await context.newPage();
    await page.goto(`${origin}/portal/`);
    await page.getByRole('button', { name: 'New post' }).click();
    await editor('Text').getByText(`@Bo ${HOSTILE}`).waitFor();
    expect(await editor('Title').inputValue()).toBe('Pump leaks');
    await page.keyboard.press('Control+Enter');
    await page.getByText('This field is required.').waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Severity' }).evaluate((input) => input.matches(':focus')))
      .toBe(true);
  });

  test('takes a value of each type, a picture, and becomes a post', async () => {
    await choose('Severity', 'High');
    for (const { label } of FIELDS.slice(1)) {
      await page.getByRole('button', { name: 'Add field' }).click();
      await page.getByRole('dialog', { name: 'Add field' }).getByRole('button', { name: label, exact: true }).click();
      const input = page.getByLabel(label, { exact: true }).last();
      if (label === 'Count') await input.fill('12');
      else if (label === 'Serial') await input.fill('9007199254740993');
      else if (label === 'Price') {
        await input.fill('12,5');
        await page.getByText('= 12.50', { exact: true }).waitFor();
      } else if (label === 'Day') await input.fill('2026-12-31');
      else if (label === 'Moment') {
        await input.fill('2026-12-31');
        await page.getByLabel('Time', { exact: true }).last().fill('10:00');
      } else if (label === 'Line') await input.fill(HOSTILE);
      else if (label === 'Lines') await input.fill('one\ntwo');
      else if (label === 'Page') await input.fill('https://example.org/');
      else if (label === 'Causes') {
        await page.getByRole('option', { name: 'Water' }).click();
        await page.getByRole('option', { name: 'Fire' }).click();
        await page.keyboard.press('Escape');
      } else if (label === 'Urgent') await page.getByRole('radio', { name: 'Yes' }).check();
      else if (label === 'Rating') await page.getByRole('radio', { name: '4 of 5' }).check();
      else if (label === 'Notes') await editor('Notes').pressSequentially('a note');
      else if (label === 'Helpers') {
        await page.getByRole('option', { name: 'Ada Rossi' }).click();
        await page.keyboard.press('Escape');
      }
    }
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByRole('dialog', { name: 'Add field' }).getByRole('button', { name: 'Room' }).click();
    await page.getByRole('option', { name: 'Cellar' }).waitFor();
    expect(await page.getByRole('option', { name: 'Attic' }).count()).toBe(0);
    await page.getByRole('option', { name: 'Cellar' }).click();
    await page
      .locator('.panel input[type=file]')
      .setInputFiles({ name: 'pump.png', mimeType: 'image/png', buffer: PICTURE });
    await page.getByRole('button', { name: 'Remove pump.png' }).waitFor();
    await mustBeAccessible(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Pump leaks' }).waitFor();
    const post = await read(idOf(page));
    const value = (label: string) => post.customData![String(fields.get(label))];
    expect(FIELDS.slice(1, 7).map(({ label }) => value(label))).toEqual([
      12,
      '9007199254740993',
      12.5,
      Date.UTC(2026, 11, 31),
      Date.UTC(2026, 11, 31, 9),
      HOSTILE,
    ]);
    expect([value('Lines'), value('Urgent'), value('Rating'), value('Page')]).toEqual([
      'one\ntwo',
      true,
      4,
      'https://example.org/',
    ]);
    expect(value('Causes')).toHaveLength(2);
    expect(value('Helpers')).toMatchObject([{ id: people.get('ada') }]);
    expect(JSON.parse(value('Notes') as string)).toEqual([{ insert: 'a note\n' }]);
    expect(value('Room')).toBeDefined();
    expect(post.mentions?.map(({ id }) => id)).toEqual([people.get('bo')]);
    expect(post.hashtags?.map(({ name }) => name)).toEqual(['urgent']);
    expect(post.attachmentsCount).toBe(1);
    // A saved post leaves no draft.
    await page.getByRole('button', { name: 'New post' }).click();
    expect(await editor('Title').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  test('shows a picture where it is pasted into the text, and attaches one that is dropped beside it', async () => {
    await page.getByRole('button', { name: 'New post' }).click();
    await editor('Title').fill('With a picture');
    await editor('Text').pressSequentially('Before after');
    for (let letter = 0; letter < 'after'.length; letter++) await page.keyboard.press('ArrowLeft');
    const give = (target: string, event: string) =>
      page.evaluate(
        `{
          const bytes = Uint8Array.from(atob(${JSON.stringify(PICTURE.toString('base64'))}), (char) => char.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], 'lift.png', { type: 'image/png' }));
          document.querySelector('${target}').dispatchEvent(${event});
        }`,
      );
    const how = 'bubbles: true, cancelable: true';
    await give('.panel .ql-editor', `new ClipboardEvent('paste', { clipboardData: data, ${how} })`);
    await editor('Text').locator('img[alt="lift.png"]').waitFor();
    await give('.panel .title-input', `new DragEvent('drop', { dataTransfer: data, ${how} })`);
    await page.getByRole('button', { name: 'Remove lift.png' }).waitFor();
    await page.getByRole('button', { name: 'Remove lift-2.png' }).waitFor();
    await page.getByText('Fields marked with * are required.').waitFor();
    await mustBeAccessible(page);
    await choose('Severity', 'Low');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'With a picture' }).waitFor();
    const picture = page.locator('article .text img[alt="lift.png"]');
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1);
    const post = await read(idOf(page));
    expect(JSON.parse(post.descriptionDelta!)).toEqual([
      { insert: 'Before ' },
      { insert: { image: 'attachments/lift.png' } },
      { insert: 'after\n' },
    ]);
    expect(post.attachmentsCount).toBe(2);
    // The same holds for a text edited in place.
    await page.getByRole('button', { name: 'Edit Text' }).click();
    await editor('Text').locator('img[alt="lift.png"]').waitFor();
    await give('article .ql-editor', `new ClipboardEvent('paste', { clipboardData: data, ${how} })`);
    await editor('Text').locator('img[alt="lift-3.png"]').waitFor();
    await page.getByRole('button', { name: 'lift-3.png', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('article .text img[alt="lift-3.png"]').waitFor();
    expect((await read(idOf(page))).attachmentsCount).toBe(3);
  });

  test('sends a file again whose upload was cut', async () => {
    await page.getByRole('button', { name: 'New post' }).click();
    // The client library repeats a write twice.
    await page.route('**/storage/**', (route) => route.abort(), { times: 3 });
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') };
    await page.locator('.panel input[type=file]').setInputFiles(file);
    await page.getByText('The upload failed.').waitFor();
    await editor('Title').fill('With a file');
    await choose('Severity', 'Low');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Wait until all files are uploaded').waitFor();
    await page.getByRole('button', { name: 'Upload notes.txt again' }).click();
    await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor();
    await page.getByText('5 byte').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'With a file' }).waitFor();
    await page.getByRole('link', { name: 'notes.txt' }).waitFor();
  });
});

describe('a post', () => {
  test('has nothing to edit it with for people who may not', async () => {
    await page.goto(`${origin}/portal/post/${await write('Lift')}`);
    await page.getByRole('heading', { name: 'Lift' }).waitFor();
    await page.getByRole('button', { name: 'Write a comment' }).waitFor();
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  });

  test('merges edits of different fields, and asks where both changed the same', async () => {
    const postId = await write('Door', { description: JSON.stringify([{ insert: 'It squeaks\n' }]) });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Edit Title' }).click();
    await other.getByRole('textbox', { name: 'Title' }).fill('Door of the hall');
    // Another browser of the author.
    await client.posts.update(postId, { version: 1, customData: { [fields.get('Count')!]: 3 } });
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: 'Door of the hall' }).waitFor();
    await expect.poll(async () => (await read(postId)).title).toBe('Door of the hall');
    expect((await read(postId)).customData![String(fields.get('Count'))]).toBe(3);

    await other.getByRole('button', { name: 'Edit Count' }).click();
    await other.getByRole('textbox', { name: 'Count' }).fill('7');
    const { occToken } = await client.posts.readForEdit({ postId });
    await client.posts.update(postId, { version: occToken!, customData: { [fields.get('Count')!]: 5 } });
    await other.keyboard.press('Enter');
    const conflict = other.getByRole('alert', { name: 'Count was changed meanwhile' });
    await conflict.waitFor();
    expect(await conflict.locator('dd').allInnerTexts()).toEqual(['3', '7', '5']);
    await mustBeAccessible(other);
    await conflict.getByRole('button', { name: 'Keep yours' }).click();
    await expect.poll(async () => (await read(postId)).customData![String(fields.get('Count'))]).toBe(7);

    // Rich text is saved when the focus leaves it, and keeps its formats.
    await other.getByRole('button', { name: 'Edit Text' }).click();
    await other.getByRole('textbox', { name: 'Text' }).press('Control+Home');
    await other.keyboard.type('Listen: ');
    await other.getByRole('heading', { name: 'Door of the hall' }).click();
    await expect.poll(async () => (await read(postId)).descriptionPlainText?.trim()).toBe('Listen: It squeaks');
  });

  test('shows a text that the editor cannot keep whole, and does not let it be edited', async () => {
    const delta = [{ insert: 'red', attributes: { color: 'red' } }, { insert: '\n' }];
    const postId = await write('Colours', { description: JSON.stringify(delta) });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Edit Text' }).click();
    await other.getByText('This text has formatting that cannot be edited here.').waitFor();
    expect(await other.locator('.ql-editor').count()).toBe(0);
    await other.keyboard.press('Escape');
    expect(JSON.parse((await read(postId)).descriptionDelta!)).toEqual(delta);
  });

  test('opens hostile texts in the editor as texts, and gives them back as they were', async () => {
    const delta = [
      { insert: '<script>document.title="hacked"</script>\n<img src=x onerror=alert(1)> ' },
      { insert: { mention: { id: people.get('ada')!, value: HOSTILE } } },
      { insert: { image: 'https://evil.example/pixel.png' } },
      { insert: { hashtag: { value: HOSTILE } } },
      { insert: '\n' },
      { insert: { divider: true } },
      { insert: 'const a = 1;' },
      { insert: '\n', attributes: { 'code-block': true } },
    ];
    const postId = await write('Attack', { description: JSON.stringify(delta) });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Edit Text' }).click();
    const text = other.getByRole('textbox', { name: 'Text' });
    await text.getByText('<script>document.title="hacked"</script>').waitFor();
    expect(await text.locator('script, img, iframe').count()).toBe(0);
    await text.press('Control+End');
    await other.keyboard.type('!');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(async () => (await read(postId)).descriptionPlainText).toContain('const a = 1;!');
    const saved = JSON.parse((await read(postId)).descriptionDelta!) as { insert: unknown }[];
    expect(saved.map(({ insert }) => insert).filter((insert) => typeof insert === 'object')).toEqual(
      delta.map(({ insert }) => insert).filter((insert) => typeof insert === 'object'),
    );
    expect(await other.title()).toBe(`Attack · ${web.tenant.tenant.displayName}`);
  });

  test('gets files where it stands, and is published when its time comes or at once', async () => {
    const postId = await write('Later', { draft: true });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByText('Only you see this draft.').waitFor();
    await other
      .locator('article > section input[type=file]')
      .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') });
    await other.getByRole('link', { name: 'plan.txt' }).waitFor();
    await other.getByRole('button', { name: 'Remove plan.txt' }).click();
    await other.getByRole('link', { name: 'plan.txt' }).waitFor({ state: 'detached' });
    // The server removed the file, so that closing the page loses nothing, and brings it back.
    await expect.poll(async () => (await client.attachments.list({ postId })).items).toEqual([]);
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByRole('link', { name: 'plan.txt' }).waitFor();
    expect((await client.attachments.list({ postId })).items).toMatchObject([{ name: 'plan.txt' }]);
    await other.getByRole('button', { name: 'Schedule …' }).click();
    await other.getByLabel('Publish on').fill('2036-01-15');
    await other.getByRole('button', { name: 'Schedule', exact: true }).click();
    await other.getByText(/Will be published on 15 Jan 2036/).waitFor();
    await mustBeAccessible(other);
    await other.getByRole('button', { name: 'Publish now' }).click();
    await other.getByText('Published.').waitFor();
    expect((await read(postId)).draft).toBe(false);
  });

  test('is commented, answered and liked; a comment is edited and deleted', async () => {
    const postId = await write('Roof');
    await page.goto(`${origin}/portal/post/${postId}`);
    await page.getByRole('button', { name: 'Write a comment' }).click();
    await editor('Write a comment').pressSequentially('I see it');
    await page.keyboard.press('Control+Enter');
    const comment = page.getByRole('article').filter({ hasText: 'I see it' }).last();
    await comment.getByRole('button', { name: 'Reply' }).click();
    await editor('Reply to Ada Rossi').pressSequentially('So do I');
    await page.keyboard.press('Control+Enter');
    await page.locator('.comment[data-answer]').getByText('So do I').waitFor();
    await comment.getByRole('button', { name: 'Edit' }).click();
    await editor('Edit Comment').press('Control+End');
    await page.keyboard.type(', too');
    await page.keyboard.press('Control+Enter');
    await page.getByText('I see it, too').waitFor();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Like', exact: true }).first().click();
    await page.getByRole('button', { name: 'Like, 1 like' }).first().waitFor();
    await expect.poll(async () => (await read(postId)).likesCount).toBe(1);
    await page.getByRole('radio', { name: 'All', exact: true }).check();
    await page.getByText('created the post').waitFor();
    await page.locator('.comment[data-answer]').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This comment was deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator('.comment[data-answer]').getByText('So do I').waitFor();
  });

  test('has tasks, which are made, closed, edited and deleted', async () => {
    await page.getByRole('button', { name: 'New task' }).click();
    const form = page.getByRole('form', { name: 'New task' });
    await form.getByRole('textbox', { name: 'Task title' }).fill('Order tiles');
    await form.getByRole('button', { name: 'Add task' }).click();
    await form.getByText('This field is required.').first().waitFor();
    await form.getByRole('combobox', { name: 'Person' }).fill('ada');
    await page.getByRole('option', { name: 'Ada Rossi' }).click();
    await form.getByLabel('Due').fill('2027-01-15');
    await form.getByRole('button', { name: 'Add task' }).click();
    await page.getByRole('button', { name: 'State of Order tiles: To do' }).click();
    await page.getByRole('menuitem', { name: 'Closed' }).click();
    await page.getByRole('button', { name: 'State of Order tiles: Closed' }).waitFor();
    await page.getByRole('button', { name: 'Order tiles', exact: true }).click();
    const edit = page.getByRole('form', { name: 'Order tiles' });
    await edit.getByRole('textbox', { name: 'Task title' }).fill('Order slates');
    await mustBeAccessible(page);
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Order slates', exact: true }).click();
    await page.getByRole('form', { name: 'Order slates' }).getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('button', { name: 'Order slates', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('button', { name: 'Order slates', exact: true }).waitFor();
  });

  test('is brought into its next state, by a screen where the step has one', async () => {
    const postId = await write('Window');
    await other.goto(`${origin}/portal/post/${postId}`);
    const steps = other.getByRole('group', { name: 'Steps' });
    await steps.getByRole('button', { name: 'Mend' }).waitFor();
    // Two steps have a button; the third is in the menu.
    expect(await steps.getByRole('button').count()).toBe(3);
    await steps.getByRole('button', { name: 'Mend' }).click();
    const screen = other.getByRole('dialog', { name: 'Mend' });
    // The screen shows the field to decide about.
    await screen.getByRole('region', { name: 'Window' }).getByText('High').waitFor();
    await screen.getByRole('button', { name: 'Mend' }).click();
    await screen.getByText('This field is required.').waitFor();
    await mustBeAccessible(other);
    await screen.getByRole('textbox', { name: 'Reason' }).fill('New pane');
    await screen.getByRole('button', { name: 'Mend' }).click();
    await other.getByText('Moved to Mended.').waitFor();
    expect((await read(postId)).currentWorkflowState?.name).toBe('Mended');
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByText('Moved to Reported.').waitFor();
    // Deletes the post and restores it.
    await other.getByRole('button', { name: 'Actions' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await other.getByText('“Window” was deleted.').waitFor();
    await expect(read(postId)).rejects.toThrow(/404/);
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByRole('heading', { name: 'Window' }).waitFor();
    expect((await read(postId)).title).toBe('Window');
  });

  test('has versions, which are compared, brought back, and taken back again', async () => {
    const postId = await write('First title');
    const { occToken } = await client.posts.readForEdit({ postId });
    await client.posts.update(postId, { version: occToken!, title: 'Second title' });
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Actions' }).click();
    await other.getByRole('menuitem', { name: 'Versions' }).click();
    await other.getByText('Changes if you restore this version').waitFor();
    await mustBeAccessible(other);
    await other.getByRole('button', { name: 'Restore this version' }).click();
    await other.getByRole('heading', { name: 'First title' }).waitFor();
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByRole('heading', { name: 'Second title' }).waitFor();
  });

  test('moves to another community after what it would lose was asked, and comes back whole', async () => {
    const { tenant } = web;
    const system = await tenant.scope(tenant.systemUserId);
    const [{ workspaceId = 0 } = {}] = (await client.communities.list()).communities ?? [];
    const archive = await createCommunity(system, { workspaceId, name: 'Archive', descriptionEnabled: 1 });
    await setCommunityRole(system, archive, [people.get('bo')!], 2);
    const kept = await addField(system, { communityId: archive }, { type: FieldType.INT, label: 'Kept count' });
    const postId = await write('Wanderer');
    const { occToken } = await client.posts.readForEdit({ postId });
    await client.posts.update(postId, { version: occToken!, customData: { [fields.get('Count')!]: 7 } });
    const before = await read(postId);
    await other.goto(`${origin}/portal/post/${postId}`);
    await other.getByRole('button', { name: 'Actions' }).click();
    await other.getByRole('menuitem', { name: 'Move to community …' }).click();
    const dialog = other.getByRole('dialog', { name: 'Move to community …' });
    await dialog.getByRole('combobox', { name: 'Community' }).click();
    await other.getByRole('option', { name: 'Archive' }).click();
    await dialog.getByLabel('Severity').waitFor();
    await dialog.getByLabel('Count').selectOption('Move to “Kept count”');
    await mustBeAccessible(other);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await other.getByText('“Wanderer” was moved to Archive.').waitFor();
    expect(await read(postId)).toMatchObject({ communityId: archive, customData: { [kept.id]: 7 } });
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await other.getByText('The post was moved back.').waitFor();
    const after = await read(postId);
    for (const part of ['communityId', 'customId', 'customData', 'currentWorkflowState'] as const)
      expect(after[part]).toEqual(before[part]);
  });

  test('offers a reader nothing to change it with, and the server refuses anyway', async () => {
    const postId = await write('Read only');
    const { context: theirs, page: reader } = await web.open('rea');
    await reader.goto(`${origin}/portal/post/${postId}`);
    await reader.getByRole('heading', { name: 'Read only' }).waitFor();
    await reader.getByText('No comments yet.').waitFor();
    await reader.getByText(/You may not comment/).waitFor();
    await reader.getByRole('button', { name: 'No steps available' }).click();
    await reader.getByText(/You may not run the transition “Plan”/).waitFor();
    await reader.keyboard.press('Escape');
    await reader.getByRole('button', { name: 'Actions' }).click();
    await reader.getByRole('menuitem', { name: 'My permissions' }).click();
    await reader.getByText(/You may not edit the post/).waitFor();
    await mustBeAccessible(reader);
    await reader.keyboard.press('Escape');
    await reader.keyboard.press('c');
    expect(await reader.getByRole('button', { name: /New post|^Edit|New task|Attach|Mend/ }).count()).toBe(0);
    expect(await reader.getByRole('dialog').count()).toBe(0);
    const status = await reader.evaluate(
      async ([address, id]) => {
        const body = JSON.stringify({ occToken: 1, title: 'mine' });
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${address}/manage/patch-post/${id}`, { method: 'POST', headers, body })).status;
      },
      [`${API}/external/v2/communication/posts`, String(postId)] as const,
    );
    expect(status).toBe(403);
    await theirs.close();
  });
});
