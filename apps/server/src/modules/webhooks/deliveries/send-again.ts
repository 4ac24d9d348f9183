/** Sends a message of a webhook again, and test messages. */
import { randomBytes } from 'node:crypto';
import type { WebhookDeliveryReference } from '@portico/contract';
import { requireRight, writeTransaction } from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { mailLanguageOf } from '../../people/index.ts';
import { testBody } from '../bodies.ts';
import { chatBody } from '../chat/chat-messages.ts';
import { chatWords } from '../chat/wording.ts';
import { holdWebhook } from '../edit-webhook.ts';
import { stateOf } from '../webhooks.repository.ts';
import { insertDeliveries, makeDue } from './deliveries.repository.ts';

/**
 * Sends a message again (operation retryWebhookDelivery).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404
 */
export async function retryWebhookDelivery(
  scope: Scope,
  webhookId: number,
  deliveryId: number,
): Promise<WebhookDeliveryReference> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'none', async (write) => {
    await holdWebhook(write, webhookId);
    const messageId = await makeDue(write.tx, webhookId, deliveryId, write.now);
    if (messageId === undefined) throw notFound();
    return { webhookId, deliveryId, messageId };
  });
}

/**
 * Sends a test message (operation sendWebhookTest).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404;
 * ValidationError for a webhook that is stopped
 */
export async function sendWebhookTest(scope: Scope, webhookId: number): Promise<WebhookDeliveryReference> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'none', async (write) => {
    const webhook = await holdWebhook(write, webhookId);
    const state = stateOf(webhook);
    if (state !== 'active')
      throw invalid('webhookId', 'INVALID_VALUE', `The webhook is stopped (${state}); enable it with editWebhook.`);
    const messageId = `msg_${webhook.uid}_test_${randomBytes(6).toString('hex')}`;
    const words = chatWords[mailLanguageOf(write.settings.defaultLanguage)];
    const body = webhook.form === 'standard' ? testBody(write.now) : chatBody(webhook.form, words['webhook.test']);
    const [deliveryId] = await insertDeliveries(
      write.tx,
      [{ postId: null, people: [], body }],
      [{ webhookId, body: 0, messageId, event: 'webhook.test', seq: null }],
      write.now,
    );
    return { webhookId, deliveryId: deliveryId!, messageId };
  });
}
