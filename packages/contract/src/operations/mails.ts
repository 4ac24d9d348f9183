import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

/** Outgoing mail. */
export const mailOperations = defineOperations('mails', {
  listMails: {
    method: 'POST',
    path: '/admin/data/mails',
    body: 'ListMailsRequest',
    responses: { 200: 'ListMailsResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List outgoing mail',
    description:
      'Mails to people, the newest first: those that wait, that were refused with the words of the mail server, that would have gone out where there is no mail server, and those that were sent. A mail is listed until 30 days after its end. Filters combine by AND.',
    requestExamples: examples<'ListMailsRequest'>({
      refused: { summary: 'What did not arrive', value: { states: ['failed', 'unsent'], pageSize: 50 } },
    }),
    clientMethod: 'list',
    command: {
      columns: ['id', 'creationTimestamp', 'recipient', 'template', 'state', 'attempts', 'canRetry', 'error'],
      examples: ['--states failed,unsent --all', '--user-ids 17 --output json'],
    },
  },
  retryMail: {
    method: 'POST',
    path: '/admin/manage/mails/{mailId}/retry',
    responses: { 200: null, 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send a failed mail again',
    description:
      'Makes a failed mail due again, with all attempts. One that did not fail, or whose link has expired, is a 400 `INVALID_VALUE`: send a new link instead (`inviteUser`, `sendPasswordReset`). A mail to a holder of an administrative right that the caller lacks is a 403.',
    clientMethod: 'retry',
    command: { examples: ['17', '17 --dry-run'] },
  },
  discardMail: {
    method: 'DELETE',
    path: '/admin/manage/mails/{mailId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Discard a mail',
    description:
      'Removes a mail from the list; one that waits is not sent any more, unless that is just happening. Its link stays valid for who has it. A mail to a holder of an administrative right that the caller lacks is a 403.',
    clientMethod: 'discard',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
});
