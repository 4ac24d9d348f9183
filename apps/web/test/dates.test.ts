/** Dates are typed in the account's format or chosen in a calendar, and days are never shifted. */
import { PorticoClient, timeZoneNames } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { setCommunityRole } from '../../server/src/modules/communities/index.ts';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let communityId: number;
let fields: ServiceDesk['fields'];
let write: ServiceDesk['write'];
let client: PorticoClient;
/** Browsers of an American west of Greenwich, and of a German east of it. */
let american: Page;
let german: Page;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'dates');
  let people: ServiceDesk['people'];
  ({ communityId, fields, people, write, client } = await makeServiceDesk(web));
  const desktop = { viewport: { width: 1280, height: 800 } };
  ({ page: american } = await web.open('ada', { ...desktop, locale: 'en-US', timezoneId: 'Asia/Tokyo' }));
  const system = await web.tenant.scope(web.tenant.systemUserId);
  await setCommunityRole(system, communityId, [people.get('ada')!], 1);
  await settle(client, 'de', 'Pacific/Auckland');
  const ada = new PorticoClient({ baseUrl: web.origin, credentials: { username: 'ada', password: PASSWORD } });
  await settle(ada, 'en', 'America/Los_Angeles');
  ({ page: american } = await web.open('ada', { ...desktop, locale: 'en-US', timezoneId: 'Asia/Tokyo' }));
  // The settings of the account come before those of the browser.
  const { occToken } = await client.auth.profile();
  const defaultTimezoneId = timeZoneNames.indexOf('Pacific/Auckland') + 1;
  await client.auth.updateProfile({ defaultLanguageId: 'de', defaultTimezoneId, occToken: occToken! });
  ({ page: german } = await web.open('bo', { ...desktop, locale: 'en-GB', timezoneId: 'Europe/Rome' }));
});

/** Sets the language and the time zone of an account, which come before those of the browser. */
async function settle(account: PorticoClient, defaultLanguageId: string, zone: string): Promise<void> {
  const { occToken } = await account.auth.profile();
  const defaultTimezoneId = timeZoneNames.indexOf(zone) + 1;
  await account.auth.updateProfile({ defaultLanguageId, defaultTimezoneId, occToken: occToken! });
}

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const heldBy = async (postId: number, label: string) =>
  (await client.posts.get({ postId })).customData?.[fields.get(label)!];

/** Opens the editor of a cell. */
async function openCell(page: Page, title: string, label: string): Promise<void> {
  const columns = JSON.stringify([`field-${fields.get(label)!}`]);
  await page.goto(`${web.origin}/portal/community/${communityId}?text=${title}&columns=${columns}`);
  await page.locator(`main [data-cell="field-${fields.get(label)!}"]`).dblclick();
}

describe.each([
  ['America/Los_Angeles', () => american, '02/03/2027', '2/4/27', 'Feb 4, 2027'],
  ['Pacific/Auckland', () => german, '03.02.2027', '4.2.27', '04.02.2027'],
] as const)('in %s', (_zone, pageOf, shown, typed, table) => {
  test('a day is shown and typed in the order of the account, and is the same everywhere', async () => {
    const page = pageOf();
    const title = `Day${shown.slice(0, 2)}`;
    const postId = await write(title);
    await client.posts.updateMany({ postIds: [postId], patch: { customData: { [fields.get('Day')!]: '2027-02-03' } } });
    await openCell(page, title, 'Day');
    const input = page.getByRole('textbox', { name: 'Day' });
    await expect.poll(() => input.inputValue()).toBe(shown);
    await input.fill(typed);
    await page.keyboard.press('Enter');
    await expect.poll(() => heldBy(postId, 'Day')).toBe(Date.parse('2027-02-04T00:00:00Z'));
    await page.getByRole('dialog', { name: 'Day' }).waitFor({ state: 'detached' });
    await page.locator('main [data-cell]').getByText(table, { exact: true }).waitFor();
  });
});

