/** Time and place of an event, as in forms and versions. */
import type { EventDatetime, EventPostData } from '@portico/contract';
import { formatZoned } from '../../../platform/time/index.ts';

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
  const moment = (ms: number) => (allDay ? presentDay : presentMoment)(ms, timezone);
  return {
    ...(event && { startAt: moment(event.startAt) }),
    ...(event && event.endAt !== null && { endAt: moment(event.endAt) }),
    ...(!allDay && { timezone }),
    allDay,
    ...(event && event.location !== null && { location: event.location }),
  };
}

function presentMoment(ms: number, timezone: string): EventDatetime {
  const { zonedDatetime, localDatetime } = formatZoned(ms, timezone);
  return { zonedDatetime, localDatetime, utcDatetime: new Date(ms).toISOString().replace('.000Z', 'Z') };
}

/**
 * Returns a day of an all-day event: the date alone, in all three forms.
 * @param timezone UTC, except for rows written by a node of an earlier version
 */
function presentDay(ms: number, timezone: string): EventDatetime {
  const day = formatZoned(ms, timezone).localDatetime.slice(0, 10);
  return { zonedDatetime: day, localDatetime: day, utcDatetime: day };
}
