/** Sends due messages to their receivers. */
import { webhookLimits } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { OutgoingError, outgoingFetch } from '@portico/platform/outgoing';
import { type Sealer, SealingError } from '@portico/platform/sealing';
import type { Clock, Log, Tenant } from '../../../kernel/scope.ts';
import { gatherBodies } from '../chat/chat-messages.ts';
import { gather } from '../chat/gather.ts';
import { placeOfAddress, placeOfSecret } from '../secrets.ts';
import { type InternalReceivers, internalHostsOf } from '../settings.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueWebhook,
  dueWebhooks,
  noteArrival,
  noteFailure,
  type Outcome,
  recordAttempts,
  releaseDeliveries,
  reserveChats,
  stopWebhook,
} from './outbox.repository.ts';
import { GIVEN_UP_AFTER_MS, holdAfter, readRetryAfter, waitAfter } from './schedule.ts';
import { signedHeaders } from './signatures.ts';
import { Widths } from './widths.ts';

/** Longest duration of an attempt. Milliseconds. */
const TIMEOUT_MS = 20_000;
/** Time for which a node owns a claimed message: several times the longest attempt. Milliseconds. */
const LEASE_MS = 60_000;
/** Time for which a tenant without webhooks is not looked at again. Milliseconds. */
const WITHOUT_MS = 2_000;
const GONE = 410;

interface WebhookSenderOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Decrypts addresses and secrets. */
  readonly sealer: Sealer;
  /** Receivers with private addresses that the operator allows. */
  readonly receivers: InternalReceivers;
}

interface SendWork {
  readonly tenant: Tenant;
  readonly db: TenantDb;
}

/** A webhook whose address and secrets are decrypted. */
interface OpenWebhook {
  readonly webhook: DueWebhook;
  readonly address: string;
  readonly secrets: readonly Buffer[];
}

/** Messages of one request: several only to a chat. */
interface Shipment {
  readonly open: OpenWebhook;
  /** At least one. */
  readonly deliveries: readonly ClaimedDelivery[];
}

/** An outcome with the wait that the receiver asked for, in milliseconds. */
type Attempt = Outcome & { readonly retryAfterMs: number | undefined };

