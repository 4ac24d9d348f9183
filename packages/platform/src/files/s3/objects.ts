/** The objects of one bucket: requests to the store, and the meaning of its failures. */

import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { type ByteRange, FileChangedError, StorageUnavailableError, type UploadForm } from '../storage.ts';
import type { S3Options } from './options.ts';
import { presignGet } from './presign.ts';
import { StoreError, type StoreFault } from './store-error.ts';

/** Properties of an object in the store. */
interface ObjectInfo {
  /** Bytes. */
  readonly size: number;
  /** Epoch milliseconds, mostly to the second. */
  readonly modifiedAt: number;
}

/** How long a connection may take, and how long it may be silent: copies of large objects are. Milliseconds. */
const CONNECT_MS = 5_000;
const SILENCE_MS = 120_000;
const ATTEMPTS = 3;
const CONNECTIONS = 200;

/**
 * Headers that objects are stored with: a reader without a link of ours (a bucket that was opened
 * by mistake, a store that ignores the headers of a link) gets a file to save, of no kind.
 */
const AS_STORED = {
  ContentType: 'application/octet-stream',
  ContentDisposition: 'attachment',
  CacheControl: 'private',
} as const;

/** The objects of one bucket. Keys are whole; the prefix is the caller's business. */
export class S3Objects {
  readonly options: S3Options;
  readonly #client: S3Client;
  readonly #public: S3Client;

  constructor(options: S3Options) {
    this.options = options;
    this.#client = newClient(options, options.endpoint);
    // Only signs; never sends anything.
    this.#public = newClient(options, options.publicEndpoint);
  }

  /** @returns undefined when there is no such object */
  async head(key: string): Promise<ObjectInfo | undefined> {
    try {
      const found = await this.#client.send(new HeadObjectCommand({ Bucket: this.options.bucket, Key: key }));
      return {
        size: found.ContentLength ?? 0,
        modifiedAt: found.LastModified?.getTime() ?? 0,
      };
    } catch (error) {
      // An answer to HEAD has no body: a missing bucket is not told apart here, but by everything else.
      if (statusOf(error) === 404) return undefined;
      throw storeFailure(error);
    }
  }

  /** @returns undefined when there is no such object */
  async get(key: string, options: { range?: ByteRange | undefined } = {}): Promise<Readable | undefined> {
    const { range } = options;
    try {
      const found = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.options.bucket,
          Key: key,
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      const body = found.Body as Readable;
      if (!range) return body;
      // A store that knows no ranges would otherwise pass for one that does.
      if (!found.ContentRange?.startsWith(`bytes ${range.start}-`)) {
        body.destroy();
        throw new StoreError('the store does not answer with the part that was asked for');
      }
      const wanted = range.end - range.start + 1;
      return (found.ContentLength ?? 0) > wanted ? Readable.from(beginning(body, wanted)) : body;
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') return undefined;
      throw storeFailure(error);
    }
  }

  async put(key: string, body: Readable | Buffer, size: number): Promise<void> {
    try {
      await this.#client.send(
        new PutObjectCommand({
          Bucket: this.options.bucket,
          Key: key,
          Body: body,
          ContentLength: size,
          ...AS_STORED,
        }),
      );
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /**
   * Copies an object within the store.
   * @throws FileChangedError when the object no longer exists
   */
  async copy(from: string, to: string): Promise<void> {
    const { bucket } = this.options;
    try {
      await this.#client.send(
        new CopyObjectCommand({
          Bucket: bucket,
          Key: to,
          CopySource: `${bucket}/${from.split('/').map(encodeURIComponent).join('/')}`,
          MetadataDirective: 'REPLACE',
          ...AS_STORED,
        }),
      );
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') throw new FileChangedError({ cause: storeFailure(error) });
      throw storeFailure(error);
    }
  }

  /** An object that is not there is no error. */
  async delete(key: string): Promise<void> {
    try {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.options.bucket, Key: key }));
    } catch (error) {
      if (nameOf(error) !== 'NoSuchKey') throw storeFailure(error);
    }
  }

  /** Objects whose keys begin so, a page at a time. */
  async *list(prefix: string): AsyncIterable<readonly { key: string; modifiedAt: number }[]> {
    let token: string | undefined;
    do {
      const page = await this.#page(prefix, token);
      yield (page.Contents ?? []).map(({ Key = '', LastModified }) => ({
        key: Key,
        modifiedAt: LastModified?.getTime() ?? 0,
      }));
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  /** Names of the folders below a prefix that ends with a slash, without the prefix. */
  async folders(prefix: string): Promise<string[]> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const page = await this.#page(prefix, token, '/');
      for (const { Prefix = '' } of page.CommonPrefixes ?? []) names.push(Prefix.slice(prefix.length, -1));
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
    return names;
  }

  async #page(prefix: string, token: string | undefined, delimiter?: string) {
    try {
      return await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.options.bucket,
          Prefix: prefix,
          ...(token !== undefined && { ContinuationToken: token }),
          ...(delimiter !== undefined && { Delimiter: delimiter }),
        }),
      );
    } catch (error) {
      throw storeFailure(error);
    }
  }

  /** A form by which a client sends an object of exactly this key. */
  async form(key: string, limits: { maxBytes: number; seconds: number }): Promise<UploadForm> {
    const { url, fields } = await createPresignedPost(this.#public, {
      Bucket: this.options.bucket,
      Key: key,
      // Whatever else a client adds to the form is refused by the store: no type, no metadata, no rights of its own.
      Fields: { success_action_status: '204' },
      Conditions: [['content-length-range', 0, limits.maxBytes]],
      Expires: limits.seconds,
    });
    return { url, fields };
  }

  /** A link by which a client reads an object. */
  link(key: string, query: Readonly<Record<string, string>>, at: { now: number; seconds: number }): string {
    return presignGet({ ...this.options, endpoint: this.options.publicEndpoint }, key, query, at);
  }

  close(): void {
    this.#client.destroy();
    this.#public.destroy();
  }
}

/** The first bytes of a stream, for stores that send more than they were asked for (`bytes=0-0`). */
async function* beginning(body: Readable, length: number): AsyncIterable<Buffer> {
  let left = length;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

function newClient(options: S3Options, endpoint: string): S3Client {
  const { region, accessKeyId, secretAccessKey, pathStyle } = options;
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
    // The newer checksums are unknown to many compatible stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/**
 * Returns the failure for the log: the store's error without its request, which carries signatures.
 * A client is told that files cannot be reached now.
 */
export function storeFailure(error: unknown): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error;
  const status = statusOf(error);
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const said = [
    nameOf(error),
    ...(typeof code === 'string' && code !== nameOf(error) ? [code] : []),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(typeof message === 'string' && message !== '' ? [message] : []),
  ];
  return new StorageUnavailableError(new StoreError(said.join(', '), faultOf(nameOf(error), code, status)));
}

const KEY_FAULTS: readonly string[] = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidClientTokenId',
  'AuthorizationHeaderMalformed',
];

function faultOf(name: string, code: unknown, status: number | undefined): StoreFault | undefined {
  if (name === 'NoSuchBucket') return 'bucket';
  if (KEY_FAULTS.includes(name)) return 'keys';
  // Errors of the system and of time limits; an answer has a status.
  return status === undefined && (typeof code === 'string' || name === 'TimeoutError') ? 'unreachable' : undefined;
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
