/**
 * Where the bytes of files are kept. A file comes in two steps, so that neither a crash nor two writers of the same
 * content can lose or mix anything: {@link FileStorage.receive} takes the bytes in under a name that is not read, and
 * {@link ReceivedFile.publish} makes them readable under a key that follows from their content. The row in
 * `file_contents` that refers to the key is committed after that. Bytes without a row are swept later; a row without
 * bytes cannot come about.
 */
import type { Readable } from 'node:stream';

/** Bytes that are in the storage in whole and durable. */
export interface FileBytes {
  /** Bytes. */
  readonly size: number;
  /** MD5, in Base64 (contract: md5Hash). */
  readonly md5: string;
  /** SHA-256, in lower-case hexadecimal. */
  readonly sha256: string;
  /** The key under which the bytes are read once a row refers to them. */
  readonly storageKey: string;
  /** Reads a part. @returns fewer bytes than asked for at the end of the file */
  read(start: number, length: number): Promise<Buffer>;
  /** All bytes in their order, where the storage has a quicker way than one {@link read} after the other. */
  bytes?(): AsyncIterable<Uint8Array>;
}

/** Bytes that are not yet readable by anyone else. */
export interface ReceivedFile extends FileBytes {
  /** Makes the file readable under its key, durably. Once it returns, a loss of power does not undo it. */
  publish(): Promise<void>;
  /** Gives the bytes up. After {@link publish} it does nothing. */
  discard(): Promise<void>;
}

/** Bytes that are under their key already; no other request knows it, and no other file has it. */
export interface SentFile extends FileBytes {
  /** Removes the bytes. Not to be called once a row refers to them. */
  discard(): Promise<void>;
}

/** Where and how a client sends a file to the storage itself: a form of `multipart/form-data`, the part `file` last. */
export interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Properties of a file in the response to a direct link. */
export interface DirectLink {
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long the link is good for. Seconds, at most a week. */
  readonly seconds: number;
  readonly contentType: string;
  /** Value of Content-Disposition. */
  readonly disposition: string;
}

/**
 * Direct access for clients, past the server: they send files to the storage and read them there,
 * by requests that the server has signed.
 */
export interface DirectAccess {
  /** No larger file can be sent, regardless of the configuration. Bytes. */
  readonly maxBytes: number;
  /**
   * A form that sends one file to a temporary place, whose name follows from `contentRef`.
   * @param limits `maxBytes`: largest size; `seconds`: how long the form is good for
   */
  uploadForm(contentRef: string, limits: { maxBytes: number; seconds: number }): Promise<UploadForm>;
  /**
   * Copies a file sent by a form to a separate key and reads the copy once: a later file from the
   * same form changes nothing. The caller discards the copy, or commits a row that refers to it.
   * The sent file stays until it is discarded.
   * @returns undefined when no file has come (yet)
   * @throws FileTooLargeError, and FileChangedError when the sent file was removed meanwhile
   */
  receiveSent(tenantId: number, contentRef: string, limit: { maxBytes: number }): Promise<SentFile | undefined>;
  /** Removes the file sent by a form, if any. */
  discardSent(contentRef: string): Promise<void>;
  /** A link by which its holder reads a file, and that no one can change. @throws FileNotStoredError for a text that is no key */
  link(storageKey: string, link: DirectLink): string;
}

/** Properties of a stored file, known without reading it. */
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

/**
 * A place for files. Keys are values of {@link ReceivedFile.storageKey}; any other text is
 * rejected.
 */
export interface FileStorage {
  /**
   * Takes in a file. After an error, nothing is left behind.
   * @param tenantId tenants share no bytes, even equal ones
   * @param limit largest accepted size
   * @throws FileTooLargeError beyond the limit, StorageFullError when the room runs out meanwhile,
   *   StorageUnavailableError, and the errors of `source`
   */
  receive(tenantId: number, source: AsyncIterable<Uint8Array>, limit: { maxBytes: number }): Promise<ReceivedFile>;
  /** A stream of the file or of a part of it. @throws FileNotStoredError, StorageUnavailableError */
  open(storageKey: string, range?: ByteRange): Promise<Readable>;
  stat(storageKey: string): Promise<StoredFileInfo | undefined>;
  /**
   * Deletes a file unless it was published at or after `cutoff`: another request may be about to use the same content.
   * @param cutoff epoch milliseconds
   * @returns whether the file is gone now
   */
  deleteOlderThan(storageKey: string, cutoff: number): Promise<boolean>;
  /** Keys of a tenant's files, in lists of any length; keys added meanwhile may be missing. */
  list(tenantId: number): AsyncIterable<readonly string[]>;
  /**
   * Removes the remains of receptions interrupted before `cutoff` (epoch milliseconds). @returns
   * their number
   */
  sweep(cutoff: number): Promise<number>;
  /** Room that is left; absent where the storage does not tell. Bytes. */
  freeBytes?(): Promise<number>;
  /**
   * Looks whether files may be written: at present, with room to spare.
   * @param bytes how many are about to come, as far as is known
   * @throws StorageFullError, StorageUnavailableError
   */
  requireRoom?(bytes: number): Promise<void>;
  /** The way past the server, for a storage that has one. */
  readonly direct?: DirectAccess;
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

/** There is no room for files, or less than is to be kept free. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
  /** As the system itself calls it. */
  readonly code = 'ENOSPC';
  /** The directory, and the bytes that are kept free there; left out where the system itself said that the disk is full. */
  readonly kept: { readonly directory: string; readonly bytes: number } | undefined;

  constructor(message: string, kept?: StorageFullError['kept']) {
    super(message);
    this.kept = kept;
  }
}

/**
 * The storage cannot be reached, or does not answer as it should; `cause` has its message, without
 * signatures.
 */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError';

  constructor(cause: unknown) {
    super('the storage of files does not answer as it should', { cause });
  }
}

/** The sent file was removed while it was taken in: mostly by another request that took it in. */
export class FileChangedError extends Error {
  override name = 'FileChangedError';

  constructor(options?: ErrorOptions) {
    super('the file was removed while it was taken in', options);
  }
}

/** The storage holds no such file. */
export class FileNotStoredError extends Error {
  override name = 'FileNotStoredError';

  constructor(storageKey: string, options?: ErrorOptions) {
    super(`the storage holds no file ${JSON.stringify(storageKey)}`, options);
  }
}
