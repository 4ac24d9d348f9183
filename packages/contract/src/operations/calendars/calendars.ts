/** Calendars by a secret address. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const calendarOperations = defineOperations('calendars', {
  listCalendarFeeds: {
    method: 'GET',
    path: '/core/auth/calendar-feeds',
    responses: { 200: 'ListCalendarFeedsResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'List the calendars of the caller that have an address',
    description: 'The addresses themselves are not stored.',
    clientMethod: 'list',
    command: { rows: 'feeds', columns: ['id', 'communityId', 'creationTimestamp'], examples: ['', '--output json'] },
  },
  createCalendarFeed: {
    method: 'POST',
    path: '/core/auth/manage/calendar-feeds',
    body: 'CreateCalendarFeedRequest',
    responses: { 200: 'CreateCalendarFeedResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Give a calendar a secret address',
    description:
      'Calendar programs read the address without a sign-in (iCalendar, RFC 5545). The address ' +
      'shows the events that the caller may see at that moment: all events of the community, ' +
      'or, without a community, the events that the caller wrote, is invited to or has ' +
      'answered, except refused invitations. A calendar has one address; the previous address ' +
      'ends. Personal access tokens may not do this.',
    requestExamples: examples<'CreateCalendarFeedRequest'>({
      own: { summary: 'Events that concern the caller', value: {} },
      community: { summary: 'Events of a community', value: { communityId: 12 } },
    }),
    clientMethod: 'create',
    command: { examples: ['', '--community-id 12 --output json'] },
  },
  revokeCalendarFeed: {
    method: 'POST',
    path: '/core/auth/manage/calendar-feeds/{feedId}/revoke',
    responses: { 200: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'End the address of a calendar',
    description: 'The address is rejected from the next request on. A calendar of another user returns 404.',
    clientMethod: 'revoke',
    command: { examples: ['31', '31 --dry-run'] },
  },
});
