export { isMailAddress } from './address.ts';
export {
  type MailAddress,
  MailError,
  type MailFault,
  type MailTransport,
  type SmtpServer,
} from './types.ts';
