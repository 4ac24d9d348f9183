/** Creates, edits and deletes webhooks, and replaces their secrets. */
import {
  type CreateWebhookRequest,
  type CreateWebhookResponse,
  type EditWebhookRequest,
  type EditWebhookResponse,
  type RotateWebhookSecretRequest,
  type RotateWebhookSecretResponse,
  webhookLimits,
} from '@portico/contract';
import { mustHoldRightsOfUser, requireRight, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { readFeedState } from '../notifications/index.ts';
import { holdServiceAccount } from '../people/index.ts';
import { sequenceCommitted } from '../records/index.ts';
import { newSecret, placeOfAddress, placeOfSecret, type ShownSecret, shownSecret } from './secrets.ts';
import { type InternalReceivers, internalHostsOf, mustHaveRoom, readAddress, readSettings } from './settings.ts';
import {
  addSecret,
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  readWebhook,
  setPublicKey,
  updateWebhook,
  type WebhookRow,
} from './webhooks.repository.ts';

const HOUR_MS = 3_600_000;
const u = sqlColumns('users', 'u');

const writingOf = ({ tx, now, actor }: WriteScope) => ({ tx, now, by: actor.userId });

function sealAddress(write: WriteScope, id: number, address: string): Buffer {
  return write.sealer.seal(Buffer.from(address), placeOfAddress(write.tx.tenantId, id));
}

/** Adds a secret. @param expiry of the others, epoch milliseconds @returns what the receiver needs */
async function giveSecret(
  write: WriteScope,
  webhook: Pick<WebhookRow, 'id' | 'signature'>,
  expiry: number,
): Promise<ShownSecret> {
  const { signature } = webhook;
  if (signature === 'none') return {};
  const secret = newSecret();
  const shown = shownSecret(signature, secret);
  const seal = (id: string) => write.sealer.seal(secret, placeOfSecret(write.tx.tenantId, id));
  await addSecret(write, webhook.id, seal, expiry);
  if (shown.publicKey !== undefined) await setPublicKey(write.tx, webhook.id, shown.publicKey);
  return shown;
}

/**
 * Reads a webhook that the caller may change, and locks it.
 * @throws PorticoError 403 (without manageUsers, or without a right of its account), 404
 */
export async function holdWebhook(write: WriteScope, id: number): Promise<WebhookRow> {
  requireRight(write.actor, 'manageUsers');
  const webhook = await readWebhook(write.tx, id, true);
  await mustHoldRightsOfUser(write, webhook.accountId);
  return webhook;
}

/**
 * Creates a webhook (operation createWebhook). It receives the changes after this moment.
 * @throws PorticoError 403 (without manageUsers, or without a right of the account);
 * ValidationError
 */
export async function createWebhook(
  scope: Scope,
  input: CreateWebhookRequest,
  receivers: InternalReceivers,
): Promise<CreateWebhookResponse> {
  requireRight(scope.actor, 'manageUsers');
  // Changes from before have their numbers: it receives those above the last one.
  if (!scope.db.inTransaction) await sequenceCommitted(scope.db);
  return writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageUsers');
    const errors = new FieldErrors(write.missing);
    const accountId = input.serviceAccountId;
    if (accountId !== undefined) await findAccount(write, accountId, errors);
    const address = readAddress(input.address, internalHostsOf(receivers, write.tenant), errors);
    const { form = 'standard' } = input;
    const settings = await readSettings(write, { accountId: accountId ?? 0, form }, input, errors);
    if (form !== 'standard' && input.signature !== undefined)
      errors.add('signature', 'INVALID_VALUE', 'Messages to chats are not signed.');
    errors.throwIfAny();
    await mustHaveRoom(write.tx, countWebhooks);
    const signature: WebhookRow['signature'] = form === 'standard' ? (input.signature ?? 'v1') : 'none';
    const { lastSeq: position } = (await readFeedState(write.tx))!;
    const webhook = { ...settings, accountId: accountId!, form, signature, origin: address.origin, position };
    const id = await insertWebhook(writingOf(write), webhook, (taken) => sealAddress(write, taken, address.address));
    const shown = await giveSecret(write, { id, signature }, write.now);
    return { webhookId: id, ...shown, nextOccToken: 1 };
  });
}

/** @throws PorticoError 403 for an account with a right that the caller lacks */
async function findAccount(write: WriteScope, accountId: number, errors: FieldErrors): Promise<void> {
  const [account] = await write.tx.query(
    `SELECT FROM users u WHERE u.tenant_id = $1 AND ${u.id} = $2 AND ${u.service_account} AND ${u.deleted_at} IS NULL`,
    [write.tx.tenantId, accountId],
  );
  if (account) return holdServiceAccount(write, accountId);
  errors.add('serviceAccountId', 'UNKNOWN_REFERENCE', 'There is no such service account.');
}

/**
 * Replaces the settings of a webhook (operation editWebhook). Omitted settings get their defaults,
 * except the address.
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404, 409 with
 * the author and time of the last change; ValidationError
 */
export async function editWebhook(
  scope: Scope,
  id: number,
  input: EditWebhookRequest,
  receivers: InternalReceivers,
): Promise<EditWebhookResponse> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'none', async (write) => {
    const webhook = await holdWebhook(write, id);
    const errors = new FieldErrors(write.missing);
    const asked = input.address !== undefined || webhook.sealedAddress === null;
    const address = asked ? readAddress(input.address, internalHostsOf(receivers, write.tenant), errors) : undefined;
    const settings = await readSettings(write, webhook, input, errors);
    if (webhook.signature !== 'none' && webhook.secretCreatedAt === null && settings.enabled)
      errors.add('enabled', 'INVALID_VALUE', 'The webhook has no secret; rotateWebhookSecret creates one.');
    errors.throwIfAny();
    const sealed = address && { sealed: sealAddress(write, id, address.address), origin: address.origin };
    return { nextOccToken: await updateWebhook(writingOf(write), id, settings, sealed, input.occToken!) };
  });
}

/**
 * Deletes a webhook with its messages (operation deleteWebhook).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404
 */
export async function deleteWebhook(scope: Scope, id: number): Promise<void> {
  requireRight(scope.actor, 'manageUsers');
  await writeTransaction(scope, 'none', async (write) => {
    await holdWebhook(write, id);
    await deleteWebhookRow(write.tx, id);
  });
}

/**
 * Replaces the secret of a webhook (operation rotateWebhookSecret). The one before signs too until
 * the end of the overlap.
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404; ValidationError for a
 * chat
 */
export async function rotateWebhookSecret(
  scope: Scope,
  id: number,
  { overlapHours = webhookLimits.overlapHours }: RotateWebhookSecretRequest,
): Promise<RotateWebhookSecretResponse> {
  requireRight(scope.actor, 'manageUsers');
  return writeTransaction(scope, 'none', async (write) => {
    const webhook = await holdWebhook(write, id);
    if (webhook.signature === 'none')
      throw invalid('webhookId', 'INVALID_VALUE', 'Messages to chats are not signed; a chat has no secret.');
    return { webhookId: id, ...(await giveSecret(write, webhook, write.now + overlapHours * HOUR_MS)) };
  });
}
