/** What a calendar with a secret address holds at the moment it is read (RFC 5545). */
import { oneLine } from '@portico/contract';
import ical, { escape as escaped, foldLines, type ICalCalendar, ICalEventStatus } from 'ical-generator';
import { Parameters, visiblePostSql } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Actor, TenantScope } from '../../kernel/scope.ts';
import { Turns } from '../../platform/turns.ts';
import { communityName, concernsSql, type EventRow, findFeed, readEvents } from './calendars.repository.ts';

/** Path of calendars, before the secret. */
export const CALENDAR_PATH = '/portal/calendars';

/** Events that started longer ago are left out. Milliseconds. */
const PAST_MS = 366 * 86_400_000;
/** Events of a calendar at most, from the earliest on. */
const MOST_EVENTS = 2_000;
/** Bytes of a calendar at most, from the earliest event on. Publicly readable, so one is made in memory. */
const MOST_BYTES = 4 * 1024 ** 2;
/** Characters of a description; calendar programs show few more, and each event leads to its page. */
const DESCRIPTION_LENGTH = 1_000;
const DAY_MS = 86_400_000;
/** Dates of calendars have four digits for the year. An end that is later is left out. */
const END_OF_DATES = Date.UTC(10_000, 0, 1);

/** Reads the actor of a user as of a version of the access rules; undefined for one who may not sign in. */
type ReadActor = (userId: number, accessVersion: number) => Promise<Actor | undefined>;

/** A calendar as programs read it. */
interface Calendar {
  readonly text: string;
}

/**
 * The calendar of a secret: what its owner may see now; of a community all events, else those that concern them.
 * @throws PorticoError NOT_FOUND for a secret that is not known or was revoked, an owner who may not sign in, and a community in
 *   which they have no role
 */
export async function findCalendar(scope: TenantScope, secret: string, readActor: ReadActor): Promise<Calendar> {
  const feed = await findFeed(scope.db, secret);
  const actor = feed && (await readActor(feed.userId, feed.accessVersion));
  if (!actor) throw notFound();
  const { communityId } = feed;
  if (communityId !== null && !actor.roles.has(communityId)) throw notFound();
  const parameters = new Parameters([scope.tenant.id]);
  const since = parameters.add(new Date(scope.clock.now() - PAST_MS));
  const where = [
    visiblePostSql('p', actor, parameters),
    `p.event_start_at >= ${since}::timestamptz`,
    communityId === null
      ? concernsSql(actor.userId, actor.principals, parameters)
      : `p.community_id = ${parameters.add(communityId)}::bigint`,
  ];
  const events = await readEvents(scope.db, parameters, where, {
    events: MOST_EVENTS,
    // One more shows that there is more.
    characters: DESCRIPTION_LENGTH + 1,
  });
  const name = communityId === null ? scope.tenant.displayName : await communityName(scope.db, communityId);
  return { text: await writeCalendar(scope, name, events) };
}

/** Text of several lines as RFC 5545 has it: calendar programs refuse a calendar with any other control character. */
const withoutControls = (text: string | null) => text?.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '') ?? null;

/** A text that is cut says so. */
function shortened(text: string | null): string | null {
  const whole = withoutControls(text);
  const characters = whole === null ? [] : [...whole];
  return characters.length > DESCRIPTION_LENGTH ? `${characters.slice(0, DESCRIPTION_LENGTH).join('')}…` : whole;
}

/** Writes event after event, and lets other requests go on between them: to fold their lines takes its time. */
export async function writeCalendar(
  scope: Pick<TenantScope, 'baseUrl'>,
  name: string,
  events: readonly EventRow[],
): Promise<string> {
  const calendar = ical({
    // The only text that the library takes as it is.
    name: escaped(oneLine(name), false),
    prodId: { company: 'Portico', product: 'Portico', language: 'EN' },
  });
  const [head, end] = splitAtEnd(calendar.toString());
  const turns = new Turns();
  const parts = [head];
  let bytes = Buffer.byteLength(head) + Buffer.byteLength(end);
  for (const event of events) {
    const text = foldLines(eventText(scope, calendar, event));
    bytes += Buffer.byteLength(text);
    if (bytes > MOST_BYTES) break;
    parts.push(text);
    if (turns.isOver) await turns.next();
  }
  return [...parts, end].join('');
}

const END = 'END:VCALENDAR';

/** The beginning and the end of an empty calendar. Each line ends with CRLF, the last one too (RFC 5545, 3.1). */
function splitAtEnd(text: string): [head: string, end: string] {
  return [text.slice(0, text.lastIndexOf(END)), `${END}\r\n`];
}

function eventText(scope: Pick<TenantScope, 'baseUrl'>, calendar: ICalCalendar, event: EventRow): string {
  const end = endOf(event);
  const made = calendar.createEvent({
    id: `post-${event.id}@${new URL(scope.baseUrl).hostname}`,
    start: new Date(event.startAt),
    ...(end !== undefined && { end: new Date(end) }),
    allDay: event.allDay,
    timezone: event.allDay ? 'UTC' : null,
    summary: oneLine(event.title ?? ''),
    description: shortened(event.text),
    location: oneLine(event.location ?? '') || null,
    url: `${scope.baseUrl}/portal/post/${event.id}`,
    sequence: event.version,
    created: new Date(event.createdAt),
    lastModified: new Date(event.modifiedAt),
    stamp: new Date(event.modifiedAt),
    status: ICalEventStatus.CONFIRMED,
  });
  // The calendar would keep it.
  calendar.clear();
  return made.toString();
}

const SECOND_MS = 1_000;

/** The end of an event as calendars show it, in seconds: later than its start (RFC 5545, 3.8.2.2), or none. */
function endOf({ startAt, endAt, allDay }: EventRow): number | undefined {
  if (endAt === null) return undefined;
  const end = endAt + (allDay ? DAY_MS : 0);
  const later = Math.floor(end / SECOND_MS) > Math.floor(startAt / SECOND_MS);
  return later && end < END_OF_DATES ? end : undefined;
}
