/** Takes unread mails out of a mailbox (IMAP). */
import { MOST_MAIL_BYTES } from './incoming.ts';

/** A mailbox of a mail server. */
export interface Mailbox {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly tls: boolean;
  readonly credentials: { readonly user: string; readonly password: string };
  /** Such as `INBOX`. */
  readonly folder: string;
}

/** Most mails of one visit. */
const MOST_MAILS = 100;

/**
 * Hands unread mails to `take`, the oldest first, and marks each as read when `take` has resolved. A
 * mail for which `take` rejects stays unread, and the visit ends.
 * @param take gets undefined for a mail above {@link MOST_MAIL_BYTES}
 * @returns number of mails taken  @throws Error when the server cannot be used; what `take` throws
 */
export async function takeUnread(
  mailbox: Mailbox,
  take: (raw: Uint8Array | undefined) => Promise<void>,
): Promise<number> {
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow({
    host: mailbox.host,
    port: mailbox.port,
    secure: mailbox.tls,
    doSTARTTLS: !mailbox.tls,
    auth: { user: mailbox.credentials.user, pass: mailbox.credentials.password },
    logger: false,
  });
  // An error between two commands also fails the next command.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const lock = await client.getMailboxLock(mailbox.folder);
    try {
      const found = (await client.search({ seen: false }, { uid: true })) || [];
      const ids = found.slice(0, MOST_MAILS);
      for (const id of ids) {
        const size = await client.fetchOne(String(id), { size: true }, { uid: true });
        const small = size !== false && (size.size ?? 0) <= MOST_MAIL_BYTES;
        const mail = small ? await client.fetchOne(String(id), { source: true }, { uid: true }) : false;
        await take(mail === false ? undefined : mail.source);
        await client.messageFlagsAdd(String(id), ['\\Seen'], { uid: true });
      }
      return ids.length;
    } finally {
      lock.release();
    }
  } finally {
    await client.logout();
  }
}
