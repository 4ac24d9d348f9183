/** An administrator exports a community whole and imports an archive in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { smallArchive } from '../../server/test/support/community-archive.ts';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'archives');
  await appoint(web, await web.createPerson('ada', 'Ada', 'Rossi'));
  ({ page } = await web.open('ada'));
});
afterAll(() => web?.close());
afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const shot = (name: string) =>
  process.env['SCREENSHOTS'] ? page.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}.png` }) : undefined;

test('an archive is shown before it becomes a community, which can be downloaded again', async () => {
  await page.goto(`${web.origin}/portal/admin/communities`);
  await page.getByRole('button', { name: 'Import an archive …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import an archive …' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'elsewhere.zip',
    mimeType: 'application/zip',
    buffer: await smallArchive('elsewhere'),
  });
  await dialog.getByRole('button', { name: 'Show the content' }).click();
  await dialog.getByText(/^Exported by Elsewhere/).waitFor();
  await dialog.getByText('Ada Rossi').waitFor();
  await mustBeAccessible(page);
  await shot('archive');
  await mustFitPhone(page);
  await shot('archive-again');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await page.waitForURL(/\/community\/\d+\/imports/);
  const communityId = /\/community\/(\d+)\//.exec(page.url())![1];
  await page.goto(`${web.origin}/portal/admin/community/${communityId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  const download = page.waitForEvent('download');
  await page.getByText('Export everything …').click();
  expect((await download).suggestedFilename()).toMatch(/^community-\d+.*\.zip$/);
  expect(await (await download).failure()).toBeNull();
});

test('a file that is no archive is refused in place', async () => {
  await page.goto(`${web.origin}/portal/admin/communities`);
  await page.getByRole('button', { name: 'Import an archive …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import an archive …' });
  const file = { name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Show the content' }).click();
  await dialog.getByText(/no ZIP archive|is not/).waitFor();
  await shot('archive-refused');
});
