/**
 * Administrative rights: given and removed in the forms of users and groups, and kept by the last
 * person able to sign in.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { setMemberships } from './edit-group-members.ts';
import { hashPassword } from './passwords.ts';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal } from './people.fixture.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;
let hash: string;

beforeAll(async () => {
  portal = await openPeoplePortal();
  hash = await hashPassword('correct horse battery staple');
});
afterAll(() => portal.close());

const both: AdministrativeRight[] = ['manageUsers', 'manageDigitalWorplace'];
const fieldsOf = (rights: readonly AdministrativeRight[]) => ({
  managesUsers: rights.includes('manageUsers'),
  managesWorkplace: rights.includes('manageDigitalWorplace'),
});
const form = (scope: Scope, userId: number) => call('getUserForEdit', scope, { params: { userId } });

let names = 0;
/** Creates a person with a password. */
async function person(rights: readonly AdministrativeRight[] = []): Promise<number> {
  const userId = await tenant.user({ customUsername: `p${++names}`, ...fieldsOf(rights) });
  await tenant.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, hash]);
  return userId;
}

/** Edits a user like older clients, which do not send rights, with the given properties added. */
async function edit(scope: Scope, userId: number, more: { adminCapabilities?: AdministrativeRight[] } = {}) {
  const { occToken } = await form(tenant.admin, userId);
  return call('editUser', scope, { params: { userId }, body: { firstname: 'A', lastname: 'B', occToken, ...more } });
}

async function group(rights: AdministrativeRight[], memberIds: number[]): Promise<number> {
  const body = { name: `Group ${++names}`, adminCapabilities: rights, memberIds };
  return (await call('createGroup', tenant.admin, { body })).groupId!;
}

async function editGroup(scope: Scope, groupId: number, more: object) {
  const { occToken, name } = await call('getGroupForEdit', scope, { params: { groupId } });
  return call('editGroup', scope, { params: { groupId }, body: { name, occToken, ...more } });
}

