/** Outgoing mail. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

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
      'Returns mails to people, the newest first: waiting mails, mails that the mail server ' +
      'refused, with its answer, mails that were not sent because there is no mail server, and ' +
      'sent mails. A mail is listed until 30 days after its end. Filters combine by AND.',
    requestExamples: examples<'ListMailsRequest'>({
      refused: { summary: 'Mails that did not arrive', value: { states: ['failed', 'unsent'], pageSize: 50 } },
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
      'Sends a failed mail again, with all attempts. A mail that did not fail, or has an ' +
      'expired link, returns 400 `INVALID_VALUE`: send a new link instead (`inviteUser`, ' +
      '`sendPasswordReset`). Returns 403 if the recipient holds an administrative right that ' +
      'the caller lacks.',
    clientMethod: 'retry',
    command: { examples: ['17', '17 --dry-run'] },
  },
  sendTestMail: {
    method: 'POST',
    path: '/admin/manage/mails/test',
    responses: { 200: 'SendTestMailResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Send a test message to yourself',
    description:
      'Sends a mail to the contact e-mail address of the caller. `listMails` lists it with its ' +
      'state and the answer of the mail server. An account without a contact address, such as ' +
      'a service account, gets 400 `REQUIRED_FIELD` on `contactEmail`. After five of an account ' +
      'within an hour, discarded ones included, the operation returns 429 `RATE_LIMITED`.',
    clientMethod: 'sendTest',
    command: { examples: ['', '--dry-run'] },
  },
  discardMail: {
    method: 'DELETE',
    path: '/admin/manage/mails/{mailId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Discard a mail',
    description:
      'Removes a mail from the list; a waiting mail is no longer sent, unless it is being sent ' +
      'at that moment. A link that was received stays valid. Returns 403 if the recipient ' +
      'holds an administrative right that the caller lacks.',
    clientMethod: 'discard',
    command: { confirms: true, examples: ['17', '17 --yes'] },
  },
});
