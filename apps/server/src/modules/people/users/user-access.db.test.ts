/** End of access, rights, and people named by sources. */
import { UserStatus } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readActorState } from '../../../kernel/access/index.ts';
import { ensureAreas, ensureUsers, splitName } from './accounts.ts';
import { blockUser } from './block-user.ts';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal, refusals } from './people.fixture.ts';
import { ACCESS_INTERVAL_MS, recordAccess } from './record-access.ts';
import { readUser } from './users.repository.ts';
import { loadUserViews } from './views.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;

beforeAll(async () => {
  portal = await openPeoplePortal();
  tenant = await portal.tenant();
});
afterAll(() => portal.close());

const form = (userId: number) => call('getUserForEdit', tenant.admin, { params: { userId } });
const credentialsForm = (userId: number) => call('getUserCredentialsForEdit', tenant.admin, { params: { userId } });
const edit = (userId: number, body: object) => call('editUser', tenant.admin, { params: { userId }, body });
const remove = (userId: number) => call('deleteUser', tenant.admin, { params: { userId } });

describe('ends and limits', () => {
  test('a deleted user has no form, is 404 in edits, and without access from the next request on', async () => {
    const userId = await tenant.user({ lastName: 'Leaver' });
    expect(await remove(userId)).toBeUndefined();
    expect(await form(userId)).toBeUndefined();
    for (const refused of await refusals([
      credentialsForm(userId),
      edit(userId, { firstname: 'a', lastname: 'b', occToken: 1 }),
      remove(userId),
    ])) {
      expect(refused).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
    expect(await readActorState(tenant.admin.db, userId, null)).toMatchObject({ deleted: true });
    const { items } = await call('listSystemUsers', tenant.admin, {
      body: { statusFilter: [UserStatus.DELETED], pageSize: 500 },
    });
    expect(items!.map((item) => item.id)).toContain(userId);
  });

  test('blocking ends access, unblocking gives it back', async () => {
    const userId = await tenant.user({ managesUsers: true });
    const scope = await tenant.scope(userId);
    await tenant.write('access', (write) => blockUser(write, userId, true));
    expect(await readActorState(tenant.admin.db, userId, null)).toMatchObject({ blocked: true });
    expect((await form(userId)).blocked).toBe(true);
    const body = { firstname: 'a', lastname: 'b' };
    expect(await refusal(call('createUser', scope, { body }))).toMatchObject({
      status: 401,
      code: 'INVALID_AUTH_TOKEN',
    });
    await tenant.write('access', (write) => blockUser(write, userId, false));
    expect(await call('createUser', scope, { body })).toHaveProperty('userId');
  });

  test('without manageUsers every administrative operation is a 403, whether its object exists or not', async () => {
    const member = await tenant.scope(await tenant.user({ managesWorkplace: true }));
    const userId = await tenant.user();
    for (const id of [userId, 999_999_999]) {
      const user = { params: { userId: id } };
      const group = { params: { groupId: id } };
      for (const refused of await refusals([
        call('listSystemUsers', member),
        call('getUserForEdit', member, user),
        call('createUser', member, { body: {} }),
        call('editUser', member, { ...user, body: {} }),
        call('deleteUser', member, user),
        call('getUserCredentialsForEdit', member, user),
        call('editUserCredentials', member, { ...user, body: {} }),
        call('listSystemGroups', member),
        call('listGroupsMembers', member, group),
        call('getGroupForEdit', member, group),
        call('createGroup', member, { body: {} }),
        call('editGroup', member, { ...group, body: {} }),
        call('deleteGroup', member, group),
        call('editGroupMembers', member, { body: {} }),
      ])) {
        expect(refused).toMatchObject({ status: 403, code: 'FORBIDDEN' });
      }
    }
  });

  test("another tenant's users answer as unknown ones", async () => {
    const other = await portal.tenant();
    const foreign = await other.user();
    const body = { firstname: 'a', lastname: 'b', occToken: 1 };
    for (const userId of [foreign, 999_999_999]) {
      for (const refused of await refusals([
        form(userId),
        credentialsForm(userId),
        edit(userId, body),
        remove(userId),
      ])) {
        expect(refused).toEqual({ status: 404, code: 'NOT_FOUND', faults: [], details: {} });
      }
    }
    expect((await loadUserViews(tenant.admin, tenant.admin.db, [foreign])).size).toBe(0);
    expect((await call('listSystemUsers', tenant.admin, { body: { managerIds: [foreign] } })).items).toEqual([]);
    const unit = await other.write('access', (write) => ensureAreas(write, [{ name: 'Theirs' }]));
    const tried = edit(await tenant.user(), { ...body, userInfo: { area: { id: unit[0] } } });
    expect((await refusal(tried)).faults).toEqual(['userInfo.area.id: UNKNOWN_REFERENCE']);
  });

  test('accounts of the portal itself can be read but not changed', async () => {
    const [system] = await tenant.sql<{ id: string }>('SELECT id FROM users WHERE tenant_id = $1 AND system_account', [
      tenant.id,
    ]);
    const userId = Number(system!.id);
    expect(await form(userId)).toHaveProperty('occToken');
    expect(await refusal(remove(userId))).toMatchObject({ status: 403 });
    expect(await refusal(edit(userId, { firstname: 'a', lastname: 'b', occToken: 1 }))).toMatchObject({ status: 403 });
  });
});

describe('last access', () => {
  test('is noted per minute, without waiting for writes that hold a user', async () => {
    const [one, two] = await tenant.users([{ lastName: 'One' }, { lastName: 'Two' }]);
    const start = Date.UTC(2026, 0, 1);
    const seen = async (userId: number) => (await readUser(tenant.admin.db, userId))!.lastAccessAt;
    await recordAccess(tenant.admin.db, new Map([[one!, start]]));
    await recordAccess(tenant.admin.db, new Map([[one!, start + ACCESS_INTERVAL_MS]]));
    expect(await seen(one!)).toBe(start);
    await tenant.admin.db.transaction(async (tx) => {
      await tx.query('SELECT FROM users WHERE tenant_id = $1 AND id = $2 FOR SHARE', [tenant.id, one!]);
      const later = start + ACCESS_INTERVAL_MS + 1;
      await recordAccess(
        tenant.admin.db,
        new Map([
          [two!, later],
          [one!, later],
          [999_999_999, later],
        ]),
      );
    });
    expect(await seen(one!)).toBe(start);
    expect(await seen(two!)).toBe(start + ACCESS_INTERVAL_MS + 1);
    expect((await form(one!)).occToken).toBe(1);
  });
});

describe('people that sources name', () => {
  test('names are split where people would', () => {
    expect(splitName('Guido van Rossum')).toEqual({ firstName: 'Guido', lastName: 'van Rossum' });
    expect(splitName('Rossi,  Anna Maria')).toEqual({ firstName: 'Anna Maria', lastName: 'Rossi' });
    expect(splitName(' Anna  Maria Rossi ')).toEqual({ firstName: 'Anna Maria', lastName: 'Rossi' });
    expect(splitName('Plato')).toEqual({ firstName: '', lastName: 'Plato' });
    expect(splitName('Just van')).toEqual({ firstName: 'Just', lastName: 'van' });
  });

  test('are found again and made once, also by two imports at a time', async () => {
    const names = [
      'Ada Lovelace',
      'ada  LOVELACE',
      'Lovelace, Ada',
      { name: 'Ada Lovelace', externalId: 'L2' },
      'Plato',
    ];
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => tenant.write('none', (write) => ensureUsers(write, names))),
    );
    for (const ids of runs) expect(ids).toEqual(runs[0]);
    const [first, second, third, other, plato] = runs[0]!;
    expect([second, third]).toEqual([first, first]);
    expect(new Set([first, other, plato]).size).toBe(3);
    expect((await refusal(tenant.write('none', (write) => ensureUsers(write, [' '])))).faults).toEqual([
      'people[0].name: REQUIRED_FIELD',
    ]);
  });
});
