/** Guests of events, and calendars by a secret address. */
import { EventAnswer, InvitationType } from '../../codes/codes.ts';
import * as t from '../fields.ts';

const EventGuestAnswer = { NONE: 0, ...EventAnswer } as const;

export const calendarTypes = {
  ListEventGuestsRequest: t.type('Filters and paging for the list of guests.', {
    ...t.pageInputs,
    answers: t.codeList(EventGuestAnswer, 'Only guests with one of these answers.'),
  }),
  ListEventGuestsResponse: t.page('EventGuest', 'A page of guests.', {
    counts: t.ref('EventGuestCounts', 'Numbers of answers.'),
    invitedGroups: t.list('Group', 'Groups that are invited. Their members are guests once they answer.'),
  }),
  EventGuest: t.type('A person with a personal invitation or an answer.', {
    user: t.ref('User', 'The guest.'),
    typeId: t.code(InvitationType, 'Role in which they are invited; absent for people who are not invited personally.'),
    answer: t.code(EventGuestAnswer, 'Whether they come.'),
    notes: t.text('Note of the guest: a Quill delta as a JSON string. Visible to the guest, the author and managers.'),
    timestamp: t.time('Time at which they answered.'),
  }),
  EventOfPost: t.type('Time and place of an event, the same for all its readers.', {
    startAt: t.ref('EventDatetime', 'Start of the event.'),
    endAt: t.ref(
      'EventDatetime',
      'End of the event; absent without an end. For an all-day event its last day, inclusive.',
    ),
    timezone: t.text('IANA name of the time zone of both. An all-day event has none.'),
    allDay: t.flag('Whether it is an all-day event: start and end are then dates without time, in all their forms.'),
    location: t.text('Place.'),
    participantsCount: t.count('Number of people who said yes.'),
    participateTypeId: t.code(EventAnswer, "The caller's answer, in the detail of a post; absent before one is given."),
  }),
  EventGuestCounts: t.type('Numbers of the answers of guests.', {
    yes: t.count('They come.'),
    maybe: t.count('They may come.'),
    no: t.count('They do not come.'),
    unanswered: t.count('They are invited themselves and have not answered.'),
  }),
  ListCalendarFeedsResponse: t.type('Calendars of the caller that have an address.', {
    feeds: t.list('CalendarFeed', 'The calendars.'),
  }),
  CalendarFeed: t.type('A calendar with a secret address.', {
    id: t.int64('Id of the calendar.'),
    communityId: t.int64('The community; absent for the calendar of events that concern the caller.'),
    creationTimestamp: t.time('Time at which it got its current address.'),
  }),
  CreateCalendarFeedRequest: t.type('The calendar that gets an address.', {
    communityId: t.int64('A community. If omitted, the calendar of events that concern the caller.'),
  }),
  CreateCalendarFeedResponse: t.type('The address.', {
    feedId: t.int64('Id of the calendar.'),
    uri: t.shownOnce(t.uri('Secret address of the calendar. It is not stored and not returned again.')),
  }),
};
