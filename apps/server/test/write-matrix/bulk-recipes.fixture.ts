/**
 * Recipes of writes of many posts: every signed-in user may call them, and each post has its own
 * result.
 */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const posts = (world: TestWorld, count: number) =>
  Promise.all(Array.from({ length: count }, () => world.post(world.people.author)));

const NAMING: NonNullable<Recipe['refused']> = [
  { change: { postIds: undefined }, faults: ['postIds REQUIRED_FIELD'] },
  {
    change: { postIds: [1, 1], posts: [{ postId: 1 }] },
    faults: ['postIds[1] DUPLICATE_VALUE', 'posts[0].postId DUPLICATE_VALUE'],
  },
  {
    change: { posts: Array.from({ length: 1000 }, (_, index) => ({ postId: 900_000_000 + index })) },
    faults: ['posts TOO_MANY_ITEMS'],
  },
];
const REFERRED: NonNullable<Recipe['references']> = [{ kind: 'postId', change: (id) => ({ postIds: [id] }) }];

/** Recipes by operation id. */
export const bulkRecipes: Partial<Record<OperationId, Recipe>> = {
  transitionPosts: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => ({
      params: {},
      body: {
        workflowOperationId: world.workflow!.transitionIds[0]!,
        postIds: [await world.post(world.people.author)],
        screenData: { [String(world.workflow!.fields.get('Reason')!.id)]: 'since' },
      },
    }),
    refused: [
      ...NAMING,
      { change: { workflowOperationId: undefined }, faults: ['workflowOperationId REQUIRED_FIELD'] },
    ],
    references: [...REFERRED, { kind: 'workflowOperationId', change: (id) => ({ workflowOperationId: id }) }],
  },
  patchPosts: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => ({
      params: {},
      body: { postIds: [await world.post(world.people.author)], patch: { title: 'One of many' } },
    }),
    refused: NAMING,
    references: [...REFERRED, { kind: 'userId', change: (id) => ({ patch: { watcherUserIds: [id] } }) }],
  },
  deletePosts: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => ({ params: {}, body: { postIds: await posts(world, 1) } }),
    refused: NAMING,
    references: REFERRED,
  },
  createPosts: {
    by: 'author',
    prepare: async (world) => ({
      params: { communityId: world.communityId },
      body: { posts: [{ title: 'One of many', description: 'd', descriptionFormat: 2, announcement: false }] },
    }),
    other: { posts: [{ title: 'Another', description: 'd', descriptionFormat: 2, announcement: false }] },
    refused: [{ change: { posts: undefined }, faults: ['posts REQUIRED_FIELD'] }],
  },
};
