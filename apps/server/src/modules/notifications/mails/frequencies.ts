/** When notifications are mailed: choices of a person, defaults, and times. */
import { MailFrequency, NotificationKind, notificationMailLimits } from '@portico/contract';
import { formatZoned, resolveZoned } from '@portico/platform/time';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time of a bundle after its first notification, and between two mails about a post. Milliseconds. */
export const BUNDLE_MS = notificationMailLimits.bundleMinutes * MINUTE_MS;

const BUNDLED: ReadonlySet<NotificationKind> = new Set([
  NotificationKind.MENTION,
  NotificationKind.ASSIGNMENT,
  NotificationKind.REPLY,
  NotificationKind.DUE,
]);

/** Choices of a person for a kind; null or omitted: none. */
interface MailChoices {
  /** For the community. */
  readonly here?: MailFrequency | null | undefined;
  /** For all communities. */
  readonly everywhere?: MailFrequency | null | undefined;
}

/** Returns when a kind is mailed: the choice for the community overrides the one for all communities. */
export function frequencyOf(kind: NotificationKind, { here, everywhere }: MailChoices): MailFrequency {
  return here ?? everywhere ?? (BUNDLED.has(kind) ? MailFrequency.BUNDLED : MailFrequency.DIGEST);
}

/** Hour and zone of a person's digest. */
export interface DigestTime {
  /** 0 to 23. */
  readonly hour: number;
  /** IANA name. */
  readonly timezone: string;
}

/** Returns the time of the mail of a new notification. Epoch milliseconds. */
export function mailTime(frequency: Exclude<MailFrequency, 'never'>, now: number, digest: DigestTime): number {
  if (frequency === MailFrequency.AT_ONCE) return now + notificationMailLimits.atOnceSeconds * 1_000;
  return frequency === MailFrequency.BUNDLED ? now + BUNDLE_MS : nextDigest(now, digest);
}

/** Returns the next time at which the clocks of a zone show the full hour. Epoch milliseconds. */
export function nextDigest(now: number, { hour, timezone }: DigestTime): number {
  const today = formatZoned(now, timezone).localDatetime.slice(0, 10);
  for (const days of [0, 1]) {
    const day = new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
    const at = resolveZoned({ datetime: `${day}T${String(hour).padStart(2, '0')}:00:00`, timezone }).epochMs;
    if (at > now) return at;
  }
  return now + DAY_MS;
}
