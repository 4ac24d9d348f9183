/**
 * People over HTTP: requests and responses on the wire, which the server checks against the
 * contract.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const ROOT = '/portal/api/external/v2';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ firstName: 'Ada', lastName: 'Admin', admin: true });
});
afterAll(() => portal.close());

const send = (method: string, path: string, body?: unknown) => tenant.request(admin, method, `${ROOT}${path}`, body);

describe('people on the wire', () => {
  test('the life of a user', async () => {
    const made = await send('POST', '/admin/manage/users', {
      firstname: 'Zoë',
      lastname: 'Ørsted',
      contactEmail: 'zoe@x.org',
      privateEmail: null,
    });
    expect(made.status).toBe(200);
    const path = `/admin/manage/users/${made.body.userId}`;
    const form = await send('GET', `${path}/edit`);
    expect(form.body).toMatchObject({ firstname: 'Zoë', occToken: 1 });
    // A client may send a token back as a string of digits.
    const edited = await send('PUT', path, { firstname: 'Zoe', lastname: 'Ørsted', occToken: '1' });
    expect(edited.body).toEqual({ nextOccToken: 2 });
    const stale = await send('PUT', path, { firstname: 'Zoe', lastname: 'Ørsted', occToken: 1 });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ code: 'CONFLICT_STALE_TOKEN', currentOccToken: 2, changedBy: { id: admin } });
    const dry = await send('DELETE', `${path}?dryRun=true`);
    expect(dry.body).toHaveProperty('dryRun');
    expect((await send('GET', `${path}/edit`)).status).toBe(200);
    const gone = await send('DELETE', path);
    expect([gone.status, gone.text]).toEqual([200, '']);
    const deleted = await send('GET', `${path}/edit`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const read of ['/admin/manage/users/999999/edit', `${path}/credentials/edit`])
      expect((await send('GET', read)).status).toBe(404);
  });

  test('deleting a user ends their access with the next request', async () => {
    const userId = await tenant.createUser();
    const whoAmI = () => tenant.request(userId, 'GET', `${ROOT}/core/auth/current-user-data`);
    expect((await whoAmI()).body.userData).toMatchObject({ id: userId });
    expect((await tenant.request(userId, 'GET', `${ROOT}/core/user-profile/info`)).body).toMatchObject({ id: userId });
    await send('DELETE', `/admin/manage/users/${userId}`);
    const refused = await whoAmI();
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('INVALID_AUTH_TOKEN');
  });

  test('lists take nulls, single words for lists, and refuse unknown orders', async () => {
    const list = (body: object) => send('POST', '/admin/data/users', body);
    const all = await list({ lang: null, loginProviderFilter: [], statusFilter: null, calculateTotalItemsCount: true });
    expect(all.status).toBe(200);
    expect(all.body.totalItemsCount).toBe(all.body.items.length);
    expect((await list({ lang: 'it', loginProviderFilter: 'google' })).body.items).toEqual([]);
    for (const body of [
      { orderTypeId: 'shoeSize' },
      { statusFilter: [7] },
      { loginProviderFilter: 'carrier pigeon' },
      { pageSize: 0 },
      { fullTextFilter: 5 },
    ]) {
      const answer = await list(body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.body.validationErrors.list).toHaveLength(1);
    }
    expect((await tenant.request(await tenant.createUser(), 'POST', `${ROOT}/admin/data/users`, {})).status).toBe(403);
  });

  test('the life of a group', async () => {
    const first = await send('POST', '/admin/manage/groups', { name: 'Once', memberIds: [admin] });
    expect(first.body).toMatchObject({ name: 'Once', membersCount: 1 });
    const groups = await send('POST', '/admin/data/groups', { fullTextFilter: 'once', orderTypeId: 'email' });
    expect(groups.body.items).toHaveLength(1);
    const members = await send('POST', `/admin/data/groups/${first.body.groupId}/members`);
    expect(members.body.items).toMatchObject([{ id: admin, lastName: 'Admin' }]);
    const bulk = await send('PUT', '/admin/manage/groups/members', {
      groupMembers: [{ id: first.body.groupId, occToken: first.body.nextOccToken, deleteUserIds: [admin] }],
    });
    expect(bulk.body.successGroups).toMatchObject([{ membersCount: 0, occToken: first.body.nextOccToken + 1 }]);
    expect((await send('GET', `/admin/manage/groups/${first.body.groupId}/edit`)).body.members).toEqual([]);
  });
});
