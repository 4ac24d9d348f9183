/** Roles of a tenant: their permissions, assignment, edits and deletion. */
import { communityPermissions, FieldType, RoleId, rolePermissions } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { permissionBits } from '../../../kernel/access/permissions.ts';
import { createCommunity } from '../create-community.ts';
import { setCommunityRoles } from '../set-community-roles.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';

const API = '/portal/api';
let portal: TestPortal;
let tenant: TestTenant;
let communityId: number;
let workspaceId: number;
let admin: number;
let manager: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  admin = await tenant.createUser({ admin: true });
  manager = await tenant.createUser();
  workspaceId = await createWorkspace(system, { name: 'Workspace' });
  communityId = await createCommunity(system, { workspaceId, name: 'Community', descriptionEnabled: 1 });
  await setCommunityRoles(system, communityId, [{ principal: manager, role: RoleId.MANAGER }]);
});
afterAll(() => portal.close());

const ask = (who: number, method: string, path: string, body?: unknown) =>
  tenant.request(who, method, `${API}${path}`, body);
const ok = async (who: number, method: string, path: string, body?: unknown) => {
  const answer = await ask(who, method, path, body);
  expect(answer.status, `${path} ${answer.text}`).toBe(200);
  return answer.body;
};
const makeRole = (name: string, permissions: string[]): Promise<{ id: number; nextOccToken: number }> =>
  ok(admin, 'POST', '/admin/manage/roles', { name, permissions });
const give = (userId: number, roleId: number) =>
  ok(manager, 'PUT', `/admin/manage/communities/${communityId}/members`, { userRoles: [{ userId, roleId }] });
const post = (who: number, body: object = {}) =>
  ok(who, 'POST', `/communication/posts/manage/create-post/${communityId}`, {
    title: 'Post',
    announcement: false,
    visibility: 2,
    ...body,
  });
const may = (who: number, postId: number) => ok(who, 'GET', `/communication/posts/data/post-capabilities/${postId}`);

