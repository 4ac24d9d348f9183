/** Recipes of webhooks. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import { admin } from './admin-recipes.fixture.ts';
import type { Body, Recipe } from './recipe-types.fixture.ts';

async function settings(world: TestWorld): Promise<Body> {
  // Otherwise the creation numbers the changes of the tests before.
  await world.tenant.settleStream();
  const { userId } = await admin(world, 'POST', 'service-accounts', {
    name: 'Mirror',
    communityRoles: [{ communityId: world.communityId, roleId: 3 }],
  });
  return { name: 'Mirror', serviceAccountId: userId, address: 'https://hooks.acme.example/portico' };
}
const webhook = async (world: TestWorld) => admin(world, 'POST', 'webhooks', await settings(world));
const chat = {
  change: { form: 'slack', contents: 'whole', signature: 'v1', template: '{{none}}' },
  faults: ['template INVALID_VALUE', 'contents INVALID_VALUE', 'signature INVALID_VALUE'],
};
const named = async (world: TestWorld) => ({ params: { webhookId: (await webhook(world)).webhookId } });
const refused = {
  change: { name: ' ', address: 'http://hooks.acme.example', communityIds: [], filter: {} },
  faults: ['name REQUIRED_FIELD', 'address INVALID_VALUE', 'filter INVALID_VALUE'],
};

/** Recipes by operation id. */
export const webhookRecipes: Partial<Record<OperationId, Recipe>> = {
  createWebhook: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: {
        ...(await settings(world)),
        events: ['post.created', 'post.gone'],
        communityIds: [world.communityId],
        filter: { communityPostFilters: { title: 'pump' } },
        contents: 'whole',
      },
    }),
    other: { name: 'Another mirror' },
    refused: [refused, chat, { change: { address: 'https://10.0.0.1/' }, faults: ['address INVALID_VALUE'] }],
    references: [
      { kind: 'userId', change: (serviceAccountId) => ({ serviceAccountId }) },
      { kind: 'communityId', change: (communityId) => ({ communityIds: [communityId] }) },
    ],
  },
  editWebhook: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { webhookId, nextOccToken } = await webhook(world);
      return {
        params: { webhookId },
        body: { name: 'Renamed', communityIds: [world.communityId], enabled: false, occToken: nextOccToken },
      };
    },
    other: { name: 'Renamed otherwise' },
    refused: [refused],
    references: [{ kind: 'communityId', change: (communityId) => ({ communityIds: [communityId] }) }],
  },
  deleteWebhook: { by: 'admin', prepare: named },
  rotateWebhookSecret: {
    by: 'admin',
    prepare: async (world) => ({ ...(await named(world)), body: { overlapHours: 1 } }),
    other: { overlapHours: 2 },
    refused: [{ change: { overlapHours: -1 }, faults: ['overlapHours INVALID_VALUE'] }],
  },
  sendWebhookTest: { by: 'admin', quiet: true, prepare: named },
  retryWebhookDelivery: {
    by: 'admin',
    quiet: true,
    prepare: async (world) => {
      const { params } = await named(world);
      const { deliveryId } = await admin(world, 'POST', `webhooks/${params.webhookId}/test`);
      return { params: { ...params, deliveryId } };
    },
  },
  replayWebhook: {
    by: 'admin',
    prepare: async (world) => {
      await world.post(world.people.author);
      const { params } = await named(world);
      return { params, body: { fromNumber: 1 } };
    },
    other: { fromNumber: 2 },
    refused: [
      { change: { fromNumber: 0 }, faults: ['fromNumber INVALID_VALUE'] },
      { change: { fromNumber: undefined }, faults: ['fromNumber REQUIRED_FIELD'] },
    ],
  },
};
