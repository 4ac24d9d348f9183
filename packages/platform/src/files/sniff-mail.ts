/** Mail messages as files (RFC 5322). */

/** Bytes of the header that are looked at. */
const HEADER_BYTES = 32 * 1024;
/** The name of a field, which a colon follows. */
const FIELD = /^([!-9;-~]{1,76})[ \t]*:/;
/** Fields of which nearly every message has several, and hardly any other text has two. */
const FIELDS_OF_MAIL = new Set(
  'from to cc date subject sender reply-to message-id mime-version received return-path delivered-to dkim-signature x-mailer'.split(
    ' ',
  ),
);
/** A message has one of these: who sent it, or who passed it on. */
const ORIGINS = new Set(['from', 'sender', 'received', 'return-path', 'delivered-to']);
/** A message has one of these as well: other texts that begin with fields seldom do. */
const MARKS = new Set(['date', 'subject', 'message-id', 'mime-version', 'received']);

/**
 * Whether a file begins with the header of a mail message: fields without anything between them,
 * including fields of mail.
 */
export function isMail(head: Buffer): boolean {
  const text = head.toString('latin1', 0, HEADER_BYTES).replace(/^\xef\xbb\xbf/, '');
  const found = new Set<string>();
  for (const line of linesOf(text)) {
    if (line === '') break;
    // A field continues in lines that begin with a blank; such a line before the first field is not
    // part of a header.
    if (/^[ \t]/.test(line) && found.size > 0) continue;
    const name = FIELD.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    found.add(name);
  }
  const ofMail = [...found].filter((name) => FIELDS_OF_MAIL.has(name));
  return ofMail.length >= 2 && ofMail.some((name) => ORIGINS.has(name)) && ofMail.some((name) => MARKS.has(name));
}

/** The lines of a text; the last one may be cut and is left out, unless it is the only one. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.length > 1 && text.length >= HEADER_BYTES ? lines.slice(0, -1) : lines;
}
