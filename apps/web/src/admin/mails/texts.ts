/** Texts about the mails of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  empty: 'No mail has these properties.',
  everyState: 'Every state',
  states: { waiting: 'Waiting', failed: 'Failed', unsent: 'Not sent: there is no mail server', sent: 'Sent' },
  recipient: 'Recipient',
  kind: 'Kind',
  kinds: { invitation: 'Invitation', 'password-reset': 'Link for a password' },
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
};

export const useMailsTexts = () => usePageTexts('adminMails', en);
