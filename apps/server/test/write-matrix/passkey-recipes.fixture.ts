/** Recipes of passkeys. */
import type { OperationId } from '@portico/contract';
import { SoftPasskey } from '../support/authenticator.ts';
import type { TestWorld } from '../support/test-world.ts';
import { PASSWORD, withPassword } from './admin-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';

/** Begins to add a passkey to a person without passkeys. @returns the credential */
async function madePasskey(world: TestWorld, userId: number): Promise<string> {
  await withPassword(world, userId);
  await world.db.execute('DELETE FROM passkeys WHERE tenant_id = $1 AND user_id = $2', [world.db.tenantId, userId]);
  const path = '/portal/api/core/auth/passkeys/start';
  const { status, text, body } = await world.tenant.request(userId, 'POST', path, { password: PASSWORD });
  if (status !== 200) throw new Error(`startPasskey: ${status} ${text}`);
  return new SoftPasskey(`https://${world.tenant.host}`).make(body.options);
}
/** Adds a passkey. @returns its id */
async function addedPasskey(world: TestWorld, userId: number): Promise<number> {
  const credential = await madePasskey(world, userId);
  const path = '/portal/api/core/auth/manage/passkeys/confirm';
  const { status, text, body } = await world.tenant.request(userId, 'POST', path, { name: 'Key', credential });
  if (status !== 200) throw new Error(`confirmPasskey: ${status} ${text}`);
  return body.passkeyId;
}

/** Recipes by operation id. */
export const passkeyRecipes: Partial<Record<OperationId, Recipe>> = {
  confirmPasskey: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({
      params: {},
      body: { name: 'Key', credential: await madePasskey(world, world.people.author) },
    }),
    refused: [{ change: { credential: '{}' }, faults: ['credential INVALID_VALUE'] }],
  },
  renamePasskey: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({
      params: { passkeyId: await addedPasskey(world, world.people.author) },
      body: { name: 'Laptop' },
    }),
    refused: [
      { change: { name: ' ' }, faults: ['name INVALID_VALUE'] },
      { change: { name: undefined }, faults: ['name REQUIRED_FIELD'] },
    ],
  },
  removePasskey: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({
      params: { passkeyId: await addedPasskey(world, world.people.author) },
      body: { password: PASSWORD },
    }),
    refused: [{ change: { password: 'of somebody else' }, faults: ['password INVALID_VALUE'] }],
  },
};
