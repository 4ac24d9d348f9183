/** Files as lines of text, streamed: gzip is recognised by its first bytes, not by a name. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HEAD_BYTES, StrictDecoder } from '@portico/contract/encodings';
import { findEncoding } from './encodings.ts';
import { ImportError } from './errors.ts';
import type { Undecoded } from './undecoded.ts';

/**
 * Maximum length of a line of an input, in UTF-16 units, unless the caller sets less: a guard
 * against files that are not text.
 */
const MAX_LINE = 64 * 1024 * 1024;

export interface InputFile {
  readonly path: string;
  /** File name for messages; its extension tells the format. */
  readonly name: string;
  /** Maximum of bytes, decompressed; default: no limit. */
  readonly mostBytes?: number | undefined;
  /** Maximum length of a line, in UTF-16 units. */
  readonly longestLine: number;
  /** Bytes on disk. */
  readonly size: number;
  readonly gzip: boolean;
}

/**
 * @param options the name of the file if it differs from its path, and limits of its decompressed
 * size and of its lines
 * @throws ImportError when the file does not exist or cannot be read
 */
export async function openInput(
  path: string,
  {
    name = path,
    mostBytes,
    longestLine = MAX_LINE,
  }: { readonly name?: string; readonly mostBytes?: number; readonly longestLine?: number } = {},
): Promise<InputFile> {
  try {
    const file = await open(path);
    try {
      const info = await stat(path);
      if (!info.isFile()) throw new ImportError(`${path} is not a file; an import reads its file twice.`);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return {
        path,
        name,
        mostBytes,
        longestLine,
        size: info.size,
        gzip: bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b,
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Options of reading lines. */
interface LineOptions {
  /** Encoding that the mapping names: a label of the Encoding Standard. */
  readonly encoding?: string | undefined;
  /** Told how many bytes of the file have been read so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Gets the lines that cannot be decoded. */
  readonly undecoded: Undecoded;
}

/**
 * Reads the lines of a file without their ends (`\n`, `\r\n` or `\r`), and without a byte-order
 * mark. Lines that cannot be decoded hold U+FFFD in place of undecodable bytes.
 * @throws ImportError when the file cannot be read to its end
 */
export async function* readLines(
  file: InputFile,
  { encoding, onBytes, undecoded }: LineOptions,
): AsyncGenerator<string> {
  const raw = createReadStream(file.path);
  let stream: Readable = raw;
  if (file.gzip) {
    const gunzip = createGunzip();
    raw.once('error', (error) => gunzip.destroy(error));
    stream = raw.pipe(gunzip);
  }
  let lines: LineDecoder | undefined;
  let head: Buffer[] = [];
  let bytes = 0;
  const open = () => {
    const start = Buffer.concat(head);
    head = [];
    const found = findEncoding(file.name, start, encoding);
    undecoded.encoding = found.encoding;
    lines = new LineDecoder(file, found.encoding, undecoded);
    return lines.add(start.subarray(found.mark));
  };
  try {
    for await (const chunk of stream) {
      onBytes?.(raw.bytesRead);
      bytes += (chunk as Buffer).length;
      if (file.mostBytes !== undefined && bytes > file.mostBytes)
        throw new ImportError(`${file.name} is too large: decompressed, a file has at most ${file.mostBytes} bytes.`);
      if (lines) yield* lines.add(chunk as Buffer);
      else {
        head.push(chunk as Buffer);
        if (bytes >= HEAD_BYTES) yield* open();
      }
    }
    if (!lines) yield* open();
    yield* lines!.end();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} cannot be read to its end: ${(error as Error).message}.`);
  } finally {
    raw.destroy();
    stream.destroy();
  }
}

/** Maximum of bytes per UTF-16 unit of a text in any encoding. */
const MOST_BYTES_PER_UNIT = 4;

const LF = 0x0a;
const CR = 0x0d;

/**
 * Decodes chunks of bytes and splits them into lines. Joins the pieces of an unfinished line once,
 * at its end.
 */
class LineDecoder {
  readonly #file: InputFile;
  readonly #decoder: StrictDecoder;
  readonly #undecoded: Undecoded;
  /** Bytes of a unit that ends a line, and the place in it of the byte that is not zero. */
  readonly #unit: number;
  readonly #place: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #line = 0;

  constructor(file: InputFile, encoding: string, undecoded: Undecoded) {
    this.#file = file;
    this.#decoder = new StrictDecoder(encoding);
    this.#undecoded = undecoded;
    this.#unit = encoding.startsWith('utf-16') ? 2 : 1;
    this.#place = encoding === 'utf-16be' ? 1 : 0;
  }

  /** @returns the lines that end in this chunk */
  add(chunk: Buffer): string[] {
    // The first byte of the chunk may be the second of a unit.
    const odd = this.#length % this.#unit;
    const held = odd === 0 ? undefined : this.#pieces.pop()!;
    if (held) this.#length -= held.length;
    const bytes = held ? Buffer.concat([held, chunk]) : chunk;
    const cut = this.#lastEnd(bytes);
    if (cut === 0) {
      this.#hold(bytes);
      return [];
    }
    const block = this.#join(bytes.subarray(0, cut));
    this.#hold(bytes.subarray(cut));
    return this.#cut(block);
  }

  /** @returns the last lines */
  end(): string[] {
    return this.#length === 0 ? [] : this.#cut(this.#join(Buffer.alloc(0)));
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#length > this.#file.longestLine * MOST_BYTES_PER_UNIT) this.#failTooLong();
  }

  #join(last: Buffer): Buffer {
    const block = this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
    this.#pieces = [];
    this.#length = 0;
    return block;
  }

  /** The index after the last end of a line; a carriage return at the end of the chunk may be half of one. */
  #lastEnd(bytes: Buffer): number {
    const whole = bytes.length - (bytes.length % this.#unit);
    const lf = this.#lastIndexOf(bytes, LF, whole);
    const cr = this.#lastIndexOf(bytes, CR, whole - this.#unit);
    return Math.max(lf, cr) + this.#unit;
  }

  /** @returns the index of the last such unit before `end`, or minus the length of a unit */
  #lastIndexOf(bytes: Buffer, value: number, end: number): number {
    if (this.#unit === 1) return end <= 0 ? -1 : bytes.lastIndexOf(value, end - 1);
    for (let at = end - 2; at >= 0; at -= 2) {
      if (bytes[at + this.#place] === value && bytes[at + 1 - this.#place] === 0) return at;
    }
    return -2;
  }

  /** Cuts whole lines. */
  #cut(block: Buffer): string[] {
    const text = this.#decoder.decode(block);
    const lines = text === undefined ? this.#cutUndecoded(block) : text.split(/\r\n|\n|\r/);
    if (lines.at(-1) === '') lines.pop();
    if (text !== undefined) {
      this.#undecoded.count(
        lines.length,
        NOT_ASCII.test(text) ? lines.filter((line) => NOT_ASCII.test(line)).length : 0,
      );
    }
    for (const line of lines) if (line.length > this.#file.longestLine) this.#failTooLong();
    this.#line += lines.length;
    return lines;
  }

  /** Cuts a block in which at least one line is no text. */
  #cutUndecoded(block: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    const isAt = (at: number, value: number) =>
      block[at + this.#place] === value && (this.#unit === 1 || block[at + 1 - this.#place] === 0);
    const add = (bytes: Buffer) => {
      const text = this.#decoder.decode(bytes);
      if (text === undefined) this.#undecoded.note(this.#line + lines.length + 1, bytes);
      else if (bytes.length > 0) this.#undecoded.count(1, NOT_ASCII.test(text) ? 1 : 0);
      lines.push(text ?? this.#decoder.decodeForMessage(bytes));
    };
    for (let at = 0; at < block.length; at += this.#unit) {
      if (!isAt(at, LF) && !isAt(at, CR)) continue;
      add(block.subarray(start, at));
      if (isAt(at, CR) && isAt(at + this.#unit, LF)) at += this.#unit;
      start = at + this.#unit;
    }
    add(block.subarray(start));
    return lines;
  }

  #failTooLong(): never {
    const { name, longestLine } = this.#file;
    throw new ImportError(`${name} has a line of more than ${longestLine} characters.`);
  }
}

const NOT_ASCII = /[\u0080-\uffff]/;
