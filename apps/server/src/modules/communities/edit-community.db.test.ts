/** Creating, editing and deleting workspaces and communities. */
import type { CommunityMember } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { setCommunityRole } from './set-community-roles.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let workspaceId: number;
const ADMIN = '/portal/api/admin';

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  workspaceId = (await ask(admin, 'POST', '/manage/workspaces', { name: 'Opérations', externalId: 'ops' })).workspaceId;
});
afterAll(() => portal?.close());

async function ask(actor: number, method: string, path: string, body?: object) {
  const { status, body: answer, text } = await tenant.request(actor, method, `${ADMIN}${path}`, body);
  expect(status, text).toBe(200);
  return answer;
}
const refusal = async (actor: number, method: string, path: string, body?: object) => {
  const { status, body: answer } = await tenant.request(actor, method, `${ADMIN}${path}`, body);
  return [status, answer.code];
};
const create = async (name: string, more: object = {}) =>
  (await ask(admin, 'POST', '/manage/communities', { workspaceId, name, ...more })).communityId as number;
const form = (id: number, actor = admin) => ask(actor, 'GET', `/manage/communities/${id}`);

describe('communities', () => {
  test('take what the form gives; switches that are left out keep their value, texts are emptied', async () => {
    const id = await create('Purchasing', {
      description: ' For orders ',
      colorCode: '#2F6f4f',
      externalId: 'buy',
      draft: true,
      workspaceMemberRoleId: 0,
      attachmentMaxSize: 5_000,
    });
    const made = await form(id);
    expect(made).toMatchObject({
      workspaceId,
      name: 'Purchasing',
      description: 'For orders',
      colorCode: '#2F6f4f',
      externalId: 'buy',
      draft: true,
      workspaceMemberRoleId: 0,
      titleEnabled: 1,
      hashTagEnabled: true,
      defaultPostVisibility: 2,
      attachmentMaxSize: 5_000,
      occToken: 1,
    });
    const { nextOccToken } = await ask(admin, 'PUT', `/manage/communities/${id}`, {
      name: 'Buying',
      likeEnabled: false,
      occToken: 1,
    });
    expect(nextOccToken).toBe(2);
    const { description, colorCode, externalId, attachmentMaxSize, ...kept } = made;
    expect(await form(id)).toEqual({ ...kept, name: 'Buying', likeEnabled: false, occToken: 2 });
    // The edit accepts the form unchanged.
    const { workspaceId: _where, ...same } = await form(id);
    await ask(admin, 'PUT', `/manage/communities/${id}`, same);
    const [stale] = await refusal(admin, 'PUT', `/manage/communities/${id}`, same);
    expect(stale).toBe(409);
  });

  test('have their creator as manager, who posts in them at once, and members of the workspace as readers', async () => {
    const id = await create('Ideas');
    const post = { title: 'First', description: 'Text', descriptionFormat: 2, announcement: false };
    const path = `/portal/api/communication/posts/manage/create-post/${id}`;
    expect((await tenant.request(admin, 'POST', path, post)).status).toBe(200);
    expect(await refusal(admin, 'DELETE', `/manage/communities/${id}`)).toEqual([409, 'CONFLICT']);
    const member = await tenant.createUser();
    const { occToken } = await ask(admin, 'GET', `/manage/workspaces/${workspaceId}/edit`);
    await ask(admin, 'PUT', `/manage/workspaces/${workspaceId}/${occToken}`, {
      name: 'Opérations',
      addUserIds: [member],
    });
    const seen = () => tenant.request(member, 'GET', `/portal/api/communication/settings/communities/${id}/details`);
    expect((await seen()).status).toBe(200);
    const { occToken: token } = await form(id);
    await ask(admin, 'PUT', `/manage/communities/${id}`, { name: 'Ideas', workspaceMemberRoleId: 0, occToken: token });
    expect((await seen()).status).toBe(404);
  });

  test('are edited by their managers and by administrators who do not see them, and by nobody else', async () => {
    const id = await create('Mine');
    const [other, manager, reader, outsider] = [
      await tenant.createUser({ admin: true }),
      await tenant.createUser(),
      await tenant.createUser(),
      await tenant.createUser(),
    ];
    const system = await tenant.scope(tenant.systemUserId);
    await setCommunityRole(system, id, [manager], 1);
    await setCommunityRole(system, id, [reader], 3);
    const details = `/portal/api/communication/settings/communities/${id}/details`;
    expect((await tenant.request(other, 'GET', details)).status).toBe(404);
    for (const actor of [other, manager]) {
      const { name, occToken } = await form(id, actor);
      await ask(actor, 'PUT', `/manage/communities/${id}`, { name, occToken });
    }
    for (const [actor, status] of [
      [reader, 403],
      [outsider, 404],
    ] as const) {
      expect((await refusal(actor, 'GET', `/manage/communities/${id}`))[0]).toBe(status);
      const body = { name: 'Theirs', occToken: 1 };
      expect((await refusal(actor, 'PUT', `/manage/communities/${id}`, body))[0]).toBe(status);
    }
    expect((await refusal(manager, 'DELETE', `/manage/communities/${id}`))[0]).toBe(403);
    const managed = (actor: number) => ask(actor, 'POST', '/data/communities', { calculateTotalItemsCount: true });
    expect((await managed(manager)).items.map((item: { id: number }) => item.id)).toEqual([id]);
    expect((await managed(reader)).items).toEqual([]);
    expect((await managed(other)).totalItemsCount).toBeGreaterThan(1);
  });

  test('are listed by name in pages, by part of a name and by workspace', async () => {
    const elsewhere = (await ask(admin, 'POST', '/manage/workspaces', { name: 'Elsewhere' })).workspaceId;
    for (const name of ['Zebra', 'Álamo', 'bison']) await create(name, { workspaceId: elsewhere });
    const names: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await ask(admin, 'POST', '/data/communities', { workspaceId: elsewhere, pageSize: 2, pageToken });
      names.push(...page.items.map((item: { name: string }) => item.name));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(names).toEqual(['Álamo', 'bison', 'Zebra']);
    const found = await ask(admin, 'POST', '/data/communities', { nameFilter: 'ALAM', calculateTotalItemsCount: true });
    expect([found.items.map((item: { name: string }) => item.name), found.totalItemsCount]).toEqual([['Álamo'], 1]);
  });

  test('cannot share an external id', async () => {
    await create('One', { externalId: 'same' });
    const body = { workspaceId, name: 'Two', externalId: 'same' };
    const answer = await tenant.request(admin, 'POST', `${ADMIN}/manage/communities`, body);
    expect(answer.body.validationErrors.list).toMatchObject([{ field: 'externalId', code: 'DUPLICATE_VALUE' }]);
  });
});

