/** Reads the log of the messages of a webhook. */
import type { ListWebhookDeliveriesRequest, ListWebhookDeliveriesResponse, WebhookDelivery } from '@portico/contract';
import { mustHoldRightsOfUser, Parameters, requireRight } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readWebhook } from '../webhooks.repository.ts';
import {
  type DeliveryRow,
  deliveriesFrom,
  deliveryColumns,
  presentDelivery,
  readDelivery,
} from './deliveries.repository.ts';

/** @throws PorticoError 403 (without manageUsers, or without a right of the account), 404 */
async function requireWebhook(scope: Scope, webhookId: number): Promise<void> {
  requireRight(scope.actor, 'manageUsers');
  const { accountId } = await readWebhook(scope.db, webhookId);
  await mustHoldRightsOfUser({ tx: scope.db, actor: scope.actor }, accountId);
}

/**
 * Lists the messages of a webhook, the newest first (operation listWebhookDeliveries).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404;
 * ValidationError
 */
export async function listWebhookDeliveries(
  scope: Scope,
  webhookId: number,
  input: ListWebhookDeliveriesRequest,
): Promise<ListWebhookDeliveriesResponse> {
  await requireWebhook(scope, webhookId);
  const { pageToken, pageSize, calculateTotalItemsCount, ...filters } = input;
  const paging = { pageToken, pageSize, calculateTotalItemsCount };
  const page = readPaging<SortKey>(scope, 'listWebhookDeliveries', paging, [webhookId, filters]);
  const parameters = new Parameters([scope.tenant.id, webhookId]);
  const where = ['d.tenant_id = $1', 'd.webhook_id = $2'];
  if (filters.states?.length) where.push(`d.state = ANY (${parameters.add(filters.states)}::text[])`);
  if (filters.postIds?.length) where.push(`b.post_id = ANY (${parameters.add(filters.postIds)}::bigint[])`);
  const { rows, ...rest } = await readPage<DeliveryRow>(
    scope.db,
    page,
    { select: deliveryColumns, from: deliveriesFrom, where, order: [{ sql: 'd.id', desc: true, type: 'bigint' }] },
    parameters,
  );
  return { items: rows.map(presentDelivery), ...rest };
}

/**
 * Returns a message with its body and the last answer (operation getWebhookDelivery).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404
 */
export async function getWebhookDelivery(scope: Scope, webhookId: number, id: number): Promise<WebhookDelivery> {
  await requireWebhook(scope, webhookId);
  const row = await readDelivery(scope.db, webhookId, id);
  if (!row) throw notFound();
  return { ...presentDelivery(row), body: row.body, answer: row.answer ?? undefined };
}
