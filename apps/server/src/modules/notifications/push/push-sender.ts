/** Sends notifications to the push services of browsers. */
import { PushOutcome, PushReason } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { OutgoingError, outgoingFetch } from '@portico/platform/outgoing';
import { type Sealer, SealingError } from '@portico/platform/sealing';
import type { Clock, Log, Scope, Tenant } from '../../../kernel/scope.ts';
import { countUnread, readShownNotifications } from '../notifications.repository.ts';
import { readRecipients } from '../recipients.ts';
import { visibleNotifications } from '../visible-notifications.ts';
import { composeRequest, messageOf, type PushMessage } from './compose-push.ts';
import {
  type ClaimedPush,
  claimPushes,
  endPushes,
  forgetSubscription,
  noteSent,
  postponePushes,
  readSubscription,
  releasePushes,
} from './push.repository.ts';
import { openPushKeys, type PushKeys, placeOfSubscription, type Subscription } from './push-keys.ts';
import { type InternalHosts, internalHostsOf } from './push-subscriptions.ts';

/** Longest duration of a request. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** Time for which a node owns a claimed message. Milliseconds. */
const LEASE_MS = 120_000;
/** Browsers of this process that are served at the same time, and of them of one push service. */
const AT_ONCE = 48;
const AT_ONCE_OF_SERVICE = 12;
/** Messages to one browser that are claimed together. */
const CLAIMED = 100;
const MAX_ATTEMPTS = 6;
/** Wait after the first failure, which doubles twice with each further one. Milliseconds. */
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3 * 3_600_000;
/** Longest part of an answer that is read. Bytes. */
const ANSWER_BYTES = 4_096;

interface PushSenderOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Decrypts subscriptions and keys. */
  readonly sealer: Sealer;
  /** Hosts with private addresses that the operator allows. */
  readonly hosts: InternalHosts;
}

/** Tenant whose messages are sent. */
interface PushTenant {
  readonly tenant: Tenant;
  readonly db: TenantDb;
  /** @returns the scope of a person; undefined if the person cannot sign in */
  personScope(userId: number): Promise<Scope | undefined>;
}

/** `postponed`: all messages to the browser wait. */
type Result = 'sent' | 'dropped' | 'postponed' | 'gone' | 'stopped';

