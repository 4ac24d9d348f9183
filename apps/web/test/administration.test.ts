/** Administrators at work in a real browser: people, their rights and their leaving, and groups. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { deliverWebhooks } from '../../server/src/jobs/deliver-webhooks.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../server/src/modules/communities/index.ts';
import type { TestReceiver } from '../../server/src/modules/webhooks/receiver.fixture.ts';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let ada: number;
let bo: number;
let communityId: number;
let receiver: TestReceiver;

test.beforeAll(async ({ portal, browser, receiver: own }) => {
  receiver = own;
  web = await startWebTest({ portal, browser }, 'administration');
  ada = await web.createPerson('ada', 'Ada', 'Rossi');
  bo = await web.createPerson('bo', 'Bo', 'Bianchi');
  await appoint(web, ada);
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  communityId = await createCommunity(system, { workspaceId, name: 'Service desk' });
  for (const id of [ada, bo]) await setCommunityRole(system, communityId, [id], 2);
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const open = (path: string) => page.goto(`${web.origin}/portal/admin${path}`);
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

describe('a member', () => {
  test('has no administration, and loads nothing of it', async () => {
    const { context, page: own } = await web.open('bo');
    const loaded: string[] = [];
    own.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    expect(await own.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    for (const path of ['', '/people', '/groups']) {
      await own.goto(`${web.origin}/portal/admin${path}`);
      await own.getByRole('heading', { name: 'This page does not exist' }).waitFor();
    }
    await own.goto(`${web.origin}/portal/admin/user/${ada}`);
    await own.getByRole('complementary', { name: 'Ada Rossi' }).first().waitFor();
    expect(loaded.filter((path) => /admin-frame|overview|people-screen|person-screen/.test(path))).toEqual([]);
    await context.close();
  });
});

describe('an administrator', () => {
  test('finds the screens from the menu, by the search and in the palette', async () => {
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor();
    await mustBeAccessible(page);
    const search = page.getByRole('searchbox', { name: 'Find a setting, person or group' });
    await search.fill('csv');
    await search.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await page.keyboard.press('Control+k');
    await dialog('Search').getByRole('combobox').fill('groups');
    await page.getByRole('option', { name: /^Groups/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
  });

  test('invites two hundred people by a file, after a look at each line', async () => {
    await open('/people');
    await page.getByRole('button', { name: 'Invite many' }).click();
    const form = dialog('Invite many people by a file');
    const lines = Array.from({ length: 200 }, (_, at) => `Guest,Number${at},guest${at}@acme.example`);
    await form.getByLabel('People, a line for each').fill(`firstname,lastname,contactEmail\nOnly,,x`);
    await form.getByRole('button', { name: 'Check the file' }).click();
    await form
      .getByText(/^Line 2: /)
      .first()
      .waitFor();
    await form.getByLabel('Choose a file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`firstname,lastname,contactEmail\n${lines.join('\n')}\n`),
    });
    await form.getByRole('button', { name: 'Check the file' }).click();
    await form.getByText('200 would be created, 0 exist already.').waitFor();
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Create and invite' }).click();
    await page.getByText('200 people were created.').waitFor();
    await page.getByRole('searchbox', { name: 'Find people by name or e-mail' }).fill('guest199');
    await page.getByRole('link', { name: 'Guest Number199' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
  });

  test('blocks selected people after the outcome of each, and nobody themselves', async () => {
    await open('/people?order=lastAccessTimestamp');
    const guests = page.getByRole('checkbox', { name: /^Select Guest/ });
    for (const box of [guests.nth(0), guests.nth(1), page.getByLabel('Select Ada Rossi')]) await box.check();
    const bar = page.getByRole('region', { name: 'Actions on the selected people' });
    await bar.getByText('3 selected').waitFor();
    await bar.getByRole('button', { name: 'Sign out' }).click();
    await dialog('Sign 3 people out?').getByText('Would change: 3').waitFor();
    await dialog('Sign 3 people out?').getByRole('button', { name: 'Cancel' }).click();
    await bar.getByRole('button', { name: 'Block', exact: true }).click();
    const form = dialog('Block 3 people?');
    await form.getByText('Would change: 2 · Refused: 1').waitFor();
    await form.getByText(/You cannot block yourself/).waitFor();
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Block' }).click();
    await form.getByText('Changed: 2 · Refused: 1').waitFor();
    await form.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('cell', { name: 'Blocked' }).count()).toBe(2);
    await mustFitPhone(page);
  });

  test('invites one person, whose link is shown once', async () => {
    await open('/people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const form = dialog('Invite a person');
    await form.getByRole('button', { name: 'Create and invite' }).click();
    expect(await form.getByText('This field is required.').count()).toBe(3);
    await form.getByLabel('First name').fill('Cleo');
    await form.getByLabel('Last name').fill('Costa');
    await form.getByLabel('E-mail').fill('cleo@acme.example');
    await form.getByRole('button', { name: 'Create and invite' }).click();
    const link = await form.getByRole('textbox', { name: 'Invitation link' }).inputValue();
    await form.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Cleo Costa' }).waitFor();
    const { context, page: invited } = await web.visit();
    await invited.goto(link);
    await invited.getByLabel('New password').waitFor();
    await context.close();
  });

  test('appoints a second administrator, and is refused the removal of the last one', async () => {
    await open(`/user/${bo}`);
    await page.getByText('No administrative right').waitFor();
    await page.getByText('Contributor: in the community').waitFor();
    const edit = async (change: (box: ReturnType<Page['getByLabel']>) => Promise<void>) => {
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await change(dialog('Edit').getByLabel('Manages people'));
      await dialog('Edit').getByRole('button', { name: 'Save' }).click();
    };
    await edit((box) => box.check());
    await page.getByText('Manages people (directly)').waitFor();
    await edit((box) => box.uncheck());
    await page.getByText('No administrative right').waitFor();
    await open(`/user/${ada}`);
    await edit((box) => box.uncheck());
    await dialog('Edit')
      .getByText(/Nobody who can sign in would hold “Manages people” any more/)
      .waitFor();
    await mustBeAccessible(page);
  });

  test('creates a group with members and filters people by it, then deletes it after its effect', async () => {
    await open('/groups');
    await page.getByText('No group has these properties.').waitFor();
    await page.getByRole('button', { name: 'New group' }).click();
    await dialog('New group').getByLabel('Name').fill('Night shift');
    await dialog('New group').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Night shift' }).waitFor();
    await page.getByRole('button', { name: 'Change members' }).click();
    const members = dialog('Change members');
    await members.getByRole('combobox', { name: 'Members' }).fill('bianchi');
    await members.getByRole('option', { name: 'Bo Bianchi' }).click();
    await page.keyboard.press('Escape');
    await members.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Bo Bianchi' }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await mustBeAccessible(page);
    await open('/people');
    await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption({ label: 'Night shift' });
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.getByRole('link', { name: 'Bo Bianchi' }).waitFor();
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await open('/groups');
    await page.getByRole('link', { name: 'Night shift' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const removal = dialog('Delete the group Night shift?');
    await removal.getByText('Rights and roles through the group end for 1 member.').waitFor();
    await removal.getByText('Removed: 1 group').waitFor();
    await removal.getByRole('button', { name: 'Delete the group' }).click();
    await page.getByText('No group has these properties.').waitFor();
  });

  test('blocks a person and hands them over, with the effect before', async () => {
    await open(`/user/${bo}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Block');
    await dialog('Block Bo Bianchi?').getByText('Changed: 1 account').waitFor();
    await dialog('Block Bo Bianchi?').getByRole('button', { name: 'Block' }).click();
    await page.getByText('The account was blocked.').waitFor();
    await choose('Hand over and remove');
    const leaving = dialog('Hand over and remove Bo Bianchi');
    await leaving.getByRole('combobox', { name: 'Successor' }).fill('rossi');
    await leaving.getByRole('option', { name: 'Ada Rossi' }).click();
    await leaving.getByLabel('Contributor in Service desk').waitFor();
    await mustBeAccessible(page);
    await leaving.getByLabel('Is deleted', { exact: false }).check();
    await leaving.getByRole('button', { name: 'Hand over and delete' }).click();
    await page.getByText('Handed over. Tasks: 0. Roles: 1. Posts with fields: 0.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('Deleted');
    await page.getByText('Bo Bianchi').waitFor();
  });
});

describe('the portal', () => {
  test('shows who changed what, by every filter, with the changes of each field', async () => {
    await open('/audit');
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('combobox', { name: 'Kind of object' }).selectOption('group');
    await page.getByRole('combobox', { name: 'Action', exact: true }).selectOption('Deleted');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    const entry = page.getByRole('row').nth(1);
    await entry.getByText('Ada Rossi').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('combobox', { name: 'Kind of object' }).selectOption('user');
    await page.getByRole('combobox', { name: 'Action', exact: true }).selectOption('Changed');
    const appointed = page.getByRole('row').filter({ hasText: 'Administrative rights' }).first();
    await appointed.locator('summary').click();
    await appointed.getByText('Administrative rights').waitFor();
    await appointed.getByText('Manages people').first().waitFor();
    await mustBeAccessible(page);
    await page.getByLabel('From', { exact: true }).fill('2001-01-01');
    await page.getByLabel('Until', { exact: true }).fill('2001-01-02');
    await page.getByText('No entry has these properties.').waitFor();
    await mustFitPhone(page);
  });

  test('makes a service account, whose key file is shown once, signs in and is revoked', async () => {
    await open('/accounts');
    await page.getByText('There are no service accounts.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'New service account' }).click();
    await dialog('New service account').getByLabel('Name').fill('Nightly export');
    await dialog('New service account').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nightly export' }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog('New key').getByLabel('Purpose of the key').fill('Server 7');
    await dialog('New key').getByRole('button', { name: 'Create' }).click();
    const file = JSON.parse(await page.getByRole('textbox', { name: 'Key file' }).inputValue()) as object;
    expect(file).toMatchObject({ type: 'service_account', private_key: expect.stringContaining('PRIVATE KEY') });
    await dialog('Key file').getByRole('button', { name: 'Done' }).click();
    await mustBeAccessible(page);
    await page.getByRole('button', { name: 'Revoke the key Server 7' }).click();
    await dialog('Revoke the key Server 7?').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
  });

  test('connects an identity provider, edits it without its secret and removes it', async () => {
    await open('/providers');
    await page.getByRole('button', { name: 'Connect a provider' }).click();
    const form = dialog('Connect a provider');
    await form.getByLabel('Name').fill('Company');
    await form.getByLabel('Key', { exact: false }).first().fill('company');
    await form.getByLabel('Issuer').fill('https://login.acme.example');
    await form.getByLabel('Client id').fill('portico');
    await form.getByLabel('Client secret').fill('very secret');
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Edit Company' }).click();
    const edit = dialog('Edit Company');
    await edit.getByText('/portal/api/', { exact: false }).waitFor();
    expect(await edit.getByLabel('Client secret').inputValue()).toBe('');
    await edit.getByLabel('Name').fill('Company login');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Remove the provider: Company login' }).click();
    const removal = dialog('Remove the provider Company login?');
    await removal.getByText(/^Removed: 1 identity provider/).waitFor();
    await removal.getByRole('button', { name: 'Remove the provider' }).click();
    await page.getByText('No identity provider is connected.', { exact: false }).waitFor();
  });

  test('keeps its settings, and names the input that is refused', async () => {
    await open('/settings');
    const hours = page.getByLabel('Sign out after (hours without use)');
    await hours.fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a number.').waitFor();
    await hours.fill('12');
    await page.getByLabel('Name of the portal').fill('Acme portal');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await expect.poll(() => hours.inputValue()).toBe('12');
    expect(await page.getByLabel('Name of the portal').inputValue()).toBe('Acme portal');
    await mustBeAccessible(page);
  });

  test('verifies its audit log', async () => {
    await open('/audit');
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText(/^The log is whole: \d+ entr(y|ies) verified/).waitFor();
  });

  test('tells how full it is', async () => {
    await open('/health');
    const use = page.getByRole('region', { name: 'Use' });
    await use.getByText('no limit').waitFor();
    await use.getByText(/^\d+\.\d+\.\d+$/).waitFor();
    await use.getByText(/^\d+, \d+ of them in the last 30 days$/).waitFor();
    await mustBeAccessible(page);
  });

  test('lists its mails by state', async () => {
    await open('/mails?state=failed');
    await page.getByText('No mail has these properties.').waitFor();
    await mustBeAccessible(page);
  });
});

describe('webhooks', () => {
  const menu = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const deliver = async () => {
    while (await deliverWebhooks(web.portal.services, web.tenant.tenant));
    await web.portal.services.webhooks.settled();
  };
  const messages = () => page.getByRole('region', { name: 'Messages' }).first().getByRole('row');

  test('one is made for a service account, with a filter, and its secret is shown once', async () => {
    const { tenant, admin } = web;
    const made = await tenant.request(admin, 'POST', `${API}/admin/manage/service-accounts`, { name: 'Mirror' });
    await setCommunityRole(await tenant.scope(tenant.systemUserId), communityId, [made.body.userId], 2);
    await open('/webhooks');
    await page.getByText('There are no webhooks.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    const form = dialog('New webhook');
    await form.getByRole('button', { name: 'Create' }).click();
    expect(await form.getByText('This field is required.').count()).toBe(3);
    await form.getByLabel('Name').fill('Ticket mirror');
    await form.getByRole('combobox', { name: 'Service account' }).selectOption('Mirror');
    await form.getByRole('combobox', { name: 'Messages for' }).selectOption('Slack');
    await form.getByLabel('Text of a message').waitFor();
    expect(await form.getByRole('combobox', { name: 'Signature' }).count()).toBe(0);
    await form.getByRole('combobox', { name: 'Messages for' }).selectOption('A program (Standard Webhooks)');
    await form.getByLabel('Address').fill('https://10.0.0.1/hook');
    await form.getByLabel('Comment added').check();
    await form.getByText('Choose exactly one community to filter its posts.').waitFor();
    await form.getByRole('combobox', { name: 'Add a community' }).selectOption('Service desk');
    await form.getByRole('button', { name: 'Filter', exact: true }).click();
    await form.getByRole('button', { name: 'Title', exact: true }).click();
    await form.getByRole('textbox', { name: 'Title' }).fill('pump');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await form.getByText('Title: contains “pump”').waitFor();
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('The address is private', { exact: false }).waitFor();
    await form.getByLabel('Address').fill(`http://${receiver.host}/hook?key=hush`);
    await form.getByRole('button', { name: 'Create' }).click();
    expect(await page.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()).toMatch(/^whsec_/);
    await dialog('Secret').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ticket mirror' }).waitFor();
    await page.getByText('Only posts that match the filter').waitFor();
    expect(await page.getByText('hush').count()).toBe(0);
  });

  test('its messages are seen with their answers, sent again and replayed', async () => {
    receiver.answer = (response) => void response.writeHead(500).end('broken');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await messages().filter({ hasText: 'Waiting' }).waitFor();
    await deliver();
    await page.getByText('The receiver answered 500.').waitFor();
    await page.getByRole('button', { name: /^Details: Test/ }).click();
    await dialog('Details').getByText('webhook.test').waitFor();
    await dialog('Details').getByText('broken').waitFor();
    await mustBeAccessible(page);
    await dialog('Details').getByRole('button', { name: 'Done' }).click();
    receiver.answer = (response) => void response.end();
    await page.getByRole('button', { name: /^Send again: Test/ }).click();
    await page.getByText('The message is being sent again.').waitFor();
    await deliver();
    await messages().filter({ hasText: 'Arrived' }).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('Given up');
    await page.getByText('There are no such messages.').waitFor();
    const ids = receiver.to('/hook?key=hush').map(({ headers }) => headers['webhook-id']);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(1);
    await menu('Send changes again');
    const replay = dialog('Send changes again');
    await replay.getByLabel('From the change with the number').fill('0');
    await replay.getByRole('button', { name: 'Send changes again' }).click();
    const refusal = await replay.getByText(/^The first change that can be sent again/).innerText();
    await replay.getByLabel('From the change with the number').fill(/\d+/.exec(refusal)![0]);
    await replay.getByRole('button', { name: 'Send changes again' }).click();
    await page.getByText(/^The changes from \d+ to \d+ are sent again\.$/).waitFor();
  });

  test('it is paused, resumed and edited, gets another secret, and is deleted after its effect', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('It receives nothing until you resume it.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await menu('Replace the secret');
    await dialog('Replace the secret').getByRole('button', { name: 'Replace the secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Secret', exact: true }).inputValue()).toMatch(/^whsec_/);
    await dialog('Secret').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const edit = dialog('Edit the webhook');
    await edit.getByText('Title: contains “pump”').waitFor();
    expect(await edit.getByLabel('Comment added').isChecked()).toBe(true);
    await edit.getByLabel('Name').fill('Mirror of tickets');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('heading', { level: 1, name: 'Mirror of tickets' }).waitFor();
    await page.getByText('Only posts that match the filter').waitFor();
    await mustBeAccessible(page);
    await open('/webhooks');
    await page.getByRole('row').filter({ hasText: 'Active' }).waitFor();
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Mirror of tickets' }).click();
    await menu('Delete');
    const removal = dialog('Delete the webhook Mirror of tickets?');
    await removal.getByText(/^Removed: 1 webhook/).waitFor();
    await removal.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('There are no webhooks.', { exact: false }).waitFor();
  });
});

describe('communities', () => {
  test('roles stand beside each other with their holders, and a new one is made', async () => {
    await open('/roles');
    await page.getByRole('link', { name: 'People with the role Contributor' }).waitFor();
    await page.getByRole('link', { name: 'Groups with the role Contributor' }).waitFor();
    await page.getByRole('button', { name: 'New role' }).click();
    const form = dialog('New role');
    await form.getByLabel('Name').fill('Planner');
    await form.getByLabel('Manage tasks of others').check();
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Edit the role Planner' }).waitFor();
    await page.getByRole('link', { name: 'People with the role Contributor' }).click();
    await page.getByRole('table').getByRole('link', { name: 'Ada Rossi' }).waitFor();
  });

  test('one is made from the gallery after its plan, and says who has which role and why', async () => {
    await open('/communities');
    await page.getByRole('table').getByRole('link', { name: 'Service desk' }).waitFor();
    await page.getByRole('button', { name: 'New community' }).click();
    const form = dialog('New community');
    await form.getByRole('combobox', { name: 'Template' }).selectOption('Ideas');
    await form.getByLabel('Name of the community').fill('Bright ideas');
    await form.getByRole('button', { name: 'Show the plan' }).click();
    await form.getByText('New: community ideas').waitFor();
    await mustBeAccessible(page);
    await form.getByRole('button', { name: 'Apply the plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bright ideas' }).waitFor();
    await page.getByRole('region', { name: 'Faults' }).locator('li, p').first().waitFor();
    await page.getByRole('button', { name: 'Give a role' }).click();
    const give = dialog('Give a role');
    await give.getByRole('combobox', { name: 'Person' }).fill('costa');
    await give.getByRole('option', { name: 'Cleo Costa' }).click();
    await page.keyboard.press('Escape');
    await give.getByRole('combobox', { name: 'Role' }).selectOption('Reader');
    await give.getByRole('button', { name: 'Save' }).click();
    const people = page.getByRole('region', { name: 'People', exact: true }).first();
    await people.getByText('Reader: in the community').waitFor();
    await mustFitPhone(page);
  });

  test('one is archived and taken back, and deleted only where it never held a post', async () => {
    await open(`/community/${communityId}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Archive');
    await dialog('Archive Service desk?').getByText('Changed: 1 community').waitFor();
    await dialog('Archive Service desk?').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Archived', { exact: true }).waitFor();
    await choose('Take out of the archive');
    const back = dialog('Take Service desk out of the archive?');
    await back.getByRole('button', { name: 'Take out of the archive' }).click();
    await page.getByText('In use', { exact: true }).waitFor();
    await choose('Delete the community');
    const removal = dialog('Delete Service desk?');
    await removal.getByText(/^Removed: 1 community/).waitFor();
    await removal.getByRole('button', { name: 'Delete the community' }).click();
    await page.getByRole('heading', { level: 1, name: 'Communities' }).waitFor();
  });
});
