/** Figures of a community are saved, shared, changed, and shown in its overview. */

import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { mustFitPhone } from './administration.fixture.ts';
import { makeServiceDesk } from './service-desk.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
/** Of a manager of the community. */
let page: Page;
/** Of a person who reads it. */
let reader: Page;
let address: string;
let communityId: number;
let fields: ReadonlyMap<string, number>;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'figures');
  const desk = await makeServiceDesk(web);
  ({ communityId, fields } = desk);
  await setCommunityRole(await web.tenant.scope(web.tenant.systemUserId), communityId, [desk.people.get('ada')!], 1);
  for (const title of ['Pump', 'Lamp']) await desk.write(title);
  address = `${web.origin}/portal/community/${communityId}`;
  ({ page } = await web.open('ada'));
  ({ page: reader } = await web.open('rea'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

/** Saves the figures that the page shows. */
const save = async (name: string) => {
  await page.getByRole('button', { name: 'Save figures' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save figures' });
  await dialog.getByLabel('Name of the figures').fill(name);
  await dialog.getByLabel('Share with everybody in the community').check();
  await mustBeAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The figures were saved.').first().waitFor();
  await page.getByRole('button', { name, exact: true }).waitFor();
};

test('the overview is empty first; ready figures are saved in it and shared', async () => {
  await page.goto(`${address}/overview`);
  await page.getByText('The overview shows no figures yet.').waitFor();
  await mustBeAccessible(page);
  await page.getByRole('link', { name: 'Choose figures and save them' }).click();
  for (const [ready, name] of [
    ['By state and age', 'Old ones'],
    ['Time in the state', 'Waiting'],
    ['By person', 'Writers'],
    ['Over months', 'Growth'],
  ] as const) {
    await page
      .getByRole('navigation', { name: 'Ready figures' })
      .getByRole('link', { name: ready, exact: true })
      .click();
    await save(name);
  }
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const months = page.getByRole('region', { name: 'Growth' });
  await months.locator('.figure-lines circle').first().waitFor({ state: 'attached' });
  const states = page.getByRole('region', { name: 'Old ones' });
  await states
    .getByText(/^Reported, /)
    .first()
    .waitFor();
  await states.getByText('As a table').click();
  await states.getByRole('row', { name: 'All posts 2' }).waitFor();
  await page.getByRole('region', { name: 'Waiting' }).getByText('Mean: Time in the state').first().waitFor();
  await mustBeAccessible(page);
  await mustFitPhone(page);
});

test('readers see shared figures, and the list of posts leads to them', async () => {
  await reader.goto(address);
  await reader.getByRole('link', { name: 'Overview' }).click();
  await reader.getByRole('heading', { name: 'Overview of Service desk' }).waitFor();
  expect(await reader.getByRole('region').getByRole('heading', { level: 2 }).allTextContents()).toEqual([
    'Growth',
    'Old ones',
    'Waiting',
    'Writers',
  ]);
  await reader.getByRole('link', { name: 'Writers' }).click();
  await reader.getByRole('table', { name: 'Number of posts' }).waitFor();
  await reader.getByRole('button', { name: 'Add to favourites' }).first().click();
  await reader.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Writers' }).waitFor();
  expect(await reader.getByRole('button', { name: 'Change Writers' }).count()).toBe(0);
});

test('saved figures are changed, renamed, taken out of the overview and deleted', async () => {
  await page.goto(`${address}/overview`);
  await page.getByRole('link', { name: 'Writers' }).click();
  await page.getByRole('radio', { name: 'Numbers' }).check({ force: true });
  await page.getByLabel('Group by').selectOption({ label: 'nothing' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The figures were saved.').first().waitFor();
  await page.reload();
  const menu = page.getByRole('button', { name: 'Change Writers' });
  await menu.click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name of the figures').fill('All of them');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Change All of them' }).click();
  await page.getByRole('button', { name: 'Remove from the overview' }).click();
  await page.getByText('The overview no longer shows these figures.').waitFor();
  await page.goto(`${address}/overview`);
  await page.getByRole('link', { name: 'Growth' }).waitFor();
  expect(await page.getByRole('link', { name: 'All of them' }).count()).toBe(0);
  await page.goto(`${address}/figures`);
  await page.getByRole('button', { name: 'All of them', exact: true }).click();
  await page.getByRole('button', { name: 'Change All of them' }).click();
  await page.getByRole('button', { name: 'Delete figures' }).click();
  await page.getByText('The figures were deleted.').waitFor();
});

test('figures of a field that the reader does not see say so', async () => {
  const { people, price } = { people: web.tenant, price: fields.get('Price')! };
  const ada = (await people.request(web.admin, 'POST', `${API}/admin/data/users`, { fullTextFilter: 'Rossi' })).body;
  await people.request(ada.items[0].id, 'POST', `${API}/communication/views/manage/create-view/${communityId}`, {
    name: 'Prices',
    shared: true,
    layout: 'numbers',
    measure: 'sum',
    measureOf: `postCustomField-${price}`,
    inOverview: true,
  });
  const db = web.portal.services.databases.for(people.tenant.id);
  await db.query('UPDATE fields SET visible_roles = $3 WHERE tenant_id = $1 AND id = $2', [db.tenantId, price, [1]]);
  await db.query('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1', [
    db.tenantId,
  ]);
  await reader.goto(`${address}/overview`);
  const card = reader.getByRole('region', { name: 'Prices' });
  await card.getByText('These figures use a field that you do not see').waitFor();
  await reader.getByRole('region', { name: 'Growth' }).locator('circle').first().waitFor({ state: 'attached' });
  await mustBeAccessible(reader);
});

test('a card that cannot be read says so where it is, and is read again', async () => {
  await page.route(/views\/data\/figures\//, (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
  await page.goto(`${address}/overview`);
  const card = page.getByRole('region', { name: 'Growth' });
  await card.getByRole('button', { name: 'Try again' }).waitFor();
  const before = (await card.boundingBox())!;
  await page.unroute(/views\/data\/figures\//);
  await card.getByRole('button', { name: 'Try again' }).click();
  await card.locator('circle').first().waitFor({ state: 'attached' });
  expect(await card.boundingBox()).toMatchObject({ x: before.x, y: before.y });
  web.complaints.splice(0);
});
