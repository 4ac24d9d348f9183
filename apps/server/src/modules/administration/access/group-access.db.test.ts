/** The access that a group gives: rights, roles, communities, workflows that name it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createCommunity, createWorkflow, createWorkspace, setCommunityRole } from '../../communities/index.ts';

const ADMIN = '/portal/api/admin';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let system: Scope;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  system = await tenant.scope(tenant.systemUserId);
});

const access = (groupId: number, by = admin) => tenant.request(by, 'GET', `${ADMIN}/data/groups/${groupId}/access`);

async function createGroup(body: object): Promise<number> {
  const group = await tenant.request(admin, 'POST', `${ADMIN}/manage/groups`, body);
  expect(group.status, group.text).toBe(200);
  return group.body.groupId;
}

test('names rights, roles as they were given, and the communities where these apply', async () => {
  const groupId = await createGroup({ name: 'Board', adminCapabilities: ['manageUsers'] });
  const other = await createGroup({ name: 'Others' });
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const desk = await createCommunity(system, { workspaceId, name: 'Service desk' });
  const ideas = await createCommunity(system, { workspaceId, name: 'Ideas' });
  await setCommunityRole(system, desk, [-groupId], 1);
  await setCommunityRole(system, ideas, [-other], 1);
  const everywhere = { groupRoles: [{ groupId, roleId: 3 }] };
  expect((await tenant.request(admin, 'PUT', `${ADMIN}/manage/members-everywhere`, everywhere)).status).toBe(200);

  const { status, body } = await access(groupId);
  expect(status).toBe(200);
  const holding = async (roleIds: number[]) =>
    (await tenant.request(admin, 'POST', `${ADMIN}/data/groups`, { roleIds, orderDesc: false })).body.items;
  expect(await holding([1])).toMatchObject([{ id: groupId }, { id: other }]);
  expect(await holding([3])).toMatchObject([{ id: groupId }]);
  expect(await holding([2])).toEqual([]);
  expect(body).toEqual({
    groupId,
    name: 'Board',
    adminCapabilities: ['manageUsers'],
    roles: [
      { communityId: desk, communityName: 'Service desk', everywhere: false, roleId: 1, roleName: 'manager' },
      { everywhere: true, roleId: 3, roleName: 'reader' },
    ],
    communities: [
      {
        communityId: ideas,
        communityName: 'Ideas',
        permissions: ['readPublicPosts'],
        ways: [{ roleId: 3, roleName: 'reader', givenIn: 'everywhere' }],
      },
      {
        communityId: desk,
        communityName: 'Service desk',
        permissions: expect.arrayContaining(['manageCommunity']),
        ways: [
          { roleId: 1, roleName: 'manager', givenIn: 'community' },
          { roleId: 3, roleName: 'reader', givenIn: 'everywhere' },
        ],
      },
    ],
    workflowSteps: [],
  });
});

test('names memberships of workspaces, with and without a role', async () => {
  const groupId = await createGroup({ name: 'Staff' });
  const workspaceId = await createWorkspace(system, { name: 'Plain' });
  const desk = await createCommunity(system, { workspaceId, name: 'Service desk' });
  const db = portal.services.databases.for(tenant.tenant.id);
  for (const roleId of [null, 2])
    await db.execute(
      `INSERT INTO workspace_members (tenant_id, workspace_id, principal, role_id)
       SELECT a.tenant_id, $2, $3, $4 FROM tenant_versions a WHERE a.tenant_id = $1`,
      [tenant.tenant.id, workspaceId, -groupId, roleId],
    );
  const { body } = await access(groupId);
  expect(body.roles).toEqual([
    { workspaceId, workspaceName: 'Plain', everywhere: false, roleId: 2, roleName: 'contributor' },
    { workspaceId, workspaceName: 'Plain', everywhere: false },
  ]);
  expect(body.communities).toMatchObject([
    { communityId: desk, ways: [{ roleId: 2 }, { roleId: 3, givenIn: 'workspace' }] },
  ]);
});

test('names transitions and states of workflows that name the group', async () => {
  const groupId = await createGroup({ name: 'Reviewers' });
  const { id: workflowId, states } = await createWorkflow(system, {
    title: 'Review',
    states: [
      { name: 'Open', initial: true },
      { name: 'In review', screen: 'Verdict', edit: { groupIds: [groupId] } },
      { name: 'Done', terminal: true },
    ],
    transitions: [
      { name: 'Hand in', from: 'Open', to: 'In review', run: { byAuthor: true } },
      { name: 'Accept', from: 'In review', to: 'Done', run: { groupIds: [groupId] } },
    ],
    screens: [{ name: 'Verdict', fields: [{ label: 'Reason' }] }],
    screenFields: [{ label: 'Reason', type: 1 }],
  });
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const communityId = await createCommunity(system, { workspaceId, name: 'Service desk', workflowId });
  const where = {
    communityId,
    communityName: 'Service desk',
    stateId: states.get('In review'),
    stateName: 'In review',
  };
  const { body } = await access(groupId);
  expect(body.workflowSteps).toEqual([where, { ...where, transitionId: expect.any(Number), transitionName: 'Accept' }]);
  expect((await access(await createGroup({ name: 'Strangers' }))).body.workflowSteps).toEqual([]);
});

test('is refused to others, and for unknown, deleted and foreign groups', async () => {
  const groupId = await createGroup({ name: 'Board' });
  expect((await access(groupId, await tenant.createUser())).status).toBe(403);
  expect((await access(999_999_999)).status).toBe(404);
  const other = await portal.createTenant();
  const stranger = await other.createUser({ admin: true });
  expect((await other.request(stranger, 'GET', `${ADMIN}/data/groups/${groupId}/access`)).status).toBe(404);
  await tenant.request(admin, 'DELETE', `${ADMIN}/manage/groups/${groupId}`);
  expect((await access(groupId)).status).toBe(404);
});
