/** Guests of events, and calendars by a secret address. */
import { EventAnswer, InvitationType } from '../codes/codes.ts';
import { code, codeList, count, flag, int64, list, page, pageInputs, ref, text, time, type, uri } from './fields.ts';

const EventGuestAnswer = { NONE: 0, ...EventAnswer } as const;

export const calendarTypes = {
  ListEventGuestsRequest: type('Which guests to list, and paging.', {
    ...pageInputs,
    answers: codeList(EventGuestAnswer, 'Only guests with one of these answers.'),
  }),
  ListEventGuestsResponse: page('EventGuest', 'A page of guests.', {
    counts: ref('EventGuestCounts', 'How many answered what.'),
    invitedGroups: list('Group', 'Groups that are invited. Their members are guests once they answer.'),
  }),
  EventGuest: type('Somebody who is invited themselves, or has answered.', {
    user: ref('User', 'The guest.'),
    typeId: code(InvitationType, 'As what they are invited; absent for who is not invited themselves.'),
    answer: code(EventGuestAnswer, 'Whether they come.'),
    notes: text('What they noted: a Quill delta as a JSON string. For themselves, the author and managers.'),
    timestamp: time('When they answered.'),
  }),
  EventOfPost: type('Time and place of an event, as everybody reads them who sees it.', {
    startAt: ref('EventDatetime', 'When it begins.'),
    endAt: ref(
      'EventDatetime',
      'When it ends; absent without an end. Of an all-day event its last day, which belongs to it.',
    ),
    timezone: text('IANA name of the time zone of both. An all-day event has none.'),
    allDay: flag('Whether it takes whole days: start and end are then dates without time, in all their forms.'),
    location: text('Where it is.'),
    participantsCount: count('How many people said yes.'),
    participateTypeId: code(EventAnswer, "The caller's answer, in the detail of a post; absent before one is given."),
  }),
  EventGuestCounts: type('How many guests answered what.', {
    yes: count('They come.'),
    maybe: count('They come perhaps.'),
    no: count('They do not come.'),
    unanswered: count('They are invited themselves and have not answered.'),
  }),
  ListCalendarFeedsResponse: type('Calendars of the caller that have an address.', {
    feeds: list('CalendarFeed', 'The calendars.'),
  }),
  CalendarFeed: type('A calendar with a secret address.', {
    id: int64('Id of the calendar.'),
    communityId: int64('The community; absent for the calendar of what concerns the caller.'),
    creationTimestamp: time('When it was given its present address.'),
  }),
  CreateCalendarFeedRequest: type('The calendar that gets an address.', {
    communityId: int64('A community. Left out, the calendar of what concerns the caller.'),
  }),
  CreateCalendarFeedResponse: type('The address.', {
    feedId: int64('Id of the calendar.'),
    uri: uri('Secret address of the calendar. It is kept nowhere and not told again.'),
  }),
};
