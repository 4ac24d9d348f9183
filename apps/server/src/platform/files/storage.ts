/**
 * Where the bytes of files are kept. A file comes in two steps, so that neither a crash nor two writers of the same
 * content can lose or mix anything: {@link FileStorage.receive} takes the bytes in under a name nobody reads, and
 * {@link ReceivedFile.publish} makes them readable under a key that follows from their content. The row in
 * `file_contents` that refers to the key is committed after that. Bytes without a row are swept later; a row without
 * bytes cannot come about.
 */
import type { Readable } from 'node:stream';

/** Bytes that are in the storage in whole and durable, but not yet readable by anyone else. */
export interface ReceivedFile {
  /** Bytes. */
  readonly size: number;
  /** MD5, in Base64 (contract: md5Hash). */
  readonly md5: string;
  /** SHA-256, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The key under which {@link publish} makes the bytes readable. */
  readonly storageKey: string;
  /** Reads a part. @returns fewer bytes than asked for at the end of the file */
  read(start: number, length: number): Promise<Buffer>;
  /** Makes the file readable under its key, durably. Once it returns, a loss of power does not undo it. */
  publish(): Promise<void>;
  /** Gives the bytes up. After {@link publish} it does nothing. */
  discard(): Promise<void>;
}

/** What is known of a stored file without reading it. */
export interface StoredFileInfo {
  /** Bytes. */
  readonly size: number;
  /** When the bytes were last published under this key. Epoch milliseconds of the storage's clock. */
  readonly modifiedAt: number;
}

/** A part of a file: both ends inclusive, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A place for files. Keys are what {@link ReceivedFile.storageKey} gave; any other text is refused. */
export interface FileStorage {
  /**
   * Takes in a file. Whatever goes wrong, nothing is left behind.
   * @param tenantId tenants share no bytes, even equal ones
   * @param limit largest size that is taken
   * @throws FileTooLargeError beyond the limit, and whatever `source` throws
   */
  receive(tenantId: number, source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<ReceivedFile>;
  /** A stream of the file or of a part of it. @throws FileNotStoredError */
  open(storageKey: string, range?: ByteRange): Promise<Readable>;
  stat(storageKey: string): Promise<StoredFileInfo | undefined>;
  /**
   * Deletes a file unless it was published at or after `cutoff`: somebody may just be taking the same content into use.
   * @param cutoff epoch milliseconds
   * @returns whether the file is gone now
   */
  deleteOlderThan(storageKey: string, cutoff: number): Promise<boolean>;
  /** Keys of a tenant's files, in lists of any length; those added meanwhile may be missing. */
  list(tenantId: number): AsyncIterable<readonly string[]>;
  /** Removes what interrupted receptions left since before `cutoff` (epoch milliseconds). @returns how many */
  sweep(cutoff: number): Promise<number>;
}

/** The file is larger than the limit of its reception. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the file is larger than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** The storage holds no such file. */
export class FileNotStoredError extends Error {
  override name = 'FileNotStoredError';

  constructor(storageKey: string, options?: ErrorOptions) {
    super(`the storage holds no file ${JSON.stringify(storageKey)}`, options);
  }
}
