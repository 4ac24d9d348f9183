/** Configuration of outgoing mail. */
import { isMailAddress, type MailAddress, type SmtpServer } from '@portico/platform/mail';
import { ConfigError, type Variable } from './variable.ts';

export interface MailConfig {
  readonly server: SmtpServer;
  readonly from: MailAddress;
}

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
