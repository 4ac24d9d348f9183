/** Two people edit the same at the same time: differences are shown, texts are merged, nothing typed is lost. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { createCommunity, createWorkspace, setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { makeServiceDesk, PICTURE, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let desk: ServiceDesk;
/** The browsers of Ada, who manages the community, and of Bo, who writes the posts. */
let ada: Page;
let bo: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'conflicts');
  desk = await makeServiceDesk(web);
  await setCommunityRole(
    await web.tenant.scope(web.tenant.systemUserId),
    desk.communityId,
    [desk.people.get('ada')!],
    1,
  );
  ({ page: ada } = await web.open('ada'));
  ({ page: bo } = await web.open('bo'));
});

afterAll(() => web?.close());

afterEach(() => {
  // Browsers log the status of a conflict.
  const found = web.complaints.splice(0).filter((line) => !/status of 409/.test(line));
  expect(found).toEqual([]);
});

const lines = (...texts: string[]) => JSON.stringify([{ insert: `${texts.join('\n')}\n` }]);
const read = (postId: number) => desk.client.posts.get({ postId });
const textOf = async (postId: number) => (await read(postId)).descriptionPlainText?.trim();
const fieldOf = async (postId: number, name: string) => (await read(postId)).customData![String(desk.fields.get(name))];
const open = async (page: Page, postId: number) => {
  await page.goto(`${web.origin}/portal/post/${postId}`);
  await page.getByRole('button', { name: 'Edit Title' }).waitFor();
};
const input = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
/** Begins to edit a part in both browsers, before either saves. */
const editBoth = async (postId: number, name: string) => {
  for (const page of [ada, bo]) {
    await open(page, postId);
    await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
    await input(page, name).waitFor();
  }
};
const saveText = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

test('changes of different paragraphs of a text are both saved, without a question', async () => {
  const postId = await desk.write('Pump', { description: lines('It leaks.', 'Parts are ordered.', 'Wait.') });
  await editBoth(postId, 'Text');
  await input(ada, 'Text').press('Control+Home');
  await ada.keyboard.type('Since Monday: ');
  await saveText(ada);
  await expect.poll(() => textOf(postId)).toContain('Since Monday');
  await input(bo, 'Text').press('Control+End');
  await bo.keyboard.press('Backspace');
  await bo.keyboard.type(' until Friday');
  await saveText(bo);
  await bo.getByText('Somebody else changed Text, too. Both changes are saved.').waitFor();
  expect(await textOf(postId)).toMatch(/^Since Monday: It leaks\.\nParts are ordered\.\nWait.* until Friday$/);
  await bo.getByText('Since Monday: It leaks.').waitFor();
});

test('changes of one paragraph are shown with their differences, and both together', async () => {
  const postId = await desk.write('Door', { description: lines('It squeaks', 'a', 'b', 'c') });
  await editBoth(postId, 'Text');
  await input(ada, 'Text').press('Control+Home');
  await ada.keyboard.type('Listen: ');
  await saveText(ada);
  await expect.poll(() => textOf(postId)).toContain('Listen');
  await input(bo, 'Text').press('Control+Home');
  await bo.keyboard.press('End');
  await bo.keyboard.type(' loudly');
  await saveText(bo);
  const conflict = bo.getByRole('alert', { name: 'Text was changed meanwhile' });
  await conflict.getByText('Ada Rossi changed it').waitFor();
  const rows = conflict.locator('dd');
  expect(await rows.nth(0).innerText()).toMatch(/^It squeaks\n+a\n+…$/);
  expect(await rows.nth(1).locator('ins').allInnerTexts()).toEqual([' loudly']);
  expect(await rows.nth(2).locator('ins').allInnerTexts()).toEqual(['Listen: ']);
  expect(await rows.nth(3).locator('ins').allInnerTexts()).toEqual(['Listen: ', ' loudly']);
  // Unchanged lines far from the change are left out.
  expect(await rows.nth(3).innerText()).not.toContain('c');
  await mustBeAccessible(bo);
  await bo.setViewportSize({ width: 360, height: 740 });
  await mustBeAccessible(bo);
  await bo.setViewportSize({ width: 1280, height: 720 });
  await conflict.getByRole('button', { name: 'Save both' }).click();
  await expect.poll(() => textOf(postId)).toBe('Listen: It squeaks loudly\na\nb\nc');
  await conflict.waitFor({ state: 'detached' });
});

