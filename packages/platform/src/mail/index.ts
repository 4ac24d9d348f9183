export { isMailAddress } from './address.ts';
export { confirmsAuthor, type KnownRecords } from './authenticity.ts';
export { type IncomingMail, MOST_MAIL_BYTES } from './incoming.ts';
export { readIncoming, verifyAuthor } from './mail-reading.ts';
export { type Mailbox, takeUnread } from './mailbox.ts';
export {
  type MailAddress,
  MailError,
  type MailFault,
  type MailTransport,
  type SmtpServer,
} from './types.ts';
