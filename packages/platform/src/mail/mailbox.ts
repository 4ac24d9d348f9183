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
const MOST_MAILS = 500;
/** Mails that arrived longer ago stay unread. */
const MOST_AGE_MS = 31 * 86_400_000;

/**
 * Hands unread mails to `take`, the oldest first, and marks each as read when `take` has resolved. A
 * mail for which `take` rejects stays unread, and holds up no other.
 * @param take gets undefined for a mail above {@link MOST_MAIL_BYTES}
 * @returns number of mails taken  @throws Error when the server cannot be used; the first that `take` threw
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
      const found =
        (await client.search({ seen: false, since: new Date(Date.now() - MOST_AGE_MS) }, { uid: true })) || [];
      const ids = found.slice(0, MOST_MAILS);
      const failures: unknown[] = [];
      for (const id of ids) {
        const size = await client.fetchOne(String(id), { size: true }, { uid: true });
        const small = size !== false && (size.size ?? 0) <= MOST_MAIL_BYTES;
        const mail = small ? await client.fetchOne(String(id), { source: true }, { uid: true }) : false;
        try {
          await take(mail === false ? undefined : mail.source);
        } catch (error) {
          failures.push(error);
          continue;
        }
        await client.messageFlagsAdd(String(id), ['\\Seen'], { uid: true });
      }
      if (failures.length > 0) throw failures[0];
      return ids.length;
    } finally {
      lock.release();
    }
  } finally {
    await client.logout();
  }
}