test('the same words are chosen place by place, and what was not saved comes back by Undo', async () => {
  const postId = await desk.write('Lift is old');
  await editBoth(postId, 'Title');
  await input(ada, 'Title').fill('Lift is broken');
  await ada.keyboard.press('Enter');
  await expect.poll(async () => (await read(postId)).title).toBe('Lift is broken');
  await input(bo, 'Title').fill('The lift is stuck');
  await bo.keyboard.press('Enter');
  const conflict = bo.getByRole('alert', { name: 'Title was changed meanwhile' });
  const place = conflict.getByRole('group', { name: 'Place 1' });
  expect(await place.getByRole('radio', { name: 'Yours: stuck' }).isChecked()).toBe(true);
  await place.getByRole('radio', { name: 'Theirs: broken' }).check();
  await mustBeAccessible(bo);
  await conflict.getByRole('button', { name: 'Save both' }).click();
  await expect.poll(async () => (await read(postId)).title).toBe('The lift is broken');

  await editBoth(postId, 'Title');
  await input(ada, 'Title').fill('The lift is mended');
  await ada.keyboard.press('Enter');
  await expect.poll(async () => (await read(postId)).title).toBe('The lift is mended');
  await input(bo, 'Title').fill('The lift is gone');
  await bo.keyboard.press('Enter');
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  await bo.getByRole('heading', { name: 'The lift is mended' }).waitFor();
  await bo.getByRole('button', { name: 'Undo' }).click();
  expect(await input(bo, 'Title').inputValue()).toBe('The lift is gone');
  await bo.keyboard.press('Enter');
  await expect.poll(async () => (await read(postId)).title).toBe('The lift is gone');
});

test('several choices are merged as a set', async () => {
  const causes = (await desk.client.communities.definition({ communityId: desk.communityId })).fieldDefinitions!.find(
    ({ label }) => label === 'Causes',
  )!;
  const [water, fire] = causes.enumValues!.map(({ id }) => id!);
  const postId = await desk.write('Alarm');
  await open(bo, postId);
  await bo.locator('.post-details-more button').click();
  await bo.getByRole('button', { name: 'Edit Causes' }).click();
  await bo.getByRole('combobox', { name: 'Causes' }).click();
  await bo.getByRole('option', { name: 'Fire' }).click();
  await desk.client.posts.update(postId, { version: 1, customData: { [String(causes.id)]: [water!] } });
  await bo.keyboard.press('Escape');
  await bo.getByRole('heading', { name: 'Alarm' }).click();
  await bo.getByText('Somebody else changed Causes, too. Both changes are saved.').waitFor();
  const ids = ((await fieldOf(postId, 'Causes')) as unknown as { id: number }[]).map((value) =>
    Number(typeof value === 'object' ? value.id : value),
  );
  expect(ids.toSorted()).toEqual([water, fire].map(Number).toSorted());
});

test('a task merges its fields one by one, and asks about those that both changed', async () => {
  const postId = await desk.write('With a task');
  const expiration = { datetime: '2030-01-02T12:00:00', timezone: 'UTC' };
  const [adaId, boId] = [desk.people.get('ada')!, desk.people.get('bo')!];
  const { taskId } = await desk.client.tasks.create({ postId, title: 'Measure', assigneeUserId: boId, expiration });
  const edit = async (change: object) => {
    const { occToken, title, subTasks = [] } = await desk.client.tasks.get({ taskId: taskId! });
    const before = { title: title!, assigneeUserId: boId, expiration, subTasks };
    await desk.client.tasks.replace({ taskId: taskId!, occToken: occToken!, ...before, ...change });
  };
  const stored = () => desk.client.tasks.get({ taskId: taskId! });
  await open(bo, postId);
  await bo.getByRole('button', { name: 'Measure', exact: true }).click();
  await input(bo, 'Task title').fill('Measure twice');
  await edit({ assigneeUserId: adaId, priority: 4 });
  const form = bo.getByRole('form', { name: 'Measure' });
  await form.getByRole('button', { name: 'Save' }).click();
  await bo.getByText('Somebody else changed Measure, too. Both changes are saved.').waitFor();
  expect(await stored()).toMatchObject({ title: 'Measure twice', priority: 4, assigneeUser: { id: adaId } });

  await bo.getByRole('button', { name: 'Measure twice', exact: true }).click();
  await input(bo, 'Task title').fill('Measure thrice');
  await bo.getByRole('combobox', { name: 'Priority' }).selectOption('High');
  await edit({ title: 'Measure often', assigneeUserId: adaId, priority: 1 });
  const again = bo.getByRole('form', { name: 'Measure twice' });
  await again.getByRole('button', { name: 'Save' }).click();
  const conflict = bo.getByRole('alert', { name: 'Measure twice was changed meanwhile' });
  await conflict.getByRole('heading', { name: 'Priority' }).waitFor();
  await mustBeAccessible(bo);
  await conflict.getByRole('group', { name: 'Priority' }).getByRole('radio', { name: 'Theirs' }).check();
  await conflict.getByRole('group', { name: 'Place 1' }).getByRole('radio', { name: 'Theirs: often' }).check();
  await conflict.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await stored()).title).toBe('Measure often');
  expect(await stored()).toMatchObject({ priority: 1, assigneeUser: { id: adaId } });
  await again.waitFor({ state: 'detached' });
});

