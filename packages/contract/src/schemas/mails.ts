/** Outgoing mail, for administrators. */
import { mailStates } from '../filters.ts';
import { count, flag, ids, int64, page, pageInputs, text, time, type, wordList } from './fields.ts';

export const mailTypes = {
  Mail: type('A mail of the portal to a person, without what it says.', {
    id: int64('Id of the mail.'),
    userId: int64('Id of the person it is for.'),
    recipient: text('The address it goes to; with `unsent`, the one it would have gone to.'),
    template: text('What it is: `invitation` or `password-reset`.'),
    state: text(
      '`waiting`: due, or to be tried again; `failed`: the mail server refused it, or all attempts failed; `unsent`: the installation has no mail server; `sent`.',
    ),
    attempts: count('How often it was tried.'),
    creationTimestamp: time('When it was made.'),
    nextAttemptTimestamp: time('When it is tried next; absent where it is not.'),
    endTimestamp: time('When it was sent or given up; absent while it waits.'),
    error: text('What the mail server answered to the last attempt, or why there was none.'),
    canRetry: flag('Whether it can be sent again: it failed, and its link is still valid.'),
  }),
  ListMailsRequest: type('Filters and paging of outgoing mail.', {
    ...pageInputs,
    states: wordList(mailStates, 'Only mails in these states.'),
    userIds: ids('Only mails to these people.'),
  }),
  ListMailsResponse: page('Mail', 'A page of outgoing mail.'),
};
