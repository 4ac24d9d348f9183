/** Time, location and invitations of an event post in request bodies. */
import {
  type EventDatetime,
  type EventPostData,
  type EventPostInvitationsData,
  InvitationType,
  listLimits,
} from '@portico/contract';
import { isLongerThan, storableText } from '@portico/platform/text';
import { parseDateInput, resolveZoned, TimeInputError } from '@portico/platform/time';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { timeError } from '../../../kernel/time-errors.ts';
import { sqlColumns } from '../../columns.ts';
import { findPrincipals } from '../../post-parts/index.ts';

const usersColumns = sqlColumns('users');

const MAX_LOCATION_LENGTH = 1_000;
const MAX_INVITATIONS = listLimits.items;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The stored data of an event. Times are epoch milliseconds; for an all-day event they are midnight
 * UTC.
 */
export interface EventFacts {
  startAt: number;
  /** Null: no end. For an all-day event, its last day. */
  endAt: number | null;
  /** Null for an all-day event. */
  timezone: string | null;
  allDay: boolean;
  location: string | null;
  notifyInvited: boolean;
  /** Capacity by principal (user id, or negated group id). */
  invitations: Map<number, InvitationType>;
}

/** Guests of the event that is edited or copied: kept when the body omits them. */
interface InvitedBefore {
  invitations: ReadonlyMap<number, InvitationType>;
  notifyInvited: boolean;
}

/**
 * Reads the event of a body. Omitted fields are empty, except invitations: an omitted list of
 * guests, or one of the two, stays as it was.
 * @param before null for a new event; existing guests may remain invited, even when deleted
 * @param errors found errors are added to it
 * @returns undefined when there are errors that leave no event
 */
export async function readEvent(
  write: WriteScope,
  body: EventPostData | undefined,
  before: InvitedBefore | null,
  errors: FieldErrors,
): Promise<EventFacts | undefined> {
  const allDay = body?.allDay ?? false;
  const times = allDay ? readDays(body, errors) : await readTimes(write, body, errors);
  if (times.startAt !== undefined && times.endAt !== undefined && times.endAt < times.startAt) {
    errors.add('event.endAt', 'INVALID_VALUE', 'The end of an event must be after its start.');
  }
  const location = body?.location?.trim() || null;
  if (location !== null && isLongerThan(location, MAX_LOCATION_LENGTH)) {
    errors.add('event.location', 'TEXT_TOO_LONG', undefined, [MAX_LOCATION_LENGTH]);
  } else if (location !== null && storableText(location) !== location) {
    errors.add('event.location', 'INVALID_TEXT');
  }
  const invitations = await readInvitations(write, body?.invitations, before, errors);
  if (times.startAt === undefined) return undefined;
  return {
    startAt: times.startAt,
    endAt: times.endAt ?? null,
    timezone: times.timezone,
    allDay,
    location,
    notifyInvited: body?.invitations
      ? (body.invitations.sendEditPostNotifications ?? false)
      : (before?.notifyInvited ?? false),
    invitations,
  };
}

interface EventTimes {
  startAt: number | undefined;
  endAt: number | undefined;
  timezone: string | null;
}

/**
 * Returns a moment as a client wrote it. The other two forms serve clients that kept no other part
 * of the response.
 */
function written(value: EventDatetime | undefined): string | undefined {
  return (value?.localDatetime ?? value?.zonedDatetime ?? value?.utcDatetime) || undefined;
}

function requireStart(body: EventPostData | undefined, errors: FieldErrors): void {
  if (!written(body?.startAt)) errors.add('event.startAt', 'REQUIRED_FIELD');
}

/** Reads start and end of an all-day event: dates without time or zone; the end is the last day. */
function readDays(body: EventPostData | undefined, errors: FieldErrors): EventTimes {
  requireStart(body, errors);
  if (body?.timezone !== undefined) {
    errors.add('event.timezone', 'INVALID_VALUE', 'An all-day event has no time zone; leave it out.');
  }
  const day = (part: 'startAt' | 'endAt'): number | undefined => {
    const text = written(body?.[part])?.trim();
    if (text === undefined) return undefined;
    const alone = DATE.test(text);
    const ms = alone ? dayOf(text) : undefined;
    if (ms === undefined) {
      errors.add(
        `event.${part}`,
        alone ? 'INVALID_DATE' : 'INVALID_VALUE',
        alone
          ? `There is no day ${text}; send one such as 2026-12-31.`
          : 'Send the date alone, such as 2026-12-31: an all-day event has no time.',
      );
    }
    return ms;
  };
  return { startAt: day('startAt'), endAt: day('endAt'), timezone: null };
}