describe('a day', () => {
  test('is chosen by keys alone', async () => {
    const postId = await write('Keyed');
    await openCell(american, 'Keyed', 'Day');
    const input = american.getByRole('textbox', { name: 'Day' });
    await input.fill('2/3/2027');
    await american.keyboard.press('Tab');
    await american.keyboard.press('Enter');
    const calendar = american.getByRole('dialog', { name: 'Calendar' });
    const focused = () => american.evaluate('document.activeElement.dataset.day ?? document.activeElement.ariaLabel');
    await expect.poll(focused).toBe('2027-02-03');
    // The week of an American begins on Sunday.
    expect(await calendar.getByRole('columnheader').first().textContent()).toBe('Sun');
    await mustBeAccessible(american);
    for (const [key, day] of [
      ['ArrowRight', '2027-02-04'],
      ['ArrowDown', '2027-02-11'],
      ['ArrowLeft', '2027-02-10'],
      ['ArrowUp', '2027-02-03'],
      ['Home', '2027-01-31'],
      ['End', '2027-02-06'],
      ['PageDown', '2027-03-06'],
      ['Shift+PageDown', '2028-03-06'],
      ['PageUp', '2028-02-06'],
      ['Shift+PageUp', '2027-02-06'],
    ] as const) {
      await american.keyboard.press(key);
      await expect.poll(focused).toBe(day);
    }
    await calendar.getByText('February 2027').waitFor();
    // The focus stays in the calendar.
    for (const name of ['Today', 'Clear', 'Previous year', 'Previous month', 'Next month', 'Next year']) {
      await american.keyboard.press('Tab');
      const label = await american.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
      expect(label).toBe(name);
    }
    await american.keyboard.press('Tab');
    await expect.poll(focused).toBe('2027-02-06');
    // Escape closes the calendar alone.
    await american.keyboard.press('Escape');
    await calendar.waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Open the calendar');
    expect(await input.inputValue()).toBe('02/03/2027');
    await american.keyboard.press('Shift+Tab');
    await american.keyboard.press('Alt+ArrowDown');
    await expect.poll(focused).toBe('2027-02-03');
    await american.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('2027-02-10');
    await american.keyboard.press('Enter');
    await expect.poll(() => input.inputValue()).toBe('02/10/2027');
    await calendar.waitFor({ state: 'hidden' });
    // The focus is back in the input: Enter saves.
    await american.keyboard.press('Enter');
    await expect.poll(() => heldBy(postId, 'Day')).toBe(Date.parse('2027-02-10T00:00:00Z'));
  });

  test('is chosen by the pointer, and cleared; a week begins as the language has it', async () => {
    const postId = await write('Clicked');
    await openCell(german, 'Clicked', 'Day');
    await german.getByRole('textbox', { name: 'Day' }).fill('3.2.27');
    await german.getByRole('button', { name: 'Kalender öffnen' }).click();
    const calendar = german.getByRole('dialog', { name: 'Kalender' });
    expect(await calendar.getByRole('columnheader').first().textContent()).toBe('Mo');
    await calendar.getByRole('button', { name: 'Nächster Monat' }).click();
    await calendar.getByText('März 2027').waitFor();
    await calendar.getByRole('gridcell', { name: '25.03.2027' }).click();
    await expect.poll(() => german.getByRole('textbox', { name: 'Day' }).inputValue()).toBe('25.03.2027');
    await german.getByRole('textbox', { name: 'Day' }).press('Enter');
    await expect.poll(() => heldBy(postId, 'Day')).toBe(Date.parse('2027-03-25T00:00:00Z'));
    await openCell(german, 'Clicked', 'Day');
    await german.getByRole('button', { name: 'Kalender öffnen' }).click();
    await calendar.getByRole('button', { name: 'Leeren' }).click();
    await german.getByRole('textbox', { name: 'Day' }).press('Enter');
    await expect.poll(() => heldBy(postId, 'Day')).toBeUndefined();
  });

  test('that is none is said so, and nothing is saved or lost', async () => {
    const postId = await write('Half');
    await client.posts.updateMany({ postIds: [postId], patch: { customData: { [fields.get('Day')!]: '2027-02-03' } } });
    await openCell(american, 'Half', 'Day');
    const input = american.getByRole('textbox', { name: 'Day' });
    await input.fill('2/31');
    await american.keyboard.press('Enter');
    await american.getByText('This is no date.').waitFor();
    expect(await input.inputValue()).toBe('2/31');
    expect(await heldBy(postId, 'Day')).toBe(Date.parse('2027-02-03T00:00:00Z'));
    await input.fill('2/28/2027');
    await american.keyboard.press('Enter');
    await expect.poll(() => heldBy(postId, 'Day')).toBe(Date.parse('2027-02-28T00:00:00Z'));
  });
});

