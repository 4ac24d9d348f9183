/** Building a community in a real browser: fields, workflow, publishing, changes with data, two people at once. */
import { readFile } from 'node:fs/promises';
import { PorticoClient } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { createCommunity, createWorkspace, setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { API, mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let communityId: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'builder');
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  communityId = await createCommunity(system, { workspaceId, name: 'Purchasing' });
  for (const name of ['ada', 'bo']) {
    const id = await web.createPerson(name, name === 'ada' ? 'Ada' : 'Bo', 'Rossi');
    await setCommunityRole(system, communityId, [id], 1);
  }
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

/** Whether a test provoked conflicts, of which the browser may tell late. */
let conflicting = false;
afterEach(() => {
  const complaints = web.complaints.splice(0);
  expect(complaints.filter((complaint) => !(conflicting && complaint.includes('409')))).toEqual([]);
});

const request = async (method: string, path: string, body?: object) => {
  const answer = await web.tenant.request(web.admin, method, `${API}${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const exported = () => request('GET', `/admin/manage/communities/${communityId}/file`);
const saved = (on: Page) => on.getByText(/^Draft saved by Ada/).waitFor();

const list = () => page.getByRole('region', { name: 'Workflow', exact: true });

/** Adds a field by its label and type. */
async function addField(label: string, type: string): Promise<void> {
  await page.getByLabel('Label of the new field').fill(label);
  await page.locator('.builder-add').getByLabel('Type').selectOption({ label: type });
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('heading', { level: 2, name: label }).waitFor();
}

/** Publishes the draft. @param choose makes the choices of the plan */
async function publish(choose: (dialog: ReturnType<Page['getByRole']>) => Promise<void> = async () => undefined) {
  await page.getByRole('button', { name: 'Publish …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the draft' });
  await choose(dialog);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('No changes yet').waitFor();
}

describe('a manager', () => {
  test('finds the builder, and adds fields with values and a condition beside the live form', async () => {
    await page.goto(`${web.origin}/portal/community/${communityId}`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('link', { name: 'Fields and workflow' }).click();
    await page.getByRole('heading', { level: 1, name: 'Build Purchasing' }).waitFor();
    await addField('Kind', 'Choice of one value');
    for (const name of ['Licence', 'Hardware']) {
      await page.getByLabel('New value, or pasted lines').fill(name);
      await page.getByLabel('New value, or pasted lines').press('Enter');
    }
    await addField('Users', 'Whole number');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Comparison').selectOption({ label: 'is one of' });
    await page.getByRole('checkbox', { name: 'Licence' }).check();
    await addField('Note', 'Text, one line');
    await page.getByRole('checkbox', { name: 'Required' }).check();
    const form = page.getByRole('region', { name: 'Live form' });
    await form.getByText('Users: The field “Kind” holds none of “Licence”.').waitFor();
    await form.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Licence' }).click();
    await form.getByRole('textbox', { name: 'Users' }).waitFor();
    await form.getByLabel('As whom?').selectOption({ label: 'A reader' });
    await form.getByText('This person creates no posts here.').waitFor();
    await saved(page);
    await mustBeAccessible(page);
  });

  test('orders fields by keys, and publishes what the plan shows', async () => {
    await page.getByRole('button', { name: /^Note/ }).press('Alt+ArrowUp');
    await page.getByText('Note is now number 2.').waitFor();
    await publish(async (dialog) => {
      await dialog.getByText('New: field').first().waitFor();
      await mustBeAccessible(page);
    });
    await page.getByText('No changes yet').waitFor();
    expect((await exported()).fields).toEqual([
      {
        key: 'kind',
        label: 'Kind',
        type: 'ENUM',
        values: [
          { key: 'licence', label: 'Licence' },
          { key: 'hardware', label: 'Hardware' },
        ],
      },
      { key: 'note', label: 'Note', type: 'STRING', required: true },
      {
        key: 'users',
        label: 'Users',
        type: 'INT',
        conditions: [{ field: 'kind', operator: 'in', values: ['licence'] }],
      },
    ]);
  });

  test('adds three states and two transitions, and sees who may run them', async () => {
    await page.getByRole('radio', { name: 'Workflow' }).click();
    await page.getByRole('button', { name: 'Add a workflow' }).click();
    for (const name of ['Review', 'Done']) {
      await page.getByLabel('Name of the new state').fill(name);
      await page.getByRole('button', { name: 'Add a state' }).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    await page.getByRole('checkbox', { name: 'Work on a post ends in this state' }).check();
    // A state that nothing leads to is a fault, which stands at the state.
    await page.getByRole('region', { name: 'State Done' }).getByText(/Done/).nth(1).waitFor();
    for (const [from, name, to] of [
      ['Open', 'Submit', 'Review'],
      ['Review', 'Approve', 'Done'],
    ] as const) {
      await list()
        .getByRole('button', { name: new RegExp(`^${from}`) })
        .click();
      await page.getByLabel('New transition from here').fill(name);
      await page.getByLabel('Leads to').selectOption({ label: to });
      await page.getByRole('button', { name: 'Add a transition' }).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    await page.getByLabel('Role').selectOption({ label: 'managers' });
    const steps = page.getByRole('region', { name: 'Steps of a person' });
    await steps.getByLabel('As whom?').selectOption({ label: 'A contributor' });
    await steps.getByText('Submit: offered').waitFor();
    await steps.getByText('Approve: not offered').waitFor();
    const picture = page.getByRole('region', { name: 'Picture of the workflow' });
    await picture.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('region', { name: 'State Done' }).waitFor();
    await mustBeAccessible(page);
    await publish();
    expect((await exported()).workflow).toMatchObject({
      states: [{ key: 'open', initial: true }, { key: 'review' }, { key: 'done', terminal: true }],
      transitions: [
        { key: 'submit', from: 'open', to: 'review' },
        { key: 'approve', from: 'review', to: 'done', run: { roles: ['MANAGER'] } },
      ],
    });
  });

  test('removes a state that posts hold, once it says where they go', async () => {
    const client = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'ada', password: PASSWORD } });
    const { workflowDefinition, fieldDefinitions = [] } = await client.communities.definition({ communityId });
    const { id: submit } = workflowDefinition!.transitions!.find(({ name }) => name === 'Submit')!;
    const note = fieldDefinitions.find(({ label }) => label === 'Note')!.id!;
    for (const title of ['Desk', 'Chair']) {
      const { postId } = await client.posts.create({
        communityId,
        title,
        announcement: false,
        customData: { [note]: 'x' },
      });
      await client.workflow.execute({ postId: postId!, workflowOperationId: submit! });
    }
    await list()
      .getByRole('button', { name: /^Review/ })
      .click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await publish(async (dialog) => {
      await dialog.getByText(/: 2$/).waitFor();
      await dialog.getByText('For example: Desk, Chair').waitFor();
      const send = dialog.getByRole('button', { name: 'Publish', exact: true });
      expect(await send.isDisabled()).toBe(true);
      await dialog.getByLabel('What happens').selectOption({ label: 'Move it to …' });
      expect(await send.isDisabled()).toBe(true);
      await dialog.getByLabel('Where to').selectOption({ label: 'Done' });
      await mustBeAccessible(page);
    });
    const { items = [] } = await client.posts.list({ communityId });
    expect(items.map(({ title, currentWorkflowState }) => [title, currentWorkflowState?.name]).toSorted()).toEqual([
      ['Chair', 'Done'],
      ['Desk', 'Done'],
    ]);
  });

  test('keeps what two people change at once, and chooses where both changed the same place', async () => {
    const draft = `/admin/manage/communities/${communityId}/draft`;
    const file = await exported();
    const relabel = (key: string, label: string) =>
      file.fields.map((field: { key: string }) => (field.key === key ? { ...field, label } : field));
    await page.getByRole('radio', { name: 'Fields' }).click();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    // The page learns of the other draft by the refusal of its own.
    await page.route('**/draft', async (route) => {
      if (route.request().method() === 'GET') await gate;
      await route.continue();
    });
    await request('PUT', draft, { file: { ...file, fields: relabel('note', 'Their note') }, occToken: 0 });
    await page.getByRole('button', { name: /^Note/ }).click();
    const refused = page.waitForResponse((response) => response.status() === 409);
    await page.getByLabel('Label', { exact: true }).fill('My note');
    await page.getByRole('combobox', { name: 'Section' }).fill('Remarks');
    await refused;
    open();
    const conflict = page.getByRole('alert', { name: 'You and another person changed the same places.' });
    await conflict.getByText('fields.note.label').waitFor();
    await mustBeAccessible(page);
    await conflict.getByRole('button', { name: 'Take theirs there' }).click();
    await page.getByRole('heading', { level: 2, name: 'Their note' }).waitFor();
    await saved(page);
    expect((await request('GET', draft)).file.fields[1]).toMatchObject({ label: 'Their note', section: 'Remarks' });
    expect(web.complaints).toContainEqual(expect.stringContaining('409'));
    conflicting = true;
    await page.unroute('**/draft');
  });

  test('downloads the draft, uploads it changed, and discards it, also on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await mustBeAccessible(page);
    const more = page.getByRole('button', { name: 'More', exact: true });
    await more.click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download the file' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^version: 1\n/m);
    await page.getByLabel('Upload a file').setInputFiles({
      name: 'purchasing.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(text.replace('Their note', 'Uploaded note')),
    });
    await page.getByRole('button', { name: /^Uploaded note/ }).waitFor();
    await page.getByRole('radio', { name: 'Workflow' }).click();
    await page.getByRole('region', { name: 'Steps of a person' }).waitFor();
    await mustBeAccessible(page);
    await more.click();
    await page.getByRole('menuitem', { name: 'Discard the draft' }).click();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByText('No changes yet').waitFor();
  });
});
