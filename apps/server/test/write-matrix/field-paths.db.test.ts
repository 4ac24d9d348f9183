/** Faults name their field in one form: a path from the root of the body, without a dot before it, elements by index. */
import { type Operation, type OperationId, operations } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema } from '@portico/contract/schemas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { send } from './calls.fixture.ts';
import { createRecipeWorld, type Recipe, recipes, type TestWorld } from './recipes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

const fieldsOf = (answer: { body: { validationErrors?: { list: { field: string }[] } } }) =>
  (answer.body.validationErrors?.list ?? []).map(({ field }) => field);

test('filters of both lists, flat and nested', async () => {
  const faulty = { postFieldFilters: [{ columnId: 1, typeId: 7 }], eventPostFilter: { from: 'whenever' } };
  const list = `/portal/api/communication/posts/data/list/community/${world.communityId}`;
  const present = await world.tenant.request(world.people.author, 'POST', list, {
    ...faulty,
    communityPostFilters: faulty,
  });
  expect(fieldsOf(present).sort()).toEqual([
    'communityPostFilters.eventPostFilter.from',
    'communityPostFilters.postFieldFilters[0].columnId',
    'eventPostFilter.from',
    'postFieldFilters[0].columnId',
  ]);
  const older = await world.tenant.request(
    world.people.author,
    'POST',
    `/portal/api/communication/posts/data/community-list/${world.communityId}`,
    { ...faulty, customFieldFilters: faulty.postFieldFilters },
  );
  expect(fieldsOf(older).sort()).toEqual([
    'customFieldFilters[0].columnId',
    'eventPostFilter.from',
    'postFieldFilters[0].columnId',
  ]);
});

const UNKNOWN = 987_654_321;
const lists: [OperationId, object, string[]][] = [
  ['editPostWatchers', { addWatcherUserIds: [UNKNOWN, UNKNOWN + 1] }, ['addWatcherUserIds[0]', 'addWatcherUserIds[1]']],
  ['createCatalogEntry', { parentIds: [UNKNOWN] }, ['parentIds[0]']],
  ['editWorkspace', { removeRoleAssociationIds: [UNKNOWN] }, ['removeRoleAssociationIds[0]']],
  ['editWorkspace', { addUserIds: [UNKNOWN], addGroupIds: [UNKNOWN] }, ['addUserIds[0]', 'addGroupIds[0]']],
  [
    'createCustomPost',
    { attachments: [{ name: 'a', contentRef: '0'.repeat(64), hashtagIds: [UNKNOWN] }] },
    ['attachments[0].hashtagIds[0]'],
  ],
  ['createGroup', { memberIds: [UNKNOWN] }, ['memberIds[0]']],
  ['createTask', { watcherUserIds: [UNKNOWN] }, ['watcherUserIds[0]']],
];

test.each(lists)('elements of lists in %s %j', async (id, change, expected) => {
  const recipe = recipes[id] as Recipe;
  const call = await recipe.prepare(world);
  const answer = await send(world, world.people[recipe.by], id, { ...call, body: { ...call.body, ...change } });
  expect(answer.status).toBe(400);
  expect(fieldsOf(answer)).toEqual(expect.arrayContaining(expected));
});

test('no fault of any refused body has a dot before it, or two', async () => {
  for (const [id, recipe] of Object.entries(recipes) as [OperationId, Recipe][]) {
    for (const { change } of recipe.refused ?? []) {
      const call = await recipe.prepare(world);
      const answer = await send(world, world.people[recipe.by], id, { ...call, body: { ...call.body, ...change } });
      for (const field of fieldsOf(answer)) expect(field, id).toMatch(/^(?:\$|[^.[\]]+)(?:\[\d+\]|\.[^.[\]]+)*$/);
    }
  }
});

test('each field that the contract requires is named once when it is missing', async () => {
  let refused = 0;
  for (const [id, recipe] of Object.entries(recipes) as [OperationId, Recipe][]) {
    const { body: type } = operations[id] as Operation;
    if (!type) continue;
    const fields = Object.entries<FieldSchema>(declarations[type as DeclaredName].fields);
    const required = fields.flatMap(([name, field]) => (field['x-enforced'] ? [name] : []));
    for (const name of required) {
      const call = await recipe.prepare(world);
      const answer = await send(world, world.people[recipe.by], id, {
        ...call,
        body: { ...call.body, [name]: undefined },
      });
      expect(answer.status, `${id} without ${name}`).toBe(400);
      expect(
        fieldsOf(answer).filter((field) => field === name),
        `${id} without ${name}`,
      ).toEqual([name]);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(60);
});