test('the list names all roles and permissions, and each permission has a bit of its own', async () => {
  const { roles, permissions } = await ok(manager, 'GET', '/admin/data/roles');
  expect(roles.map(({ id }: { id: number }) => id).slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(permissions.map(({ name }: { name: string }) => name)).toEqual(communityPermissions.map(({ name }) => name));
  const bits = communityPermissions.map(({ name }) => permissionBits[name]);
  expect(new Set(bits).size).toBe(bits.length);
  for (const [weaker, stronger] of [
    [RoleId.GUEST, RoleId.READER],
    [RoleId.READER, RoleId.CONTRIBUTOR],
    [RoleId.CONTRIBUTOR, RoleId.MANAGER],
  ] as const)
    expect(rolePermissions[stronger]).toEqual(expect.arrayContaining([...rolePermissions[weaker]]));
});

test('a role in every community holds in those made later, for people and for members of groups', async () => {
  const [person, member] = [await tenant.createUser(), await tenant.createUser()];
  const { id: auditor } = await makeRole('Auditor everywhere', ['readAllPosts']);
  const group = await ok(admin, 'POST', '/admin/manage/groups', { name: 'Auditors', visible: true });
  await ok(admin, 'PUT', '/admin/manage/groups/members', {
    groupMembers: [{ id: group.groupId, addUserIds: [member], occToken: group.nextOccToken }],
  });
  const edit = (body: object) => ask(admin, 'PUT', '/admin/manage/members-everywhere', body);
  const given = {
    userRoles: [{ userId: person, roleId: auditor }],
    groupRoles: [{ groupId: group.groupId, roleId: RoleId.CONTRIBUTOR }],
  };
  expect((await ask(manager, 'PUT', '/admin/manage/members-everywhere', given)).status).toBe(403);
  expect((await edit(given)).body).toMatchObject({ assignmentsCount: 2 });
  const later = await createCommunity(await tenant.scope(tenant.systemUserId), {
    workspaceId,
    name: 'Later',
    workspaceMemberRole: null,
  });
  const list = (who: number) => ask(who, 'POST', `/communication/posts/data/list/community/${later}`, {});
  expect([(await list(person)).status, (await list(member)).status]).toEqual([200, 200]);
  const members = await ok(person, 'POST', `/admin/data/communities/${later}/members`, {});
  expect(members.items.map(({ roleId, givenIn }: { roleId: number; givenIn: string }) => [roleId, givenIn])).toEqual([
    [RoleId.CONTRIBUTOR, 'everywhere'],
    [auditor, 'everywhere'],
  ]);
  expect((await ok(admin, 'POST', '/admin/data/members-everywhere', {})).items).toHaveLength(2);
  expect((await ask(admin, 'DELETE', `/admin/manage/roles/${auditor}`)).text).toContain('1 times in every community');
  await edit({ removeUserIds: [person], removeGroupIds: [group.groupId] });
  expect([(await list(person)).status, (await list(member)).status]).toEqual([404, 404]);
});

test('a role permits what it is made of, and what that implies, in reads, writes and explanations', async () => {
  const auditor = await makeRole('Auditor', ['readAllPosts']);
  const moderator = await makeRole('Moderator', ['readPublicPosts', 'moderateComments']);
  const submitter = await makeRole('Submitter', ['createPosts']);
  const [a, m, s] = [await tenant.createUser(), await tenant.createUser(), await tenant.createUser()];
  for (const [who, { id }] of [
    [a, auditor],
    [m, moderator],
    [s, submitter],
  ] as const)
    await give(who, id);
  const open = (await post(manager)).postId;
  const closed = (await post(manager, { visibility: 1 })).postId;
  const own = (await post(s)).postId;
  const listed = async (who: number) => {
    const body = { pageSize: 500, calculateTotalItemsCount: true };
    const list = await ok(who, 'POST', `/communication/posts/data/list/community/${communityId}`, body);
    expect(list.totalItemsCount).toBe(list.items.length);
    return list.items.map(({ id }: { id: number }) => id).toSorted((x: number, y: number) => x - y);
  };
  expect(await listed(a)).toEqual([open, closed, own]);
  expect(await listed(m)).toEqual([open, own]);
  expect(await listed(s)).toEqual([own]);
  expect(await may(a, closed)).toMatchObject({ canModify: false, canAddComment: false, canPin: false });
  expect(await may(m, open)).toMatchObject({ canAddComment: true, canDeleteComment: 2, canModify: false });
  expect(await may(s, own)).toMatchObject({ canModify: true, canAddComment: false });
  expect(
    (
      await ask(a, 'POST', `/communication/posts/manage/create-post/${communityId}`, {
        title: 'x',
        announcement: false,
      })
    ).status,
  ).toBe(403);
  const explained = await ok(m, 'GET', `/communication/posts/data/explain/${open}?capability=canModify`);
  expect(JSON.stringify(explained)).toContain('lack the permission createPosts');
  expect(JSON.stringify(explained)).toContain('“Moderator” is given to you in the community');

  // Other roles add their permissions.
  const system = await tenant.scope(tenant.systemUserId);
  await ok(admin, 'PUT', `/admin/manage/workspaces/${workspaceId}/1`, {
    name: 'Workspace',
    addUserRoleAssociations: [{ userId: a, roleId: moderator.id }],
  });
  expect(await may(a, closed)).toMatchObject({ canAddComment: true, canModify: false });
  // All permissions of a contributor together count as a contributor where transitions are open to roles.
  await setCommunityRoles(system, communityId, [{ principal: s, role: RoleId.CONTRIBUTOR }]);
  expect(await may(s, own)).toMatchObject({ canAddComment: true });

  // An edit takes effect at once.
  const edit = { name: 'Auditor', permissions: ['readPublicPosts'], occToken: auditor.nextOccToken };
  await ok(admin, 'PUT', `/admin/manage/roles/${auditor.id}`, edit);
  expect((await ask(a, 'GET', `/communication/posts/data/post-detail-by-id/${closed}`)).status).toBe(404);
  expect((await ask(admin, 'PUT', `/admin/manage/roles/${auditor.id}`, edit)).status).toBe(409);
  expect(await listed(a)).toEqual([open, own]);

  // Deletion requires that nobody holds the role.
  const refused = await ask(admin, 'DELETE', `/admin/manage/roles/${moderator.id}`);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining('1 times in communities, 1 times in workspaces'),
  ]);
  expect((await ask(manager, 'DELETE', `/admin/manage/roles/${moderator.id}`)).status).toBe(403);
  const unknown = await ask(manager, 'PUT', `/admin/manage/communities/${communityId}/members`, {
    userRoles: [{ userId: a, roleId: 4 }],
  });
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('UNKNOWN_REFERENCE')]);
  const { id } = await makeRole('Unused', []);
  await ok(admin, 'DELETE', `/admin/manage/roles/${id}`);
  expect((await ask(admin, 'DELETE', `/admin/manage/roles/${id}`)).status).toBe(404);
  const builtIn = await ask(admin, 'DELETE', '/admin/manage/roles/3');
  expect([builtIn.status, builtIn.text]).toEqual([403, expect.stringContaining('Built-in roles are not changed')]);
});

test('service accounts hold roles of the tenant, and files of communities leave those of groups out', async () => {
  const { id: roleId } = await makeRole('Of programs', ['readAllPosts']);
  const form = { name: 'Reports', communityRoles: [{ communityId, roleId }] };
  const { userId } = await ok(admin, 'POST', '/admin/manage/service-accounts', form);
  expect(await ok(admin, 'GET', `/admin/manage/service-accounts/${userId}`)).toMatchObject(form);
  const unknown = await ask(admin, 'POST', '/admin/manage/service-accounts', { name: 'Other', roleId: 4 });
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('UNKNOWN_REFERENCE')]);
  const { groupId } = await ok(admin, 'POST', '/admin/manage/groups', { name: 'Readers of all', visible: true });
  const members = { groupRoles: [{ groupId, roleId }] };
  await ok(manager, 'PUT', `/admin/manage/communities/${communityId}/members`, members);
  const file = await ok(manager, 'GET', `/admin/manage/communities/${communityId}/file`);
  expect(file.groupRoles).toContainEqual({ group: 'Readers of all', role: 'Of programs' });
  expect(file.roles).toContainEqual({ key: 'Of programs', name: 'Of programs', permissions: expect.any(Array) });
});

