/** Operations listPushSubscriptions, createPushSubscription and deletePushSubscription: browsers of the caller. */
import { createECDH, createHash, ECDH } from 'node:crypto';
import { isIP } from 'node:net';
import {
  type CreatePushSubscriptionRequest,
  type CreatePushSubscriptionResponse,
  type ListPushSubscriptionsResponse,
  pushLimits,
} from '@portico/contract';
import { isPublicAddress } from '@portico/platform/outgoing';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, invalid, notFound } from '../../../kernel/errors.ts';
import type { Scope, Tenant } from '../../../kernel/scope.ts';
import { countOtherSubscriptions, deleteSubscription, subscriptionsOf, writeSubscription } from './push.repository.ts';
import { ensurePushKey, placeOfSubscription, type Subscription } from './push-keys.ts';

/** Hosts with private addresses that the operator allows, as `tenant=host[:port]`. */
export type InternalHosts = readonly { readonly tenant: string; readonly host: string }[];

/** Returns the hosts with private addresses that browsers of a tenant may name. */
export function internalHostsOf(hosts: InternalHosts, tenant: Pick<Tenant, 'name'>): string[] {
  return hosts.filter((one) => one.tenant === tenant.name).map(({ host }) => host);
}

const AUTH_BYTES = 16;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/** Lists the browsers of the caller, and the key with which another one subscribes. */
export async function listPushSubscriptions(scope: Scope): Promise<ListPushSubscriptionsResponse> {
  const { db, actor, settings, sealer, sessionId } = scope;
  const enabled = settings.notificationPush;
  const rows = await subscriptionsOf(db, actor.userId);
  return {
    enabled,
    publicKey: enabled ? await ensurePushKey(db, sealer) : undefined,
    subscriptions: rows.map(({ id, service, sessionId: of, userAgent, createdAt, sentAt }) => ({
      id,
      service,
      userAgent: userAgent ?? undefined,
      current: of !== null && of === sessionId,
      creationTimestamp: createdAt,
      lastSentTimestamp: sentAt ?? undefined,
    })),
  };
}

/**
 * Stores the browser of the caller.
 * @throws PorticoError FORBIDDEN for accounts of programs; ValidationError
 */
export async function createPushSubscription(
  scope: Scope,
  body: CreatePushSubscriptionRequest,
  hosts: InternalHosts,
): Promise<CreatePushSubscriptionResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    if (!write.actor.person) throw forbidden('Only people have browsers that show notifications.');
    const errors = new FieldErrors(write.missing);
    const subscription = readSubscription(body, internalHostsOf(hosts, write.tenant), errors);
    errors.throwIfAny();
    const hash = createHash('sha256').update(subscription.endpoint).digest();
    if ((await countOtherSubscriptions(write, hash)) >= pushLimits.subscriptions) {
      throw invalid(
        'endpoint',
        'TOO_MANY_ITEMS',
        `You have ${pushLimits.subscriptions} browsers that show notifications, the most there may be; remove one first.`,
      );
    }
    const text = Buffer.from(JSON.stringify(subscription));
    const seal = (id: number) => write.sealer.seal(text, placeOfSubscription(write.tx.tenantId, id));
    const service = new URL(subscription.endpoint).host;
    return { subscriptionId: await writeSubscription(write, { hash, service, seal }) };
  });
}

/** @throws PorticoError NOT_FOUND, also for a browser of another account */
export async function deletePushSubscription(scope: Scope, id: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    if (!(await deleteSubscription(write, id))) throw notFound();
  });
}

/** Reads a subscription. The network address of its service is checked at each connection. */
function readSubscription(
  { endpoint, p256dh, auth }: CreatePushSubscriptionRequest,
  internalHosts: readonly string[],
  errors: FieldErrors,
): Subscription {
  const url = URL.parse(endpoint ?? '');
  if (endpoint !== undefined) {
    const internal = url !== null && internalHosts.includes(url.host);
    const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
    const hidden = !internal && (isIP(host) !== 0 ? !isPublicAddress(host) : host === 'localhost');
    if (!url || (url.protocol !== 'https:' && !(internal && url.protocol === 'http:')) || url.username !== '')
      errors.add('endpoint', 'INVALID_VALUE', 'An absolute https address.');
    else if (hidden) errors.add('endpoint', 'INVALID_VALUE', 'The address is private.');
    else if (url.host.length > 300) errors.add('endpoint', 'INVALID_VALUE', 'The name of the host is too long.');
  }
  if (p256dh !== undefined && !isPublicKey(p256dh))
    errors.add('p256dh', 'INVALID_VALUE', 'A point of the curve P-256, in base64url.');
  if (auth !== undefined && !(BASE64URL.test(auth) && Buffer.from(auth, 'base64url').length === AUTH_BYTES))
    errors.add('auth', 'INVALID_VALUE', '16 bytes, in base64url.');
  return { endpoint: url?.href ?? '', p256dh: p256dh ?? '', auth: auth ?? '' };
}

function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (!BASE64URL.test(text) || bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    ecdh.computeSecret(bytes);
    return true;
  } catch {
    return false;
  }
}
