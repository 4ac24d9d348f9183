/** Read-only (archived) communities, and communities that move to another workspace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestWorld } from '../../../test/support/test-world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld(await createTestPortal(), {
    community: { workspaceMemberRole: null },
    workflow: () => ({
      title: 'Flow',
      states: [
        { name: 'Open', initial: true, screen: 'Form', edit: { roles: [2] } },
        { name: 'Done', terminal: true },
      ],
      transitions: [{ name: 'Close', from: 'Open', to: 'Done', screen: 'Form' }],
      screenFields: [],
      screens: [{ name: 'Form', fields: [] }],
    }),
  });
});
afterAll(() => world?.portal.close());

const send = async (actor: number, method: string, path: string, body?: object) => {
  const { status, body: answer, text } = await world.tenant.request(actor, method, `/portal/api${path}`, body);
  return { status, answer, text };
};
const ok = async (actor: number, method: string, path: string, body?: object) => {
  const { status, answer, text } = await send(actor, method, path, body);
  expect(status, text).toBe(200);
  return answer;
};

test('an archived community can be read as before, and every write to it or its posts is refused alike', async () => {
  const { people, communityId } = world;
  const { manager, author, admin } = people;
  const settings = `/admin/manage/communities/${communityId}`;
  const posts = '/communication/posts';
  const edited = { title: 'T', description: 'x', descriptionFormat: 2 };
  const text = { ...edited, announcement: false };
  const postId = await world.post(author);
  const deleted = await world.post(author);
  await ok(author, 'DELETE', `${posts}/manage/delete-post/${deleted}`);
  await ok(author, 'POST', `${posts}/manage/create-comment/${postId}`, {
    comment: '[{"insert":"x\\n"}]',
  });
  const capabilities = () => ok(author, 'GET', `${posts}/data/post-capabilities/${postId}`);
  const [transition] = (await capabilities()).workflowPermittedOperations;
  const open = await capabilities();
  const field = await ok(manager, 'POST', `${settings}/fields`, { label: 'One', type: 6 });
  const { occToken } = await ok(manager, 'GET', settings);
  const refusal = await send(manager, 'PUT', `${settings}/archived`, { archived: true });
  expect([refusal.status, refusal.answer.message]).toEqual([403, expect.stringContaining('administrative right')]);
  const archived = await ok(admin, 'PUT', `${settings}/archived`, { archived: true });
  expect(archived).toEqual({
    communityId,
    archivedTimestamp: expect.any(Number),
    nextOccToken: occToken + 1,
  });
  // A second request changes nothing.
  expect(await ok(admin, 'PUT', `${settings}/archived`, { archived: true })).toEqual(archived);

  const writes: [number, string, string, object?][] = [
    [author, 'POST', `${posts}/manage/create-post/${communityId}`, text],
    [author, 'PUT', `${posts}/manage/edit-post/${postId}/1`, edited],
    [author, 'DELETE', `${posts}/manage/delete-post/${postId}`],
    [author, 'POST', `${posts}/manage/restore-post/${deleted}`],
    [author, 'POST', `${posts}/manage/create-comment/${postId}`, { comment: '[{"insert":"y\\n"}]' }],
    [author, 'PUT', `${posts}/manage/like/${postId}`, { liked: true }],
    [manager, 'PUT', `${posts}/manage/pin/${postId}`, { pinned: true }],
    [author, 'POST', `${posts}/manage/execute-post-workflow-operation/${postId}/${transition.id}`, {}],
    [
      manager,
      'POST',
      `${settings}/imports`,
      { fileName: 'a.csv', mapping: 'externalId: id\ntitle: name\n', trial: true },
    ],
    [manager, 'PUT', settings, { name: 'Other', occToken: occToken + 1 }],
    [manager, 'POST', `${settings}/fields`, { label: 'Two', type: 6 }],
    [manager, 'PUT', `${settings}/fields/${field.fieldId}`, { label: 'Uno', occToken: occToken + 1 }],
    [manager, 'PUT', `${settings}/workflow`, { states: [], transitions: [], occToken: occToken + 1 }],
  ];
  for (const [actor, method, path, body] of writes) {
    const { status, answer, text: whole } = await send(actor, method, path, body);
    expect([path, status, answer?.code], whole).toEqual([path, 403, 'COMMUNITY_ARCHIVED']);
  }
  // A stranger learns nothing.
  expect((await send(people.outsider, 'POST', `${posts}/manage/create-post/${communityId}`, text)).status).toBe(404);

  const { community } = await ok(author, 'GET', `/communication/settings/communities/${communityId}/details`);
  expect(community).toMatchObject({
    archivedTimestamp: archived.archivedTimestamp,
    operationalCapabilities: { viewPost: true, createPost: false, createEventPost: false, editPostVisibility: false },
  });
  const posting = await ok(author, 'GET', '/communication/settings/communities');
  expect(posting.communities.map(({ id }: { id: number }) => id)).not.toContain(communityId);
  expect(await capabilities()).toMatchObject({
    canViewDetail: true,
    canViewComment: true,
    canModify: false,
    canAddComment: false,
    canEditLike: false,
    canCreateTask: false,
    canEditWorkflowScreenData: false,
    workflowPermittedOperations: [],
  });
  const explained = await ok(author, 'GET', `/communication/posts/data/explain/${postId}`);
  const denied = explained.items.filter(({ permitted }: { permitted: boolean }) => !permitted);
  expect(denied.map(({ sentence }: { sentence: string }) => sentence).join()).toContain('the community is archived');
  expect(explained.items.find((one: { workflowOperationId?: number }) => one.workflowOperationId)?.permitted).toBe(
    false,
  );
  await ok(author, 'GET', `${posts}/data/post-detail-by-id/${postId}`);

  await ok(admin, 'PUT', `${settings}/archived`, { archived: false });
  expect(await capabilities()).toEqual(open);
  await ok(author, 'POST', `${posts}/manage/restore-post/${deleted}`);
});

test('a workspace is archived and restored with its communities; those that were archived themselves stay so', async () => {
  const { people, workspaceId, communityId } = world;
  const { admin, author } = people;
  const path = `/admin/manage/workspaces/${workspaceId}`;
  const settings = `/admin/manage/communities/${communityId}`;
  const { communityId: other } = await ok(admin, 'POST', '/admin/manage/communities', { workspaceId, name: 'Other' });
  await ok(admin, 'PUT', `/admin/manage/communities/${other}/archived`, { archived: true });
  const form = await ok(admin, 'GET', `${path}/edit`);
  const listed = async (more: object = {}) =>
    (await ok(admin, 'POST', '/admin/data/workspaces', more)).items.find(
      (one: { workspaceId: number }) => one.workspaceId === workspaceId,
    );
  const since = async (actor: number, id: number) =>
    (await ok(actor, 'GET', `/communication/settings/communities/${id}/details`)).community.archivedTimestamp;
  expect((await send(author, 'PUT', `${path}/archived`, { archived: true })).status).toBe(403);
  const archived = await ok(admin, 'PUT', `${path}/archived`, { archived: true });
  const { archivedTimestamp } = archived;
  expect(archived).toEqual({ workspaceId, archivedTimestamp: expect.any(Number), nextOccToken: form.occToken + 1 });
  expect(await ok(admin, 'PUT', `${path}/archived`, { archived: true })).toEqual(archived);
  expect(await ok(admin, 'GET', `${path}/edit`)).toMatchObject({ archivedTimestamp });
  expect(await listed()).toBeUndefined();
  expect(await listed({ archivedToo: true })).toMatchObject({ archivedTimestamp });

  const writes: [string, number, string, string, object][] = [
    ['WORKSPACE_ARCHIVED', admin, 'PUT', `${path}/${form.occToken + 1}`, { name: 'Other' }],
    ['WORKSPACE_ARCHIVED', admin, 'POST', '/admin/manage/communities', { workspaceId, name: 'New' }],
    ['WORKSPACE_ARCHIVED', admin, 'PUT', `${settings}/workspace`, { workspaceId }],
    ['COMMUNITY_ARCHIVED', admin, 'POST', `${settings}/fields`, { label: 'Two', type: 6 }],
    [
      'COMMUNITY_ARCHIVED',
      author,
      'POST',
      `/communication/posts/manage/create-post/${communityId}`,
      { title: 'T', announcement: false },
    ],
  ];
  for (const [code, actor, method, to, body] of writes) {
    const { status, answer, text } = await send(actor, method, to, body);
    expect([to, status, answer?.code], text).toEqual([to, 403, code]);
  }
  expect(await since(author, communityId)).toBe(archivedTimestamp);
  const posting = await ok(author, 'GET', '/communication/settings/communities');
  expect(posting.communities.map(({ id }: { id: number }) => id)).not.toContain(communityId);
  // A community cannot be restored without its workspace, and can be moved out of it.
  expect(await ok(admin, 'PUT', `${settings}/archived`, { archived: false })).toMatchObject({ archivedTimestamp });
  const elsewhere = await ok(admin, 'POST', '/admin/manage/workspaces', { name: 'Elsewhere' });
  await ok(admin, 'PUT', `${settings}/workspace?dryRun=true`, { workspaceId: elsewhere.workspaceId });

  const restored = await ok(admin, 'PUT', `${path}/archived`, { archived: false });
  expect(restored).toEqual({ workspaceId, nextOccToken: archived.nextOccToken + 1 });
  expect([await since(author, communityId), await since(admin, other)]).toEqual([undefined, expect.any(Number)]);
  await world.post(author);
  expect(await listed()).toBeDefined();
});

test('a move says first who gains and who loses sight, and then they do', async () => {
  const { people, tenant, communityId } = world;
  const { admin } = people;
  const settings = `/admin/manage/communities/${communityId}`;
  const workspace = async (name: string) =>
    (await ok(admin, 'POST', '/admin/manage/workspaces', { name })).workspaceId as number;
  const [first, second] = [await workspace('First'), await workspace('Second')];
  const [both, here, there, member] = await Promise.all([1, 2, 3, 4].map(() => tenant.createUser()));
  const join = async (workspaceId: number, body: object) => {
    const { occToken, contentData } = await ok(admin, 'GET', `/admin/manage/workspaces/${workspaceId}/edit`);
    await ok(admin, 'PUT', `/admin/manage/workspaces/${workspaceId}/${occToken}`, { name: contentData.name, ...body });
  };
  const { groupId } = await ok(admin, 'POST', '/admin/manage/groups', {
    name: 'There',
    visible: true,
    memberIds: [there],
  });
  await ok(admin, 'PUT', `${settings}/workspace`, { workspaceId: first });
  await ok(admin, 'PUT', `${settings}/members`, { userRoles: [{ userId: member, roleId: 3 }] });
  await join(first, { addUserIds: [both, here, member] });
  await join(second, { addUserIds: [both], addGroupIds: [groupId] });
  const sees = async (actor: number | undefined) =>
    (await send(actor!, 'GET', `/communication/settings/communities/${communityId}/details`)).status;
  const moved = (workspaceId: number, query = '') => ok(admin, 'PUT', `${settings}/workspace${query}`, { workspaceId });
  // Membership gives no role yet: nobody's sight depends on the workspace.
  expect(await moved(second, '?dryRun=true')).toMatchObject({ gainingUsersCount: 0, losingUsersCount: 0 });
  const { occToken, workspaceId: _, ...rest } = await ok(admin, 'GET', settings);
  await ok(admin, 'PUT', settings, { ...rest, workspaceMemberRoleId: 3, occToken });
  expect([await sees(here), await sees(there)]).toEqual([200, 404]);

  const shown = await moved(second, '?dryRun=true');
  expect(shown).toMatchObject({
    gainingUsers: [{ id: there }],
    gainingUsersCount: 1,
    losingUsers: [{ id: here }],
    losingUsersCount: 1,
    dryRun: { changes: [{ entity: 'community', id: communityId, action: 'modified' }] },
  });
  expect([await sees(here), await sees(there)]).toEqual([200, 404]);
  const { dryRun: _report, ...said } = shown;
  expect(await moved(second)).toEqual(said);
  expect(await Promise.all([both, here, there, member].map(sees))).toEqual([200, 404, 200, 200]);
  expect(await moved(second)).toMatchObject({ gainingUsersCount: 0, losingUsersCount: 0 });
  const unknown = await send(admin, 'PUT', `${settings}/workspace`, { workspaceId: 999_999 });
  expect([unknown.status, unknown.answer.validationErrors.list[0].field]).toEqual([400, 'workspaceId']);
});
