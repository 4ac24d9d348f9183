/** Administrators see where a person is signed in, and end a session. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { API, mustBeAccessible, PASSWORD, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let ada: number;
let bo: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'person-sign-ins');
  ada = await web.createPerson('ada', 'Ada', 'Rossi');
  bo = await web.createPerson('bo', 'Bo', 'Bianchi');
  await appoint(web, ada);
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

/** Signs Bo in. @returns the status of a later request of that browser */
async function signIn(userAgent: string): Promise<() => Promise<number>> {
  const own = { 'Sec-Fetch-Site': 'same-origin', Origin: web.origin };
  const credentials = { username: 'bo', password: PASSWORD };
  const started = await web.tenant.request(null, 'POST', `${API}/core/auth/start-session`, credentials, {
    ...own,
    'User-Agent': userAgent,
  });
  expect(started.status, started.text).toBe(200);
  const Cookie = started.headers.getSetCookie()[0]!.split(';')[0]!;
  return async () =>
    (await web.tenant.request(null, 'GET', `${API}/core/auth/current-user-data`, undefined, { ...own, Cookie })).status;
}

test('ends one session of a person, then all, with the effect before', async () => {
  const [train, desk] = [await signIn('Firefox on a train'), await signIn('Chrome at a desk')];
  await page.goto(`${web.origin}/portal/admin/user/${bo}`);
  const sessions = page.getByRole('region', { name: 'Sessions', exact: true }).first();
  await sessions.getByRole('row', { name: /Firefox on a train 127\.0\.0\.1/ }).waitFor();
  await sessions.getByRole('row', { name: /Chrome at a desk/ }).waitFor();
  await page.getByRole('region', { name: 'Signing in' }).getByText('bo', { exact: true }).waitFor();
  await mustBeAccessible(page);
  await mustFitPhone(page);
  await sessions.getByRole('button', { name: 'End session: Firefox on a train' }).click();
  const ending = page.getByRole('dialog', { name: 'End this session of Bo Bianchi?' });
  await ending.getByText('Changed: 1 account').waitFor();
  await mustBeAccessible(page);
  await ending.getByRole('button', { name: 'End session' }).click();
  await page.getByText('The session was ended.').waitFor();
  await expect.poll(() => sessions.getByRole('row').count()).toBe(2);
  expect([await train(), await desk()]).toEqual([401, 200]);
  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click();
  const all = page.getByRole('dialog', { name: 'Sign Bo Bianchi out everywhere?' });
  await all.getByText('Changed: 1 account').waitFor();
  await all.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('The person is signed in in no browser.').waitFor();
  expect(await desk()).toBe(401);
});

test('sees the own session without a button to end it', async () => {
  await page.goto(`${web.origin}/portal/admin/user/${ada}`);
  await page.getByRole('row', { name: /^This browser: / }).waitFor();
  expect(await page.getByRole('button', { name: /^End session/ }).count()).toBe(0);
});
