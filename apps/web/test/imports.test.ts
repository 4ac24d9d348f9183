/** A manager imports the export of another program in a real browser, and takes it back. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { runImports } from '../../server/src/jobs/run-imports.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { mustFitPhone } from './administration.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let communityId: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'imports');
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  communityId = await createCommunity(system, { workspaceId, name: 'Tickets' });
  await setCommunityRole(system, communityId, [await web.createPerson('ada', 'Ada', 'Rossi')], 1);
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const JIRA = [
  'Summary,Issue key,Issue Type,Status,Priority,Reporter,Created,Labels,Labels,Votes,Comment',
  'Lamp is dark,OPS-1,Bug,To Do,High,anna.kern,28/Jun/16 9:27 AM,a,b,3,29/Jun/16 9:27 AM;bo.li;Seen',
  'Pump is loud,OPS-2,Story,Done,Low,bo.li,29/Jun/16 1:27 PM,c,,1,',
  'Pump again,OPS-2,Story,Done,Low,bo.li,29/Jun/16 1:27 PM,c,,x,',
].join('\n');

/** Lets the worker go over the imports of the tenant. */
const work = () => runImports(web.portal.services, web.tenant.tenant, { aborted: false } as AbortSignal);
const posts = async (): Promise<string[]> => {
  const path = `${API}/communication/posts/data/list/community/${communityId}`;
  const { body } = await web.tenant.request(await userId(), 'POST', path, { pageSize: 50 });
  return body.items.map(({ title }: { title: string }) => title).sort();
};
const userId = async () => {
  const { body } = await web.tenant.request(web.admin, 'POST', `${API}/admin/data/users`, { fullTextFilter: 'Rossi' });
  return body.items[0].id as number;
};

test('imports an export of Jira: columns, first rows, a check of all rows, the report and the undo', async () => {
  await page.goto(`${web.origin}/portal/community/${communityId}/imports`);
  await page.getByRole('heading', { level: 1, name: 'Import into Tickets' }).waitFor();
  await page.getByText('Nothing was imported in the last 30 days.').waitFor();
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'jira.csv', mimeType: 'text/csv', buffer: Buffer.from(JIRA) });
  await page.getByText('Recognised: an export of Jira.').waitFor();
  const target = page.getByLabel('Destination of Votes');
  expect(await target.inputValue()).toBe('none');
  await target.selectOption('newField');
  await page.getByRole('region', { name: 'The first rows as they will be' }).first().getByText('Votes').waitFor();
  await mustBeAccessible(page);
  await mustFitPhone(page);

  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByText('Checking all rows …').first().waitFor();
  await work();
  await page.getByText('Checked 3 rows: 2 can be imported, 1 cannot. Nothing is imported yet.').waitFor();
  await page.getByRole('row', { name: /^4 .*OPS-2/ }).waitFor();
  await mustBeAccessible(page);
  expect(await posts()).toEqual([]);

  await page.getByRole('button', { name: 'Import the other rows' }).click();
  await page.getByText('Importing …').first().waitFor();
  await work();
  await page.getByText('Created posts').waitFor();
  expect(await posts()).toEqual(['Lamp is dark', 'Pump is loud']);
  await mustFitPhone(page);

  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undoing the import …').first().waitFor();
  await work();
  await page.getByText('Deleted posts').waitFor();
  expect(await posts()).toEqual([]);
  await page.getByRole('row', { name: /jira\.csv · Undo/ }).waitFor();
  // The list marks the import, which offers no second undo.
  await page
    .getByRole('row', { name: /jira\.csv.*Done · Undone/ })
    .getByRole('button')
    .click();
  await page.getByText('Done · Undone').first().waitFor();
  await page.getByText('Created posts').waitFor();
  expect(await page.getByRole('button', { name: 'Undo the import' }).count()).toBe(0);
});

test('imports an export of Jira with all fields, and takes it back', async () => {
  await page.goto(`${web.origin}/portal/community/${communityId}/imports`);
  await page.getByLabel('Choose a file').setInputFiles(fileURLToPath(new URL('jira-export.csv', import.meta.url)));
  await page.getByText('Recognised: an export of Jira.').waitFor();
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByText('Checking all rows …').first().waitFor();
  await work();
  await page.getByText('Checked 3 rows: 3 can be imported, 0 cannot. Nothing is imported yet.').waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Importing …').first().waitFor();
  await work();
  await page.getByText('Created posts').waitFor();
  expect(await posts()).toEqual(['Freezer alarm at night', 'Order new gloves', 'Scale is off']);
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
  await page.getByText('Undoing the import …').first().waitFor();
  await work();
  await page.getByText('Deleted posts').waitFor();
  expect(await posts()).toEqual([]);
});

test('shows every row that has a problem, and gives all as a file', async () => {
  const rows = Array.from({ length: 130 }, (_, n) => `=1+${n},OPS-9,Bug,To Do,High,bo.li,28/Jun/16 9:27 AM,a,b,1,`);
  const file = [JIRA.split('\n')[0], 'First,OPS-9,Bug,To Do,High,bo.li,28/Jun/16 9:27 AM,a,b,1,', ...rows].join('\n');
  await page.goto(`${web.origin}/portal/community/${communityId}/imports`);
  await page
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'twice.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  await page.getByText('Recognised: an export of Jira.').waitFor();
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByText('Checking all rows …').first().waitFor();
  await work();
  const checked = page.getByText(/^Checked \d+ rows/);
  await checked.waitFor();
  expect(await checked.textContent()).toContain('Checked 131 rows: 1 can be imported, 130 cannot.');
  const problems = page.getByRole('region', { name: 'Rows and values with problems' }).getByRole('row');
  expect(await problems.count()).toBe(101);
  await page.getByRole('button', { name: 'Show more problems' }).click();
  await expect.poll(() => problems.count()).toBe(131);
  await mustBeAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all problems as CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(131);
  expect(lines[0]).toContain('Line,Column,Value,Reason,Outcome');
});
