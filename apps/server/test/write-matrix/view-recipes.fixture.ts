/** Recipes of saved views and favourites. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const path = (world: TestWorld) => `views/manage/create-view/${world.communityId}`;

/** A view of the author's own. @returns its id */
export async function view(world: TestWorld): Promise<number> {
  return (await world.ok(world.people.author, 'POST', path(world), { name: 'Own', layout: 'board' })).id;
}

/** A view of the community. */
async function sharedView(world: TestWorld): Promise<number> {
  return (await world.ok(world.people.manager, 'POST', path(world), { name: 'Shared', shared: true })).id;
}

const refused: Recipe['refused'] = [
  {
    change: {
      name: undefined,
      columns: ['title', 'colour'],
      groupBy: 'postCustomField-4711000',
      dateField: 'event',
      communityPostFilters: { postFieldFilters: [{ columnId: 4_711_000, typeId: 7 }] },
    },
    faults: [
      'columns[1] INVALID_VALUE',
      'communityPostFilters.postFieldFilters[0].columnId UNKNOWN_FIELD',
      'dateField INVALID_VALUE',
      'groupBy UNKNOWN_FIELD',
      'name REQUIRED_FIELD',
    ],
  },
];

/** Recipes by operation id. */
export const viewRecipes: Partial<Record<OperationId, Recipe>> = {
  createSavedView: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { communityId: world.communityId }, body: { name: 'Mine' } }),
    other: { name: 'Another' },
    refused,
  },
  editSavedView: {
    by: 'author',
    hidden: true,
    token: 'body.occToken',
    prepare: async (world) => ({
      params: { viewId: await view(world) },
      body: { name: 'Edited', columns: ['title'], occToken: 1 },
    }),
    other: { name: 'Another' },
    refused,
  },
  deleteSavedView: {
    by: 'author',
    hidden: true,
    prepare: async (world) => {
      const viewId = await view(world);
      await world.ok(world.people.author, 'PUT', `views/manage/favourite/${viewId}`, {});
      await world.ok(world.people.author, 'PUT', `views/manage/default/${world.communityId}`, { viewId });
      return { params: { viewId } };
    },
  },
  editFavouriteView: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { viewId: await sharedView(world) }, body: { favourite: true } }),
    other: { favourite: false },
    refused: [{ change: { favourite: 'no' }, faults: ['favourite INVALID_TYPE'] }],
  },
  editFavouriteCommunity: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => {
      const { communities } = await world.ok(world.people.author, 'GET', 'views/data/favourites');
      return { params: { communityId: world.communityId }, body: { favourite: communities.length === 0 } };
    },
    refused: [{ change: { favourite: 'no' }, faults: ['favourite INVALID_TYPE'] }],
  },
  visitCommunity: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({ params: { communityId: world.communityId }, body: {} }),
    other: { untilTimestamp: 1 },
    refused: [{ change: { untilTimestamp: 'x' }, faults: ['untilTimestamp INVALID_TYPE'] }],
  },
  editDefaultView: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({
      params: { communityId: world.communityId },
      body: { viewId: await sharedView(world) },
    }),
    other: { viewId: undefined },
    refused: [{ change: { viewId: 4_711_000 }, faults: ['viewId UNKNOWN_REFERENCE'] }],
    references: [{ kind: 'viewId', change: (viewId) => ({ viewId }) }],
  },
};
