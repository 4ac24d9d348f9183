/**
 * Files in an S3-compatible store. Layout below the prefix:
 *   temporary-uploads/<content reference>   sent by clients by a form, until it is taken in
 *   tenants/<tenant>/<aa>/<random name>     files; `aa` are the first two digits of the name
 * Unlike in a directory, every file has its own key, equal files too: a store cannot "remove this
 * unless a request has just taken it into use" in one step; with keys that are used once, no
 * request ever does. Objects appear in whole or not at all: a store promises this for each of its
 * requests.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { S3Objects, storeFailure } from './s3/objects.ts';
import { S3_MAX_BYTES, type S3Options } from './s3/options.ts';
import { DigestReader, readPart, type Spool, spool } from './s3/spool.ts';
import { StoreError } from './s3/store-error.ts';
import {
  type ByteRange,
  type DirectAccess,
  type DirectLink,
  FileNotStoredError,
  type FileStorage,
  FileTooLargeError,
  type ReceivedFile,
  type SentFile,
  type StoredFileInfo,
} from './storage.ts';

const KEY = /^(\d{1,16})\/([0-9a-f]{2})\/([0-9a-f]{64})$/;
const CONTENT_REF = /^[0-9a-f]{64}$/;
/** Smaller files are sent from memory, so that a request that failed can be sent again. Bytes. */
const SENT_FROM_MEMORY = 8 * 1024 * 1024;
/** Bytes kept of the beginning and the end of a file that is read: they show its kind. */
const KEPT_BYTES = 64 * 1024;

/** Opens an S3-compatible store. Sends nothing yet: errors of the store show when it is used. */
export function openS3Storage(options: S3Options): S3Storage {
  return new S3Storage(options);
}

/** The storage, with the functions that `portico admin storage check` also uses. */
export class S3Storage implements FileStorage {
  readonly objects: S3Objects;
  readonly direct: DirectAccess;
  readonly #prefix: string;
  readonly #sentPrefix: string;

  constructor(options: S3Options) {
    this.objects = new S3Objects(options);
    this.#prefix = options.prefix;
    this.#sentPrefix = `${options.prefix}temporary-uploads/`;
    this.direct = {
      maxBytes: S3_MAX_BYTES,
      uploadForm: (contentRef, { maxBytes, seconds }) =>
        this.objects.form(this.#sentKey(contentRef), { maxBytes: Math.min(maxBytes, S3_MAX_BYTES), seconds }),
      receiveSent: (tenantId, contentRef, { maxBytes }) => this.#receiveSent(tenantId, contentRef, maxBytes),
      discardSent: (contentRef) => this.objects.delete(this.#sentKey(contentRef)),
      link: (storageKey, link) => this.#link(storageKey, link),
    };
  }

  async receive(
    tenantId: number,
    source: AsyncIterable<Uint8Array>,
    { maxBytes }: { maxBytes: number },
  ): Promise<ReceivedFile> {
    const file = await spool(source, Math.min(maxBytes, S3_MAX_BYTES));
    const storageKey = newKey(tenantId);
    let open = true;
    const close = async () => {
      if (open) await file.handle.close();
      open = false;
    };
    return {
      size: file.size,
      md5: file.md5,
      sha256: file.sha256,
      storageKey,
      read: (start, length) => readPart(file.handle, start, Math.max(0, Math.min(length, file.size - start))),
      publish: async () => {
        try {
          await this.objects.put(this.#objectKey(storageKey), await bodyOf(file), file.size);
        } finally {
          await close();
        }
      },
      discard: close,
    };
  }

  /**
   * Copies first, reads then: only the server writes below this key, so the stored bytes are the
   * bytes that were read.
   */
  async #receiveSent(tenantId: number, contentRef: string, maxBytes: number): Promise<SentFile | undefined> {
    const sentKey = this.#sentKey(contentRef);
    const sent = await this.objects.head(sentKey);
    if (!sent) return undefined;
    if (sent.size > maxBytes) throw new FileTooLargeError(maxBytes);
    const storageKey = newKey(tenantId);
    const key = this.#objectKey(storageKey);
    await this.objects.copy(sentKey, key);
    try {
      return await this.#readCopy(key, storageKey, maxBytes);
    } catch (error) {
      await this.objects.delete(key);
      throw error;
    }
  }

  async #readCopy(key: string, storageKey: string, maxBytes: number): Promise<SentFile> {
    const info = await this.objects.head(key);
    if (!info) throw storeFailure(new StoreError('a copy is not there'));
    const reader = new DigestReader(maxBytes);
    const ends = new Ends(info.size);
    for await (const chunk of this.#bytes(key)) {
      reader.update(chunk);
      ends.add(chunk);
    }
    const digests = reader.digests();
    if (digests.size !== info.size) throw storeFailure(new StoreError('a copy has another length than the store says'));
    return {
      ...digests,
      storageKey,
      read: async (start, length) => {
        const end = Math.min(start + length, info.size) - 1;
        if (end < start) return Buffer.alloc(0);
        const kept = ends.read(start, end);
        if (kept) return kept;
        const part = await this.open(storageKey, { start, end });
        try {
          return Buffer.concat(await part.toArray());
        } catch (error) {
          throw storeFailure(error);
        }
      },
      bytes: () => this.#bytes(key),
      discard: () => this.objects.delete(key),
    };
  }

  /** All bytes of a copy. */
  async *#bytes(key: string): AsyncIterable<Uint8Array> {
    const body = await this.objects.get(key);
    if (!body) throw storeFailure(new StoreError('a copy is not there'));
    try {
      yield* body;
    } catch (error) {
      throw storeFailure(error);
    }
  }

