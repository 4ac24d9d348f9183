/** Recipes of personal access tokens. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const NEW = { name: 'Report', access: 'write', validDays: 30 };

/** Creates a token for a person who has none. @returns its id */
async function createdToken(world: TestWorld, userId: number): Promise<number> {
  await world.db.execute('DELETE FROM personal_tokens WHERE tenant_id = $1 AND user_id = $2', [
    world.db.tenantId,
    userId,
  ]);
  const path = '/portal/api/core/auth/manage/personal-tokens';
  const { status, text, body } = await world.tenant.request(userId, 'POST', path, NEW);
  if (status !== 200) throw new Error(`createPersonalToken: ${status} ${text}`);
  return body.tokenId;
}

/** Recipes by operation id. */
export const personalTokenRecipes: Partial<Record<OperationId, Recipe>> = {
  createPersonalToken: {
    by: 'author',
    open: 'anyone',
    audited: true,
    prepare: async () => ({ params: {}, body: NEW }),
    refused: [
      { change: { onlyCommunityIds: [4_711_000] }, faults: ['onlyCommunityIds UNKNOWN_REFERENCE'] },
      { change: { access: 'all', validDays: 367 }, faults: ['access INVALID_VALUE', 'validDays INVALID_VALUE'] },
    ],
  },
  revokePersonalToken: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({ params: { tokenId: await createdToken(world, world.people.author) } }),
  },
};
