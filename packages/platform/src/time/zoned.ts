import { Temporal } from 'temporal-polyfill';
import { TimeInputError } from './errors.ts';
import { zoneFor } from './zones.ts';

/**
 * First accepted instant: 0001-01-01T00:00:00Z. Well inside the ranges of PostgreSQL's timestamptz
 * and JavaScript.
 */
export const MIN_EPOCH_MS = -62_135_596_800_000;
/** Last instant that is taken: 9999-12-31T23:59:59.999Z. */
export const MAX_EPOCH_MS = 253_402_300_799_999;

/** @param ms epoch milliseconds; before and after the years 0001 to 9999 the ends of that range */
export function clampedDate(ms: number): Date {
  return new Date(Math.min(Math.max(ms, MIN_EPOCH_MS), MAX_EPOCH_MS));
}

/** A date-time as clients write it: `ZonedDatetimeInput` of the interface. */
interface ZonedInput {
  /** ISO, local to `timezone` (`2026-12-31T18:00:00`) or with an offset, which then decides the instant. */
  datetime: string;
  /** IANA name or fixed offset. May be left out only if `datetime` has an offset; then it is `UTC`. */
  timezone?: string | null;
}

/** A date-time as clients read it: `ZonedDatetime` of the interface. */
interface ZonedOutput {
  /** ISO with offset: `2026-12-31T18:00:00+01:00`. */
  zonedDatetime: string;
  /** The same without offset; accepted again as `datetime`. */
  localDatetime: string;
  timezone: string;
}

export interface ResolvedZoned {
  epochMs: number;
  /** Local date-time after the rules of the zone were applied; differs from the input if that fell into a gap. */
  local: string;
  timezone: string;
  /** {@link local} with its offset. */
  zoned: string;
}

export const ISO =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt ](?<time>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:[.,](?<fraction>\d{1,9}))?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d)?)?)?(?:\[(?<zone>[^\]]{1,64})\])?)?$/;

const allowedDatetime =
  'an ISO date-time such as 2026-12-31T18:00:00 or 2026-12-31T18:00:00+01:00 in the years 0001 to 9999';

function outOfRange(what: string): TimeInputError {
  return new TimeInputError('OUT_OF_RANGE', `${what} is too far away`, 'any time in the years 0001 to 9999');
}

/** Refuses an instant outside the years 0001 to 9999 in UTC. */
export function checkInstant(epochMs: number, what: string): number {
  if (!(epochMs >= MIN_EPOCH_MS && epochMs <= MAX_EPOCH_MS)) throw outOfRange(what);
  return epochMs;
}

/** Milliseconds that an ISO offset is ahead of UTC. */
export function offsetMs(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const digits = offset.slice(1).replaceAll(':', '');
  const part = (at: number) => Number(digits.slice(at, at + 2) || 0);
  const ms = (part(0) * 3600 + part(2) * 60 + part(4)) * 1000;
  return offset.startsWith('-') ? -ms : ms;
}

/** Milliseconds since the epoch of a date and a time taken as UTC; null if there is no such day. */
export function utcMs(groups: Record<string, string | undefined>): number | null {
  const [year, month, day] = groups.date!.split('-').map(Number) as [number, number, number];
  const at = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  at.setUTCFullYear(year, month - 1, day);
  if (year < 1 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== day) return null;
  const fraction = Number((groups.fraction ?? '').slice(0, 3).padEnd(3, '0'));
  at.setUTCHours(Number(groups.time ?? 0), Number(groups.minute ?? 0), Number(groups.second ?? 0), fraction);
  return at.getTime();
}

/**
 * Describes the error of a well-formed date that is on no calendar; undefined for any other text.
 */
export function missingDay(groups: Record<string, string | undefined> | undefined): string | undefined {
  return groups && utcMs({ date: groups.date }) === null ? `there is no day ${groups.date}` : undefined;
}

