/** Encodings of text files: detected from their bytes, or guessed for a message. The server and the command use them. */

/** Encodings that a mapping may name, and that a message may guess: labels of the Encoding Standard. */
export const encodings: readonly string[] = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  ...['1250', '1251', '1252', '1253', '1254', '1255', '1256', '1257', '1258', '874'].map((page) => `windows-${page}`),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15].map((part) => `iso-8859-${part}`),
  'koi8-r',
  'koi8-u',
  'macintosh',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
];

/** Bytes that tell an encoding. */
export const HEAD_BYTES = 16 * 1024;
/** Maximum of bytes for guessing an encoding: the guess takes a few milliseconds. */
export const SAMPLE_BYTES = 4096;

const MARKS: readonly { readonly mark: readonly number[]; readonly encoding: string }[] = [
  { mark: [0xff, 0xfe, 0, 0], encoding: 'utf-32le' },
  { mark: [0, 0, 0xfe, 0xff], encoding: 'utf-32be' },
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Encoding of a file. */
export interface FoundEncoding {
  readonly encoding: string;
  /** Bytes of the byte-order mark. */
  readonly mark: number;
}

/** Finds the encoding that a byte-order mark names, UTF-32 included, which {@link StrictDecoder} does not decode. */
export function encodingByMark(head: Uint8Array): FoundEncoding | undefined {
  const found = MARKS.find(({ mark }) => mark.every((byte, index) => head[index] === byte));
  return found && { encoding: found.encoding, mark: found.mark.length };
}

/** Smallest share of the units of UTF-16 that have a zero byte: digits, separators and ends of lines at least. */
const ZERO_SHARE = 0.02;

/**
 * Recognises UTF-16 without a mark by its zero bytes: most of them are at even or at odd positions,
 * and next to line ends. NUL characters in a file of another encoding have no such pattern.
 */
export function utf16ByZeroBytes(head: Uint8Array): string | undefined {
  const bytes = head.subarray(0, head.length - (head.length % 2));
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at & 1]! += 1;
  const narrow = zeros[1]! > zeros[0]! ? 0 : 1;
  const encoding = narrow === 0 ? 'utf-16le' : 'utf-16be';
  const found = zeros[1 - narrow]! > (bytes.length / 2) * ZERO_SHARE && endsLikeUtf16(bytes, narrow);
  return found && isTextIn(encoding, bytes) ? encoding : undefined;
}

/** @param narrow where in a unit the byte stands that tells ends of lines */
function endsLikeUtf16(bytes: Uint8Array, narrow: number): boolean {
  const end = bytes.includes(0x0a) ? 0x0a : 0x0d;
  let paired = 0;
  let strange = 0;
  let single = 0;
  let nulls = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    const low = bytes[at + narrow];
    const high = bytes[at + 1 - narrow];
    if (low === end && high === 0) paired += 1;
    if (high === end) strange += 1;
    if (low === end && high !== 0) single += 1;
    if (low === 0 && high === 0) nulls += 1;
  }
  // A line alone: names of columns and JSON begin with a character of ASCII.
  if (paired === 0) return strange === 0 && nulls === 0 && bytes[1 - narrow] === 0;
  // Characters such as U+4E0A have the byte of an end of line, in texts that are not UTF-8.
  return strange <= paired && nulls <= paired && (single <= paired || !isTextIn('utf-8', bytes));
}

