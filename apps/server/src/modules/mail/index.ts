/** Outgoing mail. */

export { enqueueMails } from './enqueue-mail.ts';
export { mailHandlers } from './mail.routes.ts';
export { MailSender } from './mail-sender.ts';
export {
  type MailState,
  mailStates,
} from './mail-types.ts';
export {
  dueMails,
  endedMailsDue,
  expiredMailsDue,
  failedMailsDue,
  forgetMails,
  forgetUnreadableMails,
  listMails,
  type MailReport,
  mailsDue,
  readMailFigures,
  removeMailsTo,
  retryMails,
} from './outgoing-mails.repository.ts';
