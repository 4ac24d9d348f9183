/** The page that describes the interface, in a real browser: samples of operations, and requests by the session of the portal. */
import { operationById } from '@portico/contract';
import { samplesOf } from '@portico/contract/openapi';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { API, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'interface-page');
  await web.createPerson('ida', 'Ida', 'Rossi');
  ({ page } = await web.open('ida'));
});

afterAll(async () => {
  await web?.close();
  // The documents are no operations.
  expect(web.complaints.filter((complaint) => !/GET \/portal\/api\/(?:docs|openapi\.json)/.test(complaint))).toEqual(
    [],
  );
});

/** Opens an operation of the page. */
async function openOperation(id: Parameters<typeof operationById>[0], group: string) {
  await page.goto(`${web.origin}${API}/docs#/${group}/${id}`);
  const operation = page.locator(`#operations-${group}-${id}`);
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

test('shows the samples of an operation with the address of the portal', async () => {
  const operation = await openOperation('createCustomPost', 'posts');
  const sample = samplesOf(operationById('createCustomPost'));
  const shown = operation.locator('.samples pre');
  await expect.poll(() => shown.innerText()).toBe(sample.curl.replace('http://localhost:8080', web.origin));
  await operation.getByRole('button', { name: 'library', exact: true }).click();
  await expect.poll(() => shown.innerText()).toBe(sample.library);
  await operation.getByRole('button', { name: 'command', exact: true }).click();
  await expect.poll(() => shown.innerText()).toBe(sample.command);
  // The kind that was chosen last comes first in the next operation.
  const next = await openOperation('listSessions', 'auth');
  await expect.poll(() => next.locator('.samples pre').innerText()).toContain('npx portico api auth sessions');
});

test('sends requests with the session of the portal', async () => {
  const read = await openOperation('listSessions', 'auth');
  await read.getByRole('button', { name: 'Execute' }).click();
  const answer = read.locator('.live-responses-table .response-col_status').last();
  await expect.poll(() => answer.innerText()).toMatch(/^200/);
});
