/** Recipes of those who build communities: workspaces and communities. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '@portico/contract';
import { createCommunity, setCommunityRole } from '../../src/modules/communities/index.ts';
import type { TestWorld } from '../support/test-world.ts';
import { admin } from './admin-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const unique = () => randomBytes(5).toString('hex');

async function workspace(world: TestWorld): Promise<number> {
  const { workspaceId } = await admin(world, 'POST', 'workspaces', { name: `Workspace ${unique()}` });
  return workspaceId;
}

async function community(world: TestWorld): Promise<{ communityId: number; occToken: number }> {
  const system = await world.tenant.scope(world.tenant.systemUserId);
  const communityId = await createCommunity(system, {
    workspaceId: await workspace(world),
    name: `Community ${unique()}`,
  });
  await setCommunityRole(system, communityId, [world.people.reader], 3);
  return { communityId, occToken: 1 };
}

export const communityRecipes: Partial<Record<OperationId, Recipe>> = {
  createWorkspace: {
    by: 'admin',
    prepare: async () => ({
      params: {},
      body: {
        name: `Workspace ${unique()}`,
        translations: { it: 'Spazio' },
        description: { en: 'A place' },
        externalId: unique(),
      },
    }),
    other: { name: 'Another workspace' },
    refused: [
      {
        change: { name: ' ', translations: { '?': 'x' }, externalId: 'x'.repeat(256) },
        faults: ['externalId TEXT_TOO_LONG', 'name REQUIRED_FIELD', 'translations.? INVALID_VALUE'],
      },
    ],
  },
  deleteWorkspace: { by: 'admin', prepare: async (world) => ({ params: { workspaceId: await workspace(world) } }) },
  createCommunity: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: {
        workspaceId: await workspace(world),
        name: `Community ${unique()}`,
        description: 'What it is for',
        colorCode: '#2f6f4f',
        externalId: unique(),
        draft: true,
        workspaceMemberRoleId: 0,
        titleEnabled: 2,
        hashTagEnabled: false,
        defaultPostVisibility: 1,
        attachmentMaxSize: 1_000_000,
      },
    }),
    other: { draft: false },
    refused: [
      {
        change: {
          name: ' ',
          colorCode: 'red',
          description: 'x'.repeat(10_001),
          externalId: 'x'.repeat(256),
          attachmentMaxSize: 0,
          newCoverImageContentRef: 'f'.repeat(64),
        },
        faults: [
          'attachmentMaxSize INVALID_VALUE',
          'colorCode INVALID_VALUE',
          'description TEXT_TOO_LONG',
          'externalId TEXT_TOO_LONG',
          'name REQUIRED_FIELD',
          'newCoverImageContentRef CONTENT_REF_INVALID',
        ],
      },
      { change: { workspaceId: undefined }, faults: ['workspaceId REQUIRED_FIELD'] },
    ],
    references: [{ kind: 'workspaceId', change: (workspaceId) => ({ workspaceId }) }],
  },
  editCommunity: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, occToken } = await community(world);
      return {
        params: { communityId },
        body: { name: 'Renamed', draft: true, workspaceMemberRoleId: 2, likeEnabled: false, occToken },
      };
    },
    other: { name: 'Renamed otherwise' },
    refused: [
      { change: { name: undefined, colorCode: '#12' }, faults: ['colorCode INVALID_VALUE', 'name REQUIRED_FIELD'] },
    ],
  },
  deleteCommunity: {
    by: 'admin',
    prepare: async (world) => ({ params: { communityId: (await community(world)).communityId } }),
  },
};
