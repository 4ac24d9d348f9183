/** A file of unknown length on its way into a store that asks for the length first: it waits on the local disk. */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileTooLargeError } from '../storage.ts';

/** Size and digests of bytes that have been read in whole. */
interface Digests {
  /** Bytes. */
  readonly size: number;
  /** Base64. */
  readonly md5: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Computes size and digests of the bytes that pass. */
export class DigestReader {
  readonly #md5: Hash = createHash('md5');
  readonly #sha256: Hash = createHash('sha256');
  readonly #maxBytes: number;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws FileTooLargeError */
  update(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size > this.#maxBytes) throw new FileTooLargeError(this.#maxBytes);
    this.#md5.update(chunk);
    this.#sha256.update(chunk);
  }

  digests(): Digests {
    return { size: this.#size, md5: this.#md5.digest('base64'), sha256: this.#sha256.digest('hex') };
  }
}

/** Bytes on the local disk, in a file that has no name: it is gone with the process, however that ends. */
export interface Spool extends Digests {
  readonly handle: FileHandle;
}

/**
 * Writes all of `source` to the local disk. @throws FileTooLargeError, and the errors of `source`
 */
export async function spool(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spool> {
  const path = join(tmpdir(), `portico-spool-${process.pid}-${randomBytes(12).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    const reader = new DigestReader(maxBytes);
    for await (const chunk of source) {
      reader.update(chunk);
      await handle.appendFile(chunk);
    }
    return { handle, ...reader.digests() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a part of an open file. @returns fewer bytes than asked for at its end */
export async function readPart(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
