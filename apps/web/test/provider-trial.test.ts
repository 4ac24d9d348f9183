/** Administrators try a sign-in by an identity provider in a tab of its own. */
import { createTestPortal, type TestPortal } from '@portico/server/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { readWebPage } from '../../server/src/http/web.ts';
import {
  CLIENT,
  startProvider,
  type TestProvider,
} from '../../server/src/modules/people/identity-providers/provider.fixture.ts';
import { buildWeb } from '../build.ts';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let provider: TestProvider;
let portal: TestPortal;
let web: WebTest;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  provider = await startProvider();
  await buildWeb();
  portal = await createTestPortal({
    web: await readWebPage(),
    env: { PORTICO_INTERNAL_PROVIDERS: provider.host },
  });
  web = await startWebTest({ portal, browser }, 'provider-trial');
  await appoint(web, await web.createPerson('ada', 'Ada', 'Rossi'));
  const made = await web.tenant.request(web.admin, 'POST', `${API}/admin/manage/identity-providers`, {
    key: 'acme',
    name: 'Acme account',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    createUsers: true,
  });
  expect(made.status, made.text).toBe(200);
  provider.register([made.body.redirectUri]);
  ({ page, context } = await web.open('ada'));
});

afterAll(async () => {
  await web?.close();
  await portal?.close();
  await provider?.close();
});

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const person = { sub: 'bo', given_name: 'Bo', family_name: 'Bianchi', email: 'bo@acme.example', email_verified: true };

/** Presses the button in the list. @returns the tab that it opens */
async function begin(): Promise<Page> {
  // The session at the provider.
  await context.clearCookies({ name: /^_/ });
  await page.goto(`${web.origin}/portal/admin/providers`);
  const link = page.getByRole('link', { name: 'Try a sign-in by Acme account in a new tab' });
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
  return tab;
}

test('sees the claims and the account that a sign-in would create, and nobody is signed in', async () => {
  provider.expect(person);
  const tab = await begin();
  await tab.getByRole('heading', { name: 'Trial sign-in by Acme account' }).waitFor();
  await tab.getByText('A sign-in creates an account and opens it.').waitFor();
  await tab.getByText('The provider is switched off: nobody can sign in by it yet.').waitFor();
  await tab.getByText('Bo Bianchi').waitFor();
  await tab.getByRole('row', { name: /^email bo@acme\.example/ }).waitFor();
  expect(new URL(tab.url()).pathname).toBe('/portal/admin/providers/trial');
  expect(new URL(tab.url()).hash).toBe('');
  await mustBeAccessible(tab);
  await mustFitPhone(tab);
  const { body } = await web.tenant.request(web.admin, 'POST', `${API}/admin/data/users`, {
    fullTextFilter: 'Bianchi',
  });
  expect(body.items).toEqual([]);
  // The answer counts once, and is not in the address any more.
  await tab.reload();
  await tab.getByText('No trial is under way.').waitFor();
  await tab.close();
});

test('sees a refusal, and tries again in the same tab', async () => {
  provider.expect({ sub: '' });
  const tab = await begin();
  await tab.getByText('The person or the provider cancelled it.').waitFor();
  await mustBeAccessible(tab);
  provider.expect(person);
  await tab.getByRole('link', { name: 'Try again' }).click();
  await tab.getByText('A sign-in creates an account and opens it.').waitFor();
  await tab.close();
});

test('cannot finish the trial of another session, but copy its answer', async () => {
  const [{ identityProviderId } = {} as never] = (
    await web.tenant.request(web.admin, 'POST', `${API}/admin/data/identity-providers`, {})
  ).body.items;
  const path = `${API}/admin/data/identity-providers`;
  const begun = await web.tenant.request(web.admin, 'POST', `${path}/${identityProviderId}/test`);
  provider.expect(person);
  const tab = await context.newPage();
  await tab.goto(begun.body.authorizationUrl);
  await tab.getByText('This answer belongs to no open trial of your session.').waitFor();
  await mustBeAccessible(tab);
  const answer = await tab.getByRole('textbox', { name: 'Answer of the provider' }).inputValue();
  await tab.close();
  const finished = await web.tenant.request(web.admin, 'POST', `${path}/finish-test`, { answer });
  expect([finished.status, finished.body.outcome]).toEqual([200, 'create']);
});
