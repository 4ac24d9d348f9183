/** Files as lines of text, streamed: gzip is recognised by its first bytes, not by a name. */
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './errors.ts';

/** Longest line of an input, in UTF-16 units: a guard against files that are not text. */
const MAX_LINE = 64 * 1024 * 1024;

export interface InputFile {
  readonly path: string;
  /** How messages name it, and what its format is told by. */
  readonly name: string;
  /** Most bytes that it may have, decompressed; default: any number. */
  readonly mostBytes?: number | undefined;
  /** Bytes on disk. */
  readonly size: number;
  readonly gzip: boolean;
}

/**
 * @param options the name of the file, where that is not its path, and a limit of its size when it is decompressed
 * @throws ImportError when there is no such file or it cannot be read
 */
export async function openInput(
  path: string,
  { name = path, mostBytes }: { readonly name?: string; readonly mostBytes?: number } = {},
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
  let rest = '';
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      onBytes?.(raw.bytesRead);
      bytes += (chunk as Buffer).length;
      if (file.mostBytes !== undefined && bytes > file.mostBytes)
        throw new ImportError(`${file.name} is too large: decompressed, a file has at most ${file.mostBytes} bytes.`);
      const text = rest + decoder.decode(chunk as Buffer, { stream: true });
      // A carriage return at the very end may be half of a line's end.
      const pieces = text.split(/\r\n|\n|\r(?!$)/);
      rest = pieces.pop()!;
      if (rest.length > MAX_LINE) throw new ImportError(`${file.name} has a line of more than ${MAX_LINE} characters.`);
      yield* pieces;
    }
    rest += decoder.decode();
    if (rest !== '') yield* rest.replace(/\r$/, '').split('\r');
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name} cannot be read to its end: ${(error as Error).message}.`);
  } finally {
    raw.destroy();
    stream.destroy();
  }
}
