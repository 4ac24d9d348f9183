/**
 * Sends mail by SMTP, with a connection for each message: no connection is left in an unknown state
 * after an error.
 */
import { readFileSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { MailError, type MailFault, type MailMessage, type MailTransport, type SmtpServer } from './types.ts';

/** How long each step may take without a byte. Milliseconds. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** How long one message may take in all. Milliseconds. */
const SEND_MS = 60_000;
/** Longest text of a server that is kept. Characters. */
const MAX_REPLY = 300;

/** Fields of an error of nodemailer. */
interface SmtpError extends Error {
  code?: string;
  originalCode?: string;
  command?: string;
  responseCode?: number;
}

/**
 * Errors of OpenSSL and of the check of certificates, which nodemailer reports as errors of the
 * socket.
 */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|.*_CERT|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|.*_CRL)/;

/** Opens no connection yet. @throws Error when the file of authorities cannot be read */
export function openSmtp(server: SmtpServer): MailTransport {
  const closing = new AbortController();
  const transporter = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'off',
    ...(server.caFile !== undefined && { tls: { ca: readFileSync(server.caFile) } }),
    // Credentials that are configured are used, or sending fails.
    ...(server.credentials && {
      auth: { user: server.credentials.user, pass: server.credentials.password },
      forceAuth: true,
    }),
    connectionTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async (message) => {
      try {
        await transporter.sendMail({
          ...contentOf(message),
          signal: AbortSignal.any([closing.signal, AbortSignal.timeout(SEND_MS)]),
        });
      } catch (error) {
        if (closing.signal.aborted) throw new MailError('The service stops.', 'connection');
        throw mailError(error as SmtpError, message);
      }
    },
    verify: async () => {
      try {
        await transporter.verify();
      } catch (error) {
        throw mailError(error as SmtpError);
      }
    },
    close: () => {
      closing.abort();
      transporter.close();
    },
  };
}

function contentOf({ from, to, subject, text, html, messageId, date, thread, replyTo, list }: MailMessage) {
  return {
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    date: new Date(date),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(thread !== undefined && { inReplyTo: thread, references: thread }),
    ...(list && {
      list: { id: { url: list.id, comment: list.name }, unsubscribe: { url: list.unsubscribe, comment: '' } },
    }),
    headers: {
      ...(list && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  };
}

function mailError(error: SmtpError, message?: MailMessage): MailError {
  const said = error.code === 'EABORT' ? `No answer within ${SEND_MS / 1000} seconds` : error.message;
  const text = withoutContent(said, message).replaceAll(/\s+/g, ' ').trim();
  return new MailError(text.slice(0, MAX_REPLY), faultOf(error));
}

function faultOf({ code = '', originalCode = '', command = '', responseCode = 0 }: SmtpError): MailFault {
  // 454 is a failure of the server's own; 530 is a server that wants credentials before anything else.
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return responseCode >= 400 && responseCode < 500 ? 'later' : 'credentials';
  if (responseCode === 530) return 'credentials';
  if (code === 'ETLS' || code === 'EREQUIRETLS' || TLS_CODE.test(originalCode)) return 'tls';
  if (command === 'MAIL FROM' && responseCode >= 500) return 'sender';
  if (command === 'RCPT TO' && responseCode >= 500) return 'recipient';
  if (command === 'DATA' && responseCode >= 500) return 'content';
  // The server did not begin to talk of this mail, or ended in between.
  if (responseCode === 0 || !['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)) return 'connection';
  return 'later';
}

/**
 * Returns a reply without text that it may repeat of the message: addresses of pages, and tokens of
 * the message's links.
 */
function withoutContent(reply: string, message: MailMessage | undefined): string {
  const clean = reply.replaceAll(/\bhttps?:\/\/\S+/gi, '[link]');
  const tokens = (message?.text.match(/\bhttps?:\/\/\S+/g) ?? []).flatMap((link) => link.match(/[\w-]{12,}/g) ?? []);
  return tokens.reduce((text, token) => text.replaceAll(token, '[link]'), clean);
}
