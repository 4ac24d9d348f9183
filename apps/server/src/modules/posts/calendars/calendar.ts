/** Writes the content of a calendar with a secret address at the time of the request (RFC 5545). */
import { oneLine } from '@portico/contract';
import { Turns } from '@portico/platform/turns';
import ical, { escape as escaped, foldLines, type ICalCalendar, ICalEventStatus } from 'ical-generator';
import { Parameters, visiblePostSql } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Actor, TenantScope } from '../../../kernel/scope.ts';
import { communityName, concernsSql, type EventRow, findFeed, readEvents } from './calendars.repository.ts';

/** Path of calendars, before the secret. */
export const CALENDAR_PATH = '/portal/calendars';

/** Age in milliseconds above which past events are omitted. */
const PAST_MS = 366 * 86_400_000;
/** Maximum number of events in a calendar, counted from the earliest. */
const MOST_EVENTS = 2_000;
/**
 * Maximum size of a calendar in bytes, filled from the earliest event on. The address is public,
 * and the calendar is built in memory.
 */
const MOST_BYTES = 4 * 1024 ** 2;
/**
 * Maximum length of a description in characters; calendar programs show few more, and each event
 * links to its page.
 */
const DESCRIPTION_LENGTH = 1_000;
const DAY_MS = 86_400_000;
/** Dates in calendars have four digits for the year. A later end is omitted. */
const END_OF_DATES = Date.UTC(10_000, 0, 1);

/**
 * Reads the actor of a user as of a version of the access rules; undefined if the user may not sign
 * in.
 */
type ReadActor = (userId: number, accessVersion: number) => Promise<Actor | undefined>;

/** A calendar as programs read it. */
interface Calendar {
  readonly text: string;
}

/**
 * Returns the calendar of a secret, with the events that its owner may see now: in the calendar of
 * a community all its events, otherwise the events that concern the owner.
 * @throws PorticoError NOT_FOUND for a secret that is unknown or revoked, an owner without access,
 * and a community in which they have no role
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
    // One more character shows that the text was cut.
    characters: DESCRIPTION_LENGTH + 1,
  });
  const name = communityId === null ? scope.tenant.displayName : await communityName(scope.db, communityId);
  return { text: await writeCalendar(scope, name, events) };
}

/**
 * Returns text of several lines as RFC 5545 allows it: calendar programs reject a calendar with any
 * other control character.
 */
const withoutControls = (text: string | null) => text?.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '') ?? null;

/** Shortens a text and marks the cut. */
function shortened(text: string | null): string | null {
  const whole = withoutControls(text);
  const characters = whole === null ? [] : [...whole];
  return characters.length > DESCRIPTION_LENGTH ? `${characters.slice(0, DESCRIPTION_LENGTH).join('')}…` : whole;
}

/**
 * Writes the events one by one, and lets other requests run in between: folding their lines takes
 * time.
 */
export async function writeCalendar(
  scope: Pick<TenantScope, 'baseUrl'>,
  name: string,
  events: readonly EventRow[],
): Promise<string> {
  const calendar = ical({
    // The library escapes all texts except this one.
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

/**
 * Splits an empty calendar into its beginning and its end. Each line ends with CRLF, the last one
 * too (RFC 5545, 3.1).
 */
function splitAtEnd(text: string): [head: string, end: string] {
  return [text.slice(0, text.lastIndexOf(END)), `${END}\r\n`];
}

function eventText(scope: Pick<TenantScope, 'baseUrl'>, calendar: ICalCalendar, event: EventRow): string {
  const end = endOf(event);
  const made = calendar.createEvent({
    id: `post-${event.id}@${new URL(scope.baseUrl).hostname}`,
    start: new Date(event.startAt),
    end: end !== undefined ? new Date(end) : undefined,
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
  // Clear it: the calendar keeps every event otherwise.
  calendar.clear();
  return made.toString();
}

const SECOND_MS = 1_000;

/**
 * Returns the end of an event in seconds; undefined unless it is later than the start (RFC 5545,
 * 3.8.2.2).
 */
function endOf({ startAt, endAt, allDay }: EventRow): number | undefined {
  if (endAt === null) return undefined;
  const end = endAt + (allDay ? DAY_MS : 0);
  const later = Math.floor(end / SECOND_MS) > Math.floor(startAt / SECOND_MS);
  return later && end < END_OF_DATES ? end : undefined;
}
