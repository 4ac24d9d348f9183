/** Recipes of templates for new posts. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

/** A template that gives a title. @returns its id */
async function template(world: TestWorld): Promise<number> {
  const path = `posts/manage/create-template/${world.communityId}`;
  return (await world.ok(world.people.manager, 'POST', path, { name: 'Own', title: 'A title' })).id;
}

const refused: Recipe['refused'] = [
  {
    change: { name: '', customData: { 4711000: 1 } },
    faults: ['customData.# UNKNOWN_FIELD', 'name REQUIRED_FIELD'],
  },
];

/** Recipes by operation id. */
export const templateRecipes: Partial<Record<OperationId, Recipe>> = {
  createPostTemplate: {
    by: 'manager',
    prepare: async (world) => ({ params: { communityId: world.communityId }, body: { name: 'Mine' } }),
    other: { name: 'Another' },
    refused,
  },
  editPostTemplate: {
    by: 'manager',
    token: 'body.occToken',
    prepare: async (world) => ({
      params: { templateId: await template(world) },
      body: { name: 'Edited', description: 'Text', descriptionFormat: 2, occToken: 1 },
    }),
    other: { name: 'Another' },
    refused,
  },
  deletePostTemplate: {
    by: 'manager',
    prepare: async (world) => ({ params: { templateId: await template(world) } }),
  },
  createPostFromTemplate: {
    by: 'author',
    prepare: async (world) => ({
      params: { templateId: await template(world) },
      body: { description: 'Some text', descriptionFormat: 2 },
    }),
    other: { title: 'Another' },
    refused: [{ change: { customData: { 4711000: 1 } }, faults: ['customData.# UNKNOWN_FIELD'] }],
  },
};
