import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOperation } from '../../../../test/support/call-operation.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { rolledBack } from '../../../../test/support/rolled-back.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createGroupRecord, deleteUser } from '../../people/index.ts';
import { createWorkspace, ensureWorkspace, setWorkspaceMembers } from './create-workspace.ts';
import { loadWorkspaceViews } from './read-workspace.ts';
import { workspaceHandlers } from './workspaces.routes.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

interface Stage {
  tenant: TestTenant;
  adminId: number;
  workspaceId: number;
  as: (userId: number) => Promise<Scope>;
}

async function stage(): Promise<Stage> {
  const tenant = await portal.createTenant();
  const adminId = await tenant.createUser({ firstName: 'Ada', lastName: 'Rossi', admin: true });
  const workspaceId = await createWorkspace(await tenant.scope(adminId), {
    name: 'Works',
    description: { en: 'All of it' },
  });
  return { tenant, adminId, workspaceId, as: (userId) => tenant.scope(userId) };
}

type Edit = Parameters<typeof edit>[3];

async function edit(
  on: Stage,
  userId: number,
  occToken: number,
  body: import('@portico/contract').EditWorkspaceRequest,
  workspaceId = on.workspaceId,
) {
  return callOperation(workspaceHandlers, 'editWorkspace', await on.as(userId), {
    params: { workspaceId, occToken },
    body,
  });
}

async function read(on: Stage, userId = on.adminId, workspaceId = on.workspaceId) {
  return callOperation(workspaceHandlers, 'getWorkspaceForEdit', await on.as(userId), { params: { workspaceId } });
}

async function failure(work: Promise<unknown>): Promise<PorticoError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PorticoError)) throw error ?? new Error('it should have failed');
  return error;
}

async function faults(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await failure(work);
  if (!(error instanceof ValidationError)) throw error;
  return Object.fromEntries(error.errors.map(({ field, code }) => [field, code]));
}

async function group(on: Stage, name: string, memberIds: number[]): Promise<number> {
  return writeTransaction(await on.as(on.adminId), 'access', (write) => createGroupRecord(write, { name, memberIds }));
}

async function picture(on: Stage, contentRef: string, creatorId: number): Promise<void> {
  const { db } = await on.as(on.adminId);
  await db.execute(
    `INSERT INTO file_contents (tenant_id, content_ref, mime_type, size, state, creator_id, created_at, uploaded_at)
     VALUES ($1, $2, 'image/png', 1, 1, $3, $4, $4)`,
    [db.tenantId, contentRef, creatorId, new Date()],
  );
}

describe('the form of a workspace', () => {
  test('carries whole lists with exact counts', async () => {
    const on = await stage();
    const [manager, member, both, gone] = await Promise.all(
      ['Berta', 'Carla', 'Dora', 'Elsa'].map((firstName) => on.tenant.createUser({ firstName, lastName: 'X' })),
    );
    const groupId = await group(on, 'Group', [member!]);
    const otherGroup = await group(on, 'Other', []);
    await setWorkspaceMembers(await on.as(on.adminId), on.workspaceId, [
      { principal: manager!, roleId: 1 },
      { principal: both!, roleId: 2 },
      { principal: both!, roleId: null },
      { principal: member!, roleId: null },
      { principal: gone!, roleId: null },
      { principal: -groupId, roleId: null },
      { principal: -otherGroup, roleId: 4 },
    ]);
    await deleteUser(await on.as(on.adminId), gone!);
    await on.tenant
      .scope(on.adminId)
      .then(({ db }) =>
        db.execute(`UPDATE users SET licence_types = '{1}' WHERE tenant_id = $1 AND id = $2`, [db.tenantId, member]),
      );
    const form = await read(on);
    const content = form.contentData!;
    expect(form).toMatchObject({
      id: on.workspaceId,
      occToken: 2,
      creatorUser: { id: on.adminId },
      lastModifyUser: { id: on.adminId },
      adminUsersCount: 2,
      adminGroupsCount: 1,
      memberUsersCount: 2,
      memberGroupsCount: 1,
    });
    expect(content).toMatchObject({ name: 'Works', translations: {}, description: { en: 'All of it' } });
    expect(content.adminUsers!.items!.map(({ user, role }) => [user!.firstName, role!.name])).toEqual([
      ['Berta', 'manager'],
      ['Dora', 'contributor'],
    ]);
    expect(content.adminGroups!.items!.map((item) => [item.group!.name, item.role!.id])).toEqual([['Other', 4]]);
    expect(content.adminMembers!.totalItemsCount).toBe(3);
    expect(content.memberUsers!.items!.map((user) => user.firstName)).toEqual(['Carla', 'Dora']);
    expect(content.memberGroups).toMatchObject({ items: [{ id: groupId }], totalItemsCount: 1 });
    expect(
      content.members!.items!.map(({ id, name, workspaceMember, hasActiveLicense }) => [
        id,
        name,
        workspaceMember,
        hasActiveLicense,
      ]),
    ).toEqual([
      [`user-${manager}`, 'Berta X', false, false],
      [`user-${member}`, 'Carla X', true, true],
      [`user-${both}`, 'Dora X', true, false],
      [`group-${groupId}`, 'Group', true, false],
      [`group-${otherGroup}`, 'Other', false, false],
    ]);
    expect(content.members!.items![2]!.adminRoles).toMatchObject([{ id: 2, name: 'contributor' }]);
  });

  test('is for administrators of the workplace; of another tenant it does not exist', async () => {
    const on = await stage();
    const user = await on.tenant.createUser();
    const elsewhere = await stage();
    expect((await failure(read(on, user))).status).toBe(403);
    expect((await failure(edit(on, user, 1, { name: 'x' }))).status).toBe(403);
    expect((await failure(read(elsewhere, elsewhere.adminId, on.workspaceId))).status).toBe(404);
    expect((await failure(edit(elsewhere, elsewhere.adminId, 1, { name: 'x' }, on.workspaceId))).status).toBe(404);
    expect((await failure(read(on, on.adminId, 999_999_999))).status).toBe(404);
    const views = await loadWorkspaceViews(await elsewhere.as(elsewhere.adminId), [
      on.workspaceId,
      elsewhere.workspaceId,
    ]);
    expect([...views]).toEqual([
      [elsewhere.workspaceId, { id: elsewhere.workspaceId, name: 'Works', hasDetailInfo: true }],
    ]);
  });
});