/** Sends the messages of all tenants of one process. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #widths = new Widths();
  /** Tenants without webhooks, and until when that is taken for granted; monotonic milliseconds. */
  readonly #without = new Map<number, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /**
   * Returns whether a tenant has webhooks. Where it has none, the answer holds for some seconds, so
   * that many tenants in use cost little.
   */
  async serves(db: TenantDb): Promise<boolean> {
    const now = performance.now();
    if (now < (this.#without.get(db.tenantId) ?? 0)) return false;
    const [webhook] = await db.query('SELECT FROM webhooks WHERE tenant_id = $1 LIMIT 1', [db.tenantId]);
    if (webhook) this.#without.delete(db.tenantId);
    else this.#without.set(db.tenantId, now + WITHOUT_MS);
    return webhook !== undefined;
  }

  /**
   * Begins to send due messages of a tenant, as many as there is room for, and does not wait for
   * their answers.
   */
  async sendDue({ tenant, db }: SendWork): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const now = this.#options.clock.now();
    const webhooks = await this.#open(db, await dueWebhooks(db, now), now);
    const slots = this.#widths.slots(
      db.tenantId,
      [...webhooks.values()].map(({ webhook }) => webhook),
    );
    const isChat = (id: number) => webhooks.get(id)!.webhook.form !== 'standard';
    const chats = [...slots.keys()].filter(isChat);
    const reserved = await reserveChats(db, chats, now, webhookLimits.chatIntervalMs);
    for (const id of chats) slots.delete(id);
    for (const id of reserved) slots.set(id, webhookLimits.gathered);
    const claimed = await claimDeliveries(db, slots, now, LEASE_MS);
    const left: number[] = [];
    for (const [id, deliveries] of Map.groupBy(claimed, ({ webhookId }) => webhookId)) {
      const open = webhooks.get(id)!;
      const parts = isChat(id) ? gather(deliveries) : undefined;
      if (!parts) for (const delivery of deliveries) this.#begin({ tenant, db }, { open, deliveries: [delivery] });
      else {
        left.push(...parts.left.map((one) => one.id));
        this.#begin({ tenant, db }, { open, deliveries: parts.together });
      }
    }
    await releaseDeliveries(db, left, now);
  }

  /** Begins to send a shipment. */
  #begin(work: SendWork, shipment: Shipment): void {
    this.#widths.begin(work.db.tenantId, shipment.open.webhook.id);
    const sending = this.#sendAndGoOn(work, shipment);
    this.#running.add(sending);
    void sending.then(() => this.#running.delete(sending));
  }

  /** Waits until the attempts that are under way have ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Breaks off attempts; their messages are due again. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  /** Decrypts addresses and secrets; stops webhooks whose key is lost. */
  async #open(db: TenantDb, due: readonly DueWebhook[], now: number): Promise<Map<number, OpenWebhook>> {
    const { sealer, log } = this.#options;
    const open = new Map<number, OpenWebhook>();
    for (const webhook of due) {
      try {
        const address = sealer.open(webhook.sealedAddress, placeOfAddress(db.tenantId, webhook.id)).toString();
        const secrets = webhook.secrets.map(({ id, sealed }) =>
          sealer.open(Buffer.from(sealed, 'hex'), placeOfSecret(db.tenantId, id)),
        );
        if (secrets.length > 0 || webhook.signature === 'none') open.set(webhook.id, { webhook, address, secrets });
        else await stopWebhook(db, webhook.id, 'secretLost', now);
      } catch (error) {
        if (!(error instanceof SealingError)) throw error;
        log.error({ webhook: webhook.id, reason: error.message }, 'a webhook was stopped: its secret cannot be read');
        await stopWebhook(db, webhook.id, 'secretLost', now);
      }
    }
    return open;
  }

  /** Sends a message; where it arrived, further due messages follow at once. */
  async #sendAndGoOn(work: SendWork, shipment: Shipment): Promise<void> {
    const { log } = this.#options;
    try {
      if (await this.#send(work, shipment)) await this.sendDue(work);
    } catch (error) {
      log.error(
        { err: error, tenant: work.tenant.name, delivery: shipment.deliveries[0]!.id },
        'an attempt was not recorded',
      );
    }
  }

  /** @returns whether the messages arrived */
  async #send({ tenant, db }: SendWork, { open, deliveries }: Shipment): Promise<boolean> {
    const { clock, log } = this.#options;
    const attempt = await this.#attempt(tenant, { open, deliveries });
    const arrived = attempt !== undefined && attempt.error === undefined;
    this.#widths.end(db.tenantId, open.webhook.id, { arrived, milliseconds: attempt?.milliseconds ?? 0 });
    const now = clock.now();
    if (!attempt) {
      await releaseDeliveries(
        db,
        deliveries.map(({ id }) => id),
        now,
      );
      return false;
    }
    const message = deliveries[0]!.messageId;
    const fields = { tenant: tenant.name, webhook: open.webhook.id, message, messages: deliveries.length };
    if (arrived) {
      // First: a node that is killed in between repeats the message, and its owner is told of no failure.
      if (open.webhook.failing) await noteArrival(db, open.webhook.id);
      await recordAttempts(db, deliveries, attempt, { state: 'sent', now });
      log.debug(fields, 'a message of a webhook was sent');
      return true;
    }
    await this.#fail(db, deliveries, attempt, now);
    log.info({ ...fields, status: attempt.status, reason: attempt.error }, 'a message of a webhook did not arrive');
    return false;
  }

  async #fail(db: TenantDb, deliveries: Shipment['deliveries'], attempt: Attempt, now: number): Promise<void> {
    const { status, retryAfterMs } = attempt;
    const { webhookId } = deliveries[0]!;
    const gone = status === GONE;
    await noteFailure(db, webhookId, now, holdAfter(status, retryAfterMs));
    if (gone) await stopWebhook(db, webhookId, 'gone', now);
    for (const delivery of deliveries) {
      const wait = gone ? 0 : waitAfter(delivery.attempts, retryAfterMs);
      if (wait === undefined) await stopWebhook(db, webhookId, 'failing', now, GIVEN_UP_AFTER_MS);
      const next = wait === undefined ? { state: 'failed' as const } : { state: 'waiting' as const, dueAt: now + wait };
      await recordAttempts(db, [delivery], attempt, { ...next, now });
    }
  }

  /** Makes one request. @returns undefined if it was broken off because the process stops */
  async #attempt(tenant: Tenant, { open, deliveries }: Shipment): Promise<Attempt | undefined> {
    const { clock, receivers } = this.#options;
    const fetch = outgoingFetch({
      internalHosts: internalHostsOf(receivers, tenant),
      timeoutMs: TIMEOUT_MS,
      maxBytes: webhookLimits.answerBytes,
      cut: true,
    });
    const began = performance.now();
    const ended = () => Math.round(performance.now() - began);
    const { form, signature } = open.webhook;
    const { messageId: id, body: first } = deliveries[0]!;
    const body = form === 'standard' ? first : gatherBodies(deliveries.map((one) => one.body));
    const signed = signature === 'none' ? {} : signedHeaders(signature, open.secrets, { id, body }, clock.now());
    try {
      const answer = await fetch(open.address, {
        method: 'POST',
        headers: {
          ...signed,
          'content-type': 'application/json',
          'user-agent': 'Portico-Webhooks/1',
        },
        body,
        signal: this.#stopping.signal,
      });
      return {
        status: answer.status,
        // The database takes no NUL in texts.
        answer: (await answer.text()).replaceAll('\0', '\uFFFD'),
        error: answer.ok ? undefined : refusal(answer.status),
        milliseconds: ended(),
        retryAfterMs: readRetryAfter(answer.headers.get('retry-after'), clock.now()),
      };
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (this.#stopping.signal.aborted) return undefined;
      return {
        status: undefined,
        answer: undefined,
        error: error.message,
        milliseconds: ended(),
        retryAfterMs: undefined,
      };
    }
  }
}

function refusal(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
}
