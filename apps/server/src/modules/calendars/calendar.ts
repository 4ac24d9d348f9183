/** What a calendar with a secret address holds at the moment it is read (RFC 5545). */
import { oneLine } from '@portico/contract';
import ical, { ICalEventStatus } from 'ical-generator';
import { Parameters, visiblePostSql } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Actor, TenantScope } from '../../kernel/scope.ts';
import { concernsSql, type EventRow, findFeed, readEvents } from './calendars.repository.ts';

/** Path of calendars, before the secret. */
export const CALENDAR_PATH = '/portal/calendars';

/** Events that started longer ago are left out. Milliseconds. */
const PAST_MS = 366 * 86_400_000;
/** Events of a calendar at most, from the earliest on. */
const MOST_EVENTS = 2_000;
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
  return { text: write(scope, await readEvents(scope.db, parameters, where, MOST_EVENTS)) };
}

/** Text of several lines as RFC 5545 has it: calendar programs refuse a calendar with any other control character. */
const withoutControls = (text: string | null) => text?.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '') ?? null;

function write(scope: TenantScope, events: readonly EventRow[]): string {
  const calendar = ical({
    name: scope.tenant.name,
    prodId: { company: 'Portico', product: 'Portico', language: 'EN' },
  });
  for (const event of events) {
    const end = event.endAt === null ? undefined : event.endAt + (event.allDay ? DAY_MS : 0);
    calendar.createEvent({
      id: `post-${event.id}@${new URL(scope.baseUrl).hostname}`,
      start: new Date(event.startAt),
      ...(end !== undefined && end < END_OF_DATES && { end: new Date(end) }),
      allDay: event.allDay,
      timezone: event.allDay ? 'UTC' : null,
      summary: oneLine(event.title ?? ''),
      description: withoutControls(event.text),
      location: oneLine(event.location ?? '') || null,
      url: `${scope.baseUrl}/portal/post/${event.id}`,
      sequence: event.version,
      created: new Date(event.createdAt),
      lastModified: new Date(event.modifiedAt),
      stamp: new Date(event.modifiedAt),
      status: ICalEventStatus.CONFIRMED,
    });
  }
  return calendar.toString();
}
