/** A body with a key that is not declared is refused, and the answer names the key and the nearest declared one. */
import { operationList } from '@portico/contract';
import { type DeclaredName, declarations, inputId, inputSchemas } from '@portico/contract/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

const pathOf = (path: string) => `/portal/api${path.replaceAll(/\{\w+\}/g, '1')}`;
const withBody = operationList.filter(({ body }) => body !== null);
const listOf = async (path: string, body: object) => {
  const answer = await tenant.request(admin, 'POST', `/portal/api/${path}`, body);
  return { status: answer.status, faults: answer.body.validationErrors?.list };
};

describe('keys that a body does not declare', () => {
  it('are refused by every operation that declares a body, with the nearest declared key', async () => {
    for (const { id, method, path, body } of withBody) {
      const [known] = Object.keys(declarations[body as DeclaredName].fields);
      const answer = await tenant.request(admin, method, pathOf(path), { [`${known}X`]: 1 });
      expect(answer.status, id).toBe(400);
      expect(answer.body.validationErrors.list, id).toContainEqual({
        code: 'UNRECOGNIZED_FIELD',
        field: `${known}X`,
        args: [known],
        defaultMessage: `The body has no field ${known}X; the nearest it has is ${known}.`,
      });
    }
  });

  it('are refused in every block and in elements of lists, with their path', async () => {
    for (const schema of inputSchemas) expect(schema, String(schema.$id)).toHaveProperty('additionalProperties', false);
    expect(inputSchemas.map(({ $id }) => $id)).toContain(inputId('CommunityPostFilters'));
    const { faults } = await listOf('communication/posts/data/list/community/1', {
      communityPostFilters: { titel: 'x', postFieldFilters: [{ columnId: 1, typeId: 7, parameters: [], operator: 7 }] },
    });
    expect(faults.map(({ field, args }: { field: string; args: string[] }) => [field, ...args])).toEqual([
      ['communityPostFilters.titel', 'title'],
      ['communityPostFilters.postFieldFilters[0].operator', 'parameters'],
    ]);
  });

  it('are refused where they bear the name of the prototype', async () => {
    const { status, faults } = await listOf('admin/data/users', JSON.parse('{"__proto__":1}'));
    expect(status).toBe(400);
    expect(faults).toMatchObject([{ code: 'UNRECOGNIZED_FIELD', field: '__proto__' }]);
    const inside = await listOf(
      'communication/posts/data/list/community/1',
      JSON.parse('{"communityPostFilters":{"postFieldFilters":[{"columnId":1,"typeId":7,"__proto__":{"a":1}}]}}'),
    );
    expect(inside.faults).toMatchObject([
      { code: 'UNRECOGNIZED_FIELD', field: 'communityPostFilters.postFieldFilters[0].__proto__' },
    ]);
    expect((await listOf('admin/data/users', JSON.parse('{"pageSize":1,"__proto__":null}'))).status).toBe(200);
  });

  it('are ignored where their value is null', async () => {
    expect((await listOf('admin/data/users', { pageSize: 1, somethingElse: null })).status).toBe(200);
    expect((await listOf('admin/data/users', { pageSize: 1, somethingElse: 0 })).status).toBe(400);
  });

  it('are ignored in a body where none is declared', async () => {
    const stream = await listOf('communication/posts/data/global-stream', { anything: 1 });
    expect(stream.status).toBe(200);
  });

  it('are told for a body of thousands too, the first of them with the nearest', async () => {
    const bodyOf = (length: number) => Object.fromEntries(Array.from({ length }, (_, n) => [`key${n}`, 1]));
    const { status, faults } = await listOf('admin/data/users', bodyOf(10_000));
    expect(status).toBe(400);
    expect(faults).toHaveLength(100);
    expect(faults[0].args).toHaveLength(1);
    const more = await tenant.request(admin, 'POST', '/portal/api/admin/data/users', bodyOf(10_001));
    expect([more.status, more.body.code, more.body.message]).toEqual([
      400,
      'MALFORMED_JSON',
      'The body has an object with more than 10000 members.',
    ]);
  });

  it('are named short and printable', async () => {
    const { faults } = await listOf('admin/data/users', { ['x'.repeat(500)]: 1, '': 1 });
    expect(faults.map(({ field }: { field: string }) => field).sort()).toEqual(['""', `${'x'.repeat(100)}…`]);
  });
});

describe('what older clients write with a user', () => {
  const users = '/portal/api/admin/manage/users';
  const form = async (userId: number) => (await tenant.request(admin, 'GET', `${users}/${userId}/edit`)).body;
  const profile = {
    biography: 'Writes programs.',
    internalPhone: '12',
    mobilePhone: '+39 333 1',
    phone: '+39 02 1',
    place: 'Milano',
    role: 'Engineer',
  };

  it('is stored in the profile, comes back in the form, and stays when it is left out', async () => {
    const names = { firstname: 'Ada', lastname: 'Older' };
    const made = await tenant.request(admin, 'POST', users, {
      ...names,
      userInfo: { ...profile, manager: { id: admin } },
    });
    expect(made.status).toBe(200);
    const { userId } = made.body;
    const first = await form(userId);
    expect(first.userInfo).toMatchObject({ ...profile, manager: { id: admin } });
    const list = await tenant.request(admin, 'POST', '/portal/api/admin/data/users', { role: 'engin', place: 'mila' });
    expect(list.body.items).toMatchObject([
      { id: userId, caption: 'Engineer', userProfileInfo: { ...profile, manager: { id: admin } } },
    ]);

    const put = (body: object) => tenant.request(admin, 'PUT', `${users}/${userId}`, { ...names, ...body });
    const kept = await put({ occToken: first.occToken, userInfo: { privateEmailVerificationRequired: false } });
    expect(kept.status).toBe(200);
    expect((await form(userId)).userInfo).toMatchObject({ ...profile, manager: { id: admin } });

    const cleared = await put({
      occToken: kept.body.nextOccToken,
      userInfo: { phone: '', role: '', manager: {}, place: 'Roma' },
    });
    expect(cleared.status).toBe(200);
    const last = (await form(userId)).userInfo;
    expect(last).toMatchObject({ biography: profile.biography, place: 'Roma' });
    for (const name of ['phone', 'role', 'manager']) expect(last).not.toHaveProperty(name);
  });

  it('is refused where it cannot be', async () => {
    const stranger = await (await portal.createTenant()).createUser();
    const names = { firstname: 'Ada', lastname: 'Older' };
    const made = await tenant.request(admin, 'POST', users, names);
    const refused = await tenant.request(admin, 'POST', users, {
      ...names,
      userInfo: { manager: { id: stranger }, phone: '1'.repeat(101) },
    });
    expect(
      refused.body.validationErrors.list.map(({ code, field }: { code: string; field: string }) => [field, code]),
    ).toEqual([
      ['userInfo.phone', 'TEXT_TOO_LONG'],
      ['userInfo.manager.id', 'UNKNOWN_REFERENCE'],
    ]);
    const own = { ...names, occToken: made.body.nextOccToken, userInfo: { manager: { id: made.body.userId } } };
    expect((await tenant.request(admin, 'PUT', `${users}/${made.body.userId}`, own)).status).toBe(400);
  });
});