describe('a moment', () => {
  test('needs no time, and takes one of 12 or 24 hours', async () => {
    const postId = await write('Moment');
    await openCell(american, 'Moment', 'Moment');
    await american.getByRole('textbox', { name: 'Moment' }).fill('12/31/2026');
    await american.keyboard.press('Enter');
    await expect.poll(() => heldBy(postId, 'Moment')).toBe(Date.parse('2026-12-31T00:00:00-08:00'));
    await openCell(american, 'Moment', 'Moment');
    const time = american.getByRole('textbox', { name: 'Time' });
    await expect.poll(() => time.inputValue()).toBe('12:00 AM');
    await time.fill('6:05 pm');
    await american.keyboard.press('Enter');
    await expect.poll(() => heldBy(postId, 'Moment')).toBe(Date.parse('2026-12-31T18:05:00-08:00'));
    await openCell(german, 'Moment', 'Moment');
    // In Auckland it is the next afternoon.
    await expect.poll(() => german.getByRole('textbox', { name: 'Moment' }).inputValue()).toBe('01.01.2027');
    expect(await german.getByRole('textbox', { name: 'Uhrzeit' }).inputValue()).toBe('15:05');
    await german.keyboard.press('Escape');
  });

  test('of a task is the end of the day that was given', async () => {
    const postId = await write('Tasked');
    await american.goto(`${web.origin}/portal/post/${postId}`);
    await american.getByRole('button', { name: 'New task' }).click();
    const form = american.getByRole('form', { name: 'New task' });
    await form.getByRole('textbox', { name: 'Task title' }).fill('Order');
    await form.getByRole('combobox', { name: 'Person' }).fill('ada');
    await american.getByRole('option', { name: 'Ada Rossi' }).click();
    await form.getByLabel('Due').fill('1/32/2027');
    await form.getByRole('button', { name: 'Add task' }).click();
    await form.getByText('This is no date.').waitFor();
    await form.getByLabel('Due').fill('1/15/2027');
    await form.getByRole('button', { name: 'Open the calendar' }).click();
    await american.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Add task' }).click();
    await american.getByRole('button', { name: 'State of Order: To do' }).waitFor();
    const { items } = await client.tasks.list({ postId });
    expect(Date.parse(items[0]!.expiration!.zonedDatetime!)).toBe(Date.parse('2027-01-15T23:59:00-08:00'));
  });
});

test('a filter by days takes typed and chosen days', async () => {
  const postId = await write('Sieved');
  await client.posts.updateMany({ postIds: [postId], patch: { customData: { [fields.get('Day')!]: '2027-05-05' } } });
  await write('Sieved out');
  await american.goto(`${web.origin}/portal/community/${communityId}?text=sieved`);
  await american.getByText('2 posts', { exact: true }).waitFor();
  await american.locator('main').getByRole('button', { name: 'Filter', exact: true }).click();
  await american.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Day', exact: true }).click();
  await american.getByRole('textbox', { name: 'From' }).fill('5/5/2027');
  await american.getByText('1 post', { exact: true }).waitFor();
  await american.getByRole('button', { name: 'Open the calendar' }).last().click();
  await american.getByRole('dialog', { name: 'Calendar' }).getByRole('button', { name: 'Today' }).waitFor();
  await mustBeAccessible(american);
  await american.keyboard.press('Escape');
  await american.getByRole('textbox', { name: 'To' }).fill('May 6');
  await american.getByRole('textbox', { name: 'To' }).fill('May 6, 2027');
  await american.keyboard.press('Escape');
  await american.locator('main').getByRole('button', { name: 'Day: May 5, 2027 – May 6, 2027' }).waitFor();
  await american.getByText('1 post', { exact: true }).waitFor();
});

test('a calendar fits on a phone', async () => {
  const { page, context } = await web.open('ada', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const postId = await write('Phone');
  await page.goto(`${web.origin}/portal/post/${postId}`);
  await page.getByRole('button', { name: 'New task' }).tap();
  await page.getByRole('button', { name: 'Open the calendar' }).tap();
  const calendar = page.getByRole('dialog', { name: 'Calendar' });
  await calendar.getByRole('button', { name: 'Today' }).waitFor();
  await mustBeAccessible(page);
  const { x, width } = (await calendar.boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  await calendar.getByRole('gridcell').first().tap();
  await expect.poll(() => page.getByLabel('Due').inputValue()).toMatch(/^\d\d\/\d\d\/\d{4}$/);
  await context.close();
});
