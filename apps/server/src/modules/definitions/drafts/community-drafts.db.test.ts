/** Drafts of definitions: saved, planned, published. */
import type { CommunityFile } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const ADMIN = '/portal/api/admin';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

const send = (method: string, path: string, body?: object, actor = admin) =>
  tenant.request(actor, method, `${ADMIN}${path}`, body);
async function ok(method: string, path: string, body?: object, actor = admin) {
  const { status, body: answer, text } = await send(method, path, body, actor);
  expect(status, text).toBe(200);
  return answer;
}

const file = (key: string): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  community: { key, name: key },
  groupRoles: [],
  hashtags: [],
  fields: [{ key: 'note', label: 'Note', type: 'STRING' }],
});

test('a draft is saved by several editors in turn, planned, published as planned, and gone then', async () => {
  const { communityId } = await ok('POST', '/manage/community-plans', { file: file('drafted') });
  const [manager, stranger] = [await tenant.createUser(), await tenant.createUser()];
  await ok('PUT', `/manage/communities/${communityId}/members`, { userRoles: [{ userId: manager, roleId: 1 }] });
  const path = `/manage/communities/${communityId}/draft`;
  expect((await send('GET', path)).status).toBe(404);
  const draft = { ...file('drafted'), fields: [{ key: 'note', label: 'Notes', type: 'STRING' as const }] };
  expect(await ok('PUT', path, { file: draft })).toMatchObject({ occToken: 1, savedById: admin });
  // The community stays as it is.
  expect((await ok('GET', `/manage/communities/${communityId}/file`)).fields).toEqual(file('drafted').fields);
  expect(await ok('GET', path)).toMatchObject({ file: draft, occToken: 1 });
  const stale = await send('PUT', path, { file: draft, occToken: 0 }, manager);
  expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT_STALE_TOKEN']);
  const planned = await ok('POST', '/data/community-plans', { communityId });
  expect(planned.changes).toMatchObject([{ action: 'change', kind: 'field', key: 'note' }]);
  const wider = { ...draft, fields: [...draft.fields, { key: 'due', label: 'Due', type: 'DATE' as const }] };
  expect(await ok('PUT', path, { file: wider, occToken: 1 }, manager)).toMatchObject({
    occToken: 2,
    savedById: manager,
  });
  // Publishing another draft than the planned one is refused.
  const { planToken } = planned;
  expect((await send('POST', '/manage/community-plans', { communityId, planToken })).status).toBe(409);
  const again = await ok('POST', '/data/community-plans', { communityId }, manager);
  await ok('POST', '/manage/community-plans', { communityId, planToken: again.planToken }, manager);
  expect((await ok('GET', `/manage/communities/${communityId}/file`)).fields).toEqual(wider.fields);
  expect((await send('GET', path)).status).toBe(404);
  expect((await send('POST', '/data/community-plans', { communityId })).status).toBe(404);
  for (const [method, body] of [['GET'], ['PUT', { file: draft }], ['DELETE']] as const)
    expect((await send(method, path, body, stranger)).status, method).toBe(404);
});

test('a draft of another community, and an unknown key in it, are refused', async () => {
  const { communityId } = await ok('POST', '/manage/community-plans', { file: file('own') });
  const path = `/manage/communities/${communityId}/draft`;
  const { status, body } = await send('PUT', path, { file: { ...file('own'), feilds: [] } });
  expect([status, body.validationErrors.list[0].field]).toEqual([400, 'file.feilds']);
  await ok('PUT', path, { file: file('another') });
  const planned = await send('POST', '/data/community-plans', { communityId });
  expect([planned.status, planned.body.validationErrors.list[0].field]).toEqual([400, 'file.community.key']);
  await ok('DELETE', path);
  expect((await send('DELETE', path)).status).toBe(404);
});
