/** Administrators see where groups and people have access. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import {
  createCommunity,
  createWorkflow,
  createWorkspace,
  setCommunityRole,
} from '../../server/src/modules/communities/index.ts';
import { appoint, mustFitPhone } from './administration.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

let web: WebTest;
let page: Page;
let ada: number;

test.beforeAll(async ({ portal, browser }) => {
  web = await startWebTest({ portal, browser }, 'administration-access');
  ada = await web.createPerson('ada', 'Ada', 'Rossi');
  await appoint(web, ada);
  ({ page } = await web.open('ada'));
});

afterAll(() => web?.close());

afterEach(() => {
  expect(web.complaints.splice(0)).toEqual([]);
});

const open = (path: string) => page.goto(`${web.origin}/portal/admin${path}`);

async function createGroup(name: string): Promise<number> {
  const made = await web.tenant.request(web.admin, 'POST', `${API}/admin/manage/groups`, { name });
  expect(made.status, made.text).toBe(200);
  return made.body.groupId;
}

test('the list of people finds those who did not use the portal for a time', async () => {
  const gone = await web.createPerson('gone', 'Gus', 'Gone');
  await web.portal.services.databases
    .for(web.tenant.tenant.id)
    .execute(`UPDATE users SET last_access_at = now() - interval '100 days' WHERE tenant_id = $1 AND id = $2`, [
      web.tenant.tenant.id,
      gone,
    ]);
  await open('/people');
  const list = page.getByRole('region', { name: 'People', exact: true });
  await list.getByRole('link', { name: 'Ada Rossi' }).waitFor();
  const filter = page.getByRole('combobox', { name: 'Last seen' });
  await filter.selectOption({ label: 'Not seen for 90 days' });
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: 'Gus Gone' }).waitFor();
  await filter.selectOption({ label: 'Not seen for 365 days' });
  await page.getByText('Nobody has these properties.').waitFor();
  await mustFitPhone(page);
});

test('a group says which roles it gives, in which communities, and which workflows name it', async () => {
  const [board, strangers] = [await createGroup('Board'), await createGroup('Strangers')];
  const system = await web.tenant.scope(web.tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const { id: workflowId } = await createWorkflow(system, {
    title: 'Review',
    states: [
      { name: 'Open', initial: true },
      { name: 'Done', terminal: true },
    ],
    transitions: [{ name: 'Accept', from: 'Open', to: 'Done', run: { groupIds: [board] } }],
  });
  const desk = await createCommunity(system, { workspaceId, name: 'Service desk', workflowId });
  await createCommunity(system, { workspaceId, name: 'Ideas' });
  await setCommunityRole(system, desk, [-board], 2);
  const given = await web.tenant.request(web.admin, 'PUT', `${API}/admin/manage/members-everywhere`, {
    groupRoles: [{ groupId: board, roleId: 3 }],
  });
  expect(given.status, given.text).toBe(200);

  const access = page.getByRole('region', { name: 'Access by the group' });
  await open(`/group/${strangers}`);
  await access.getByText('The group has no role and no membership, and no workflow names it.').waitFor();

  await page.route('**/groups/*/access', (route) => route.fulfill({ status: 503, json: { code: 'UNAVAILABLE' } }));
  await open(`/group/${board}`);
  await access.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute('**/groups/*/access');
  web.complaints.splice(0);
  await access.getByRole('button', { name: 'Try again' }).click();
  const communities = access.getByRole('region', { name: 'Communities where the group has roles' });
  await expect
    .poll(() => communities.getByRole('row').allTextContents())
    .toEqual([
      'CommunityRole',
      'IdeasReader: in every community',
      'Service deskContributor: in the communityReader: in every community',
    ]);
  await access.getByRole('term').filter({ hasText: 'Every community' }).waitFor();
  await access.getByRole('row', { name: 'Service desk Open run “Accept”' }).waitFor();
  await mustBeAccessible(page);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/group.png`, fullPage: true });
  await mustFitPhone(page);
  if (process.env['SHOTS']) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.screenshot({ path: `${process.env['SHOTS']}/group-360.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await communities.getByRole('link', { name: 'Service desk' }).click();
  await page.getByRole('heading', { level: 1, name: 'Service desk' }).waitFor();
});

test('the search of the administration finds people and groups, and a person leads to the audit log', async () => {
  const rowers = await createGroup('Rowers of Rossi');
  await open('');
  const field = page.getByRole('searchbox', { name: 'Find a setting, person or group' });
  await field.fill('rossi');
  await page.getByRole('region', { name: 'Groups found' }).getByRole('link', { name: 'Rowers of Rossi' }).waitFor();
  await mustBeAccessible(page);
  await mustFitPhone(page);
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ada Rossi' }).waitFor();
  await page.getByRole('link', { name: 'Audit log: changes to this account' }).click();
  await page.waitForURL(new RegExp(`/admin/audit\\?.*object=${ada}`));
  await page.goBack();
  await page.getByRole('link', { name: 'Audit log: changes by this person' }).click();
  await page.waitForURL(new RegExp(`/admin/audit\\?.*actor=${ada}`));
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await field.fill('rowers');
  await page.getByRole('link', { name: 'Rowers of Rossi' }).click();
  await page.waitForURL(new RegExp(`/admin/group/${rowers}`));
  await field.fill('nothing like this');
  await page.getByText('Nothing in the administration has these words.').waitFor();
});
