/**
 * Reading `multipart/form-data` (RFC 7578, RFC 2046 §5.1) as a stream: one part after the other, each in the pieces in
 * which it arrives. Nothing is gathered beyond the limits below, however the body is made. Pieces are not copied.
 */

/** What bounds the parts that are held in memory. */
export interface MultipartLimits {
  /** Headers of one part. Bytes. */
  readonly headerBytes: number;
  /** What may stand before the first boundary. Bytes. */
  readonly preambleBytes: number;
}

const DEFAULT_LIMITS: MultipartLimits = { headerBytes: 16 * 1024, preambleBytes: 16 * 1024 };

/** Longest boundary that is taken; RFC 2046 allows 70. */
const MAX_BOUNDARY = 200;
const CRLF = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/** The body is not what `multipart/form-data` says; the message tells the client what is wrong. */
export class MultipartError extends Error {
  override name = 'MultipartError';
}

/** The headers of a part. */
export interface MultipartPart {
  /** Name of the form field. */
  readonly name: string;
  /** Whether the part names a file. */
  readonly isFile: boolean;
}

/** The boundary that a Content-Type names. @returns undefined when it is not multipart/form-data with one */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const match = /^\s*multipart\/form-data\s*;(.*)$/is.exec(contentType ?? '');
  if (!match) return undefined;
  const boundary = parametersOf(match[1] as string).get('boundary');
  return boundary && boundary.length <= MAX_BOUNDARY && /^[\x20-\x7e]*[\x21-\x7e]$/.test(boundary)
    ? boundary
    : undefined;
}

/** Reads the parts of one body, in order. */
export class MultipartReader {
  readonly #source: AsyncIterator<Uint8Array>;
  /** CRLF, two hyphens and the boundary: what ends a part. */
  readonly #delimiter: Buffer;
  readonly #limits: MultipartLimits;
  /** What has arrived and is not yet read. The first boundary may do without the line break before it: one is put there. */
  #buffer: Buffer = CRLF;
  #state: 'preamble' | 'headers' | 'body' | 'end' = 'preamble';

  constructor(source: AsyncIterable<Uint8Array>, boundary: string, limits: Partial<MultipartLimits> = {}) {
    this.#source = source[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /**
   * Goes on to the next part; what is left of the present one is read and dropped.
   * @returns undefined after the last part
   * @throws MultipartError, and what the source throws
   */
  async next(): Promise<MultipartPart | undefined> {
    if (this.#state === 'preamble') await this.#skipPreamble();
    while (this.#state === 'body') await this.read();
    if (this.#state === 'end') return undefined;
    const part = await this.#readHeaders();
    this.#state = 'body';
    return part;
  }

  /** The next piece of the present part. @returns undefined at its end */
  async read(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#state !== 'body') return undefined;
      const at = this.#buffer.indexOf(this.#delimiter);
      if (at === 0) {
        this.#buffer = this.#buffer.subarray(this.#delimiter.length);
        await this.#afterDelimiter();
        return undefined;
      }
      const length = at === -1 ? this.#buffer.length - this.#heldBack() : at;
      if (length > 0) {
        const piece = this.#buffer.subarray(0, length);
        this.#buffer = this.#buffer.subarray(length);
        return piece;
      }
      await this.#fill();
    }
  }

  /** The present part in pieces, for `for await`. */
  async *pieces(): AsyncIterable<Buffer> {
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) yield piece;
  }

  /** The present part as text. @throws MultipartError when it is longer than `maxBytes` */
  async text(maxBytes: number): Promise<string> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) {
      length += piece.length;
      if (length > maxBytes) throw new MultipartError(`A form field is longer than ${maxBytes} bytes.`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  /** How many bytes at the end of the buffer may be the beginning of the delimiter. */
  #heldBack(): number {
    const from = Math.max(0, this.#buffer.length - this.#delimiter.length + 1);
    for (let at = this.#buffer.indexOf(0x0d, from); at !== -1; at = this.#buffer.indexOf(0x0d, at + 1)) {
      const length = this.#buffer.length - at;
      if (this.#buffer.compare(this.#delimiter, 0, length, at) === 0) return length;
    }
    return 0;
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw new MultipartError('The body ends before its last boundary.');
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
  }

  async #skipPreamble(): Promise<void> {
    let skipped = 0;
    for (;;) {
      const at = this.#buffer.indexOf(this.#delimiter);
      const length = at === -1 ? this.#buffer.length - this.#heldBack() : at;
      skipped += length;
      if (skipped > this.#limits.preambleBytes) throw new MultipartError('The body does not begin with its boundary.');
      this.#buffer = this.#buffer.subarray(length);
      if (at !== -1) break;
      await this.#fill();
    }
    this.#buffer = this.#buffer.subarray(this.#delimiter.length);
    await this.#afterDelimiter();
  }

  /** Two hyphens end the body, a line break (after blanks) begins a part. What follows the end is left unread. */
  async #afterDelimiter(): Promise<void> {
    for (;;) {
      while (this.#buffer.length < 2) await this.#fill();
      if (this.#buffer[0] === 0x2d && this.#buffer[1] === 0x2d) {
        this.#state = 'end';
        return;
      }
      if (this.#buffer[0] === 0x0d && this.#buffer[1] === 0x0a) {
        // The line break stays: it makes empty headers end like all others.
        this.#state = 'headers';
        return;
      }
      if (this.#buffer[0] !== 0x20 && this.#buffer[0] !== 0x09)
        throw new MultipartError('A boundary is not followed by a line break.');
      this.#buffer = this.#buffer.subarray(1);
    }
  }

  async #readHeaders(): Promise<MultipartPart> {
    let end = this.#buffer.indexOf(HEADERS_END);
    while (end === -1) {
      if (this.#buffer.length > this.#limits.headerBytes) throw tooLong(this.#limits.headerBytes);
      await this.#fill();
      end = this.#buffer.indexOf(HEADERS_END);
    }
    if (end > this.#limits.headerBytes) throw tooLong(this.#limits.headerBytes);
    const lines = this.#buffer.toString('utf8', 0, end).split('\r\n');
    this.#buffer = this.#buffer.subarray(end + HEADERS_END.length);
    for (const line of lines) {
      const match = /^content-disposition\s*:\s*form-data\s*(;.*)$/i.exec(line);
      const parameters = match && parametersOf(match[1] as string);
      const name = parameters?.get('name');
      if (name !== undefined)
        return { name, isFile: parameters?.has('filename') === true || parameters?.has('filename*') === true };
    }
    throw new MultipartError('A part has no Content-Disposition: form-data with a name.');
  }
}

function tooLong(bytes: number): MultipartError {
  return new MultipartError(`The headers of a part are longer than ${bytes} bytes.`);
}

/** `; a=b; c="d"`: names in lower case. Quoted values end at the first quote that no backslash precedes. */
function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  const pattern = /\s*(?:;\s*)?([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/sy;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const name = (match[1] as string).toLowerCase();
    const value = match[2]?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? match[3] ?? '';
    if (!parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}
