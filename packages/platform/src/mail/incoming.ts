/**
 * Parses mails that arrive, such as answers to notifications. A hostile mail takes seconds: only
 * {@link readIncoming} of mail-reading.ts calls this, in a thread.
 */
import type { Address, Email } from 'postal-mime';
import { htmlText } from '../files/texts/html-text.ts';

/** Largest mail that is read. Bytes. */
export const MOST_MAIL_BYTES = 2 * 1024 * 1024;

/** A mail, as far as an answer needs it. */
export interface IncomingMail {
  /** With angle brackets; empty where there is none. */
  readonly messageId: string;
  /** Address of the author in lower case; empty unless the mail has exactly one. */
  readonly from: string;
  /** Addresses that the mail was sent or delivered to, in lower case. */
  readonly recipients: readonly string[];
  /** Whether a program answered: vacation notes, reports of delivery, lists. */
  readonly automatic: boolean;
  /** Text without the quoted mail and the signature. */
  readonly answer: string;
  /** Value of the first `Authentication-Results`; empty where there is none. */
  readonly authenticationResults: string;
}

/**
 * Text that is searched for the quoted mail. UTF-16 units. The parser takes the square of it: a
 * hostile text costs two seconds.
 */
const MOST_TEXT = 50_000;
/** Headers that name the address of delivery where the receiving server changed the envelope. */
const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'];
/** Headers that only programs set. */
const PROGRAMS = ['list-id', 'x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-response-suppress'];

/** @throws Error for a message that cannot be read */
export async function parseIncoming(raw: Uint8Array): Promise<IncomingMail> {
  const [{ default: PostalMime }, { default: EmailReplyParser }] = await Promise.all([
    import('postal-mime'),
    import('email-reply-parser'),
  ]);
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  const text = mail.text?.trim() ? mail.text : await htmlText(mail.html ?? '');
  const recipients = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(addressesOf);
  return {
    messageId: mail.messageId ?? '',
    from: authorOf(mail),
    recipients: [
      ...DELIVERED.flatMap((name) => valuesOf(mail, name)).map((value) => value.replaceAll(/^<|>$/g, '')),
      ...recipients,
    ].map((address) => address.trim().toLowerCase()),
    automatic: isAutomatic(mail),
    answer: new EmailReplyParser().parseReply(shortened(text)).trim(),
    authenticationResults: valuesOf(mail, 'authentication-results')[0] ?? '',
  };
}

/** The parser takes the square of the number of empty lines. */
const shortened = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .slice(0, MOST_TEXT);

const valuesOf = ({ headers }: Email, name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value.trim());

const addressesOf = (address: Address): string[] =>
  address.group ? address.group.map(({ address: one }) => one) : [address.address ?? ''];

function authorOf(mail: Email): string {
  const authors = valuesOf(mail, 'from').length === 1 && mail.from ? addressesOf(mail.from) : [];
  return authors.length === 1 ? authors[0]!.toLowerCase() : '';
}

function isAutomatic(mail: Email): boolean {
  const [submitted = 'no'] = valuesOf(mail, 'auto-submitted');
  const [precedence = ''] = valuesOf(mail, 'precedence');
  const [type = ''] = valuesOf(mail, 'content-type');
  return (
    !/^no\b/i.test(submitted) ||
    /^(bulk|junk|list|auto_reply)$/i.test(precedence) ||
    /^multipart\/report/i.test(type) ||
    valuesOf(mail, 'return-path').includes('<>') ||
    PROGRAMS.some((name) => valuesOf(mail, name).length > 0)
  );
}
