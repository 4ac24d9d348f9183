/** The access of a person, with each way by which it was given. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../communities/index.ts';

const ADMIN = '/portal/api/admin';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

const access = (userId: number, by = admin) => tenant.request(by, 'GET', `${ADMIN}/data/users/${userId}/access`);

test('names each community with the permissions there, and the person or group that holds each role', async () => {
  const anna = await tenant.createUser();
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Operations' });
  const [desk, , ideas] = [
    await createCommunity(system, { workspaceId, name: 'Service desk' }),
    await createCommunity(system, { workspaceId, name: 'Hidden' }),
    await createCommunity(system, { workspaceId, name: 'Ideas' }),
  ];
  const group = await tenant.request(admin, 'POST', `${ADMIN}/manage/groups`, { name: 'Board', memberIds: [anna] });
  expect(group.status, group.text).toBe(200);
  await setCommunityRole(system, desk!, [anna, -group.body.groupId], 3);
  await setCommunityRole(system, ideas!, [-group.body.groupId], 2);

  const { status, body } = await access(anna);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    userId: anna,
    state: 'active',
    adminCapabilities: [],
    groups: [{ name: 'Board' }],
    communities: [
      {
        communityId: ideas,
        communityName: 'Ideas',
        permissions: expect.arrayContaining(['createPosts']),
        ways: [{ roleId: 2, givenIn: 'community', groupId: group.body.groupId, groupName: 'Board' }],
      },
      {
        communityId: desk,
        ways: [
          { roleId: 3, givenIn: 'community' },
          { roleId: 3, groupName: 'Board' },
        ],
      },
    ],
  });
  expect(body.communities).toHaveLength(2);
  expect(body.communities[1].permissions).not.toContain('createPosts');
});

test('is refused to others, and to nobody known', async () => {
  const member = await tenant.createUser();
  expect((await access(member, member)).status).toBe(403);
  expect((await access(999_999_999)).status).toBe(404);
});
