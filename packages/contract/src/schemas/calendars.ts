/** Guests of events, and calendars by a secret address. */
import { EventAnswer, InvitationType } from '../codes/codes.ts';
import * as t from './fields.ts';

const EventGuestAnswer = { NONE: 0, ...EventAnswer } as const;

export const calendarTypes = {
  ListEventGuestsRequest: t.type('Which guests to list, and paging.', {
    ...t.pageInputs,
    answers: t.codeList(EventGuestAnswer, 'Only guests with one of these answers.'),
  }),
  ListEventGuestsResponse: t.page('EventGuest', 'A page of guests.', {
    counts: t.ref('EventGuestCounts', 'How many answered what.'),
    invitedGroups: t.list('Group', 'Groups that are invited. Their members are guests once they answer.'),
  }),
  EventGuest: t.type('Somebody who is invited themselves, or has answered.', {
    user: t.ref('User', 'The guest.'),
    typeId: t.code(InvitationType, 'As what they are invited; absent for who is not invited themselves.'),
    answer: t.code(EventGuestAnswer, 'Whether they come.'),
    notes: t.text('What they noted: a Quill delta as a JSON string. For themselves, the author and managers.'),
    timestamp: t.time('When they answered.'),
  }),
  EventOfPost: t.type('Time and place of an event, as everybody reads them who sees it.', {
    startAt: t.ref('EventDatetime', 'When it begins.'),
    endAt: t.ref(
      'EventDatetime',
      'When it ends; absent without an end. Of an all-day event its last day, which belongs to it.',
    ),
    timezone: t.text('IANA name of the time zone of both. An all-day event has none.'),
    allDay: t.flag('Whether it takes whole days: start and end are then dates without time, in all their forms.'),
    location: t.text('Where it is.'),
    participantsCount: t.count('How many people said yes.'),
    participateTypeId: t.code(EventAnswer, "The caller's answer, in the detail of a post; absent before one is given."),
  }),
  EventGuestCounts: t.type('How many guests answered what.', {
    yes: t.count('They come.'),
    maybe: t.count('They come perhaps.'),
    no: t.count('They do not come.'),
    unanswered: t.count('They are invited themselves and have not answered.'),
  }),
  ListCalendarFeedsResponse: t.type('Calendars of the caller that have an address.', {
    feeds: t.list('CalendarFeed', 'The calendars.'),
  }),
  CalendarFeed: t.type('A calendar with a secret address.', {
    id: t.int64('Id of the calendar.'),
    communityId: t.int64('The community; absent for the calendar of what concerns the caller.'),
    creationTimestamp: t.time('When it was given its present address.'),
  }),
  CreateCalendarFeedRequest: t.type('The calendar that gets an address.', {
    communityId: t.int64('A community. Left out, the calendar of what concerns the caller.'),
  }),
  CreateCalendarFeedResponse: t.type('The address.', {
    feedId: t.int64('Id of the calendar.'),
    uri: t.uri('Secret address of the calendar. It is kept nowhere and not told again.'),
  }),
};
