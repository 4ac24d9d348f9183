/** Time and place of an event, as in forms and versions. */
import type { EventDatetime, EventPostData } from '@portico/contract';
import { formatZoned } from '@portico/platform/time';

/** Stored time and place. Times are epoch milliseconds. */
export interface EventPlace {
  readonly startAt: number;
  readonly endAt: number | null;
  /** Null for an all-day event. */
  readonly timezone: string | null;
  readonly allDay: boolean;
  readonly location: string | null;
}

/** @param event null for a post that is not an event */
export function presentEvent(event: EventPlace | null): EventPostData {
  const timezone = event?.timezone ?? 'UTC';
  const allDay = event?.allDay ?? false;
  const moment = (ms: number) => (allDay ? presentDay(ms) : presentMoment(ms, timezone));
  return {
    startAt: event ? moment(event.startAt) : undefined,
    endAt: event && event.endAt !== null ? moment(event.endAt) : undefined,
    timezone: !allDay ? timezone : undefined,
    allDay,
    location: event && event.location !== null ? event.location : undefined,
  };
}

function presentMoment(ms: number, timezone: string): EventDatetime {
  const { zonedDatetime, localDatetime } = formatZoned(ms, timezone);
  return { zonedDatetime, localDatetime, utcDatetime: new Date(ms).toISOString().replace('.000Z', 'Z') };
}

/** Returns a day of an all-day event, in UTC: the date alone, in all three forms. */
function presentDay(ms: number): EventDatetime {
  const day = new Date(ms).toISOString().slice(0, 10);
  return { zonedDatetime: day, localDatetime: day, utcDatetime: day };
}
