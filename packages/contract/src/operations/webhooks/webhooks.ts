/** Webhooks: addresses that receive changes of posts as a service account sees them. */
import { webhookLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

const RIGHTS = 'Requires `manageUsers` and every administrative right of the account, as a key of the account does.';

export const webhookOperations = defineOperations('webhooks', {
  listWebhooks: {
    method: 'POST',
    path: '/admin/data/webhooks',
    body: 'ListWebhooksRequest',
    responses: { 200: 'ListWebhooksResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List webhooks',
    description: 'Returns all webhooks of the tenant, by id. Addresses are shown without their path and query.',
    clientMethod: 'list',
    command: {
      columns: ['webhookId', 'name', 'address', 'serviceAccountId', 'state', 'waitingCount'],
      examples: ['--all', '--output csv --fields webhookId,name,state,waitingCount'],
    },
  },
  getWebhookForEdit: {
    method: 'GET',
    path: '/admin/manage/webhooks/{webhookId}',
    responses: { 200: 'GetWebhookForEditResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "Read a webhook's form",
    description:
      'Returns the settings of a webhook without its address and secret, the public key that ' +
      'verifies `v1a` signatures, its state, and the `occToken` to send back.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['3', '3 --output json --fields state,occToken'] },
  },
  createWebhook: {
    method: 'POST',
    path: '/admin/manage/webhooks',
    body: 'CreateWebhookRequest',
    responses: { 200: 'CreateWebhookResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Create a webhook',
    description:
      'Registers an address that receives changes from now on, as the service account sees them: by ' +
      'Standard Webhooks 1.0.0, or as messages to a chat, unsigned and at most one a second. ' +
      `${RIGHTS} Only the response contains the secret. A tenant has at most ${webhookLimits.webhooks} webhooks.`,
    requestExamples: examples<'CreateWebhookRequest'>({
      comments: {
        summary: 'New posts and comments of one community',
        value: {
          name: 'Ticket mirror',
          serviceAccountId: 17,
          address: 'https://hooks.acme.example/portico',
          events: ['post.created', 'post.comment.added'],
          communityIds: [3],
        },
      },
      chat: {
        summary: 'New posts in a channel of Slack',
        value: {
          name: 'Channel #service',
          serviceAccountId: 17,
          address: 'https://hooks.slack.com/services/T000/B000/XXXX',
          form: 'slack',
          events: ['post.created'],
          template: '*New:* {{post}} by {{author}}',
        },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: [
        '--name Mirror --service-account-id 17 --address https://hooks.acme.example/portico',
        '--name Mirror --service-account-id 17 --address https://hooks.acme.example/portico --events post.created,post.gone --dry-run',
      ],
    },
  },
  editWebhook: {
    method: 'PUT',
    path: '/admin/manage/webhooks/{webhookId}',
    body: 'EditWebhookRequest',
    responses: { 200: 'EditWebhookResponse', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Edit a webhook',
    description:
      'Replaces the settings: omitted settings get their defaults, except `address`, which is ' +
      'kept. A webhook that was stopped, by the portal or by `enabled: false`, continues with ' +
      `the first change that it has not received. ${RIGHTS} Send the \`occToken\` of the form; a ` +
      'stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getWebhookForEdit',
      needsValue: true,
      examples: ['3 --name "Ticket mirror"', '3 --events post.created,post.gone --dry-run --output json'],
    },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/admin/manage/webhooks/{webhookId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Delete a webhook',
    description: `Deletes a webhook with its messages. ${RIGHTS} Returns an empty body.`,
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes'] },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/admin/manage/webhooks/{webhookId}/rotate-secret',
    body: 'RotateWebhookSecretRequest',
    responses: { 200: 'RotateWebhookSecretResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Replace the secret of a webhook',
    description:
      'Creates a new secret. Until the end of the overlap each message has two signatures, by ' +
      `the new secret and by the one before. A chat has no secret and returns 400. ${RIGHTS} Only the response contains the secret.`,
    requestExamples: examples<'RotateWebhookSecretRequest'>({
      leaked: { summary: 'The secret before signs no longer', value: { overlapHours: 0 } },
    }),
    clientMethod: 'rotateSecret',
    command: { confirms: true, examples: ['3 --yes --output json', '3 --overlap-hours 0 --yes'] },
  },
  listWebhookDeliveries: {
    method: 'POST',
    path: '/admin/data/webhooks/{webhookId}/deliveries',
    body: 'ListWebhookDeliveriesRequest',
    responses: { 200: 'ListWebhookDeliveriesResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List messages of a webhook',
    description:
      `Returns messages with the last attempt of each, the newest first. They are kept for ${webhookLimits.days} ` +
      `days, at most ${webhookLimits.deliveries} ended ones of a webhook. ${RIGHTS}`,
    requestExamples: examples<'ListWebhookDeliveriesRequest'>({
      failed: { summary: 'Messages that were given up', value: { states: ['failed'], pageSize: 50 } },
    }),
    clientMethod: 'listDeliveries',
    command: {
      columns: ['id', 'creationTimestamp', 'event', 'number', 'state', 'attempts', 'status', 'error'],
      examples: ['3 --states failed --all', '3 --limit 20 --output json'],
    },
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/admin/data/webhooks/{webhookId}/deliveries/{deliveryId}',
    responses: { 200: 'WebhookDelivery', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Read a message of a webhook',
    description: `Returns a message with its body and the answer to the last attempt. ${RIGHTS}`,
    clientMethod: 'getDelivery',
    command: { examples: ['3 12', '3 12 --output json --fields body,answer'] },
  },
  retryWebhookDelivery: {
    method: 'POST',
    path: '/admin/manage/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    responses: { 200: 'WebhookDeliveryReference', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send a message of a webhook again',
    description:
      'Sends a message again, with the same id and body and with all attempts, whatever became ' +
      `of it before. ${RIGHTS}`,
    clientMethod: 'retryDelivery',
    command: { examples: ['3 12', '3 12 --dry-run'] },
  },
  sendWebhookTest: {
    method: 'POST',
    path: '/admin/manage/webhooks/{webhookId}/test',
    responses: { 200: 'WebhookDeliveryReference', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send a test message to a webhook',
    description:
      'Sends a message with the event `webhook.test`, which no filter holds back. A stopped ' +
      `webhook returns 400. ${RIGHTS}`,
    clientMethod: 'test',
    command: { examples: ['3', '3 --output json'] },
  },
  replayWebhook: {
    method: 'POST',
    path: '/admin/manage/webhooks/{webhookId}/replay',
    body: 'ReplayWebhookRequest',
    responses: { 200: 'ReplayWebhookResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send changes again from a number on',
    description:
      'Sends the changes again whose `number` is at least the given one, composed anew from the ' +
      'present posts and rights of the account; their messages have the ids that they had. The ' +
      `number after the last one leaves out what a stopped webhook has missed. Changes are kept for ${webhookLimits.days} ` +
      'days; a number of changes that are gone, or from before a restore, returns 400 with the ' +
      `first possible number. ${RIGHTS}`,
    requestExamples: examples<'ReplayWebhookRequest'>({
      from: { summary: 'From one change on', value: { fromNumber: 4711, generation: 1 } },
    }),
    clientMethod: 'replay',
    command: { examples: ['3 --from-number 4711', '3 --from-number 4711 --generation 1 --dry-run'] },
  },
});
