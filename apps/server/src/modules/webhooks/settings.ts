/** Reads the settings of a webhook from a request. */
import { isIP } from 'node:net';
import { type CreateWebhookRequest, type EditWebhookRequest, type WebhookForm, webhookLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { isPublicAddress } from '@portico/platform/outgoing';
import { loadActor, type WriteScope } from '../../kernel/access/index.ts';
import { type FieldErrors, invalid, unknownElements, ValidationError } from '../../kernel/errors.ts';
import type { Actor, Scope, Tenant } from '../../kernel/scope.ts';
import { seesCommunity } from '../communities/index.ts';
import { matchPosts } from '../posts/index.ts';
import { readTemplate } from './chat/chat-messages.ts';
import type { WebhookFilter, WebhookSettings } from './webhooks.repository.ts';

/** Receivers with private addresses that the operator allows, as `tenant=host[:port]`. */
export type InternalReceivers = readonly { readonly tenant: string; readonly host: string }[];

/** Returns the hosts with private addresses that a tenant may name. */
export function internalHostsOf(receivers: InternalReceivers, tenant: Pick<Tenant, 'name'>): string[] {
  return receivers.filter((one) => one.tenant === tenant.name).map(({ host }) => host);
}

/** An address as it was checked. */
interface ReadAddress {
  readonly address: string;
  /** Scheme and host, which answers show. */
  readonly origin: string;
}

/** Reads an address. Its network address is checked at each connection. */
export function readAddress(
  given: string | undefined,
  internalHosts: readonly string[],
  errors: FieldErrors,
): ReadAddress {
  const address = errors.required('address', given, webhookLimits.address);
  const none = { address, origin: '' };
  if (address === '') return none;
  const url = URL.parse(address);
  const internal = url !== null && internalHosts.includes(url.host);
  if (!url || (url.protocol !== 'https:' && !(internal && url.protocol === 'http:')) || url.hash !== '') {
    errors.add('address', 'INVALID_VALUE', 'An absolute https address without a fragment.');
    return none;
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!internal && (isIP(host) !== 0 ? !isPublicAddress(host) : host === 'localhost')) {
    errors.add(
      'address',
      'INVALID_VALUE',
      'The address is private; the operator may list it in PORTICO_INTERNAL_WEBHOOKS.',
    );
  }
  return { address: url.href, origin: url.origin };
}

type SettingsInput = Pick<
  CreateWebhookRequest | EditWebhookRequest,
  'name' | 'events' | 'communityIds' | 'filter' | 'contents' | 'template' | 'enabled'
>;

/** Account and form of a webhook, which do not change, and its present communities. */
interface SettingsOf {
  readonly accountId: number;
  readonly form: WebhookForm;
  readonly communityIds?: readonly number[];
}

/**
 * Reads settings.
 * @param webhook.communityIds communities that the webhook names already: they stay, whether the account sees them or not
 */
export async function readSettings(
  write: WriteScope,
  { accountId, form, communityIds: known = [] }: SettingsOf,
  input: SettingsInput,
  errors: FieldErrors,
): Promise<WebhookSettings> {
  const settings: WebhookSettings = {
    name: errors.required('name', input.name, webhookLimits.name),
    events: [...new Set(input.events ?? [])] as WebhookSettings['events'],
    communityIds: [...new Set(input.communityIds ?? [])],
    filter: (input.filter as WebhookFilter | undefined) ?? null,
    contents: input.contents ?? 'thin',
    template: readTemplate(input.template, errors),
    enabled: input.enabled ?? true,
  };
  if (form === 'standard' && settings.template !== null)
    errors.add('template', 'INVALID_VALUE', 'Only messages to chats have a template.');
  if (form !== 'standard' && settings.contents !== 'thin')
    errors.add('contents', 'INVALID_VALUE', 'Chats get `thin` alone.');
  const account = await loadActor(write.tx, accountId);
  checkCommunities(settings, account, known, errors);
  await checkFilter(write, settings, account, errors);
  return settings;
}

function checkCommunities(
  { communityIds }: WebhookSettings,
  account: Actor | undefined,
  known: readonly number[],
  errors: FieldErrors,
): void {
  const unseen = communityIds.filter((id) => !known.includes(id) && !(account && seesCommunity(account, id)));
  errors.push(...unknownElements('communityIds', communityIds, new Set(unseen), 'The account sees no such community.'));
}

async function checkFilter(
  write: WriteScope,
  { communityIds, filter }: WebhookSettings,
  account: Actor | undefined,
  errors: FieldErrors,
): Promise<void> {
  if (filter === null) return;
  if (JSON.stringify(filter).length > webhookLimits.filter) {
    const limit = `As JSON, a filter has at most ${webhookLimits.filter} characters.`;
    errors.add('filter', 'INVALID_VALUE', limit, [webhookLimits.filter]);
    return;
  }
  const [communityId, ...others] = communityIds;
  if (communityId === undefined || others.length > 0) {
    errors.add('filter', 'INVALID_VALUE', 'A filter needs exactly one community in communityIds.');
    return;
  }
  // The account is blocked or deleted: nothing is composed, and the filter is read when it is active.
  if (!account) return;
  try {
    await matchPosts(asAccount(write, account), communityId, filter, []);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors.map((one) => ({ ...one, field: `filter.${one.field}` })));
  }
}

/** Returns the scope of an account for reads within a transaction. */
function asAccount(write: WriteScope, actor: Actor): Scope {
  return { ...write, db: write.tx, actor };
}

/** @throws ValidationError if the tenant has the maximum number of webhooks */
export async function mustHaveRoom(db: TenantExecutor, count: (db: TenantExecutor) => Promise<number>): Promise<void> {
  if ((await count(db)) < webhookLimits.webhooks) return;
  throw invalid(
    'webhooks',
    'TOO_MANY_ITEMS',
    `The tenant has ${webhookLimits.webhooks} webhooks, the most there may be; delete one first.`,
  );
}
