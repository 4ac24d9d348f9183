/** Administrators try whether the portal sends mail, and what an identity provider says of them. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { sendMails } from '../../server/src/jobs/send-mails.ts';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let ada: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'administration-trials');
  ada = await web.createPerson('ada', 'Ada', 'Rossi');
  await appoint(web, ada);
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const open = (path: string) => page.goto(`${web.origin}/portal/admin${path}`);

test('sends itself a message, and sees what becomes of it', async () => {
  const addressed = (address: string | null) =>
    web.portal.services.databases
      .for(web.tenant.tenant.id)
      .execute('UPDATE users SET contact_email = $3 WHERE tenant_id = $1 AND id = $2', [
        web.tenant.tenant.id,
        ada,
        address,
      ]);
  const send = page.getByRole('button', { name: 'Send a test message' });
  await addressed(null);
  await open('/mails');
  await send.click();
  await page.getByText('A test message goes to the contact address of your account').waitFor();
  await addressed('ada@acme.example');
  await send.click();
  const outcome = page.getByRole('status', { name: 'Test message to ada@acme.example' });
  await outcome.getByText('It waits to be sent.').waitFor();
  await sendMails(web.portal.services, web.tenant.tenant);
  await outcome.getByText('Not sent: there is no mail server').waitFor();
  await page.getByRole('row', { name: /ada@acme\.example Test message Not sent/ }).waitFor();
  await mustBeAccessible(page);
  await mustFitPhone(page);
});
