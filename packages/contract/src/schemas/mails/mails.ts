/** Outgoing mail, for administrators. */
import { mailStates } from '../../filters.ts';
import * as t from '../fields.ts';

export const mailTypes = {
  Mail: t.type('A mail of the portal to a person, without its text.', {
    id: t.int64('Id of the mail.'),
    userId: t.int64('Id of the person it is for.'),
    recipient: t.text('The address it goes to; with `unsent`, the one it would have gone to.'),
    template: t.text('Kind of mail: `invitation`, `password-reset`, `webhook-failing`, `webhook-stopped` or `test`.'),
    state: t.text(
      '`waiting`: due, or to be tried again; `failed`: the mail server refused it, or all attempts failed; `unsent`: the installation has no mail server; `sent`.',
    ),
    attempts: t.count('Number of attempts.'),
    creationTimestamp: t.time('Time of creation.'),
    nextAttemptTimestamp: t.time('Time of the next attempt; absent if there is none.'),
    endTimestamp: t.time('Time at which it was sent or given up; absent while it waits.'),
    error: t.text('Answer of the mail server to the last attempt, or the reason why there was no attempt.'),
    canRetry: t.flag('Whether it can be sent again: it failed, and its link is still valid.'),
  }),
  ListMailsRequest: t.type('Filters and paging of outgoing mail.', {
    ...t.pageInputs,
    states: t.wordList(mailStates, 'Only mails in these states.'),
    userIds: t.filterIds('Only mails to these people.'),
  }),
  SendTestMailResponse: t.type('A test message.', {
    mailId: t.int64('Id of the mail in `listMails`.'),
    recipient: t.text('The address it goes to.'),
  }),
  ListMailsResponse: t.page('Mail', 'A page of outgoing mail.'),
};
