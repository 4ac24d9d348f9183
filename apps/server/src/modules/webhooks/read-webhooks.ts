/** Reads webhooks: the list, and the form of one. */
import {
  type GetWebhookForEditResponse,
  type ListWebhooksRequest,
  type ListWebhooksResponse,
  webhookLimits,
} from '@portico/contract';
import { requireRight } from '../../kernel/access/index.ts';
import { readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { usersOf } from '../people/index.ts';
import { listWebhookRows, readWebhook, stateOf } from './webhooks.repository.ts';

/**
 * Lists the webhooks of the tenant by id (operation listWebhooks).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listWebhooks(scope: Scope, input: ListWebhooksRequest): Promise<ListWebhooksResponse> {
  requireRight(scope.actor, 'manageUsers');
  const page = readPaging<SortKey>(scope, 'listWebhooks', input, []);
  const { rows, ...paging } = await listWebhookRows(scope.db, page, webhookLimits.waiting);
  const users = await usersOf(
    scope,
    scope.db,
    rows.flatMap(({ creatorId, modifierId }) => [creatorId, modifierId]),
  );
  return {
    items: rows.map((webhook) => ({
      webhookId: webhook.id,
      name: webhook.name,
      serviceAccountId: webhook.accountId,
      address: webhook.origin,
      form: webhook.form,
      state: stateOf(webhook),
      failingTimestamp: webhook.failingSince ?? undefined,
      lastAttemptTimestamp: webhook.attemptedAt ?? undefined,
      waitingCount: webhook.waiting,
      creatorUser: users.get(webhook.creatorId),
      lastModifyUser: users.get(webhook.modifierId),
    })),
    ...paging,
  };
}

/**
 * Returns the form of a webhook (operation getWebhookForEdit).
 * @throws PorticoError 403 without manageUsers, 404
 */
export async function getWebhookForEdit(scope: Scope, id: number): Promise<GetWebhookForEditResponse> {
  requireRight(scope.actor, 'manageUsers');
  const webhook = await readWebhook(scope.db, id);
  return {
    name: webhook.name,
    serviceAccountId: webhook.accountId,
    address: webhook.origin,
    events: [...webhook.events],
    communityIds: [...webhook.communityIds],
    filter: webhook.filter ?? undefined,
    contents: webhook.contents,
    template: webhook.template ?? undefined,
    enabled: webhook.enabled,
    form: webhook.form,
    signature: webhook.signature === 'none' ? undefined : webhook.signature,
    publicKey: webhook.publicKey ?? undefined,
    state: stateOf(webhook),
    secretTimestamp: webhook.secretCreatedAt ?? undefined,
    failingTimestamp: webhook.failingSince ?? undefined,
    missedFromNumber: webhook.position === null ? undefined : webhook.position + 1,
    occToken: webhook.version,
  };
}