/** Returns the beginning of a sent text, as errors show it. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}

function plain(at: Temporal.ZonedDateTime): string {
  return at.toPlainDateTime().toString({ fractionalSecondDigits: at.millisecond === 0 ? 0 : 3 });
}

function describe(at: Temporal.ZonedDateTime): { local: string; zoned: string } {
  const local = plain(at);
  // `offset` keeps the seconds of the local mean times before 1900, which `toString` would round away.
  return { local, zoned: local + at.offset };
}

/**
 * The instant of a date-time that a client wrote, by the rules of its zone. A local time that a change of the clocks skips
 * is moved on by the length of the gap, one that comes twice is the first of the two ("compatible", as RFC 5545 and the
 * other users of the IANA rules do). Fractions finer than a millisecond are cut off.
 *
 * Throws {@link TimeInputError}: `INVALID_DATETIME`, `UNKNOWN_ZONE`, `ZONE_REQUIRED` (neither zone nor offset given) or
 * `OUT_OF_RANGE`.
 */
export function resolveZoned(input: ZonedInput): ResolvedZoned {
  const text = input.datetime.trim();
  const groups = ISO.exec(text)?.groups;
  const utc = groups?.time === undefined ? null : utcMs(groups);
  if (!groups || utc === null) {
    throw new TimeInputError(
      'INVALID_DATETIME',
      missingDay(groups) ?? `${quoted(text)} is not a date-time`,
      allowedDatetime,
    );
  }
  const given = input.timezone?.trim() || groups.zone;
  if (!given && groups.offset === undefined) {
    throw new TimeInputError(
      'ZONE_REQUIRED',
      'a date-time without offset needs a time zone',
      'an IANA name such as Europe/Rome',
    );
  }
  const zone = zoneFor(given || 'UTC');
  let at: Temporal.ZonedDateTime;
  if (groups.offset !== undefined) {
    const epochMs = checkInstant(utc - offsetMs(groups.offset), text);
    at = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone.name);
  } else {
    at = Temporal.PlainDateTime.from(new Date(utc).toISOString().slice(0, -1)).toZonedDateTime(zone.name, {
      disambiguation: 'compatible',
    });
  }
  const epochMs = checkInstant(at.epochMilliseconds, text);
  if (at.year < 1 || at.year > 9999) throw outOfRange(text);
  const { local, zoned } = describe(at);
  return { epochMs, local, timezone: zone.name, zoned };
}

/**
 * An instant as clients read it. `timezone` comes from the database or from {@link zoneFor}. Seconds are always written,
 * milliseconds only if there are any; the offset of UTC is `+00:00`.
 * Throws {@link TimeInputError} `UNKNOWN_ZONE` or `OUT_OF_RANGE`.
 */
export function formatZoned(epochMs: number, timezone: string): ZonedOutput {
  const zone = zoneFor(timezone);
  const instant = Temporal.Instant.fromEpochMilliseconds(checkInstant(epochMs, String(epochMs)));
  const { local, zoned } = describe(instant.toZonedDateTimeISO(zone.name));
  return { zonedDatetime: zoned, localDatetime: local, timezone: zone.name };
}

/** Whether a day has a change of the clocks near it, by zone and day: most have none, and asking takes long. */
const changes = new Map<string, boolean>();
const MOST_CHANGES = 10_000;

/** Whether clocks of a zone show a local date-time twice, since they were put back. @param local ISO without offset */
export function isRepeated(local: string, timezone: string): boolean {
  const key = `${timezone} ${local.slice(0, 10)}`;
  let near = changes.get(key);
  if (near === undefined) {
    const day = Temporal.PlainDate.from(local.slice(0, 10));
    const before = day.subtract({ days: 2 }).toZonedDateTime(timezone);
    near = before.offsetNanoseconds !== day.add({ days: 2 }).toZonedDateTime(timezone).offsetNanoseconds;
    if (changes.size >= MOST_CHANGES) changes.clear();
    changes.set(key, near);
  }
  if (!near) return false;
  const at = Temporal.PlainDateTime.from(local);
  const shown = (disambiguation: 'earlier' | 'later') => at.toZonedDateTime(timezone, { disambiguation });
  // The clocks show neither reading of a skipped time.
  const [first, second] = [shown('earlier'), shown('later')];
  return !first.equals(second) && first.toPlainDateTime().equals(at) && second.toPlainDateTime().equals(at);
}
