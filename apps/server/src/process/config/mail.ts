/** Configuration of outgoing mail. */
import { isMailAddress, type MailAddress, type Mailbox, type SmtpServer } from '@portico/platform/mail';
import { ConfigError, type Variable } from './variable.ts';

export interface MailConfig {
  readonly server: SmtpServer;
  readonly from: MailAddress;
}

/** How answers to mails of notifications arrive. */
export interface ReplyConfig {
  /** Address whose local part is extended for each mail. */
  readonly address: string;
  /** Mailbox that is read; undefined: the mail server hands over each mail by a command. */
  readonly mailbox: Mailbox | undefined;
  /** `authserv-id` of the receiving server; undefined: signatures of mails are verified here. */
  readonly trustedServer: string | undefined;
}

/** Longest local part of {@link ReplyConfig.address}. Characters. */
const MAX_REPLY_LOCAL = 15;

export const mailVariables: readonly Variable[] = [
  {
    name: 'PORTICO_SMTP_URL',
    default: '',
    description:
      'Mail server, such as `smtp://user:password@smtp.example.org:587` (STARTTLS) or `smtps://…:465` (TLS from the start); unset sends no mail.',
    secret: true,
  },
  {
    name: 'PORTICO_MAIL_FROM',
    default: '',
    description: 'Sender of all mail: an address, or `Name <address>`; without a name, that of the tenant is shown.',
  },
  {
    name: 'PORTICO_MAIL_REPLIES',
    default: '',
    description:
      'Address that takes answers to mails of notifications, such as `replies@portal.example`; mail to `replies+…@portal.example` must arrive there, too. Unset: answers are not taken.',
  },
  {
    name: 'PORTICO_MAIL_REPLIES_IMAP',
    default: '',
    description:
      'Mailbox of that address, such as `imaps://user:password@imap.example.org/INBOX`, read every 30 seconds; unset: the mail server runs `portico admin mail receive`.',
    secret: true,
  },
  {
    name: 'PORTICO_MAIL_REPLIES_VERIFIED_BY',
    default: '',
    description:
      'Name of the receiving mail server in its `Authentication-Results`, which it must remove from incoming mail; unset: Portico verifies DKIM and DMARC itself.',
  },
  {
    name: 'PORTICO_MAIL_PER_MINUTE',
    default: '120',
    description:
      'Mails with links (invitations, new passwords) of one tenant that are sent within a minute, by all nodes; further ones wait.',
  },
  {
    name: 'PORTICO_NOTIFICATION_MAIL_PER_MINUTE',
    default: '1200',
    description:
      'Mails of notifications of one tenant that are sent within a minute, by all nodes; further ones wait. They never delay mails with links.',
  },
];

/**
 * @param url value of PORTICO_SMTP_URL  @param from value of PORTICO_MAIL_FROM
 * @returns undefined when neither is set  @throws ConfigError, whose message does not hold the password
 */
export function readMail(url: string | undefined, from: string | undefined): MailConfig | undefined {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new ConfigError('PORTICO_SMTP_URL and PORTICO_MAIL_FROM belong together; set both or none.');
  }
  return { server: readServer(url), from: readSender(from) };
}

/**
 * @param values of PORTICO_MAIL_REPLIES, PORTICO_MAIL_REPLIES_IMAP and PORTICO_MAIL_REPLIES_VERIFIED_BY
 * @returns undefined when answers are not taken  @throws ConfigError
 */
export function readReplies(
  address: string | undefined,
  imap: string | undefined,
  trustedServer: string | undefined,
): ReplyConfig | undefined {
  if (address === undefined) {
    if (imap === undefined && trustedServer === undefined) return undefined;
    throw new ConfigError('PORTICO_MAIL_REPLIES_IMAP and PORTICO_MAIL_REPLIES_VERIFIED_BY need PORTICO_MAIL_REPLIES.');
  }
  const lower = address.trim().toLowerCase();
  const local = lower.slice(0, lower.lastIndexOf('@'));
  if (!isMailAddress(lower) || local.includes('+') || local.length > MAX_REPLY_LOCAL)
    throw new ConfigError(
      `PORTICO_MAIL_REPLIES must be an address with at most ${MAX_REPLY_LOCAL} characters before the @, without +.`,
    );
  return { address: lower, mailbox: imap === undefined ? undefined : readMailbox(imap), trustedServer };
}

function readMailbox(text: string): Mailbox {
  const url = URL.parse(text);
  const credentials = url ? readCredentials(url) : null;
  if (!url || !/^imaps?:$/.test(url.protocol) || url.hostname === '' || url.search || url.hash || !credentials)
    throw new ConfigError(
      'PORTICO_MAIL_REPLIES_IMAP must be an address such as imaps://user:password@imap.example.org/INBOX, special characters percent-encoded.',
    );
  const tls = url.protocol === 'imaps:';
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(url.port || (tls ? 993 : 143)),
    tls,
    credentials,
    folder: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
  };
}

function readSender(text: string): MailAddress {
  const named = /^(?<name>[^<>\r\n]*)<(?<address>[^<>]*)>$/.exec(text.trim());
  const address = (named?.groups?.['address'] ?? text).trim();
  if (!isMailAddress(address)) {
    throw new ConfigError(`PORTICO_MAIL_FROM must be an address or "Name <address>", not "${text}".`);
  }
  return { name: (named?.groups?.['name'] ?? '').trim().replaceAll(/^"|"$/g, ''), address };
}

/** Ports of a server whose address names none. */
const DEFAULT_PORTS: Readonly<Record<SmtpServer['tls'], number>> = { implicit: 465, starttls: 587, off: 25 };

function encryptionOf(protocol: string, tls: string | null): SmtpServer['tls'] {
  if (protocol === 'smtps:') return 'implicit';
  return tls === 'off' ? 'off' : 'starttls';
}

function readServer(text: string): SmtpServer {
  const fail = (sentence: string) => new ConfigError(`PORTICO_SMTP_URL ${sentence}`);
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !['', '/'].includes(url.pathname) || url.hash) {
    throw fail(
      'must be an address such as smtp://user:password@smtp.example.org:587, special characters percent-encoded.',
    );
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'tls' && name !== 'ca') throw fail(`has a parameter "${name}"; there are "tls" and "ca".`);
  }
  const tls = url.searchParams.get('tls');
  if (tls !== null && (tls !== 'off' || url.protocol === 'smtps:')) {
    throw fail('takes as "tls" only "off", and with smtp:// only: it sends mail unencrypted.');
  }
  const credentials = readCredentials(url);
  if (credentials === null) throw fail('must have both user and password, percent-encoded, or neither.');
  if (credentials && tls === 'off')
    throw fail('must not have "tls=off" with a password: it would be sent unencrypted.');
  const encryption = encryptionOf(url.protocol, tls);
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[encryption] : Number(url.port),
    tls: encryption,
    credentials,
    caFile: url.searchParams.get('ca') ?? undefined,
  };
}

/** @returns undefined where there are none, null where they cannot be used */
function readCredentials({ username, password }: URL): SmtpServer['credentials'] | null {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