describe('members of a community', () => {
  const members = (id: number, actor = admin, body: object = {}) =>
    ask(actor, 'POST', `/data/communities/${id}/members`, { calculateTotalItemsCount: true, ...body });
  const give = (id: number, body: object, actor = admin) =>
    ask(actor, 'PUT', `/manage/communities/${id}/members`, body);

  test('are given roles and lose them, with effect at once; who gave them is shown, and when to oneself', async () => {
    const id = await create('Staffed', { workspaceMemberRoleId: 0 });
    const [manager, person, other] = [
      await tenant.createUser(),
      await tenant.createUser(),
      await tenant.createUser({ admin: true }),
    ];
    const { groupId } = await ask(admin, 'POST', '/manage/groups', {
      name: 'Buyers',
      visible: true,
      memberIds: [person],
    });
    await give(id, { userRoles: [{ userId: manager, roleId: 1 }], groupRoles: [{ groupId, roleId: 3 }] });
    const seen = async (actor: number) =>
      (await tenant.request(actor, 'GET', `/portal/api/communication/settings/communities/${id}/details`)).status;
    expect([await seen(manager), await seen(person), await seen(other)]).toEqual([200, 200, 404]);
    // An administrator of the workplace reads the list without seeing the community, and can assign
    // themselves a role, which the list shows.
    expect((await members(id, other)).totalItemsCount).toBe(3);
    const { membersCount } = await give(id, { userRoles: [{ userId: other, roleId: 2 }] }, other);
    expect(membersCount).toBe(4);
    const listed = (await members(id, person)).items as Record<string, { id: number }>[];
    expect(
      listed.map(({ user, group, roleId, givenByUser, givenToOneself }) => [
        user?.id ?? `group ${group?.id}`,
        roleId,
        givenByUser?.id,
        givenToOneself,
      ]),
    ).toEqual([
      [admin, 1, admin, true],
      [manager, 1, admin, false],
      [other, 2, other, true],
      [`group ${groupId}`, 3, admin, false],
    ]);
    // An unchanged role keeps the account that gave it.
    await give(id, { userRoles: [{ userId: other, roleId: 2 }], removeGroupIds: [groupId] }, manager);
    expect(await seen(person)).toBe(404);
    const after = (await members(id, manager)).items as Record<string, { id: number }>[];
    expect(after.at(-1)).toMatchObject({ user: { id: other }, givenByUser: { id: other }, givenToOneself: true });
    const pages = [await members(id, manager, { pageSize: 2 })];
    pages.push(await members(id, manager, { pageSize: 2, pageToken: pages[0].nextPageToken }));
    expect(pages.flatMap(({ items }) => items)).toEqual(after);
  });

  test('see who gave themselves a role by the workspace or by a group, and which programs have one everywhere', async () => {
    const made = await ask(admin, 'POST', '/manage/workspaces', { name: 'Seen' });
    const id = await create('Watched', { workspaceId: made.workspaceId, workspaceMemberRoleId: 3 });
    const [reader, holder] = [await tenant.createUser(), await tenant.createUser({ admin: true })];
    const editWorkspace = async (actor: number, body: object) => {
      const { occToken } = await ask(actor, 'GET', `/manage/workspaces/${made.workspaceId}/edit`);
      await ask(actor, 'PUT', `/manage/workspaces/${made.workspaceId}/${occToken}`, { name: 'Seen', ...body });
    };
    await editWorkspace(admin, { addUserIds: [reader] });
    await editWorkspace(holder, {
      addUserRoleAssociations: [
        { userId: holder, roleId: 4 },
        { userId: holder, roleId: 2 },
      ],
    });
    const { groupId } = await ask(admin, 'POST', '/manage/groups', { name: 'Joined', visible: true });
    await give(id, { groupRoles: [{ groupId, roleId: 2 }] });
    await ask(holder, 'PUT', '/manage/groups/members', {
      groupMembers: [{ id: groupId, occToken: 1, addUserIds: [holder] }],
    });
    const { userId: program } = await ask(admin, 'POST', '/manage/service-accounts', { name: 'Sync', roleId: 3 });
    const { items, totalItemsCount } = await members(id, reader);
    const view = ({ user, group, roleId, givenIn, givenToOneself, selfAddedUsers, givenByUser }: CommunityMember) => [
      user?.id ?? `group ${group?.id}`,
      roleId,
      givenIn,
      givenByUser?.id,
      givenToOneself,
      selfAddedUsers?.map(({ id }) => id),
    ];
    expect(items.map(view)).toEqual([
      [admin, 1, 'community', admin, true, undefined],
      [holder, 2, 'workspace', holder, true, undefined],
      [`group ${groupId}`, 2, 'community', admin, false, [holder]],
      [reader, 3, 'workspace', admin, false, undefined],
      [holder, 3, 'workspace', holder, true, undefined],
      [program, 3, 'everywhere', admin, false, undefined],
    ]);
    expect(totalItemsCount).toBe(6);
    const pages = [await members(id, reader, { pageSize: 3 })];
    pages.push(await members(id, reader, { pageSize: 3, pageToken: pages[0].nextPageToken }));
    expect(pages.flatMap((page) => page.items)).toEqual(items);
    await ask(admin, 'DELETE', `/manage/users/${program}`);
  });

  test('are edited by those who edit the community, and seen by those who see it', async () => {
    const id = await create('Closed', { workspaceMemberRoleId: 0 });
    const [reader, outsider] = [await tenant.createUser(), await tenant.createUser()];
    await give(id, { userRoles: [{ userId: reader, roleId: 3 }] });
    const body = { userRoles: [{ userId: reader, roleId: 1 }] };
    expect((await refusal(reader, 'PUT', `/manage/communities/${id}/members`, body))[0]).toBe(403);
    expect((await refusal(outsider, 'PUT', `/manage/communities/${id}/members`, body))[0]).toBe(404);
    expect((await members(id, reader)).totalItemsCount).toBe(2);
    expect((await refusal(outsider, 'POST', `/data/communities/${id}/members`, {}))[0]).toBe(404);
  });
});

test('workspaces are listed with how many communities they hold, and deleted when it is none', async () => {
  const made = (await ask(admin, 'POST', '/manage/workspaces', { name: 'Short-lived' })).workspaceId;
  const community = await create('Inside', { workspaceId: made });
  const listed = async () =>
    (await ask(admin, 'POST', '/data/workspaces', { nameFilter: 'short' })).items as Record<string, unknown>[];
  expect(await listed()).toEqual([{ workspaceId: made, name: 'Short-lived', communitiesCount: 1, occToken: 1 }]);
  expect(await refusal(admin, 'DELETE', `/manage/workspaces/${made}`)).toEqual([409, 'CONFLICT']);
  await ask(admin, 'DELETE', `/manage/communities/${community}`);
  await ask(admin, 'DELETE', `/manage/workspaces/${made}`);
  expect(await listed()).toEqual([]);
});
