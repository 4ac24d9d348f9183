/** Files as lines of text, streamed: gzip is recognised by its first bytes, not by a name. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './errors.ts';

/** Longest line of an input, in UTF-16 units, unless the caller says less: a guard against files that are not text. */
const MAX_LINE = 64 * 1024 * 1024;

export interface InputFile {
  readonly path: string;
  /** How messages name it, and what its format is told by. */
  readonly name: string;
  /** Most bytes that it may have, decompressed; default: any number. */
  readonly mostBytes?: number | undefined;
  /** Longest line, in UTF-16 units. */
  readonly longestLine: number;
  /** Bytes on disk. */
  readonly size: number;
  readonly gzip: boolean;
}

/**
 * @param options the name of the file, where that is not its path, and limits of its size when it is decompressed and of its lines
 * @throws ImportError when there is no such file or it cannot be read
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

/**
 * The lines of a file without their ends (`\n`, `\r\n` or `\r`), and without a byte-order mark.
 * @param encoding a label of the Encoding Standard
 * @param onBytes told how many bytes of the file have been read so far
 * @throws ImportError when the file cannot be read to its end
 */
export async function* readLines(
  file: InputFile,
  encoding: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  const raw = createReadStream(file.path);
  let stream: Readable = raw;
  if (file.gzip) {
    const gunzip = createGunzip();
    raw.once('error', (error) => gunzip.destroy(error));
    stream = raw.pipe(gunzip);
  }
  const decoder = new TextDecoder(encoding);
  const lines = new LineCutter(file);
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      onBytes?.(raw.bytesRead);
      bytes += (chunk as Buffer).length;
      if (file.mostBytes !== undefined && bytes > file.mostBytes)
        throw new ImportError(`${file.name} is too large: decompressed, a file has at most ${file.mostBytes} bytes.`);
      yield* lines.cut(decoder.decode(chunk as Buffer, { stream: true }));
    }
    yield* lines.cut(decoder.decode());
    yield* lines.end();
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} cannot be read to its end: ${(error as Error).message}.`);
  } finally {
    raw.destroy();
    stream.destroy();
  }
}

/** Cuts text that comes in chunks into lines. The pieces of an unfinished line are joined once, when its end comes. */
class LineCutter {
  readonly #file: InputFile;
  #pieces: string[] = [];
  #length = 0;
  /** A carriage return at the end of a chunk: maybe half of a line's end. */
  #held = '';

  constructor(file: InputFile) {
    this.#file = file;
  }

  /** @returns the lines that end in this chunk */
  cut(chunk: string): string[] {
    if (chunk === '') return [];
    const text = this.#held + chunk;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const lines = (this.#held === '' ? text : text.slice(0, -1)).split(/\r\n|\n|\r/);
    const rest = lines.pop()!;
    if (lines.length > 0) lines[0] = this.#finish(lines[0]!);
    for (const line of lines) this.#check(line.length);
    this.#add(rest);
    return lines;
  }

  /** @returns the last line, where the file does not end with the end of a line */
  end(): string[] {
    return this.#length > 0 || this.#held !== '' ? [this.#finish('')] : [];
  }

  #add(piece: string): void {
    if (piece === '') return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    this.#check(this.#length);
  }

  #check(length: number): void {
    const { name, longestLine } = this.#file;
    if (length > longestLine) throw new ImportError(`${name} has a line of more than ${longestLine} characters.`);
  }

  #finish(piece: string): string {
    this.#add(piece);
    const line = this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}
