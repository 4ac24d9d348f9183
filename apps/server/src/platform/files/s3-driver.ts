/**
 * Files in an S3-compatible store. Layout below the prefix:
 *   temporary-uploads/<content reference>   what clients sent by a form, until it is taken in
 *   tenants/<tenant>/<aa>/<random name>     files; `aa` are the first two digits of the name
 * Unlike in a directory, every file has a key of its own, equal ones too: a store cannot "remove this unless somebody has
 * just taken it into use" in one step, and with keys that are used once nobody ever does. Objects appear in whole or not
 * at all: what a store promises for each of its requests.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ObjectInfo, S3Objects, storeFailure } from './s3/objects.ts';
import { S3_MAX_BYTES, type S3Options } from './s3/options.ts';
import { DigestReader, type Digests, readPart, type Spool, spool } from './s3/spool.ts';
import {
  type ByteRange,
  type DirectAccess,
  type DirectLink,
  FileChangedError,
  FileNotStoredError,
  type FileStorage,
  type ReceivedFile,
  type StoredFileInfo,
} from './storage.ts';

const KEY = /^(\d{1,16})\/([0-9a-f]{2})\/([0-9a-f]{64})$/;
const CONTENT_REF = /^[0-9a-f]{64}$/;
/** Smaller files are sent from memory, so that a request that failed can be sent again. Bytes. */
const SENT_FROM_MEMORY = 8 * 1024 * 1024;
/** What is kept of the beginning and the end of a file that is read: there its kind shows. Bytes. */
const KEPT_BYTES = 64 * 1024;

/** Files in an S3-compatible store. Sends nothing yet: what is wrong with the store shows when it is used. */
export function openS3Storage(options: S3Options): S3Storage {
  return new S3Storage(options);
}

/** The storage, and what `portico storage check` looks at besides. */
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

  async #receiveSent(tenantId: number, contentRef: string, maxBytes: number): Promise<ReceivedFile | undefined> {
    const key = this.#sentKey(contentRef);
    const info = await this.objects.head(key);
    if (!info) return undefined;
    const reader = new DigestReader(maxBytes);
    const head = new Ends(info.size);
    for await (const chunk of this.#bytes(key, info)) {
      reader.update(chunk);
      head.add(chunk);
    }
    const digests = reader.digests();
    if (digests.size !== info.size) throw new FileChangedError();
    const storageKey = newKey(tenantId);
    return {
      ...digests,
      storageKey,
      read: async (start, length) => {
        const end = Math.min(start + length, info.size) - 1;
        if (end < start) return Buffer.alloc(0);
        const kept = head.read(start, end);
        if (kept) return kept;
        const part = await this.objects.get(key, { range: { start, end }, etag: info.etag });
        if (!part) throw new FileChangedError();
        try {
          return Buffer.concat(await part.toArray());
        } catch (error) {
          throw storeFailure(error);
        }
      },
      bytes: () => this.#bytes(key, info),
      publish: () => this.#copyExactly(key, this.#objectKey(storageKey), info, digests),
      discard: () => this.objects.delete(key),
    };
  }

  /**
   * Not every store looks at the condition of a copy. Where the tag of the copy is another one (other bytes were copied, or
   * the store gives every object a tag of its own), the copy is read.
   */
  async #copyExactly(from: string, to: string, info: ObjectInfo, digests: Digests): Promise<void> {
    if ((await this.objects.copy(from, to, info.etag)) === info.etag) return;
    const reader = new DigestReader(Number.MAX_SAFE_INTEGER);
    for await (const chunk of (await this.objects.get(to)) ?? []) reader.update(chunk);
    if (reader.digests().sha256 === digests.sha256) return;
    await this.objects.delete(to);
    throw new FileChangedError();
  }

  /** All bytes of an object, provided that it is still the same. */
  async *#bytes(key: string, info: ObjectInfo): AsyncIterable<Uint8Array> {
    const body = await this.objects.get(key, { etag: info.etag });
    if (!body) throw new FileChangedError();
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
