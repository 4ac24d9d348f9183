/**
 * Names, pages and omitted members in the lists of people and groups. The visibility tests check
 * the content of the lists.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../communities/index.ts';
import { createGroupRecord } from './edit-group.ts';

const PATH = '/portal/api/communication/people/data';
let portal: TestPortal;
let tenant: TestTenant;
let me: number;
let communityId: number;
const people: Record<string, number> = {};
const groups: Record<string, number> = {};

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  me = await tenant.createUser({ firstName: 'Ada', lastName: 'Zoppi' });
  for (const [firstName, lastName] of [
    ['Böb', 'Rossi'],
    ['Anna', 'Rossi'],
    ['Carla', 'Bianchi'],
    ['Dino', 'Rossini'],
    ['Elsa', 'Rossi'],
  ] as const)
    people[`${firstName} ${lastName}`] = await tenant.createUser({ firstName, lastName });
  people.program = await tenant.createUser({ firstName: 'Rossi', lastName: 'Sync', service: true });
  people.blocked = await tenant.createUser({ firstName: 'Rossi', lastName: 'Blocked' });
  const blocked = await tenant.request(
    tenant.systemUserId,
    'POST',
    `/portal/api/admin/manage/users/${people.blocked}/block`,
  );
  expect(blocked.status).toBe(200);
  const workspaceId = await createWorkspace(system, { name: 'W' });
  communityId = await createCommunity(system, { workspaceId, name: 'C' });
  // Elsa has no role; the others have one.
  const members = Object.entries(people).flatMap(([name, id]) => (name === 'Elsa Rossi' ? [] : [id]));
  for (const [name, visible] of [
    ['Sales Rome', true],
    ['Sales Oslo', true],
    ['Sales hidden', false],
  ] as const)
    groups[name] = await writeTransaction(system, 'access', (write) => createGroupRecord(write, { name, visible }));
  await setCommunityRole(system, communityId, [me, ...members, ...Object.values(groups).map((id) => -id)], 3);
});
afterAll(() => portal.close());

const find = async (kind: 'users' | 'groups', body: object, userId = me) =>
  (await tenant.request(userId, 'POST', `${PATH}/${kind}`, body)).body;
const names = (answer: { items: { firstName: string; lastName: string }[] }) =>
  answer.items.map(({ firstName, lastName }) => `${firstName} ${lastName}`);

test('lists people by last and first name, without accounts of programs and blocked ones', async () => {
  const all = await find('users', { calculateTotalItemsCount: true });
  expect(names(all)).toEqual(['Carla Bianchi', 'Anna Rossi', 'Böb Rossi', 'Dino Rossini', 'Ada Zoppi']);
  expect(all.totalItemsCount).toBe(5);
});

test('lists those who are named by id, of whom one may know', async () => {
  const [ada] = (await find('users', { fullTextFilter: 'zoppi' })).items;
  const hidden = await find('users', { ids: [ada.id, people['Elsa Rossi'], people.blocked] });
  expect(names(hidden)).toEqual(['Ada Zoppi']);
  const [oslo] = (await find('groups', { fullTextFilter: 'oslo' })).items;
  expect((await find('groups', { ids: [oslo.id] })).items).toHaveLength(1);
});

test('finds parts of names without regard to case and accents', async () => {
  expect(names(await find('users', { fullTextFilter: 'ROSS' }))).toEqual(['Anna Rossi', 'Böb Rossi', 'Dino Rossini']);
  expect(names(await find('users', { fullTextFilter: 'ross bob', communityId }))).toEqual(['Böb Rossi']);
  expect(names(await find('users', { fullTextFilter: '%' }))).toEqual([]);
});

test('pages, and refuses a token with another filter', async () => {
  const first = await find('users', { pageSize: 2 });
  const second = await find('users', { pageSize: 3, pageToken: first.nextPageToken });
  expect([...names(first), ...names(second)]).toHaveLength(5);
  expect(second.nextPageToken).toBeUndefined();
  const other = await tenant.request(me, 'POST', `${PATH}/users`, { communityId, pageToken: first.nextPageToken });
  expect([other.status, other.body.code]).toEqual([400, 'PAGE_TOKEN_FILTERS_CHANGED']);
});

test('lists groups by name, without those that only administrators see', async () => {
  const found = await find('groups', { fullTextFilter: 'sales', calculateTotalItemsCount: true });
  expect(found.items.map(({ name }: { name: string }) => name)).toEqual(['Sales Oslo', 'Sales Rome']);
  expect(found.totalItemsCount).toBe(2);
});

test('lists nobody to who has no role, and finds no community of theirs', async () => {
  const elsa = people['Elsa Rossi']!;
  expect((await find('users', {}, elsa)).items).toEqual([]);
  expect((await find('groups', {}, elsa)).items).toEqual([]);
  expect((await tenant.request(elsa, 'POST', `${PATH}/users`, { communityId })).status).toBe(404);
  expect((await tenant.request(elsa, 'POST', `${PATH}/groups`, { postId: 1 })).status).toBe(404);
});
