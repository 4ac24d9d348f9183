/** Reading entries of zip archives that are wholly in memory, with a limit on what they may grow to. */
import { inflateRawSync } from 'node:zlib';

/** Entries that are looked at; documents have fewer. */
const MAX_ENTRIES = 20_000;

interface Entry {
  method: number;
  compressed: number;
  offset: number;
}

/** The archive is broken, or more than a document would be. */
export class ZipError extends Error {
  override name = 'ZipError';
}

export class ZipArchive {
  readonly #data: Buffer;
  readonly #entries = new Map<string, Entry>();
  /** Bytes that may still come out of it. */
  #left: number;

  /** @param maxBytes largest sum of the unpacked sizes of the entries that are read @throws ZipError */
  constructor(data: Buffer, maxBytes: number) {
    this.#data = data;
    this.#left = maxBytes;
    const end = data.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    if (end === -1 || end + 22 > data.length) throw new ZipError('the archive has no directory');
    let at = data.readUInt32LE(end + 16);
    while (at + 46 <= end && data.toString('latin1', at, at + 4) === 'PK\x01\x02') {
      if (this.#entries.size >= MAX_ENTRIES) throw new ZipError('the archive has too many entries');
      const nameLength = data.readUInt16LE(at + 28);
      this.#entries.set(data.toString('utf8', at + 46, at + 46 + nameLength), {
        method: data.readUInt16LE(at + 10),
        compressed: data.readUInt32LE(at + 20),
        offset: data.readUInt32LE(at + 42),
      });
      at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    }
  }

  /** Names of the entries that match, in the order of their numbers. */
  names(pattern: RegExp): string[] {
    return [...this.#entries.keys()]
      .filter((name) => pattern.test(name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  /** The bytes of an entry; undefined when there is none. @throws ZipError */
  read(name: string): Buffer | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    const { offset, compressed, method } = entry;
    if (offset + 30 > this.#data.length) throw new ZipError('an entry lies outside the archive');
    const start = offset + 30 + this.#data.readUInt16LE(offset + 26) + this.#data.readUInt16LE(offset + 28);
    const packed = this.#data.subarray(start, start + compressed);
    const unpacked = method === 0 ? packed : method === 8 ? this.#inflate(packed) : undefined;
    if (!unpacked) throw new ZipError(`an entry is packed by the unknown method ${method}`);
    this.#left -= unpacked.length;
    if (this.#left < 0) throw new ZipError('the archive unpacks to too much');
    return unpacked;
  }

  #inflate(packed: Buffer): Buffer {
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, this.#left) });
    } catch (error) {
      throw new ZipError(`an entry cannot be unpacked: ${(error as Error).message}`, { cause: error });
    }
  }
}