/** Sends the messages of all tenants of one process. */
export class PushSender {
  readonly #options: PushSenderOptions;
  /** Browsers that are served, by `TENANT SUBSCRIPTION`. */
  readonly #busy = new Map<string, { tenantId: number; subscriptionId: number; service: string }>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(options: PushSenderOptions) {
    this.#options = options;
  }

  /**
   * Begins to send due messages of a tenant, as many as there is room for, and does not wait for the
   * answers.
   * @returns whether more may be due that can be sent now
   */
  async sendDue(work: PushTenant): Promise<boolean> {
    if (this.#stopping.signal.aborted || this.#busy.size >= AT_ONCE) return false;
    const { db } = work;
    const now = this.#options.clock.now();
    const claimed = await claimPushes(db, CLAIMED, this.#busyOf(db.tenantId), now, LEASE_MS);
    const left: number[] = [];
    for (const messages of Map.groupBy(claimed, (one) => one.subscriptionId).values()) {
      const { service } = messages[0]!;
      if (this.#busy.size < AT_ONCE && this.#countOf(service) < AT_ONCE_OF_SERVICE) this.#begin(work, messages);
      else left.push(...messages.map(({ id }) => id));
    }
    await releasePushes(db, left, now);
    return claimed.length > left.length;
  }

  /** Waits until the requests that are under way have ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Breaks off requests; their messages are due again. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  #countOf(service: string): number {
    return [...this.#busy.values()].filter((one) => one.service === service).length;
  }

  #busyOf(tenantId: number) {
    const all = [...this.#busy.values()];
    const services = [...new Set(all.map(({ service }) => service))];
    return {
      services: services.filter((service) => this.#countOf(service) >= AT_ONCE_OF_SERVICE),
      subscriptionIds: all.filter((one) => one.tenantId === tenantId).map((one) => one.subscriptionId),
    };
  }

  /** Begins to send messages to one browser, one after the other. */
  #begin(work: PushTenant, messages: readonly ClaimedPush[]): void {
    const { subscriptionId, service } = messages[0]!;
    const tenantId = work.db.tenantId;
    const key = `${tenantId} ${subscriptionId}`;
    this.#busy.set(key, { tenantId, subscriptionId, service });
    const sending = this.#sendAll(work, messages)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, tenant: work.tenant.name }, 'a push message was not recorded'),
      )
      .finally(() => {
        this.#busy.delete(key);
        this.#running.delete(sending);
      });
    this.#running.add(sending);
  }

  async #sendAll(work: PushTenant, messages: readonly ClaimedPush[]): Promise<void> {
    const { db } = work;
    const prepared = await this.#prepare(work, messages);
    for (const [reason, dropped] of Map.groupBy(messages, (one) => whyNotSent(prepared, one)))
      if (reason !== undefined) await this.#drop(db, dropped, reason);
    if ('reason' in prepared) return;
    const left = messages.filter((one) => whyNotSent(prepared, one) === undefined);
    for (const [index, message] of left.entries()) {
      const result = await this.#send(work, prepared, message);
      if (result === 'sent' || result === 'dropped') continue;
      // The others have had no attempt: they stay as due as after this one.
      const others = left.slice(index + (result === 'stopped' ? 0 : 1)).map(({ id }) => id);
      const now = this.#options.clock.now();
      await releasePushes(db, others, now);
      if (result === 'postponed') await postponePushes(db, message.subscriptionId, now + waitAfter(message.attempts));
      return;
    }
  }

  /** Ends messages without a further attempt. */
  #drop(db: TenantDb, messages: readonly ClaimedPush[], reason: PushReason): Promise<void> {
    const outcome = FAILURES.has(reason) ? PushOutcome.FAILED : PushOutcome.HELD;
    const ids = messages.map(({ id }) => id);
    return endPushes(db, ids, { outcome, reason }, this.#options.clock.now());
  }

  /**
   * Asks again what the person may see and wants.
   * @returns why nothing is to be sent, or what is
   */
  async #prepare(
    work: PushTenant,
    claimed: readonly ClaimedPush[],
  ): Promise<Prepared | { readonly reason: PushReason }> {
    const { db } = work;
    const { userId, subscriptionId } = claimed[0]!;
    const wanted = claimed.filter((one) => one.reason === null && one.attempts <= MAX_ATTEMPTS);
    const scope = wanted.length > 0 ? await work.personScope(userId) : undefined;
    if (!scope) return { reason: PushReason.NO_RECIPIENT };
    if (!scope.settings.notificationPush) return { reason: PushReason.TENANT_OFF };
    const opened = await this.#open(db, subscriptionId);
    if (!opened) return { reason: PushReason.BROWSER_GONE };
    const [recipient] = await readRecipients(db, [userId], this.#options.clock.now());
    if (!recipient) return { reason: PushReason.NO_RECIPIENT };
    const { parameters, where } = visibleNotifications(db.tenantId, scope.actor);
    const ids = wanted.map((one) => one.notificationId);
    const shown = await readShownNotifications(db, parameters, where, ids);
    const seen = new Map(shown.map((one) => [one.id, one]));
    const terms = visibleNotifications(db.tenantId, scope.actor);
    const unread = await countUnread(db, terms.parameters, terms.where);
    const messages = new Map<number, PushMessage>();
    for (const { id, notificationId } of wanted) {
      const notification = seen.get(notificationId);
      if (notification) messages.set(id, messageOf(scope, recipient, notification, unread));
    }
    // Addresses of this machine are http, and push services take https alone.
    const subject = scope.ownAddress?.startsWith('https:') ? scope.ownAddress : `https://${work.tenant.name}.invalid`;
    return { ...opened, subject, messages };
  }

  /** Decrypts keys and subscription; deletes a subscription that cannot be decrypted. */
  async #open(
    db: TenantDb,
    subscriptionId: number,
  ): Promise<{ keys: PushKeys; subscription: Subscription } | undefined> {
    const { sealer, log } = this.#options;
    const stored = await readSubscription(db, subscriptionId);
    if (!stored) return undefined;
    try {
      const keys = await openPushKeys(db, sealer);
      const text = sealer.open(stored.sealed, placeOfSubscription(db.tenantId, subscriptionId)).toString();
      return keys && { keys, subscription: JSON.parse(text) as Subscription };
    } catch (error) {
      if (!(error instanceof SealingError)) throw error;
      log.error({ subscription: subscriptionId, reason: error.message }, 'a push subscription cannot be read');
      return undefined;
    }
  }

  async #send(work: PushTenant, prepared: Prepared, message: ClaimedPush): Promise<Result> {
    const { log, clock } = this.#options;
    const { db, tenant } = work;
    const fields = { tenant: tenant.name, subscription: message.subscriptionId, service: message.service };
    const answer = await this.#request(tenant, prepared, prepared.messages.get(message.id)!);
    if (answer === 'stopped') return 'stopped';
    const { status, error } = answer;
    if (status !== undefined && status >= 200 && status < 300) {
      await endPushes(db, [message.id], { outcome: PushOutcome.SENT }, clock.now());
      await noteSent(db, message.subscriptionId, clock.now());
      log.debug(fields, 'a push message was sent');
      return 'sent';
    }
    if (status === 404 || status === 410) {
      await forgetSubscription(db, message.subscriptionId, clock.now());
      log.info({ ...fields, status }, 'a push subscription has ended');
      return 'gone';
    }
    log.info({ ...fields, status, reason: error, attempts: message.attempts }, 'a push message did not arrive');
    const again = status === undefined || status === 408 || status === 429 || status >= 500;
    if (again && message.attempts < MAX_ATTEMPTS) return 'postponed';
    await this.#drop(db, [message], again ? PushReason.NOT_TAKEN : PushReason.REFUSED);
    return again ? 'postponed' : 'dropped';
  }

  async #request(
    tenant: Tenant,
    { keys, subscription, subject }: Prepared,
    message: PushMessage,
  ): Promise<{ status?: number; error?: string } | 'stopped'> {
    const fetch = outgoingFetch({
      internalHosts: internalHostsOf(this.#options.hosts, tenant),
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_BYTES,
      cut: true,
    });
    const { headers, body } = await composeRequest(keys, subscription, message, subject);
    try {
      const { status } = await fetch(subscription.endpoint, {
        method: 'POST',
        headers,
        body,
        signal: this.#stopping.signal,
      });
      return { status };
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return this.#stopping.signal.aborted ? 'stopped' : { error: error.message };
    }
  }
}

/** Messages to a browser, with all that is needed to send them. */
interface Prepared {
  readonly keys: PushKeys;
  readonly subscription: Subscription;
  readonly subject: string;
  /** By the id of the queued message. */
  readonly messages: ReadonlyMap<number, PushMessage>;
}

/** Reasons that push services and browsers give. */
const FAILURES: ReadonlySet<PushReason> = new Set([PushReason.BROWSER_GONE, PushReason.REFUSED, PushReason.NOT_TAKEN]);

/** Returns why a message is not sent; undefined: it is. */
function whyNotSent(prepared: Prepared | { readonly reason: PushReason }, one: ClaimedPush): PushReason | undefined {
  if (one.reason !== null) return one.reason;
  if (one.attempts > MAX_ATTEMPTS) return PushReason.NOT_TAKEN;
  if ('reason' in prepared) return prepared.reason;
  return prepared.messages.has(one.id) ? undefined : PushReason.NOT_VISIBLE;
}

const waitAfter = (attempts: number) => Math.min(FIRST_WAIT_MS * 4 ** (attempts - 1), LONGEST_WAIT_MS);
