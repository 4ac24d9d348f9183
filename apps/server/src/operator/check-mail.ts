/** Tries the mail server as the service uses it (`portico admin mail check`): connects, encrypts, signs in, and sends one mail. */
import { randomUUID } from 'node:crypto';
import {
  isMailAddress,
  type MailAddress,
  MailError,
  type MailFault,
  type MailTransport,
  type SmtpServer,
} from '@portico/platform/mail';
import { OperatorError } from './operator-error.ts';

/** Result of one step. */
export interface MailCheck {
  readonly tried: string;
  readonly ok: boolean;
  /** The failure and how to fix it; empty on success. */
  readonly problem: string;
}

const FAULTS: Readonly<Record<MailFault, string>> = {
  connection: 'The server cannot be reached: check host and port of PORTICO_SMTP_URL, and the firewall.',
  tls: 'The connection cannot be encrypted: check the scheme and port of PORTICO_SMTP_URL, and whether the certificate of the server is trusted ("ca") and names the host.',
  credentials: 'The server refuses user and password of PORTICO_SMTP_URL, or wants some.',
  sender: 'The server refuses the sender: check PORTICO_MAIL_FROM.',
  recipient: 'The server refuses the recipient.',
  content: 'The server refuses the message.',
  later: 'The server asks to try again later.',
};

/**
 * Ends with the first step that fails.
 * @param settings undefined where no server is configured  @param to gets a mail; undefined: none is sent
 * @throws OperatorError when `to` is no address
 */
export async function* checkMail(
  settings: { readonly server: SmtpServer; readonly from: MailAddress } | undefined,
  open: () => Promise<MailTransport | undefined>,
  to: string | undefined,
): AsyncGenerator<MailCheck> {
  if (to !== undefined && !isMailAddress(to)) throw new OperatorError(`"${to}" is not an e-mail address.`);
  const transport = await open();
  if (!settings || !transport) {
    const problem = 'PORTICO_SMTP_URL and PORTICO_MAIL_FROM are not set: no mail is sent.';
    yield { tried: 'read the settings of the mail server', ok: false, problem };
    return;
  }
  const { server, from } = settings;
  const encrypted = { implicit: ' with TLS', starttls: ' with STARTTLS', off: ' unencrypted' }[server.tls];
  const signIn = server.credentials ? ` and sign in as ${server.credentials.user}` : '';
  try {
    const works = yield* attempt(`connect to ${server.host}:${server.port}${encrypted}${signIn}`, () =>
      transport.verify(),
    );
    if (!works || to === undefined) return;
    yield* attempt(`send a mail from ${from.address} to ${to}`, () => transport.send(testMail(from, to)));
  } finally {
    transport.close();
  }
}

/** Runs one step. @returns whether it succeeded */
async function* attempt(tried: string, work: () => Promise<void>): AsyncGenerator<MailCheck, boolean> {
  try {
    await work();
    yield { tried, ok: true, problem: '' };
    return true;
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    yield { tried, ok: false, problem: `${FAULTS[error.fault]} (${error.message})` };
    return false;
  }
}

function testMail(from: MailAddress, to: string) {
  const text = 'This mail was sent by "portico admin mail check": mail from Portico arrives here.';
  return {
    from: { name: from.name || 'Portico', address: from.address },
    to,
    subject: 'Test mail from Portico',
    text: `${text}\n`,
    html: `<p>${text.replaceAll('"', '&quot;')}</p>`,
    messageId: `<${randomUUID()}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: Date.now(),
  };
}