describe('editing a workspace', () => {
  test('replaces texts, keeps pictures that are left out, and answers with the new form', async () => {
    const on = await stage();
    await picture(on, 'a'.repeat(64), on.adminId);
    const first = await edit(on, on.adminId, 1, {
      name: 'Works 2',
      translations: { it: 'Lavori', en: ' ' },
      newLogoContentRef: 'a'.repeat(64),
    });
    expect(first.contentData).toMatchObject({
      name: 'Works 2',
      translations: { it: 'Lavori' },
      description: {},
      logoContentRef: 'a'.repeat(64),
    });
    expect(first.occToken).toBe(2);
    // Links expire a fixed time after they are created, so they differ between responses.
    const logoTemporaryContentViewLink = expect.stringContaining('/portal/files/');
    expect(await read(on)).toEqual({ ...first, logoTemporaryContentViewLink });
    const second = await edit(on, on.adminId, 2, { name: 'Works 3' });
    expect(second.contentData).toMatchObject({ name: 'Works 3', translations: {}, logoContentRef: 'a'.repeat(64) });
  });

  test('adds and removes people, whose rights change with it', async () => {
    const on = await stage();
    const [user, other] = [await on.tenant.createUser(), await on.tenant.createUser()];
    const groupId = await group(on, 'G', [other]);
    const { db } = await on.as(on.adminId);
    await db.execute(
      `INSERT INTO communities (tenant_id, workspace_id, name, name_key, creator_id) VALUES ($1, $2, 'C', 'c', $3)`,
      [db.tenantId, on.workspaceId, on.adminId],
    );
    const roles = async (userId: number) => [...(await on.as(userId)).actor.roles.values()];
    expect(await roles(user)).toEqual([]);
    const added = await edit(on, on.adminId, 1, {
      name: 'W',
      addUserIds: [user, user],
      addGroupIds: [groupId],
      addUserRoleAssociations: [{ userId: user, roleId: 2 }],
      addGroupRoleAssociations: [{ groupId, roleId: 1 }],
    });
    expect(added).toMatchObject({ adminUsersCount: 1, adminGroupsCount: 1, memberUsersCount: 1, memberGroupsCount: 1 });
    expect(await roles(user)).toEqual([2]);
    expect(await roles(other)).toEqual([1]);
    const roleIds = added.contentData!.adminMembers!.items!.map((item) => item.roleAssociationId!);
    const removed = await edit(on, on.adminId, 2, {
      name: 'W',
      removeRoleAssociationIds: roleIds,
      removeUserIds: [user, other],
    });
    expect(removed).toMatchObject({
      adminUsersCount: 0,
      adminGroupsCount: 0,
      memberUsersCount: 0,
      memberGroupsCount: 1,
    });
    expect(await roles(user)).toEqual([]);
    expect(await roles(other)).toEqual([3]);
  });

  test('tells everything that is wrong and changes nothing', async () => {
    const on = await stage();
    const user = await on.tenant.createUser();
    const other = await on.tenant.createUser();
    const groupId = await group(on, 'G', [user]);
    const added = await edit(on, on.adminId, 1, { name: 'W', addUserRoleAssociations: [{ userId: user, roleId: 1 }] });
    const roleId = added.contentData!.adminUsers!.items![0]!.roleAssociationId!;
    await picture(on, 'b'.repeat(64), other);
    const wrong: Edit = {
      name: ' ',
      description: { Klingon: 'x' },
      newCoverImageContentRef: 'b'.repeat(64),
      addUserIds: [999_999_999, -groupId],
      addGroupIds: [groupId, user],
      addUserRoleAssociations: [{ userId: user, roleId: 9 }, { roleId: 1 }],
      removeRoleAssociationIds: [roleId, 999_999_999],
    };
    expect(await faults(edit(on, on.adminId, 2, wrong))).toEqual({
      name: 'REQUIRED_FIELD',
      'description.Klingon': 'INVALID_VALUE',
      newCoverImageContentRef: 'CONTENT_REF_INVALID',
      'addUserIds[0]': 'UNKNOWN_REFERENCE',
      'addUserIds[1]': 'UNKNOWN_REFERENCE',
      'addGroupIds[1]': 'UNKNOWN_REFERENCE',
      'addUserRoleAssociations[0].roleId': 'INVALID_VALUE',
      'addUserRoleAssociations[1].userId': 'REQUIRED_FIELD',
      'removeRoleAssociationIds[1]': 'UNKNOWN_REFERENCE',
    });
    // A name is required also where only people change.
    expect(await faults(edit(on, on.adminId, 2, { addUserIds: [other] }))).toEqual({ name: 'REQUIRED_FIELD' });
    expect(await read(on)).toEqual(added);
  });

  test('lets exactly one of 50 writers with the same token win, with people and without', async () => {
    const on = await stage();
    const user = await on.tenant.createUser();
    for (const people of [{}, { addUserIds: [user] }]) {
      const before = (await read(on)).occToken!;
      const settled = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => edit(on, on.adminId, before, { name: `W${n}`, ...people })),
      );
      const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as PorticoError] : []));
      expect(settled.length - refused.length).toBe(1);
      expect(new Set(refused.map((error) => error.code))).toEqual(new Set(['CONFLICT_STALE_TOKEN']));
      expect(refused[0]!.details).toMatchObject({
        currentOccToken: before + 1,
        changedBy: { id: on.adminId, name: 'Ada Rossi' },
      });
      expect((await read(on)).occToken).toBe(before + 1);
    }
  });

  test('rolled back answers with what would be and leaves everything as it is', async () => {
    const on = await stage();
    const user = await on.tenant.createUser();
    const before = await read(on);
    const would = await rolledBack(await on.as(on.adminId), (scope) =>
      callOperation(workspaceHandlers, 'editWorkspace', scope, {
        params: { workspaceId: on.workspaceId, occToken: 1 },
        body: { name: 'Would', addUserIds: [user] },
      }),
    );
    expect(would).toMatchObject({ occToken: 2, memberUsersCount: 1, contentData: { name: 'Would' } });
    expect(await read(on)).toEqual(before);
  });
});

describe('making workspaces', () => {
  test('finds them again by external id or name', async () => {
    const on = await stage();
    const scope = await on.as(on.adminId);
    expect(await ensureWorkspace(scope, { name: 'Works' })).toBe(on.workspaceId);
    const id = await ensureWorkspace(scope, { name: 'Other', externalId: 'o' });
    expect(await ensureWorkspace(scope, { name: 'Renamed', externalId: 'o' })).toBe(id);
    const namesake = await createWorkspace(scope, { name: 'Works' });
    // A name that two have tells neither.
    const ambiguous = await failure(ensureWorkspace(scope, { name: 'Works' }));
    expect([ambiguous.status, ambiguous.message]).toEqual([
      409,
      expect.stringContaining(`: ${on.workspaceId}, ${namesake}.`),
    ]);
    expect(await faults(createWorkspace(scope, { name: '' }))).toEqual({ name: 'REQUIRED_FIELD' });
    const user = await on.tenant.createUser();
    expect((await failure(createWorkspace(await on.as(user), { name: 'x' }))).status).toBe(403);
  });
});
