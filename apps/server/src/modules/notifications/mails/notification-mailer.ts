/** Sends mails of notifications. */
import { MailFrequency, MailReason } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { type MailAddress, MailError, type MailTransport } from '@portico/platform/mail';
import type { Clock, Log, Scope } from '../../../kernel/scope.ts';
import { LEASE_MS, MAX_ATTEMPTS, mailLanguageOf, plainName, SendingPause, waitAfter } from '../../people/index.ts';
import { readMailedNotifications } from '../notifications.repository.ts';
import { type Recipient, readRecipients } from '../recipients.ts';
import { replyAddress } from '../replies/reply-address.ts';
import { visibleNotifications } from '../visible-notifications.ts';
import { whyHeld } from '../why-held.ts';
import { composeMail, type MailedNotification } from './compose-mail.ts';
import { BUNDLE_MS, frequencyOf, nextDigest } from './frequencies.ts';
import {
  attemptsLeft,
  beginAttempts,
  type ClaimedNotificationMail,
  endMail,
  hasDueNotificationMail,
  lockDueMails,
  moveToDigest,
  type NotificationOutcome,
  openMails,
  PER_DAY,
  postponeMail,
  readMailChoices,
  retryMailLater,
  writeOutcomes,
} from './notification-mails.repository.ts';
import { digestOf, type MailJobScope } from './plan-mails.ts';
import { unsubscribeAddress } from './unsubscribe.ts';

/** Mails that are sent at the same time. */
const AT_ONCE = 8;

interface NotificationMailerOptions {
  /** Undefined: there is no mail server. */
  readonly transport: MailTransport | undefined;
  readonly from: MailAddress | undefined;
  /** Address of the installation that takes answers; undefined: none does. */
  readonly replies: string | undefined;
  /** Maximum attempts of a tenant per minute, across all nodes. */
  readonly perMinute: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tenant whose mails are sent. */
interface MailingTenant extends MailJobScope {
  /** @returns the scope of a person; undefined if the person cannot sign in */
  personScope(userId: number): Promise<Scope | undefined>;
}

/** A mail with all that is needed to send it. */
interface PreparedMail {
  readonly scope: Scope;
  readonly recipient: Recipient & { readonly address: string };
  readonly notifications: readonly MailedNotification[];
}

/** Sends the mails of notifications of all tenants of one process. Not safe for concurrent calls. */
export class NotificationMailer {
  readonly #options: NotificationMailerOptions;
  readonly #pause = new SendingPause();

  constructor(options: NotificationMailerOptions) {
    this.#options = options;
  }

