/** Outgoing mail. */

export { enqueueMail, enqueueMails, type NewMail } from './enqueue-mail.ts';
export { mailHandlers } from './mail.routes.ts';
export { MailSender } from './mail-sender.ts';
export {
  type LinkValues,
  type MailLanguage,
  type MailState,
  type MailTemplate,
  type MailTemplates,
  mailLanguages,
  mailStates,
} from './mail-types.ts';
export {
  forgetMails,
  forgetUnreadableMails,
  listMails,
  type MailFigures,
  type MailReport,
  readMailFigures,
  removeMailsTo,
  retryMails,
} from './outgoing-mails.repository.ts';
