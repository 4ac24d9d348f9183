/** Guests of events, and calendars that programs read by a secret address. */
export { CALENDAR_PATH, findCalendar } from './calendar.ts';
export { forgetFeeds } from './calendars.repository.ts';
export { calendarsHandlers } from './calendars.routes.ts';