/** Returns whether bytes are text in an encoding. They may end within a character. */
function isTextIn(encoding: string, bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return !hasUnassigned(encoding, text);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Control characters that tables of the Encoding Standard put where an encoding has no character. */
const UNASSIGNED = /[\u0080-\u0084\u0086-\u009f]/;

const hasUnassigned = (encoding: string, text: string) => !encoding.startsWith('utf-') && UNASSIGNED.test(text);

/** Decodes pieces of a file that end between two characters. */
export class StrictDecoder {
  readonly encoding: string;

  constructor(encoding: string) {
    this.encoding = encoding;
  }

  /** @returns undefined where the bytes are no text in the encoding */
  decode(bytes: Uint8Array): string | undefined {
    try {
      const text = this.#decode(bytes, true);
      return hasUnassigned(this.encoding, text) ? undefined : text;
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }

  /** Decodes a text for messages, with U+FFFD in place of undecodable bytes. */
  decodeForMessage(bytes: Uint8Array): string {
    return this.#decode(bytes, false).replace(new RegExp(UNASSIGNED, 'g'), '\ufffd');
  }

  #decode(bytes: Uint8Array, fatal: boolean): string {
    const decoder = new TextDecoder(this.encoding, { fatal, ignoreBOM: true });
    // Without `stream`, some versions of Node.js read windows-1252 as ISO 8859-1 (nodejs/node#56542).
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  }
}

/** The text of a file. */
interface DecodedFile {
  /** Undefined where the bytes are no text in the encoding. */
  readonly text: string | undefined;
  readonly encoding: string;
}

/** Decodes a whole file: by its byte-order mark, else by the zero bytes of UTF-16, else as UTF-8. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const marked = encodingByMark(bytes);
  const encoding = marked?.encoding ?? utf16ByZeroBytes(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8';
  const isRead = !encoding.startsWith('utf-32');
  return { text: isRead ? new StrictDecoder(encoding).decode(bytes.subarray(marked?.mark ?? 0)) : undefined, encoding };
}

/** The encoding that files have most often. */
const USUAL = 'windows-1252';
/** Encodings that are confused in texts with few non-ASCII characters. */
const LATIN = /^(iso-8859-(2|9|15)|windows-125[0478])$/;
/** Number of non-ASCII characters that suffices to tell encodings of Latin letters apart. */
const ENOUGH_SIGNS = 16;

/** Function `analyse` of the package chardet, which is loaded where it is needed. */
type Analyse = (bytes: Uint8Array) => readonly { readonly name: string; readonly confidence: number }[];

/**
 * Guesses the encoding of a text, for a message.
 * @param sample some of the text that `inForce` cannot decode
 */
export function likelyEncoding(analyse: Analyse, sample: Uint8Array, inForce: string): string | undefined {
  const bytes = sample.subarray(0, SAMPLE_BYTES);
  const fits = (encoding: string) => encoding !== inForce && isTextIn(encoding, bytes);
  const [best] = analyse(bytes).flatMap(({ name, confidence }) => {
    const label = name.toLowerCase();
    // Texts that are called ISO 8859-1 have the signs of windows-1252.
    const encoding = label === 'iso-8859-1' ? USUAL : label;
    return confidence > 0 && encodings.includes(encoding) && fits(encoding) ? [encoding] : [];
  });
  const isSure = bytes.filter((byte) => byte > 0x7f).length >= ENOUGH_SIGNS;
  if (best !== undefined && (isSure || !LATIN.test(best))) return best;
  return fits(USUAL) ? USUAL : best;
}

/** Explains why {@link decodeFile} cannot decode a file. The name of the file precedes the text. */
export function undecodedReason(analyse: Analyse, bytes: Uint8Array, encoding: string): string {
  if (encoding.startsWith('utf-32')) return `is ${encoding}, which is not read; save it as UTF-8`;
  const likely = likelyEncoding(analyse, encoding === 'utf-8' ? undecodedLines(bytes) : bytes, encoding);
  const guess = likely === undefined ? '' : `; it is likely ${likely}`;
  return `is not text in ${encoding}${guess}; save it as UTF-8`;
}

/** Returns the first lines that are not UTF-8, since valid lines mislead a guess. */
function undecodedLines(bytes: Uint8Array): Uint8Array {
  const decoder = new StrictDecoder('utf-8');
  const sample: number[] = [];
  for (let start = 0; start < bytes.length && sample.length < SAMPLE_BYTES; ) {
    const end = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end + 1);
    if (decoder.decode(line) === undefined) sample.push(...line.subarray(0, SAMPLE_BYTES));
    start += line.length;
  }
  return Uint8Array.from(sample);
}