/** Returns midnight UTC of a date; undefined for an invalid day. */
function dayOf(date: string): number | undefined {
  try {
    return parseDateInput(date, 'DATE');
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    return undefined;
  }
}

async function readTimes(write: WriteScope, body: EventPostData | undefined, errors: FieldErrors): Promise<EventTimes> {
  requireStart(body, errors);
  const timezone = body?.timezone ?? (await authorZone(write));
  const startAt = readMoment(body?.startAt, timezone, 'startAt', errors);
  const endAt = readMoment(body?.endAt, timezone, 'endAt', errors);
  return { startAt: startAt?.at, endAt: endAt?.at, timezone: startAt?.timezone ?? timezone };
}

/** Returns the zone of a person's clock: their own setting, else the tenant's. */
async function authorZone(write: WriteScope): Promise<string> {
  const [user] = await write.tx.query<{ timezone: string | null }>(
    `SELECT ${usersColumns.timezone} FROM users WHERE tenant_id = $1 AND ${usersColumns.id} = $2`,
    [write.tx.tenantId, write.actor.userId],
  );
  return user?.timezone ?? write.settings.defaultTimezone;
}

function readMoment(
  value: EventDatetime | undefined,
  timezone: string,
  part: 'startAt' | 'endAt',
  errors: FieldErrors,
): { at: number; timezone: string } | undefined {
  const datetime = written(value);
  if (datetime === undefined) return undefined;
  try {
    const { epochMs, timezone: zone } = resolveZoned({ datetime, timezone });
    return { at: epochMs, timezone: zone };
  } catch (error) {
    const found = timeError(error, { datetime: `event.${part}.localDatetime`, timezone: 'event.timezone' });
    // Both ends may be in one unknown zone.
    if (!errors.list.some((known) => known.field === found.field)) errors.push(found);
    return undefined;
  }
}

async function readInvitations(
  write: WriteScope,
  body: EventPostInvitationsData | undefined,
  before: InvitedBefore | null,
  errors: FieldErrors,
): Promise<Map<number, InvitationType>> {
  const { users, groups } = body ?? {};
  const given = [...(users ?? []), ...(groups ?? [])];
  const known = before?.invitations ?? new Map<number, InvitationType>();
  const invitations = new Map<number, InvitationType>();
  if (given.length > MAX_INVITATIONS) {
    errors.add('event.invitations', 'TOO_MANY_ITEMS', undefined, [MAX_INVITATIONS]);
    return invitations;
  }
  for (const [principal, typeId] of known) {
    if ((principal > 0 ? users : groups) === undefined) invitations.set(principal, typeId);
  }
  const idsOf = (list: readonly { id?: number }[] = []) => list.flatMap(({ id }) => (id === undefined ? [] : id));
  const existing = await findPrincipals(write, idsOf(users), idsOf(groups));
  const add = (list: readonly { id?: number; typeId?: InvitationType }[] = [], kind: 'users' | 'groups') => {
    list.forEach(({ id, typeId = InvitationType.GUEST }, index) => {
      const field = `event.invitations.${kind}[${index}]`;
      const allowed: readonly number[] = Object.values(InvitationType);
      const principal = kind === 'users' ? (id ?? 0) : -(id ?? 0);
      if (id === undefined) errors.add(`${field}.id`, 'REQUIRED_FIELD');
      else if (id <= 0 || !(existing[kind].has(id) || known.has(principal))) {
        errors.add(`${field}.id`, 'UNKNOWN_REFERENCE', undefined, [id]);
      } else if (!allowed.includes(typeId)) {
        errors.add(`${field}.typeId`, 'INVALID_VALUE', undefined, [...allowed]);
      } else invitations.set(principal, typeId);
    });
  };
  add(users, 'users');
  add(groups, 'groups');
  return invitations;
}
