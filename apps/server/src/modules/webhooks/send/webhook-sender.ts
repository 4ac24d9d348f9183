/** Sends due messages to their receivers. */
import { webhookLimits } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { OutgoingError, outgoingFetch } from '@portico/platform/outgoing';
import { type Sealer, SealingError } from '@portico/platform/sealing';
import type { Clock, Log, Tenant } from '../../../kernel/scope.ts';
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
  recordAttempt,
  releaseDeliveries,
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
   * @returns the number of messages
   */
  async sendDue({ tenant, db }: SendWork): Promise<number> {
    if (this.#stopping.signal.aborted) return 0;
    const now = this.#options.clock.now();
    const webhooks = await this.#open(db, await dueWebhooks(db, now), now);
    const slots = this.#widths.slots(
      db.tenantId,
      [...webhooks.values()].map(({ webhook }) => webhook),
    );
    const claimed = await claimDeliveries(db, slots, now, LEASE_MS);
    for (const delivery of claimed) {
      this.#widths.begin(db.tenantId, delivery.webhookId);
      const sending = this.#sendAndGoOn({ tenant, db }, webhooks.get(delivery.webhookId)!, delivery);
      this.#running.add(sending);
      void sending.then(() => this.#running.delete(sending));
    }
    return claimed.length;
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
        if (secrets.length > 0) open.set(webhook.id, { webhook, address, secrets });
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
  async #sendAndGoOn(work: SendWork, open: OpenWebhook, delivery: ClaimedDelivery): Promise<void> {
    const { log } = this.#options;
    try {
      if (await this.#send(work, open, delivery)) await this.sendDue(work);
    } catch (error) {
      log.error({ err: error, tenant: work.tenant.name, delivery: delivery.id }, 'an attempt was not recorded');
    }
  }

  /** @returns whether the message arrived */
  async #send({ tenant, db }: SendWork, open: OpenWebhook, delivery: ClaimedDelivery): Promise<boolean> {
    const { clock, log } = this.#options;
    const attempt = await this.#attempt(tenant, open, delivery);
    const arrived = attempt !== undefined && attempt.error === undefined;
    this.#widths.end(db.tenantId, delivery.webhookId, { arrived, milliseconds: attempt?.milliseconds ?? 0 });
    const now = clock.now();
    if (!attempt) {
      await releaseDeliveries(db, [delivery.id], now);
      return false;
    }
    const fields = { tenant: tenant.name, webhook: delivery.webhookId, message: delivery.messageId };
    if (arrived) {
      await recordAttempt(db, delivery, attempt, { state: 'sent', now });
      if (open.webhook.failing) await noteArrival(db, delivery.webhookId);
      log.debug(fields, 'a message of a webhook was sent');
      return true;
    }
    await this.#fail(db, delivery, attempt, now);
    log.info({ ...fields, status: attempt.status, reason: attempt.error }, 'a message of a webhook did not arrive');
    return false;
  }

  async #fail(db: TenantDb, delivery: ClaimedDelivery, attempt: Attempt, now: number): Promise<void> {
    const { status, retryAfterMs } = attempt;
    const gone = status === GONE;
    const wait = gone ? 0 : waitAfter(delivery.attempts, retryAfterMs);
    await noteFailure(db, delivery.webhookId, now, holdAfter(status, retryAfterMs));
    if (gone) await stopWebhook(db, delivery.webhookId, 'gone', now);
    if (wait === undefined) await stopWebhook(db, delivery.webhookId, 'failing', now, GIVEN_UP_AFTER_MS);
    const next = wait === undefined ? { state: 'failed' as const } : { state: 'waiting' as const, dueAt: now + wait };
    await recordAttempt(db, delivery, attempt, { ...next, now });
  }

  /** Makes one request. @returns undefined if it was broken off because the process stops */
  async #attempt(tenant: Tenant, open: OpenWebhook, delivery: ClaimedDelivery): Promise<Attempt | undefined> {
    const { clock, receivers } = this.#options;
    const fetch = outgoingFetch({
      internalHosts: internalHostsOf(receivers, tenant),
      timeoutMs: TIMEOUT_MS,
      maxBytes: webhookLimits.answerBytes,
      cut: true,
    });
    const began = performance.now();
    const ended = () => Math.round(performance.now() - began);
    const { messageId: id, body } = delivery;
    try {
      const answer = await fetch(open.address, {
        method: 'POST',
        headers: {
          ...signedHeaders(open.webhook.signature, open.secrets, { id, body }, clock.now()),
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