describe('giving and taking', () => {
  beforeAll(async () => {
    tenant = await portal.tenant();
  });

  test('a user is made with rights, which an edit takes and one that leaves them out keeps', async () => {
    const body = { firstname: 'Se', lastname: 'Cond', adminCapabilities: both };
    const { userId } = await call('createUser', tenant.admin, { body });
    expect((await form(tenant.admin, userId!)).adminCapabilities).toEqual(both);
    await edit(tenant.admin, userId!);
    expect((await form(tenant.admin, userId!)).adminCapabilities).toEqual(both);
    await edit(tenant.admin, userId!, { adminCapabilities: ['manageUsers'] });
    expect((await form(tenant.admin, userId!)).adminCapabilities).toEqual(['manageUsers']);
    expect((await tenant.scope(userId!)).actor.rights).toEqual(new Set(['manageUsers']));
    await edit(tenant.admin, userId!, { adminCapabilities: [] });
    expect((await form(tenant.admin, userId!)).adminCapabilities).toEqual([]);
  });

  test('a group gives rights to its members, keeps them where they are left out, and loses them', async () => {
    const member = await tenant.user();
    const groupId = await group(['manageDigitalWorplace'], [member]);
    const rights = async () => (await call('getGroupForEdit', tenant.admin, { params: { groupId } })).adminCapabilities;
    expect((await tenant.scope(member)).actor.rights).toEqual(new Set(['manageDigitalWorplace']));
    await editGroup(tenant.admin, groupId, {});
    expect(await rights()).toEqual(['manageDigitalWorplace']);
    await editGroup(tenant.admin, groupId, { adminCapabilities: ['manageUsers'] });
    expect((await tenant.scope(member)).actor.rights).toEqual(new Set(['manageUsers']));
    await editGroup(tenant.admin, groupId, { adminCapabilities: [] });
    expect((await tenant.scope(member)).actor.rights).toEqual(new Set());
  });

  test('a file of people names rights', async () => {
    const csv = (rights: string) => `firstname,lastname,externalId,adminCapabilities\nA,One,r1,${rights}\nA,Two,r2,\n`;
    const refused = refusal(call('importUsers', tenant.admin, { body: { csv: csv('everything'), invite: false } }));
    expect((await refused).faults).toEqual(['lines[2].adminCapabilities: INVALID_VALUE']);
    const body = { csv: csv('manageUsers manageDigitalWorplace'), invite: false };
    const limited = await tenant.scope(await person(['manageUsers']));
    expect(await refusal(call('importUsers', limited, { body }))).toMatchObject({ status: 403 });
    const { rows } = await call('importUsers', tenant.admin, { body });
    const held = await Promise.all(rows!.map(({ userId }) => form(tenant.admin, userId!)));
    expect(held.map(({ adminCapabilities }) => adminCapabilities)).toEqual([both, []]);
  });

  test('nobody gives or takes a right that they lack', async () => {
    const limited = await tenant.scope(await person(['manageUsers']));
    const holder = await person(both);
    const plain = await person();
    const groupId = await group(['manageDigitalWorplace'], []);
    const lacking: AdministrativeRight[] = ['manageDigitalWorplace'];
    const made = { firstname: 'A', lastname: 'B', adminCapabilities: lacking };
    for (const work of [
      () => call('createUser', limited, { body: made }),
      () => edit(limited, plain, { adminCapabilities: lacking }),
      () => edit(limited, limited.actor.userId, { adminCapabilities: both }),
      () => edit(limited, holder, { adminCapabilities: ['manageUsers'] }),
      () => call('createGroup', limited, { body: { name: 'Theirs', adminCapabilities: lacking } }),
      () => editGroup(limited, groupId, { adminCapabilities: [] }),
    ])
      expect(await refusal(work())).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    for (const adminCapabilities of [['manageUsers'], []] satisfies AdministrativeRight[][]) {
      await edit(limited, plain, { adminCapabilities });
      expect((await form(tenant.admin, plain)).adminCapabilities).toEqual(adminCapabilities);
    }
  });

  test('whoever lacks a right of an account takes no other right from it, by whatever way it holds them', async () => {
    const limited = await tenant.scope(await person(['manageUsers']));
    const holder = await person(both);
    const mixed = await person(['manageDigitalWorplace']);
    const plain = await person();
    const ofBoth = await group(both, [await person()]);
    const ofUsers = await group(['manageUsers'], [mixed, plain]);
    const takeOut = async (deleteUserIds: number[]) => {
      const { occToken } = await call('getGroupForEdit', tenant.admin, { params: { groupId: ofUsers } });
      const groupMembers = [{ id: ofUsers, occToken, deleteUserIds }];
      return call('editGroupMembers', limited, { body: { groupMembers } });
    };
    for (const work of [
      () => edit(limited, holder, { adminCapabilities: ['manageDigitalWorplace'] }),
      () => editGroup(limited, ofBoth, { adminCapabilities: ['manageDigitalWorplace'] }),
      () => editGroup(limited, ofUsers, { adminCapabilities: [] }),
      () => editGroup(limited, ofUsers, { memberIds: [plain] }),
      () => call('deleteGroup', limited, { params: { groupId: ofUsers } }),
    ])
      expect(await refusal(work())).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await takeOut([mixed])).refusedGroups).toMatchObject([
      { groupId: ofUsers, validationErrors: { list: [{ code: 'FORBIDDEN' }] } },
    ]);
    const changed = (body: object) => call('changeUsers', limited, { body: { userIds: [holder, mixed], ...body } });
    for (const body of [{ blocked: true }, { signOut: true }, { deleteGroupIds: [ofUsers] }])
      expect((await changed(body)).okCount).toBe(0);
    for (const body of [{ addGroupIds: [ofBoth] }, { deleteGroupIds: [ofBoth] }])
      expect(await refusal(changed(body))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    for (const userId of [holder, mixed]) expect((await tenant.scope(userId)).actor.rights).toEqual(new Set(both));
    // If members hold no more rights than the caller, the caller may end the membership and,
    // without other members, delete the group.
    expect((await takeOut([plain])).successGroups).toHaveLength(1);
    expect((await tenant.scope(plain)).actor.rights).toEqual(new Set());
    await editGroup(tenant.admin, ofUsers, { memberIds: [plain] });
    await call('deleteGroup', limited, { params: { groupId: ofUsers } });
  });
});

