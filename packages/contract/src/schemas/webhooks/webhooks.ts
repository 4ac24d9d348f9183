/** Webhooks and their messages. */
import {
  webhookContents,
  webhookDeliveryStates,
  webhookEvents,
  webhookForms,
  webhookPlaceholders,
  webhookSignatures,
  webhookStates,
} from '../../filters.ts';
import { listLimits, webhookLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { postSelection } from '../posts/post-lists.ts';

const events = Object.entries(webhookEvents)
  .map(([name, text]) => `\`${name}\`: ${text}`)
  .join('; ');

const placeholders = Object.entries(webhookPlaceholders)
  .map(([name, text]) => `\`{{${name}}}\`: ${text}`)
  .join('; ');

const settings: t.Fields = {
  name: t.required(t.name('Name of the webhook.')),
  events: t.wordList(
    Object.keys(webhookEvents),
    `Events that it receives; default: all of them. A write that did several things gives a message for each. ${events}.`,
  ),
  communityIds: t.ids('Communities whose posts it receives; default: all that the account sees.', {
    maxItems: listLimits.items,
  }),
  filter: t.ref(
    'WebhookFilter',
    'Receives a post only if the list of the community shows it to the account under these ' +
      'filters after the change. Requires one community. `post.gone` ignores it.',
  ),
  contents: t.word(
    webhookContents,
    '`thin`: messages hold ids. `whole`: also the post as lists show it to the account, up to ' +
      `${webhookLimits.bodyBytes} bytes a message; longer messages are thin and say so. Chats get \`thin\` alone.`,
    { default: 'thin' },
  ),
  template: t.text(
    `Text of a chat message, in the markup of the chat, at most ${webhookLimits.template} characters with ` +
      `${webhookLimits.placeholders} placeholders. Their values are escaped. Placeholders: ${placeholders}. ` +
      'Default: `{{event}}: {{post}} ({{community}})`. The form `standard` has none.',
    { maxLength: webhookLimits.template },
  ),
  enabled: t.flag('False stops it; it continues from there when it is enabled.', { default: true }),
};

const address = t.text(
  `Absolute address, https, at most ${webhookLimits.address} characters. A secret: no answer shows ` +
    'its path and query. Private addresses are refused unless the operator lists the host for the tenant.',
  { maxLength: webhookLimits.address },
);

const shown: t.Fields = {
  name: t.text('Name of the webhook.'),
  serviceAccountId: t.int64('Id of the service account as which it sees posts.'),
  address: t.text('Scheme and host of the address.'),
  form: t.word(webhookForms, 'Form of the messages.'),
  state: t.word(
    webhookStates,
    'State. `paused`: not enabled. Stopped by the portal: `gone` (the receiver answered 410), ' +
      '`failing` (a message was given up and none arrived since), `filterInvalid` (the community ' +
      'changed), `secretLost` (the encryption key is gone). `accountBlocked`: the account is ' +
      'blocked or deleted.',
  ),
};

const failingTimestamp = t.time('Time since which every attempt failed; absent while attempts succeed.');

const message: t.Fields = {
  id: t.int64('Id of the message in the log.'),
  messageId: t.text('`webhook-id` of the message, the same for every attempt.'),
  event: t.text('Event of the message.'),
  number: t.int64(
    'Number of the change in the stream; for a post that roles or groups took, of the last change before. Absent for a test.',
  ),
  postId: t.int64('Id of the post; absent for a test, and for a post that was purged before.'),
  state: t.word(
    webhookDeliveryStates,
    '`waiting`: due, or to be tried again; `sent`: the receiver answered 2xx; `failed`: given up.',
  ),
  attempts: t.count('Number of attempts.'),
  creationTimestamp: t.time('Time of composition.'),
  nextAttemptTimestamp: t.time('Time of the next attempt; absent if there is none.'),
  lastAttemptTimestamp: t.time('Time of the last attempt; absent before the first.'),
  endTimestamp: t.time('Time at which it arrived or was given up.'),
  status: t.int32('HTTP status of the last answer; absent without one.'),
  durationMs: t.int32('Duration of the last attempt in milliseconds.'),
  error: t.text('Why the last attempt failed.'),
};

const secret = t.shownOnce(
  t.text(
    'The secret that verifies the messages, with the prefix `whsec_`. It is shown once; absent ' +
      'with `v1a`, for a chat, and in the stored response to a repeated request with the same `Idempotency-Key`.',
  ),
);
const publicKey = t.text(
  'The key that verifies `v1a` signatures, with the prefix `whpk_`; absent with `v1` and for a chat.',
);

export const webhookTypes = {
  WebhookFilter: t.type('Filters of a list of posts.', {
    communityPostFilters: postSelection.communityPostFilters!,
    communityAttachmentFilters: postSelection.communityAttachmentFilters!,
  }),
  Webhook: t.type('A webhook.', {
    webhookId: t.int64('Id of the webhook.'),
    ...shown,
    failingTimestamp,
    lastAttemptTimestamp: t.time(
      'Time of the last attempt of the newest message that was tried; absent before the first.',
    ),
    waitingCount: t.count(`Messages that wait, counted up to ${webhookLimits.waiting}.`),
    creatorUser: t.ref('User', 'User who created it.'),
    lastModifyUser: t.ref('User', 'Its owner: the user who last edited it.'),
  }),
  ListWebhooksRequest: t.type('Paging of the list of webhooks.', t.pageInputs),
  ListWebhooksResponse: t.page('Webhook', 'A page of webhooks.'),
  GetWebhookForEditResponse: t.type('Editable settings of a webhook, and its state.', {
    ...settings,
    ...shown,
    signature: t.word(webhookSignatures, 'Kind of its signatures; read-only here. Absent for a chat.'),
    publicKey,
    secretTimestamp: t.time('Time at which the secret was created.'),
    failingTimestamp,
    missedFromNumber: t.int64(
      'Number of the first change that it has not received while others go on: it is stopped or catches up. Absent otherwise.',
    ),
    occToken: t.token('Token to send back with the next edit.'),
  }),
  CreateWebhookRequest: t.type('A new webhook.', {
    ...settings,
    serviceAccountId: t.required(t.int64('Id of the service account as which it sees posts. It does not change.')),
    address: t.required(address),
    form: t.word(
      webhookForms,
      'Form of the messages: `standard` is Standard Webhooks 1.0.0; the others are incoming webhooks of ' +
        'chats, `teams` an Adaptive Card for a Workflows address. It does not change.',
      { default: 'standard' },
    ),
    signature: t.word(
      webhookSignatures,
      'Kind of the signatures: `v1` is HMAC-SHA256 with a shared secret, `v1a` is ed25519. It does not ' +
        'change. Default: `v1`. Chats get none.',
    ),
  }),
  CreateWebhookResponse: t.type('The created webhook.', {
    webhookId: t.int64('Id of the webhook.'),
    secret,
    publicKey,
    nextOccToken: t.token('Token for the next edit.'),
  }),
  EditWebhookRequest: t.type('New settings of a webhook.', {
    ...settings,
    address: { ...address, description: `${address.description} If omitted, it is kept.` },
    occToken: t.formToken,
  }),
  EditWebhookResponse: t.type('Result of the edit of a webhook.', {
    nextOccToken: t.token('Token for the next edit.'),
  }),
  RotateWebhookSecretRequest: t.type('Replacement of a secret.', {
    overlapHours: t.int32('Hours for which the secret before signs too.', {
      default: webhookLimits.overlapHours,
      minimum: 0,
      maximum: webhookLimits.longestOverlapHours,
    }),
  }),
  RotateWebhookSecretResponse: t.type('The new secret.', {
    webhookId: t.int64('Id of the webhook.'),
    secret,
    publicKey,
  }),
  ListWebhookDeliveriesRequest: t.type('Filters and paging of the messages of a webhook.', {
    ...t.pageInputs,
    states: t.wordList(webhookDeliveryStates, 'Only messages in these states.'),
    postIds: t.filterIds('Only messages about these posts.'),
  }),
  WebhookMessage: t.type('A message of a webhook, without its contents.', message),
  ListWebhookDeliveriesResponse: t.page('WebhookMessage', 'A page of messages.'),
  WebhookDelivery: t.type('A message of a webhook.', {
    ...message,
    body: t.text('Body of the message.'),
    answer: t.text(`Body of the last answer, cut after ${webhookLimits.answerBytes} bytes.`),
  }),
  WebhookDeliveryReference: t.type('A message that is being sent.', {
    webhookId: t.int64('Id of the webhook.'),
    deliveryId: t.int64('Id of the message in the log.'),
    messageId: t.text('`webhook-id` of the message.'),
  }),
  ReplayWebhookRequest: t.type('The changes to send again.', {
    fromNumber: t.required(t.int64('Number of the first change to send: `data.number` of its message.')),
    generation: t.int64(
      '`data.generation` of that message; a number of another generation is refused. Default: the present one.',
    ),
  }),
  ReplayWebhookResponse: t.type('The changes that are sent again.', {
    webhookId: t.int64('Id of the webhook.'),
    fromNumber: t.int64('Number of the first change.'),
    toNumber: t.int64('Number of the last change so far.'),
  }),
};
