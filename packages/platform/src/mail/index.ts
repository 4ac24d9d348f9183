export { isMailAddress } from './address.ts';
export { confirmsAuthor, type Resolver, verifyAuthor } from './authenticity.ts';
export { type IncomingMail, MOST_MAIL_BYTES, readIncoming } from './incoming.ts';
export { type Mailbox, takeUnread } from './mailbox.ts';
export {
  type MailAddress,
  MailError,
  type MailFault,
  type MailTransport,
  type SmtpServer,
} from './types.ts';