test('an event keeps the place that one person changed and the time that the other did', async () => {
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Dates' });
  const communityId = await createCommunity(system, { workspaceId, name: 'Dates', eventsEnabled: true });
  await setCommunityRole(system, communityId, [desk.people.get('bo')!], 2);
  const event = { startAt: { localDatetime: '2031-05-02T09:00:00' }, timezone: 'Asia/Tokyo', location: 'Hall' };
  const { contentRef } = await desk.client.files.upload(new File([PICTURE], 'cover.png', { type: 'image/png' }));
  const { postId } = await desk.client.posts.createEvent({
    ...{ communityId, title: 'Fair', announcement: false, event },
    coverImageContentRef: contentRef!,
  });
  const stored = async () => (await desk.client.posts.readEventForEdit({ postId: postId! })).contentData;
  await bo.goto(`${web.origin}/portal/post/${postId}`);
  for (const [place, theirs] of [
    ['Garden', 'Hall'],
    ['Terrace', 'Yard'],
  ] as const) {
    await bo.getByRole('button', { name: 'Edit time and guests' }).click();
    await input(bo, 'Location').fill(place);
    const { occToken } = await desk.client.posts.readEventForEdit({ postId: postId! });
    const moved = { ...event, startAt: { localDatetime: '2031-05-03T10:00:00' }, location: theirs };
    const theirEdit = { postId: postId!, occToken: occToken!, title: 'Great fair', event: moved };
    await desk.client.posts.replaceEvent({ ...theirEdit, coverImageContentRef: contentRef! });
    await bo.getByRole('button', { name: 'Save', exact: true }).click();
    if (theirs === 'Hall') await bo.getByText('Somebody else changed Event, too. Both changes are saved.').waitFor();
    else {
      const conflict = bo.getByRole('alert', { name: 'Event was changed meanwhile' });
      await mustBeAccessible(bo);
      await conflict.getByRole('button', { name: 'Keep yours' }).click();
    }
    await expect.poll(async () => (await stored()).event?.location).toBe(place);
    expect((await stored()).event?.startAt?.localDatetime).toContain('2031-05-03T10:00');
    expect(await stored()).toMatchObject({ title: 'Great fair', coverImageContentRef: contentRef });
    await bo.getByRole('button', { name: 'Edit time and guests' }).waitFor();
  }
});

test('the screen of a step shows what two people wrote in the same field', async () => {
  const postId = await desk.write('Belt');
  const stepOf = async (name: string) =>
    (await desk.client.posts.capabilities({ postId })).workflowPermittedOperations!.find((step) => step.name === name)!
      .id!;
  await open(bo, postId);
  await bo.getByRole('button', { name: 'Mend', exact: true }).click();
  const dialog = bo.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('torn by hand');
  const mend = { postId, workflowOperationId: await stepOf('Mend') };
  const { screen, screenOccToken } = await desk.client.workflow.screen(mend);
  const reason = String(screen!.fieldMetadatas![0]!.id);
  const screenData = { [reason]: 'burnt' };
  await desk.client.workflow.execute({ ...mend, screenOccToken: screenOccToken!, screenData });
  await desk.client.workflow.execute({ postId, workflowOperationId: await stepOf('Reopen') });
  await dialog.getByRole('button', { name: 'Mend', exact: true }).click();
  const conflict = dialog.getByRole('alert', { name: 'Mend was changed meanwhile' });
  await conflict.getByText('burnt').first().waitFor();
  await mustBeAccessible(bo);
  await conflict.getByRole('button', { name: 'Keep yours' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { currentWorkflowState, currentWorkflowScreenData } = await read(postId);
  expect(currentWorkflowState?.name).toBe('Mended');
  expect(currentWorkflowScreenData![reason]).toBe('torn by hand');
});
