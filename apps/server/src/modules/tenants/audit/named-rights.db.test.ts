/** Entries of the audit log name the rights, permissions, roles and members that changed. */
import type { AuditChange } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { createCommunity, createWorkspace, setCommunityRoles } from '../../communities/index.ts';

const API = '/portal/api/admin';
let portal: TestPortal;
let tenant: TestTenant;
let chief: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  chief = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const manage = async (method: string, path: string, body?: object) => {
  const answer = await tenant.request(chief, method, `${API}/manage/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

/** Returns the last change of a field of an object. */
async function lastChange(objectType: string, objectId: number, field: string): Promise<AuditChange | undefined> {
  const filters = { objectTypes: [objectType], objectIds: [objectId] };
  const { body } = await tenant.request(chief, 'POST', `${API}/data/audit-entries`, filters);
  const changes: AuditChange[] = body.items.flatMap((entry: { changes: AuditChange[] }) => entry.changes);
  return changes.find((change) => change.field === field);
}

test('administrative rights are named, given and taken', async () => {
  const { userId, nextOccToken } = await manage('POST', 'users', { firstname: 'Grace', lastname: 'Hopper' });
  const person = { firstname: 'Grace', lastname: 'Hopper' };
  const given = { ...person, adminCapabilities: ['manageUsers'], occToken: nextOccToken };
  const { nextOccToken: next } = await manage('PUT', `users/${userId}`, given);
  expect(await lastChange('user', userId, 'adminCapabilities')).toMatchObject({
    beforeRights: [],
    afterRights: [{ adminCapability: 'manageUsers' }],
  });
  await manage('PUT', `users/${userId}`, { ...person, adminCapabilities: ['manageDigitalWorplace'], occToken: next });
  expect(await lastChange('user', userId, 'adminCapabilities')).toMatchObject({
    beforeRights: [{ adminCapability: 'manageUsers' }],
    afterRights: [{ adminCapability: 'manageDigitalWorplace' }],
  });
  const name = await lastChange('user', userId, 'lastname');
  expect([name?.beforeRights, name?.afterRights]).toEqual([undefined, undefined]);
});

test('a file of the log has the changes in words', async () => {
  const userId = await tenant.createUser({ firstName: 'Ida', lastName: 'Iovine' });
  const { groupId } = await manage('POST', 'groups', {
    name: 'Auditors',
    memberIds: [userId],
    adminCapabilities: ['manageUsers'],
  });
  const filters = { objectTypes: ['group'], objectIds: [groupId] };
  const file = await tenant.request(chief, 'POST', `${API}/data/audit-entries/export?format=csv`, filters);
  expect(file.text.split('\r\n')[0]).toMatch(/,Changes$/);
  expect(file.text).toContain('adminCapabilities: none → Manages people; ');
  expect(file.text).toContain('members: none → Ida Iovine');
  const chosen = `${API}/data/audit-entries/export?format=ndjson&columns=changes`;
  expect((await tenant.request(chief, 'POST', chosen, filters)).text).toContain('members: none → Ida Iovine');
});

test('roles, their permissions, their holders and members of groups are named', async () => {
  const userId = await tenant.createUser({ firstName: 'Bo', lastName: 'Bianchi' });
  const { groupId } = await manage('POST', 'groups', { name: 'Staff', visible: true, memberIds: [userId] });
  expect(await lastChange('group', groupId, 'members')).toMatchObject({
    afterRights: [{ userId, holderName: 'Bo Bianchi' }],
  });
  const { id: roleId } = await manage('POST', 'roles', { name: 'Moderator', permissions: ['comment', 'pinPosts'] });
  expect((await lastChange('role', roleId, 'permissions'))?.afterRights).toEqual(
    expect.arrayContaining([{ permission: 'comment' }, { permission: 'pinPosts' }]),
  );
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Works' });
  const communityId = await createCommunity(system, { name: 'Desk', workspaceId });
  await setCommunityRoles(system, communityId, [
    { principal: userId, role: 1 },
    { principal: -groupId, role: roleId },
  ]);
  const roles = await lastChange('community', communityId, 'roles');
  expect(roles?.afterRights).toHaveLength(2);
  expect(roles?.afterRights).toEqual(
    expect.arrayContaining([
      { userId, holderName: 'Bo Bianchi', roleId: 1, roleName: expect.stringMatching(/^manager$/i) },
      { groupId, holderName: 'Staff', roleId, roleName: 'Moderator' },
    ]),
  );
  // A member whose account is gone keeps the id.
  await manage('DELETE', `groups/${groupId}`);
  expect(await lastChange('group', groupId, 'members')).toMatchObject({ beforeRights: [{ userId }] });
});
