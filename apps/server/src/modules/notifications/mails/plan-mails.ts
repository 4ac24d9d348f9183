/** Plans the mails of new notifications. */
import { MailFrequency, MailReason, notificationMailLimits } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { TenantScope } from '../../../kernel/scope.ts';
import { type Recipient, readRecipients } from '../recipients.ts';
import { type MailTerms, whyHeld } from '../why-held.ts';
import { type DigestTime, frequencyOf, mailTime } from './frequencies.ts';
import {
  BATCH,
  type MailPlan,
  type NotificationOutcome,
  openMails,
  takeUnplanned,
  type UnplannedNotification,
  writeOutcomes,
} from './notification-mails.repository.ts';

/** Scope of the job. */
export type MailJobScope = MailTerms & Pick<TenantScope, 'tenant' | 'db' | 'clock'>;

/**
 * Puts new notifications into mails, by the choices of each person, or records why none is sent.
 * @returns true if more may be left
 */
export async function planMails(scope: MailJobScope): Promise<boolean> {
  const taken = await scope.db.transaction((tx) => planBatch(scope, tx));
  return taken === BATCH;
}

async function planBatch(scope: MailJobScope, tx: TenantTx): Promise<number> {
  const notifications = await takeUnplanned(tx);
  if (notifications.length === 0) return 0;
  const now = scope.clock.now();
  const people = await readRecipients(tx, [...new Set(notifications.map(({ userId }) => userId))], now);
  const recipients = new Map(people.map((person) => [person.userId, person]));
  const outcomes: NotificationOutcome[] = [];
  const plans = new Map<string, MailPlan & { ids: number[] }>();
  for (const notification of notifications) {
    const recipient = recipients.get(notification.userId);
    const decision = decide(scope, notification, recipient, now);
    if ('reason' in decision) {
      outcomes.push({ id: notification.id, state: 'held', reason: decision.reason });
      continue;
    }
    const { userId } = notification;
    const key = `${userId} ${decision.postId ?? 0}`;
    const plan = plans.get(key) ?? { userId, ...decision, ids: [] };
    plan.ids.push(notification.id);
    plans.set(key, { ...plan, dueAt: Math.min(plan.dueAt, decision.dueAt) });
  }
  const mails = await openMails(tx, [...plans.values()], now);
  for (const [key, { ids }] of plans)
    for (const id of ids) outcomes.push({ id, state: 'bundled', mailId: mails.get(key) });
  await writeOutcomes(tx, outcomes);
  return notifications.length;
}

/** Returns the mail of a notification, or why there is none. */
function decide(
  terms: MailTerms,
  notification: Pick<UnplannedNotification, 'kind' | 'postId' | 'read' | 'here' | 'everywhere'>,
  recipient: Recipient | undefined,
  now: number,
): { postId: number | null; dueAt: number } | { reason: MailReason } {
  const held = whyHeld(terms, recipient);
  if (held !== undefined) return { reason: held };
  const frequency = frequencyOf(notification.kind, notification);
  if (frequency === MailFrequency.NEVER) return { reason: MailReason.NEVER };
  if (notification.read) return { reason: MailReason.READ };
  const dueAt = mailTime(frequency, now, digestOf(terms, recipient!));
  return { postId: frequency === MailFrequency.DIGEST ? null : notification.postId, dueAt };
}

/** Returns hour and zone of a person's digest. */
export function digestOf(
  { settings }: MailTerms,
  { digestHour, timezone }: Pick<Recipient, 'digestHour' | 'timezone'>,
): DigestTime {
  return { hour: digestHour ?? notificationMailLimits.digestHour, timezone: timezone ?? settings.defaultTimezone };
}
