/** Sends the mails of the queue. */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import { type MailAddress, MailError, type MailTransport } from '@portico/platform/mail';
import type { Sealer } from '@portico/platform/sealing';
import type { Clock, Log, Tenant } from '../../../kernel/scope.ts';
import {
  type ClaimedMail,
  claimMail,
  giveUpMails,
  hasDueMail,
  markFailed,
  markSent,
  markUnsent,
} from './outgoing-mails.repository.ts';
import { renderMail } from './templates/render-mail.ts';

/** Attempts per mail; with the waits between them, about a day. */
export const MAX_ATTEMPTS = 15;
/** First wait, doubled by each attempt, and longest wait. Milliseconds. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 4 * 3_600_000;
/**
 * Time for which a node owns a claimed mail: several times the longest duration of sending.
 * Milliseconds.
 */
export const LEASE_MS = 5 * 60_000;
/** Pause of this node after an error that concerns every mail, doubled each time. Milliseconds. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

interface MailSenderOptions {
  /** Undefined: mails are marked as not sent. */
  readonly transport: MailTransport | undefined;
  readonly from: MailAddress | undefined;
  /** Maximum attempts of a tenant per minute, across all nodes. */
  readonly perMinute: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Decrypts the contents. */
  readonly sealer: Sealer;
}

/** Tenant whose mails are sent. */
interface MailTenant {
  readonly tenant: Tenant;
  readonly db: TenantDb;
  readonly timezone: string;
}

/** Sends the mails of all tenants of one process. Not safe for concurrent calls. */
export class MailSender {
  readonly #options: MailSenderOptions;
  readonly #pause = new SendingPause();
  /** Mails that were sent while the database could not record it. */
  readonly #unnoted = new Map<number, { db: TenantDb; sentAt: number }>();

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** Sends the next due mail of a tenant. @returns false when no mail is due */
  async sendNext({ tenant, db, timezone }: MailTenant): Promise<boolean> {
    const { transport, from, clock, log, perMinute, sealer } = this.#options;
    await this.#noteSent();
    if (!(await hasDueMail(db, clock.now()))) return false;
    if (!transport || !from) {
      for (const { id, recipient, template } of await markUnsent(db, clock.now()))
        log.info(
          { tenant: tenant.name, mail: id, to: recipient, template },
          'a mail was not sent: there is no mail server',
        );
      return true;
    }
    for (const { id, template } of await giveUpMails(db, clock.now(), MAX_ATTEMPTS))
      log.error({ tenant: tenant.name, mail: id, template }, 'a mail was given up');
    if (this.#pause.holds(clock.now())) return false;
    const mail = await claimMail(db, sealer, clock.now(), { perMinute, leaseMs: LEASE_MS });
    if (!mail) return false;
    try {
      await transport.send({
        ...renderMail({ ...mail, values: mail.content, portal: tenant.displayName, timezone }),
        from: { name: from.name === '' ? tenant.displayName : from.name, address: from.address },
        to: mail.recipient,
        messageId: `<${mail.messageId}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        date: mail.createdAt,
      });
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      await this.#noteFailure(tenant, db, mail, error);
      return !error.concernsAll;
    }
    this.#pause.end();
    this.#unnoted.set(mail.id, { db, sentAt: clock.now() });
    await this.#noteSent();
    log.debug({ tenant: tenant.name, mail: mail.id, template: mail.template }, 'a mail was sent');
    return true;
  }

  /** Closes the connections of mails that are being sent. */
  close(): void {
    this.#options.transport?.close();
  }

  async #noteSent(): Promise<void> {
    for (const [id, { db, sentAt }] of this.#unnoted) {
      await markSent(db, id, sentAt);
      this.#unnoted.delete(id);
    }
  }

  async #noteFailure(tenant: Tenant, db: TenantDb, mail: ClaimedMail, error: MailError): Promise<void> {
    const { clock, log } = this.#options;
    const now = clock.now();
    this.#pause.note(error, now);
    const last = error.permanent || mail.attempts >= MAX_ATTEMPTS;
    await markFailed(db, mail, error.message, { dueAt: last ? null : now + waitAfter(mail.attempts), now });
    const { id, template, attempts } = mail;
    const fields = { tenant: tenant.name, mail: id, template, attempts, fault: error.fault, reason: error.message };
    if (last) log.error(fields, 'a mail was given up');
    else log.warn(fields, 'a mail could not be sent; it is tried again');
  }
}

/** Pause of a node after errors that concern every mail, which grows with each of them. */
export class SendingPause {
  #pauses = 0;
  #until = 0;

  holds(now: number): boolean {
    return now < this.#until;
  }

  note(error: MailError, now: number): void {
    if (!error.concernsAll) {
      this.end();
      return;
    }
    this.#until = now + Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS);
    this.#pauses++;
  }

  /** The mail server answers. */
  end(): void {
    this.#pauses = 0;
  }
}

/** Returns the wait after a number of attempts. Milliseconds. */
export function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
}
