/** Administration around people: areas and business units, and failed mails to people. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { faults } from '../../../../test/support/test-world.ts';

const API = '/portal/api/admin';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal.close());

const ask = (method: string, path: string, body?: unknown, actor = admin) =>
  tenant.request(actor, method, `${API}${path}`, body);
const db = () => portal.services.databases.for(tenant.tenant.id);

test.each([
  ['areas', 'area'],
  ['business-units', 'businessUnit'],
])('%s are made, found, edited, filled and deleted when nobody is in them', async (path, field) => {
  const made = await ask('POST', `/manage/${path}`, { name: 'Própria Sales', externalId: 'S' });
  expect(made.status, made.text).toBe(200);
  const { id, nextOccToken: occToken } = made.body;
  const twice = await ask('POST', `/manage/${path}`, { name: 'propria sales ', externalId: 'S' });
  expect(faults(twice)).toEqual(['name: DUPLICATE_VALUE', 'externalId: DUPLICATE_VALUE']);
  expect((await ask('PUT', `/manage/${path}/${id}`, { name: 'Sales', externalId: 'S', occToken })).status).toBe(200);
  const person = { firstname: 'Ada', lastname: 'Rossi', userInfo: { [field]: { id } } };
  const { userId } = (await ask('POST', '/manage/users', person)).body;
  const listed = await ask('POST', `/data/${path}`, { nameFilter: 'SÁL', calculateTotalItemsCount: true });
  expect(listed.body).toEqual({
    items: [{ id, name: 'Sales', externalId: 'S', usersCount: 1, occToken: 2 }],
    totalItemsCount: 1,
  });
  expect((await ask('DELETE', `/manage/${path}/${id}`)).status).toBe(409);
  expect((await ask('DELETE', `/manage/users/${userId}`)).status).toBe(200);
  expect((await ask('DELETE', `/manage/${path}/${id}`)).status).toBe(200);
  expect((await ask('DELETE', `/manage/${path}/${id}`)).status).toBe(404);
  const log = await ask('POST', '/data/audit-entries', { objectTypes: [field] });
  expect(log.body.items.map((entry: { action: string }) => entry.action)).toEqual(['deleted', 'modified', 'created']);
});

test('of two areas of one name that are made at once one is refused, and nobody enters one that is being deleted', async () => {
  const both = await Promise.all([1, 2].map(() => ask('POST', '/manage/areas', { name: 'Twice' })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  const { id } = both.find(({ status }) => status === 200)!.body;
  const person = { firstname: 'Ada', lastname: 'Rossi', userInfo: { area: { id } } };
  const answers = await Promise.all([
    ask('DELETE', `/manage/areas/${id}`),
    ...Array.from({ length: 6 }, () => ask('POST', '/manage/users', person)),
  ]);
  for (const { status, text } of answers) expect([200, 400, 409], text).toContain(status);
});

test('mails are listed with why they did not arrive, sent again, and discarded', async () => {
  const invited = async (username: string, rights = {}) => {
    const { userId } = (
      await ask('POST', '/manage/users', {
        firstname: 'Ben',
        lastname: username,
        contactEmail: `${username}@acme.example`,
        userCredentialsConfiguration: { custom: { username, active: true } },
        ...rights,
      })
    ).body;
    expect((await ask('POST', `/manage/users/${userId}/invite`)).status).toBe(200);
    return userId as number;
  };
  const [one, two] = [await invited('ben.one'), await invited('ben.two')];
  await db().execute(
    `UPDATE outgoing_mails SET state = 'failed', error = '550 no such mailbox', finished_at = now() WHERE tenant_id = $1 AND user_id = $2`,
    [tenant.tenant.id, one],
  );
  const list = async (body: object) => (await ask('POST', '/data/mails', body)).body;
  const { items } = await list({ states: ['failed'], calculateTotalItemsCount: true });
  expect(items).toMatchObject([
    { userId: one, recipient: 'ben.one@acme.example', state: 'failed', error: '550 no such mailbox', canRetry: true },
  ]);
  const { items: waiting } = await list({ userIds: [two] });
  expect((await ask('POST', `/manage/mails/${waiting[0].id}/retry`)).status).toBe(400);
  expect((await ask('POST', `/manage/mails/${items[0].id}/retry`)).status).toBe(200);
  expect((await list({ states: ['failed'] })).items).toEqual([]);
  expect((await ask('DELETE', `/manage/mails/${waiting[0].id}`)).status).toBe(200);
  expect((await ask('DELETE', `/manage/mails/${waiting[0].id}`)).status).toBe(404);
  expect((await list({ userIds: [two] })).items).toEqual([]);
  // A caller without a right may not change mails of its holders.
  const clerk = await tenant.createUser();
  await db().execute('UPDATE users SET manages_users = true WHERE tenant_id = $1 AND id = $2', [
    tenant.tenant.id,
    clerk,
  ]);
  await db().execute('UPDATE users SET manages_workplace = true WHERE tenant_id = $1 AND id = $2', [
    tenant.tenant.id,
    one,
  ]);
  await db().execute('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1', [
    tenant.tenant.id,
  ]);
  expect((await ask('DELETE', `/manage/mails/${items[0].id}`, undefined, clerk)).status).toBe(403);
});
