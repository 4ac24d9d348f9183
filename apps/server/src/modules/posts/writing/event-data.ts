/** Time, place and invitations of an event post as clients write them. */
import { type EventDatetime, type EventPostData, InvitationType, listLimits } from '@portico/contract';
import type { FieldError } from '../../../platform/errors.ts';
import { isLongerThan, storableText } from '../../../platform/text/index.ts';
import { resolveZoned, TimeInputError } from '../../../platform/time/index.ts';
import type { WriteScope } from '../../access/index.ts';
import { findPrincipals } from '../parts/index.ts';

const MAX_LOCATION_LENGTH = 1_000;
const MAX_INVITATIONS = listLimits.items;

/** What is stored of an event. Times are epoch milliseconds. */
export interface EventFacts {
  startAt: number;
  endAt: number | null;
  timezone: string;
  allDay: boolean;
  location: string | null;
  notifyInvited: boolean;
  /** Capacity by principal (user id, or negated group id). */
  invitations: Map<number, number>;
}

/**
 * Reads the event of a body. An edit replaces it: what is left out is emptied.
 * @param knownPrincipals people and groups invited before: they may stay, deleted or not
 * @param errors faults are added here
 * @returns undefined when there are faults that leave no event
 */
export async function readEvent(
  write: WriteScope,
  body: EventPostData | undefined,
  knownPrincipals: ReadonlySet<number>,
  errors: FieldError[],
): Promise<EventFacts | undefined> {
  const timezone = body?.timezone ?? (await authorZone(write));
  const startAt = readMoment(body?.startAt, timezone, 'startAt', errors);
  if (startAt === undefined && !errors.some((error) => error.field.startsWith('event.'))) {
    errors.push({ field: 'event.startAt', code: 'REQUIRED_FIELD' });
  }
  const endAt = readMoment(body?.endAt, timezone, 'endAt', errors);
  if (startAt !== undefined && endAt !== undefined && endAt.at < startAt.at) {
    errors.push({ field: 'event.endAt', code: 'INVALID_VALUE', defaultMessage: 'An event ends after it begins.' });
  }
  const location = body?.location?.trim() || null;
  if (location !== null && isLongerThan(location, MAX_LOCATION_LENGTH)) {
    errors.push({ field: 'event.location', code: 'TEXT_TOO_LONG', args: [MAX_LOCATION_LENGTH] });
  } else if (location !== null && storableText(location) !== location) {
    errors.push({ field: 'event.location', code: 'INVALID_TEXT' });
  }
  const invitations = await readInvitations(write, body, knownPrincipals, errors);
  if (startAt === undefined) return undefined;
  return {
    startAt: startAt.at,
    endAt: endAt?.at ?? null,
    timezone: startAt.timezone,
    allDay: body?.allDay ?? false,
    location,
    notifyInvited: body?.invitations?.sendEditPostNotifications ?? false,
    invitations,
  };
}

/** The zone of a person's clock: their own setting, else the tenant's. */
async function authorZone(write: WriteScope): Promise<string> {
  const [user] = await write.tx.query<{ timezone: string | null }>(
    'SELECT timezone FROM users WHERE tenant_id = $1 AND id = $2',
    [write.tx.tenantId, write.actor.userId],
  );
  return user?.timezone ?? write.settings.defaultTimezone;
}

function readMoment(
  value: EventDatetime | undefined,
  timezone: string,
  part: 'startAt' | 'endAt',
  errors: FieldError[],
): { at: number; timezone: string } | undefined {
  // The other two forms are read-only; they serve where a client kept nothing else of what it read.
  const datetime = value?.localDatetime ?? value?.zonedDatetime ?? value?.utcDatetime;
  if (!datetime) return undefined;
  try {
    const { epochMs, timezone: zone } = resolveZoned({ datetime, timezone });
    return { at: epochMs, timezone: zone };
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    const zone = error.code === 'UNKNOWN_ZONE';
    const field = zone ? 'event.timezone' : `event.${part}.localDatetime`;
    if (!errors.some((known) => known.field === field)) {
      errors.push({ field, code: zone ? 'INVALID_TIME_ZONE' : 'INVALID_DATE', defaultMessage: `${error.message}.` });
    }
    return undefined;
  }
}

async function readInvitations(
  write: WriteScope,
  body: EventPostData | undefined,
  known: ReadonlySet<number>,
  errors: FieldError[],
): Promise<Map<number, number>> {
  const users = body?.invitations?.users ?? [];
  const groups = body?.invitations?.groups ?? [];
  const invitations = new Map<number, number>();
  if (users.length + groups.length > MAX_INVITATIONS) {
    errors.push({ field: 'event.invitations', code: 'TOO_MANY_ITEMS', args: [MAX_INVITATIONS] });
    return invitations;
  }
  const idsOf = (list: readonly { id?: number }[]) => list.flatMap(({ id }) => (id === undefined ? [] : id));
  const living = await findPrincipals(write.tx, idsOf(users), idsOf(groups));
  const add = (list: readonly { id?: number; typeId?: number }[], kind: 'users' | 'groups') => {
    list.forEach(({ id, typeId = InvitationType.GUEST }, index) => {
      const field = `event.invitations.${kind}[${index}]`;
      const allowed: readonly number[] = Object.values(InvitationType);
      const principal = kind === 'users' ? (id ?? 0) : -(id ?? 0);
      if (id === undefined) errors.push({ field: `${field}.id`, code: 'REQUIRED_FIELD' });
      else if (id <= 0 || !(living[kind].has(id) || known.has(principal))) {
        errors.push({ field: `${field}.id`, code: 'UNKNOWN_REFERENCE', args: [id] });
      } else if (!allowed.includes(typeId)) {
        errors.push({ field: `${field}.typeId`, code: 'INVALID_VALUE', args: [...allowed] });
      } else invitations.set(principal, typeId);
    });
  };
  add(users, 'users');
  add(groups, 'groups');
  return invitations;
}
