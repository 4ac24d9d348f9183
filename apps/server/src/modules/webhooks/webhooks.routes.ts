/** The operations about webhooks. */
import type { Handlers } from '../../kernel/operations.ts';
import { getWebhookDelivery, listWebhookDeliveries } from './deliveries/read-deliveries.ts';
import { retryWebhookDelivery, sendWebhookTest } from './deliveries/send-again.ts';
import { createWebhook, deleteWebhook, editWebhook, rotateWebhookSecret } from './edit-webhook.ts';
import { getWebhookForEdit, listWebhooks } from './read-webhooks.ts';
import { replayWebhook } from './replay-webhook.ts';
import type { InternalReceivers } from './settings.ts';

/** @param receivers receivers with private addresses that the operator allows */
export function webhookHandlers(receivers: InternalReceivers) {
  return {
    listWebhooks: ({ scope, body }) => listWebhooks(scope, body ?? {}),
    getWebhookForEdit: ({ scope, params }) => getWebhookForEdit(scope, params.webhookId),
    createWebhook: ({ scope, body }) => createWebhook(scope, body ?? {}, receivers),
    editWebhook: ({ scope, params, body }) => editWebhook(scope, params.webhookId, body ?? {}, receivers),
    deleteWebhook: async ({ scope, params }) => {
      await deleteWebhook(scope, params.webhookId);
      return undefined;
    },
    rotateWebhookSecret: ({ scope, params, body }) => rotateWebhookSecret(scope, params.webhookId, body ?? {}),
    listWebhookDeliveries: ({ scope, params, body }) => listWebhookDeliveries(scope, params.webhookId, body ?? {}),
    getWebhookDelivery: ({ scope, params }) => getWebhookDelivery(scope, params.webhookId, params.deliveryId),
    retryWebhookDelivery: ({ scope, params }) => retryWebhookDelivery(scope, params.webhookId, params.deliveryId),
    sendWebhookTest: ({ scope, params }) => sendWebhookTest(scope, params.webhookId),
    replayWebhook: ({ scope, params, body }) => replayWebhook(scope, params.webhookId, body ?? {}),
  } satisfies Handlers;
}
