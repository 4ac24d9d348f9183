/** Webhooks: messages to programs about changes of posts, as service accounts see them. */
export { withoutPost } from './bodies.ts';
export { composeMessages } from './compose/compose.ts';
export { compositionDue } from './compose/positions.repository.ts';
export {
  bodiesNaming,
  forgetDeliveries,
  oldDeliveriesDue,
  replaceBody,
} from './deliveries/deliveries.repository.ts';
export { pauseWebhooks } from './pause-copy.ts';
export { deliveriesDue, dueDeliveries, ownersDue } from './send/outbox.repository.ts';
export { tellOwners } from './send/tell-owners.ts';
export { WebhookSender } from './send/webhook-sender.ts';
export { forgetUnreadableWebhooks } from './webhooks.repository.ts';
export { webhookHandlers } from './webhooks.routes.ts';
