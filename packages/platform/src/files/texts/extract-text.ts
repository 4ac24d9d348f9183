/** The text of documents, by their media type. */
import { EXAMINED_MIME_TYPES, ODF } from '../kinds.ts';
import { utf16Of } from '../utf-16.ts';
import { refuseEncryptedCompound } from './encryption.ts';
import { mailText } from './mail-text.ts';
import { docxText, odtText, refuseEncryptedOpenDocument } from './office-text.ts';
import { pdfText } from './pdf-text.ts';
import { xlsxText } from './sheet-text.ts';

/** Longer texts are cut, in UTF-16 units: enough for a book's chapters, little enough for the index of the search. */
export const MAX_TEXT_LENGTH = 200_000;

type Extract = (data: Buffer) => string | Promise<string>;

/** Functions that read texts, for the media types of `EXTRACTABLE_PATTERNS`. */
const EXTRACTORS: Readonly<Record<string, Extract>> = {
  'application/pdf': (data) => pdfText(data, MAX_TEXT_LENGTH),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': docxText,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': xlsxText,
  'application/vnd.oasis.opendocument.text': odtText,
  'message/rfc822': mailText,
  'text/plain': plainText,
  'application/json': plainText,
};

/** Finds out whether a document of which no text is read is encrypted. */
function examine(mimeType: string, data: Buffer): string | Promise<string> {
  if (!mimeType.startsWith(ODF)) {
    refuseEncryptedCompound(data);
    return '';
  }
  return refuseEncryptedOpenDocument(data).then(() => '');
}

/**
 * Returns the text of a document, without control characters, at most {@link MAX_TEXT_LENGTH} long.
 * The text is empty for the kinds of `EXAMINED_MIME_TYPES`.
 * @throws Error for a document that is encrypted or cannot be read; the message says why
 */
export async function extractText(mimeType: string, data: Buffer): Promise<string> {
  const extract = EXTRACTORS[mimeType];
  if (!extract && EXAMINED_MIME_TYPES.includes(mimeType)) return examine(mimeType, data);
  if (!extract) throw new Error(`there is no way to read the text of ${mimeType}`);
  return (await extract(data))
    .slice(0, MAX_TEXT_LENGTH * 2)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cs}\p{Co}]+/gu, (controls) => (/[\n\r\f]/.test(controls) ? '\n' : ' '))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
    .toWellFormed();
}

function plainText(data: Buffer): string {
  const utf16 = utf16Of(data);
  // Four bytes at most are one unit; more than the limit is never read.
  const head = data.subarray(0, MAX_TEXT_LENGTH * 4);
  const text = new TextDecoder(utf16 ?? 'utf-8').decode(head);
  // Bytes that are no UTF-8 are an older encoding, unless it is only the cut at the end.
  const whole = head.length === data.length ? text : text.slice(0, -1);
  return utf16 === undefined && whole.includes('\ufffd') ? new TextDecoder('windows-1252').decode(head) : text;
}