describe('the last person who holds a right and can sign in', () => {
  /** The only holder, and the account that acts, which nobody can sign in to. */
  let holder: number;

  beforeAll(async () => {
    tenant = await portal.tenant();
    holder = await person(both);
    // These accounts cannot replace the holder.
    await tenant.user({ serviceAccount: true, ...fieldsOf(both) });
    await tenant.user({ ...fieldsOf(both), customUsername: 'invited' });
    const blocked = await person(both);
    await call('blockUser', tenant.admin, { params: { userId: blocked } });
  });

  const withoutPassword = async (userId: number) => {
    const { occToken } = await call('getUserCredentialsForEdit', tenant.admin, { params: { userId } });
    const body = { occToken, userCredentialsConfiguration: { custom: { active: false } } };
    return call('editUserCredentials', tenant.admin, { params: { userId }, body });
  };

  test.each<[string, (userId: number) => Promise<unknown>]>([
    ['deleteUser', (userId) => call('deleteUser', tenant.admin, { params: { userId } })],
    ['eraseUser', (userId) => call('eraseUser', tenant.admin, { params: { userId } })],
    ['blockUser', (userId) => call('blockUser', tenant.admin, { params: { userId } })],
    ['editUser', (userId) => edit(tenant.admin, userId, { adminCapabilities: ['manageUsers'] })],
    ['editUserCredentials', withoutPassword],
  ])('is protected from %s', async (_verb, end) => {
    const before = await form(tenant.admin, holder);
    expect(await refusal(end(holder))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(await form(tenant.admin, holder)).toEqual(before);
    const other = await person(both);
    await end(other);
    expect((await form(tenant.admin, holder)).adminCapabilities).toEqual(both);
  });

  test('is protected from changeUsers, which changes the other accounts', async () => {
    const plain = await tenant.user();
    const other = await person(both);
    const userIds = [plain, other, holder, 987_654_321];
    const block = (scope: Scope) => call('changeUsers', scope, { body: { userIds, blocked: true, signOut: true } });
    const { items, okCount, errorCount } = await block(tenant.admin);
    expect(items!.map(({ outcome, error }) => error?.code ?? outcome)).toEqual(['OK', 'OK', 'FORBIDDEN', 'NOT_FOUND']);
    expect([okCount, errorCount]).toEqual([2, 2]);
    expect((await form(tenant.admin, holder)).blocked).toBe(false);
    expect((await form(tenant.admin, other)).occToken).toBe(items![1]!.nextOccToken);
    // Sessions end again; the accounts are blocked already.
    expect((await block(tenant.admin)).items!.map(({ outcome }) => outcome)).toEqual(['OK', 'OK', 'ERROR', 'ERROR']);
    const again = await call('changeUsers', tenant.admin, { body: { userIds: [plain], blocked: true } });
    expect(again).toMatchObject({ okCount: 0, unchangedCount: 1 });
  });

  test('is protected where a group gives the right', async () => {
    tenant = await portal.tenant();
    const [member, other] = [await person(), await person()];
    const groupId = await group(both, [member, other]);
    const members = async () => {
      const { members } = await call('getGroupForEdit', tenant.admin, { params: { groupId } });
      return members!.map(({ id }) => id!).sort((a, b) => a - b);
    };
    const takeOut = async (deleteUserIds: number[], addUserIds: number[] = []) => {
      const { occToken } = await call('getGroupForEdit', tenant.admin, { params: { groupId } });
      const groupMembers = [{ id: groupId, occToken, deleteUserIds, addUserIds }];
      return call('editGroupMembers', tenant.admin, { body: { groupMembers } });
    };
    expect((await takeOut([other])).successGroups).toHaveLength(1);
    for (const work of [
      () => call('deleteGroup', tenant.admin, { params: { groupId } }),
      () => editGroup(tenant.admin, groupId, { memberIds: [] }),
      () => editGroup(tenant.admin, groupId, { adminCapabilities: ['manageUsers'] }),
      () => call('deleteUser', tenant.admin, { params: { userId: member } }),
    ])
      expect(await refusal(work())).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const { successGroups, refusedGroups } = await takeOut([member]);
    expect(successGroups).toEqual([]);
    expect(refusedGroups).toMatchObject([{ groupId, validationErrors: { list: [{ code: 'FORBIDDEN' }] } }]);
    expect(await members()).toEqual([member]);
    // A member is replaced by another.
    expect((await takeOut([member], [other])).successGroups).toHaveLength(1);
    expect(await members()).toEqual([other]);
  });

  test('stays in a group that a directory takes them out of, with an audit entry', async () => {
    tenant = await portal.tenant();
    const member = await person();
    const plainGroup = await group([], [member]);
    const groupId = await group(['manageUsers'], [member]);
    await tenant.write('access', (write) => setMemberships(write, member, { join: [], leave: [plainGroup, groupId] }));
    expect((await tenant.scope(member)).actor.groupIds).toEqual([groupId]);
    const entries = await tenant.sql<{ object_id: string; after: { keptMember: number } }>(
      `SELECT object_id, after FROM audit_entries WHERE tenant_id = $1 AND after ? 'keptMember'`,
      [tenant.id],
    );
    expect(entries.map(({ object_id, after }) => [Number(object_id), after.keptMember])).toEqual([[groupId, member]]);
  });

  test('is left over when two administrators end each other at once', async () => {
    for (const verb of ['deleteUser', 'blockUser', 'eraseUser'] as const) {
      tenant = await portal.tenant();
      const two = [await person(both), await person(both)];
      const scopes = await Promise.all(two.map((userId) => tenant.scope(userId)));
      const ended = await Promise.allSettled(
        scopes.map((scope, index) => call(verb, scope, { params: { userId: two[1 - index]! } })),
      );
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('is left over when several administrators are ended at once by accounts that nobody signs in to', async () => {
    tenant = await portal.tenant();
    const people = [await person(both), await person(both), await person(both)];
    const ended = await Promise.allSettled(
      people.map((userId) => call('deleteUser', tenant.admin, { params: { userId } })),
    );
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  test('nobody deletes themselves', async () => {
    tenant = await portal.tenant();
    const scope = await tenant.scope(await person(both));
    await person(both);
    const userId = scope.actor.userId;
    expect(await refusal(call('deleteUser', scope, { params: { userId } }))).toMatchObject({ status: 403 });
  });
});
