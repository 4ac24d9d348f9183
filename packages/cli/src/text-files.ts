/** Reads text files for the command. */
import { readFileSync } from 'node:fs';
import { decodeFile, undecodedReason } from '@portico/contract/encodings';
import { UsageError } from './errors.ts';

/**
 * A file that cannot be decoded. The command guesses its encoding when it prints the failure, because
 * parsers of flags are synchronous.
 */
export class UndecodedFileError extends UsageError {
  readonly #file: string;
  readonly #bytes: Uint8Array;
  readonly #encoding: string;

  constructor(file: string, bytes: Uint8Array, encoding: string) {
    super(`${file} is not text in ${encoding}.`);
    this.#file = file;
    this.#bytes = bytes;
    this.#encoding = encoding;
  }

  /** Returns the error with the likely encoding in its message. */
  async explained(): Promise<UsageError> {
    const { analyse } = await import('chardet');
    return new UsageError(`${this.#file} ${undecodedReason(analyse, this.#bytes, this.#encoding)}.`);
  }
}

/**
 * Reads a text file, or standard input where the path is `-`.
 * @throws UndecodedFileError; the error of the system where it cannot be read
 */
export function readTextFile(path: string): string {
  return decoded(path === '-' ? 'standard input' : path, readFileSync(path === '-' ? 0 : path));
}

/**
 * Decodes a file or a line.
 * @throws UndecodedFileError
 */
export function decoded(name: string, bytes: Uint8Array): string {
  const { text, encoding } = decodeFile(bytes);
  if (text === undefined) throw new UndecodedFileError(name, bytes, encoding);
  return text;
}

/**
 * Reads a text file that an argument names.
 * @throws UsageError
 */
export function readNamedFile(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
