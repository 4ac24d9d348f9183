/** Recipes of requests to acknowledge a post. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

/** A post of the author that they and the contributor are asked to acknowledge. */
async function asked(world: TestWorld): Promise<number> {
  const { people } = world;
  const postId = await world.post(people.author);
  await world.ok(people.author, 'POST', `posts/manage/request-acknowledgements/${postId}`, {
    userIds: [people.author, people.contributor],
  });
  return postId;
}

/** Recipes by operation id. */
export const acknowledgementRecipes: Partial<Record<OperationId, Recipe>> = {
  requestAcknowledgements: {
    by: 'author',
    prepare: async (world) => ({
      params: { postId: await world.post(world.people.author) },
      body: {
        userIds: [world.people.reader],
        expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' },
        reminders: [{ value: 1, range: 3 }],
      },
    }),
    refused: [
      { change: { userIds: undefined }, faults: ['userIds REQUIRED_FIELD'] },
      { change: { expiration: undefined }, faults: ['expiration REQUIRED_FIELD'] },
      { change: { reminders: [{ value: -1, range: 3 }] }, faults: ['reminders[0].value INVALID_VALUE'] },
    ],
    references: [
      { kind: 'userId', change: (id) => ({ userIds: [id] }) },
      { kind: 'groupId', change: (id) => ({ groupIds: [id] }) },
    ],
  },
  withdrawAcknowledgements: {
    by: 'author',
    prepare: async (world) => ({ params: { postId: await asked(world) }, body: {} }),
    other: { userIds: [4711] },
    refused: [{ change: { userIds: 'all' }, faults: ['userIds INVALID_TYPE'] }],
  },
  acknowledgePost: {
    by: 'author',
    prepare: async (world) => ({ params: { postId: await asked(world) } }),
  },
};
