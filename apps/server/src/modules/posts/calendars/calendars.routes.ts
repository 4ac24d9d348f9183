/** Operations on guests and calendars. */
import type { Handlers } from '../../../kernel/operations.ts';
import { createCalendarFeed, listCalendarFeeds, revokeCalendarFeed } from './feeds.ts';

export const calendarsHandlers = {
  listCalendarFeeds: ({ scope }) => listCalendarFeeds(scope),
  createCalendarFeed: ({ scope, body }) => createCalendarFeed(scope, body ?? {}),
  revokeCalendarFeed: async ({ scope, params }) => {
    await revokeCalendarFeed(scope, params.feedId);
    return undefined;
  },
} satisfies Handlers;
