/** Texts about the mails of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  empty: 'No mail has these properties.',
  everyState: 'Every state',
  states: { waiting: 'Waiting', failed: 'Failed', unsent: 'Not sent: there is no mail server', sent: 'Sent' },
  recipient: 'Recipient',
  kind: 'Kind',
  kinds: {
    invitation: 'Invitation',
    'password-reset': 'Link for a password',
    'webhook-failing': 'A webhook fails',
    'webhook-stopped': 'A webhook was stopped',
    test: 'Test message',
  },
  created: 'Created',
  error: 'Answer of the mail server',
  retry: 'Send again',
  retryOf: (recipient: string) => `Send the mail to ${recipient} again`,
  retried: 'The mail is sent again.',
  discard: 'Remove',
  discardOf: (recipient: string) => `Remove the mail to ${recipient}`,
  discardTitle: (recipient: string) => `Remove the mail to ${recipient}?`,
  discardHint: 'A waiting mail is not sent any more. A link that was received stays valid.',
  discarded: 'The mail was removed.',
  actions: 'Actions',
  test: 'Send a test message',
  testTo: (recipient: string) => `Test message to ${recipient}`,
  testQueued: 'It waits to be sent.',
  testSent: 'The mail server has accepted it. Look into the mailbox.',
  testFailed: (error: string) => `It was not sent. The mail server says: ${error}`,
  testTried: (error: string, next: string) => `The last attempt failed: ${error} The next one is at ${next}.`,
  noAddress: 'A test message goes to the contact address of your account, which has none. Enter one under People.',
};

export const useMailsTexts = () => usePageTexts('adminMails', en);
