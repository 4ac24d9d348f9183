/** Operations on guests and calendars. */
import type { Handlers } from '../../../kernel/operations.ts';
import { createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from './feeds.ts';
import { listEventGuests } from './list-event-guests.ts';

export const calendarsHandlers = {
  listEventGuests: ({ scope, params, body }) => listEventGuests(scope, params.postId, body),
  listCalendarFeeds: ({ scope }) => listCalendarFeeds(scope),
  createCalendarFeed: ({ scope, body }) => createCalendarFeed(scope, body ?? {}),
  revokeCalendarFeed: async ({ scope, params }) => {
    await revokeCalendarFeed(scope, params.feedId);
    return undefined;
  },
} satisfies Handlers;
