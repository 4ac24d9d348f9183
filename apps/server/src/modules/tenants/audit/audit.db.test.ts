/** The audit log: its entries, the right to read it, and its protection against changes. */
import { userInfo } from 'node:os';
import { RoleId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { moveSignInFailures } from '../../../kernel/audit/index.ts';
import { OperatorSession } from '../../../operator/index.ts';
import {
  createCommunity,
  createWorkspace,
  setCommunityRole,
  setStandingRole,
  setWorkspaceMembers,
} from '../../communities/index.ts';
import { giveServiceAccountKey, withdrawServiceAccountKey } from '../../people/index.ts';

const API = '/portal/api/external/v2';
const PASSWORD = 'correct horse è 42';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal({ env: { PORTICO_TRUSTED_PROXIES: '127.0.0.1' } });
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true, firstName: 'Ada', lastName: 'Admin' });
});
afterAll(() => portal?.close());

interface Entry {
  id: number;
  timestamp: number;
  action: string;
  operation?: string;
  actorId?: number;
  actorName?: string;
  operator?: string;
  objectType: string;
  objectId?: number;
  objectName?: string;
  changes: { field: string; before?: string; after?: string }[];
  address?: string;
  requestId?: string;
  count: number;
}

const ask = (body: object, as = admin, at = tenant) => at.request(as, 'POST', `${API}/admin/data/audit-entries`, body);
async function list(body: object): Promise<Entry[]> {
  const { status, body: answer, text } = await ask({ pageSize: 500, ...body });
  expect(status, text).toBe(200);
  return answer.items;
}
async function manage(method: string, path: string, body?: object, headers?: Record<string, string>) {
  const answer = await tenant.request(admin, method, `${API}/admin/manage/${path}`, body, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}
const signIn = (username: string, password: string, address: string, more: object = {}) =>
  tenant.request(
    null,
    'POST',
    `${API}/core/auth/create-access-token-by-credentials`,
    { username, password, ...more },
    { 'X-Forwarded-For': address },
  );

let people = 0;
async function person() {
  const username = `person${++people}`;
  const { body } = await manage('POST', 'users', {
    firstname: 'Grace',
    lastname: username,
    userCredentialsConfiguration: { custom: { username, active: true, canUserManageCustomCredentials: true } },
    resetUserCustomCredentialsCommand: { password: PASSWORD },
  });
  return { userId: body.userId as number, username };
}

describe('entries', () => {
  test('say who changed what, before and after, from where, by which request', async () => {
    const { body: made } = await manage('POST', 'users', { firstname: 'Grace', lastname: 'Hopper' });
    const edited = await manage(
      'PUT',
      `users/${made.userId}`,
      { firstname: 'Grace', lastname: 'Murray', occToken: made.nextOccToken },
      { 'X-Forwarded-For': '203.0.113.9' },
    );
    const [newest, first, ...others] = await list({ objectTypes: ['user'], objectIds: [made.userId] });
    expect(others).toEqual([]);
    expect(newest).toEqual({
      id: expect.any(Number),
      timestamp: expect.any(Number),
      action: 'modified',
      operation: 'editUser',
      actorId: admin,
      actorName: 'Ada Admin',
      objectType: 'user',
      objectId: made.userId,
      objectName: 'Grace Murray',
      changes: [{ field: 'lastname', before: '"Hopper"', after: '"Murray"' }],
      address: '203.0.113.9',
      requestId: edited.headers.get('x-request-id'),
      count: 1,
    });
    expect(first).toMatchObject({ action: 'created', operation: 'createUser' });
    expect(first!.changes).toContainEqual({ field: 'lastname', after: '"Hopper"' });
  });

  test('name members that come and go, of every group', async () => {
    const [one, two] = [await tenant.createUser(), await tenant.createUser()];
    const { body: made } = await manage('POST', 'groups', { name: 'Staff', visible: true, memberIds: [one] });
    await manage('PUT', `groups/${made.groupId}`, {
      name: 'Staff',
      visible: true,
      memberIds: [two],
      occToken: made.nextOccToken,
    });
    const [edited] = await list({ objectTypes: ['group'], objectIds: [made.groupId] });
    expect(edited!.changes).toMatchObject([{ field: 'members', before: `[${one}]`, after: `[${two}]` }]);
    await manage('DELETE', `users/${two}`);
    const [left, ...before] = await list({ objectTypes: ['group'], objectIds: [made.groupId] });
    expect(left).toMatchObject({ operation: 'deleteUser', changes: [{ field: 'members', before: `[${two}]` }] });
    expect(before).toHaveLength(2);
  });

  test('say when a calendar got, changed and lost its address, never the address', async () => {
    const { userId } = await person();
    const feeds = `${API}/core/auth/manage/calendar-feeds`;
    const made = await tenant.request(userId, 'POST', feeds, {});
    const renewed = await tenant.request(userId, 'POST', feeds, {});
    const { feedId } = made.body;
    expect((await tenant.request(admin, 'POST', `${feeds}/${feedId}/revoke`)).status).toBe(404);
    expect((await tenant.request(userId, 'POST', `${feeds}/${feedId}/revoke`)).status).toBe(200);
    const entries = await list({ objectTypes: ['calendarFeed'], objectIds: [feedId], orderDesc: false });
    expect(entries.map(({ action, actorId, changes }) => ({ action, actorId, changes }))).toEqual([
      { action: 'created', actorId: userId, changes: [{ field: 'secretHash', after: '"secret"' }] },
      {
        action: 'modified',
        actorId: userId,
        changes: [{ field: 'secretHash', before: '"secret"', after: '"secret"' }],
      },
      { action: 'deleted', actorId: userId, changes: [{ field: 'secretHash', before: '"secret"' }] },
    ]);
    const [secret] = /[^/]+(?=\.ics$)/.exec(renewed.body.uri) ?? [];
    expect(secret).toBeTypeOf('string');
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('hold no password and no hash, only that it changed', async () => {
    const { userId, username } = await person();
    expect((await signIn(username, PASSWORD, '198.51.100.1', { newPassword: 'another horse è 43' })).status).toBe(200);
    const entries = await list({ objectTypes: ['user'], objectIds: [userId], orderDesc: false });
    const field = 'resetUserCustomCredentialsCommand.password';
    expect(entries.map(({ action }) => action)).toEqual(['created', 'modified', 'signedIn']);
    expect(entries[0]!.changes).toContainEqual({ field, after: '"secret"' });
    expect(entries[1]).toMatchObject({ actorId: userId, address: '198.51.100.1' });
    expect(entries[1]!.changes).toContainEqual({ field, before: '"secret"', after: '"secret"' });
    expect(JSON.stringify(entries)).not.toMatch(/argon2|horse/);
  });

  test('of the operator name their account on the host, the system account and the command’s change', async () => {
    const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
    const { name, id } = tenant.tenant;
    await session.changeTenantSettings(name, { defaultLanguage: 'it' });
    await session.rotateKeys(name, ['signing', 'page'], { withdrawOthers: false });
    const entries = await list({ objectTypes: ['tenant'], orderDesc: false });
    for (const entry of entries)
      expect(entry).toMatchObject({
        action: 'modified',
        objectId: id,
        actorId: tenant.systemUserId,
        operator: userInfo().username,
      });
    expect(entries[0]!.changes).toEqual([{ field: 'defaultLanguage', before: '"en"', after: '"it"' }]);
    expect(entries.slice(1).map(({ changes }) => changes.map(({ field }) => field))).toEqual([
      ['signingKeys'],
      ['secrets'],
    ]);
    // The signing key is retired, and the new key is added.
    expect(JSON.parse(entries[1]!.changes[0]!.after!)).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toMatch(/"d"|privateJwk|private_jwk/);
  });

  test('name roles that are given and taken, and keys of service accounts, in every way they change', async () => {
    const scope = await tenant.scope(tenant.systemUserId);
    const workspaceId = await createWorkspace(scope, { name: 'Plant' });
    const communityId = await createCommunity(scope, { workspaceId, name: 'Faults' });
    const program = await tenant.createUser({ service: true });
    await setCommunityRole(scope, communityId, [program], RoleId.READER);
    await setCommunityRole(scope, communityId, [program], RoleId.MANAGER);
    await setWorkspaceMembers(scope, workspaceId, [{ principal: admin, roleId: null }]);
    await setStandingRole(scope, program, RoleId.CONTRIBUTOR);
    const { private_key_id: keyId } = await giveServiceAccountKey(scope, program);
    await withdrawServiceAccountKey(scope, keyId);
    const changesOf = async (objectTypes: string[], objectIds: number[]) =>
      (await list({ objectTypes, objectIds, orderDesc: false }))
        .filter(({ action }) => action === 'modified')
        .map(({ changes }) =>
          changes.map(({ field, before, after }) => [field, JSON.parse(before ?? '[]'), JSON.parse(after ?? '[]')]),
        );
    expect(await changesOf(['community'], [communityId])).toEqual([
      [['roles', [], [{ principal: program, role: RoleId.READER }]]],
      [['roles', [{ principal: program, role: RoleId.READER }], [{ principal: program, role: RoleId.MANAGER }]]],
    ]);
    expect(await changesOf(['workspace'], [workspaceId])).toEqual([
      [['members', [], [{ principal: admin, role: null }]]],
    ]);
    const valid = { id: keyId, name: null, expiresAt: null, revokedAt: null };
    const revoked = { ...valid, revokedAt: expect.any(String) };
    expect(await changesOf(['user'], [program])).toEqual([
      [['roleInAllCommunities', [], [RoleId.CONTRIBUTOR]]],
      [['keys', [], [valid]]],
      [['keys', [valid], [revoked]]],
    ]);
  });

  test('are not written by a dry run, nor by a write that is refused or changes nothing', async () => {
    const { userId } = await person();
    const count = async () => (await list({ objectTypes: ['user'], objectIds: [userId] })).length;
    const before = await count();
    await manage('POST', `users/${userId}/block?dryRun=true`);
    await manage('POST', `users/${userId}/unblock`);
    const body = { firstname: 'No', lastname: 'Body', occToken: 77 };
    expect((await tenant.request(admin, 'PUT', `${API}/admin/manage/users/${userId}`, body)).status).toBe(409);
    expect(await count()).toBe(before);
  });

  test('of an erased person stay without what they said of the person', async () => {
    const { userId } = await person();
    const about = () => list({ objectTypes: ['user'], objectIds: [userId], orderDesc: false });
    await manage('POST', `users/${userId}/block`);
    await manage('DELETE', `users/${userId}`);
    expect((await about())[0]!.changes).toContainEqual({ field: 'firstname', after: '"Grace"' });
    await manage('POST', `users/${userId}/erase`);
    expect((await about()).map(({ action, operation, changes }) => [action, operation, changes])).toEqual([
      ['created', 'createUser', []],
      ['modified', 'blockUser', []],
      ['deleted', 'deleteUser', []],
      ['deleted', 'eraseUser', []],
    ]);
  });

  test('of concurrent edits follow one another: the value before is the one that was there', async () => {
    const { userId } = await person();
    await Promise.all(
      Array.from({ length: 16 }, (_, n) => manage('POST', `users/${userId}/${n % 2 ? 'block' : 'unblock'}`)),
    );
    const entries = (await list({ objectTypes: ['user'], objectIds: [userId], orderDesc: false })).slice(1);
    expect(entries.length).toBeGreaterThan(0);
    const values = entries
      .sort((a, b) => a.id - b.id)
      .map(({ changes }) => changes.find(({ field }) => field === 'blocked'));
    for (const [index, value] of values.entries())
      expect(value).toMatchObject(index % 2 ? { before: 'true', after: 'false' } : { before: 'false', after: 'true' });
  });
});

describe('sign-ins', () => {
  test('are recorded with the address of the client', async () => {
    const { userId, username } = await person();
    const { headers } = await signIn(username, PASSWORD, '2001:db8:1:2:3::4');
    const [entry] = await list({ actions: ['signedIn'], actorIds: [userId] });
    expect(entry).toMatchObject({
      operation: 'createAccessTokenByCredentials',
      objectId: userId,
      address: '2001:db8:1:2:3::4',
      requestId: headers.get('x-request-id'),
      changes: [],
    });
  });

  test('that fail are counted by account, address and minute', async () => {
    const { userId, username } = await person();
    const fail = async (name: string, address: string, times: number) => {
      for (let n = 0; n < times; n++) expect((await signIn(name, 'wrong', address)).status).toBe(401);
    };
    await fail(username, '192.0.2.1', 3);
    await fail(username, '192.0.2.2', 1);
    await fail(`nobody${Math.random()}`, '192.0.2.1', 1);
    await fail(`nobody${Math.random()}`, '192.0.2.1', 1);
    await fail(username, '2001:db8:1:2::1', 1);
    await fail(username, '2001:db8:1:2::2', 1);
    const db = portal.services.databases.for(tenant.tenant.id);
    const failed = () => list({ actions: ['signInFailed'], orderDesc: false });
    // The minute is not over: further attempts must not add rows.
    await moveSignInFailures(db, Date.now() - 60_000);
    expect(await failed()).toEqual([]);
    await moveSignInFailures(db, Date.now() + 60_000);
    const counts = new Map<string, number>();
    for (const { objectId, address, count, actorId } of await failed()) {
      expect(actorId).toBeUndefined();
      const key = `${objectId} ${address}`;
      // At the turn of a minute there are two rows.
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
    expect(Object.fromEntries(counts)).toEqual({
      [`${userId} 192.0.2.1`]: 3,
      [`${userId} 192.0.2.2`]: 1,
      [`${userId} 2001:db8:1:2::/64`]: 2,
      'undefined 192.0.2.1': 2,
    });
    await moveSignInFailures(db, Date.now() + 60_000);
    expect((await failed()).reduce((sum, { count }) => sum + count, 0)).toBe(8);
  });
});

describe('the list', () => {
  test('pages through everything once, in both directions, and counts it', async () => {
    for (const orderDesc of [true, false]) {
      const all = await list({ orderDesc });
      const sorted = [...all].sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
      expect(all.map(({ id }) => id)).toEqual((orderDesc ? sorted.reverse() : sorted).map(({ id }) => id));
      const ids: number[] = [];
      let pageToken: string | undefined;
      do {
        const { body } = await ask({ pageSize: 3, orderDesc, calculateTotalItemsCount: true, pageToken });
        expect(body.totalItemsCount).toBe(all.length);
        ids.push(...body.items.map(({ id }: Entry) => id));
        pageToken = body.nextPageToken;
      } while (pageToken);
      expect(ids).toEqual(all.map(({ id }) => id));
    }
  });

  test('combines filters by AND', async () => {
    const all = await list({});
    const middle = all[Math.floor(all.length / 2)]!.timestamp;
    const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
    expect(ids(await list({ from: middle }))).toEqual(ids(all.filter(({ timestamp }) => timestamp >= middle)));
    expect(ids(await list({ to: middle }))).toEqual(ids(all.filter(({ timestamp }) => timestamp < middle)));
    const both = await list({ actions: ['modified'], objectTypes: ['group', 'user'], actorIds: [admin], from: middle });
    expect(both.length).toBeGreaterThan(0);
    expect(ids(both)).toEqual(
      ids(
        all.filter(
          ({ action, objectType, actorId, timestamp }) =>
            action === 'modified' && objectType !== 'tenant' && actorId === admin && timestamp >= middle,
        ),
      ),
    );
    expect((await ask({ actions: ['forgotten'] })).status).toBe(400);
  });

  test('is for holders of manageUsers, of their own tenant', async () => {
    const member = await tenant.createUser();
    expect(await ask({}, member)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const other = await portal.createTenant();
    const otherAdmin = await other.createUser({ admin: true });
    const { body } = await ask({ pageSize: 500 }, otherAdmin, other);
    expect(body.items.map(({ objectId }: Entry) => objectId).sort()).toEqual([otherAdmin]);
  });
});
