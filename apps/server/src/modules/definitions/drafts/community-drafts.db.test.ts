/** Drafts of definitions: saved, planned, previewed, published. */
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

const reviewed = (key: string): CommunityFile => ({
  ...file(key),
  fields: [
    {
      key: 'kind',
      label: 'Kind',
      type: 'ENUM',
      values: [
        { key: 'new', label: 'New' },
        { key: 'old', label: 'Old' },
      ],
    },
    {
      key: 'price',
      label: 'Price',
      type: 'INT',
      section: 'Money',
      conditions: [{ field: 'kind', operator: 'in', values: ['new'] }],
    },
    { key: 'tax', label: 'Tax', type: 'INT', required: true, conditions: [{ field: 'price', operator: 'notEmpty' }] },
    { key: 'secret', label: 'Secret', type: 'STRING', visibleToRoles: ['MANAGER'] },
    { key: 'stamp', label: 'Stamp', type: 'STRING', visibleInCreate: false },
  ],
  workflow: {
    title: 'Review',
    states: [
      { key: 'open', name: 'Open', initial: true },
      { key: 'done', name: 'Done', terminal: true },
    ],
    transitions: [
      {
        key: 'close',
        name: 'Close',
        from: 'open',
        to: 'done',
        conditions: [{ field: 'price', operator: 'atLeast', values: [5] }],
      },
      { key: 'own', name: 'Withdraw', from: 'open', to: 'done', run: { byAuthor: true }, screen: 'Why' },
    ],
    screens: [{ name: 'Why', fields: [{ field: 'reason', required: true }] }],
    screenFields: [{ key: 'reason', label: 'Reason', type: 'STRING' }],
  },
});

test('a preview shows the form and the transitions of a definition that is not applied', async () => {
  const reader = await tenant.createUser();
  const preview = async (body: object) => {
    const answer = await ok('POST', '/data/community-previews', { file: reviewed('previewed'), ...body });
    const hidden = answer.fields.flatMap(({ key, hiddenBy }: Record<string, string>) =>
      hiddenBy ? [`${key} ${hiddenBy}`] : [],
    );
    const run = answer.transitions.flatMap(({ key, permitted }: Record<string, unknown>) => (permitted ? [key] : []));
    return { mayCreate: answer.mayCreatePosts, hidden, run, answer };
  };
  const price = { field: 'price', values: [7] };
  const isNew = { field: 'kind', values: ['new'] };
  const cases = [
    [{}, true, ['price condition', 'tax condition', 'stamp form'], ['own']],
    [{ form: 'edit' }, true, ['price condition', 'tax condition'], ['own']],
    // A hidden field counts as empty in the conditions of others.
    [{ values: [price] }, true, ['price condition', 'tax condition', 'stamp form'], ['close', 'own']],
    [{ values: [isNew, price] }, true, ['stamp form'], ['close', 'own']],
    [{ values: [isNew], role: 'CONTRIBUTOR' }, true, ['tax condition', 'secret role', 'stamp form'], ['own']],
    [{ values: [isNew, price], role: 'READER' }, false, ['secret role', 'stamp form'], ['own']],
    [{ values: [isNew, price], role: 'CONTRIBUTOR', byAuthor: false }, true, ['secret role', 'stamp form'], ['close']],
    [{ userId: reader }, false, ['price condition', 'tax condition', 'secret role', 'stamp form'], []],
  ] as const;
  for (const [body, mayCreate, hidden, run] of cases)
    expect(await preview(body), JSON.stringify(body)).toMatchObject({ mayCreate, hidden, run });
  const { answer } = await preview({ role: 'READER' });
  expect(answer.fields[1]).toMatchObject({
    key: 'price',
    section: 'Money',
    shown: false,
    text: 'The field “Kind” holds none of “New”.',
  });
  expect(answer.fields[2]).toMatchObject({ key: 'tax', required: true });
  expect(answer.screens).toMatchObject([{ name: 'Why', fields: [{ key: 'reason', shown: true, required: true }] }]);
  expect(answer.transitions).toMatchObject([
    { key: 'close', from: 'open', to: 'done', permitted: false },
    { key: 'own', screen: 'Why', permitted: true, text: 'Somebody with the role READER wrote the post.' },
  ]);
  expect(answer.transitions[0].text).toContain('the field “Price” is not at least 5');
  expect(
    (await send('POST', '/data/community-plans', { file: reviewed('previewed') })).body.communityId,
  ).toBeUndefined();
});

test('a preview refuses unknown names at their places, and people who may not plan the change', async () => {
  const refusals = [
    [{ role: 'REDAER' }, 'role'],
    [{ role: 'READER', userId: 1 }, 'role'],
    [{ userId: 4_711_000 }, 'userId'],
    [{ values: [{ field: 'prize', values: [1] }] }, 'values[0].field'],
    [{ values: [{ field: 'kind', values: ['newer'] }] }, 'values[0].values[0]'],
    [{ values: [{ field: 'kind' }, { field: 'price', values: ['x'] }] }, 'values[1].values[0]'],
    [{ values: [{ field: 'kind', values: [[1]] }] }, 'values[0].values[0]'],
  ] as const;
  for (const [body, field] of refusals) {
    const answer = await send('POST', '/data/community-previews', { file: reviewed('refused'), ...body });
    expect([answer.status, answer.body.validationErrors?.list[0].field], JSON.stringify(body)).toEqual([400, field]);
  }
  const stranger = await tenant.createUser();
  const answer = await send('POST', '/data/community-previews', { file: reviewed('refused') }, stranger);
  expect(answer.status).toBe(403);
});