  async open(storageKey: string, range?: ByteRange): Promise<Readable> {
    const key = this.#objectKey(storageKey);
    if (range && range.end < range.start) return Readable.from([]);
    const body = await this.objects.get(key, { range });
    if (!body) throw new FileNotStoredError(storageKey);
    return body;
  }

  async stat(storageKey: string): Promise<StoredFileInfo | undefined> {
    const info = await this.objects.head(this.#objectKey(storageKey));
    return info && { size: info.size, modifiedAt: info.modifiedAt };
  }

  async deleteOlderThan(storageKey: string, cutoff: number): Promise<boolean> {
    const key = this.#objectKey(storageKey);
    const info = await this.objects.head(key);
    if (info && info.modifiedAt >= cutoff) return false;
    if (info) await this.objects.delete(key);
    return true;
  }

  async *list(tenantId: number): AsyncIterable<readonly string[]> {
    const root = `${this.#prefix}tenants/`;
    for await (const page of this.objects.list(`${root}${tenantId}/`)) {
      const keys = page.map(({ key }) => key.slice(root.length)).filter(isKey);
      if (keys.length > 0) yield keys;
    }
  }

  async sweep(cutoff: number): Promise<number> {
    let count = 0;
    for await (const page of this.objects.list(this.#sentPrefix)) {
      for (const { key, modifiedAt } of page) {
        if (modifiedAt >= cutoff) continue;
        await this.objects.delete(key);
        count++;
      }
    }
    return count;
  }

  /** Ends the connections to the store. */
  close(): void {
    this.objects.close();
  }

  #link(storageKey: string, { now, seconds, contentType, disposition }: DirectLink): string {
    const query = {
      'response-cache-control': `private, max-age=${seconds}`,
      'response-content-disposition': disposition,
      'response-content-type': contentType,
    };
    return this.objects.link(this.#objectKey(storageKey), query, { now, seconds });
  }

  /** @throws FileNotStoredError for a text that is no key */
  #objectKey(storageKey: string): string {
    if (!isKey(storageKey)) throw new FileNotStoredError(storageKey);
    return `${this.#prefix}tenants/${storageKey}`;
  }

  /** @throws FileNotStoredError for a text that is no content reference */
  #sentKey(contentRef: string): string {
    if (!CONTENT_REF.test(contentRef)) throw new FileNotStoredError(contentRef);
    return `${this.#sentPrefix}${contentRef}`;
  }
}

/** Beginning and end of a file that is read through. */
class Ends {
  readonly #tailStart: number;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #position = 0;

  /** @param size of the file, in bytes */
  constructor(size: number) {
    this.#tailStart = Math.max(0, size - KEPT_BYTES);
  }

  add(chunk: Uint8Array): void {
    const end = this.#position + chunk.byteLength;
    if (this.#position < KEPT_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, KEPT_BYTES - this.#position)]);
    }
    if (end > this.#tailStart)
      this.#tail.push(Buffer.from(chunk.subarray(Math.max(0, this.#tailStart - this.#position))));
    this.#position = end;
  }

  /** @param end inclusive  @returns undefined when these bytes were not kept */
  read(start: number, end: number): Buffer | undefined {
    if (end < this.#head.length) return this.#head.subarray(start, end + 1);
    if (start < this.#tailStart) return undefined;
    return Buffer.concat(this.#tail).subarray(start - this.#tailStart, end - this.#tailStart + 1);
  }
}

function isKey(text: string): boolean {
  const match = KEY.exec(text);
  return match !== null && match[3]?.slice(0, 2) === match[2];
}

function newKey(tenantId: number): string {
  const name = randomBytes(32).toString('hex');
  return `${tenantId}/${name.slice(0, 2)}/${name}`;
}

async function bodyOf(file: Spool): Promise<Readable | Buffer> {
  if (file.size <= SENT_FROM_MEMORY) return readPart(file.handle, 0, file.size);
  return file.handle.createReadStream({ start: 0, autoClose: false });
}