test('fields and transitions are open to those who hold a role of the tenant, and to managers', async () => {
  const system = await tenant.scope(tenant.systemUserId);
  const id = await createCommunity(system, { workspaceId, name: 'Approvals', descriptionEnabled: 1 });
  const permissions = ['createPosts', 'comment', 'readPublicPosts'];
  const { id: controller, nextOccToken: occToken } = await makeRole('Controller', permissions);
  const people = { chief: 1, holder: controller, writer: RoleId.CONTRIBUTOR };
  const who = new Map<string, number>();
  for (const [name, roleId] of Object.entries(people)) {
    const userId = await tenant.createUser();
    who.set(name, userId);
    await ok(admin, 'PUT', `/admin/manage/communities/${id}/members`, { userRoles: [{ userId, roleId }] });
  }
  const at = `/admin/manage/communities/${id}`;
  const field = (label: string, visibleToRoles: number[], more: object = {}) =>
    ask(admin, 'POST', `${at}/fields`, { label, type: FieldType.ENUM, visibleToRoles, ...more });
  const unknown = await field('Budget', [controller, 4, 999]);
  expect(unknown.body.validationErrors.list).toMatchObject([
    { field: 'visibleToRoles[1]', code: 'UNKNOWN_REFERENCE' },
    { field: 'visibleToRoles[2]', code: 'UNKNOWN_REFERENCE' },
  ]);
  const { fieldId } = (await field('Budget', [controller])).body;
  const below = await field('Line', [RoleId.CONTRIBUTOR], { parentId: fieldId });
  expect(below.body.validationErrors.list).toMatchObject([{ field: 'visibleToRoles' }]);
  const { transitionIds } = await ok(admin, 'POST', `${at}/workflow`, {
    title: 'Approval',
    states: [{ name: 'Open', initial: true }, { name: 'Approved' }],
    transitions: [{ name: 'Approve', from: 'Open', to: 'Approved', run: { roles: [controller] } }],
  });
  const post = { title: 'Post', announcement: false, visibility: 2 };
  const { postId } = await ok(who.get('writer')!, 'POST', `/communication/posts/manage/create-post/${id}`, post);
  const seen = await Promise.all(
    [...who].map(async ([name, person]) => {
      const { fieldDefinitions } = await ok(person, 'GET', `/communication/settings/communities/${id}/post-definition`);
      const { items } = await ok(person, 'GET', `/communication/posts/data/explain/${postId}`);
      const asked = (items as { workflowOperationId?: number; permitted: boolean; sentence: string }[]).find(
        ({ workflowOperationId }) => workflowOperationId === transitionIds[0],
      )!;
      const run = `/communication/posts/manage/execute-post-workflow-operation/${postId}/${transitionIds[0]}?dryRun=true`;
      const { status } = await ask(person, 'POST', run, {});
      return [name, fieldDefinitions?.length ?? 0, asked.permitted, status, asked.sentence] as const;
    }),
  );
  expect(seen).toEqual([
    ['chief', 1, true, 200, expect.any(String)],
    ['holder', 1, true, 200, expect.stringContaining('you have the role “Controller” in the community')],
    ['writer', 0, false, 403, expect.stringContaining('do not have the role “Controller” in the community')],
  ]);
  const used = await ask(admin, 'DELETE', `/admin/manage/roles/${controller}`);
  expect([used.status, used.text]).toEqual([409, expect.stringContaining('1 times in communities')]);
  await ok(admin, 'PUT', `/admin/manage/communities/${id}/members`, { removeUserIds: [who.get('holder')] });
  const named = await ask(admin, 'DELETE', `/admin/manage/roles/${controller}`);
  expect([named.status, named.text]).toEqual([409, expect.stringContaining('2 fields, transitions and screens')]);
  const same = { name: 'Controller', permissions, occToken };
  await ok(admin, 'PUT', `/admin/manage/roles/${controller}`, { ...same, externalId: 'ctrl' });
  const { roles } = await ok(admin, 'GET', '/admin/data/roles');
  expect(roles.find((role: { id: number }) => role.id === controller)).toMatchObject({ externalId: 'ctrl' });
  const other = await ask(admin, 'POST', '/admin/manage/roles', { name: 'Other', permissions, externalId: 'ctrl' });
  expect(other.body.validationErrors.list).toMatchObject([{ field: 'externalId', code: 'DUPLICATE_VALUE' }]);
});