  /** Sends the next due mails of a tenant. @returns false when no mail can be sent now */
  async sendNext(tenant: MailingTenant): Promise<boolean> {
    const { clock } = this.#options;
    const now = clock.now();
    if (this.#pause.holds(now) || !(await hasDueNotificationMail(tenant.db, now))) return false;
    const { claimed, looked } = await tenant.db.transaction((tx) => this.#claim(tenant, tx, now));
    const results = await Promise.allSettled(claimed.map((mail) => this.#send(tenant, mail)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return looked > 0;
  }

  /** Claims due mails within the limits; postpones the others. */
  async #claim(
    tenant: MailingTenant,
    tx: TenantTx,
    now: number,
  ): Promise<{ claimed: ClaimedNotificationMail[]; looked: number }> {
    const left = await attemptsLeft(tx, now, this.#options.perMinute);
    const due = left === 0 ? [] : await lockDueMails(tx, now, Math.min(left, AT_ONCE));
    const claimed: ClaimedNotificationMail[] = [];
    const more = new Map<number, number>();
    for (const mail of due) {
      const first = mail.attempts === 0 && mail.postId !== null;
      const before = more.get(mail.userId) ?? 0;
      if (first && mail.lastOfPost !== null) await postponeMail(tx, mail.id, mail.lastOfPost + BUNDLE_MS);
      else if (first && mail.ofDay + before >= PER_DAY) await this.#leaveToDigest(tenant, tx, mail, now);
      else {
        if (first) more.set(mail.userId, before + 1);
        claimed.push({ ...mail, attempts: mail.attempts + 1 });
      }
    }
    const ids = claimed.map(({ id }) => id);
    if (ids.length > 0) await beginAttempts(tx, ids, now, LEASE_MS);
    return { claimed, looked: due.length };
  }

  async #leaveToDigest(
    tenant: MailingTenant,
    tx: TenantTx,
    { id, userId }: ClaimedNotificationMail,
    now: number,
  ): Promise<void> {
    const [recipient] = await readRecipients(tx, [userId], now);
    const dueAt = nextDigest(now, digestOf(tenant, recipient ?? { digestHour: null, timezone: null }));
    const mails = await openMails(tx, [{ userId, postId: null, dueAt }], now);
    await moveToDigest(tx, id, mails.get(`${userId} 0`)!);
  }

  async #send(tenant: MailingTenant, mail: ClaimedNotificationMail): Promise<void> {
    const { clock, log } = this.#options;
    if (mail.attempts > MAX_ATTEMPTS) return this.#end(tenant.db, mail, 'failed', MailReason.NOT_TAKEN);
    const prepared = await this.#prepare(tenant, mail);
    if (!prepared) return;
    try {
      await this.#hand(mail, prepared);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      await this.#noteFailure(tenant, mail, prepared, error);
      return;
    }
    this.#pause.end();
    const outcomes = prepared.notifications.map(({ id }) => ({ id, state: 'sent' as const }));
    await tenant.db.transaction(async (tx) => {
      await writeOutcomes(tx, outcomes);
      await endMail(tx, mail.id, clock.now(), { state: 'sent', recipient: prepared.recipient.address });
    });
    log.debug({ tenant: tenant.tenant.name, mail: mail.id }, 'a mail of notifications was sent');
  }

  /**
   * Asks again what the person may see and wants, and holds back the rest.
   * @returns undefined when nothing is left, and the mail has ended
   */
  async #prepare(tenant: MailingTenant, mail: ClaimedNotificationMail): Promise<PreparedMail | undefined> {
    const { db } = tenant;
    const now = this.#options.clock.now();
    const [recipient] = await readRecipients(db, [mail.userId], now);
    const held = whyHeld(tenant, recipient);
    const scope = held === undefined ? await tenant.personScope(mail.userId) : undefined;
    if (!scope) {
      await this.#end(db, mail, 'held', held ?? MailReason.NO_RECIPIENT);
      return undefined;
    }
    const all = await readMailChoices(db, mail.id);
    const { parameters, where } = visibleNotifications(db.tenantId, scope.actor);
    const visible = await readMailedNotifications(db, parameters, where, mail.id);
    const seen = new Map(visible.map((notification) => [notification.id, notification]));
    const outcomes: NotificationOutcome[] = [];
    const notifications: MailedNotification[] = [];
    for (const one of all) {
      const reason = frequencyOf(one.kind, one) === MailFrequency.NEVER ? MailReason.NEVER : whyUnsent(one.read);
      const shown = seen.get(one.id);
      if (shown && reason !== MailReason.NEVER) notifications.push(shown);
      else outcomes.push({ id: one.id, state: 'held', reason });
    }
    await db.transaction(async (tx) => {
      await writeOutcomes(tx, outcomes);
      if (notifications.length === 0)
        await endMail(tx, mail.id, now, { state: 'held', reason: outcomes[0]?.reason ?? MailReason.READ });
    });
    if (notifications.length === 0) return undefined;
    return { scope, recipient: { ...recipient!, address: recipient!.address! }, notifications };
  }

  async #hand(mail: ClaimedNotificationMail, { scope, recipient, notifications }: PreparedMail): Promise<void> {
    const { transport, from, replies } = this.#options;
    const { settings, tenant } = scope;
    const domain = from!.address.slice(from!.address.lastIndexOf('@') + 1);
    const unsubscribe = unsubscribeAddress(scope, recipient.userId, notifications);
    const portal = tenant.displayName;
    const [{ communityId, communityName }] = notifications as [MailedNotification];
    const digest = mail.postId === null;
    const answered = { tenantId: tenant.id, userId: recipient.userId, postId: mail.postId ?? 0 };
    const replyTo =
      digest || replies === undefined
        ? undefined
        : replyAddress(replies, settings, answered, this.#options.clock.now());
    await transport!.send({
      ...composeMail({
        language: mailLanguageOf(recipient.language, settings.defaultLanguage),
        timezone: recipient.timezone ?? settings.defaultTimezone,
        portal,
        accent: settings.accentColor,
        address: scope.ownAddress!,
        name: recipient.name,
        digest,
        notifications,
        unsubscribe,
        takesAnswers: replyTo !== undefined,
      }),
      from: { name: from!.name === '' ? portal : from!.name, address: from!.address },
      to: recipient.address,
      messageId: `<${mail.messageId}@${domain}>`,
      date: mail.createdAt,
      replyTo,
      thread: digest ? undefined : `<post-${mail.postId}.${tenant.id}@${domain}>`,
      list: {
        id: `${digest ? 'digest' : `community-${communityId}`}.${new URL(scope.ownAddress!).hostname}`,
        name: plainName(digest ? portal : communityName),
        unsubscribe,
      },
    });
  }

  async #noteFailure(
    { db, tenant }: MailingTenant,
    mail: ClaimedNotificationMail,
    { recipient }: PreparedMail,
    error: MailError,
  ): Promise<void> {
    const { clock, log } = this.#options;
    const now = clock.now();
    this.#pause.note(error, now);
    const last = error.permanent || mail.attempts >= MAX_ATTEMPTS;
    const fields = { tenant: tenant.name, mail: mail.id, attempts: mail.attempts, fault: error.fault };
    if (!last) {
      await retryMailLater(db, mail, error.message, now + waitAfter(mail.attempts));
      log.warn({ ...fields, reason: error.message }, 'a mail of notifications could not be sent; it is tried again');
      return;
    }
    await this.#end(db, mail, 'failed', reasonOf(error), { recipient: recipient.address, error: error.message });
    log.warn({ ...fields, reason: error.message }, 'a mail of notifications was given up');
  }

  /** Ends a mail, and its notifications that have no outcome. */
  async #end(
    db: TenantDb,
    mail: ClaimedNotificationMail,
    state: 'held' | 'failed',
    reason: MailReason,
    more: { recipient?: string; error?: string } = {},
  ): Promise<void> {
    const now = this.#options.clock.now();
    const left = await readMailChoices(db, mail.id);
    await db.transaction(async (tx) => {
      const outcomes = left.map(({ id }) => ({ id, state, reason }));
      await writeOutcomes(tx, outcomes);
      await endMail(tx, mail.id, now, { state, reason, ...more });
    });
  }
}

const whyUnsent = (read: boolean) => (read ? MailReason.READ : MailReason.NOT_VISIBLE);

function reasonOf({ fault }: MailError): MailReason {
  if (fault === 'recipient') return MailReason.ADDRESS_REFUSED;
  return fault === 'content' ? MailReason.MAIL_REFUSED : MailReason.NOT_TAKEN;
}
