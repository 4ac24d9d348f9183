/**
 * Form of an upload (`multipart/form-data`, RFC 7578), parsed by @fastify/busboy: a few small
 * fields, then the file as a stream. Memory use is bounded: by {@link FormLimits} for the fields,
 * by the stream's buffer for the file.
 */
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';

/** Name of the part that holds the bytes. */
export const FILE_PART = 'file';

/** Limits of a form beside its file. */
interface FormLimits {
  /** Number of fields before and after the file. */
  readonly fields: number;
  /** Names and values of all fields together. Bytes. */
  readonly fieldBytes: number;
  /** Everything but the bytes of the file: fields, headers of parts, boundaries. Bytes. */
  readonly formBytes: number;
}

export const FORM_LIMITS: FormLimits = { fields: 20, fieldBytes: 32 * 1024, formBytes: 64 * 1024 };

/** Bytes before the file that are parsed at once: each boundary costs time, also beyond the limit of parts. */
const SLICE_BYTES = 4 * 1024;
/** Headers of one part. */
const HEADER_BYTES = 16 * 1024;
const HEADER_PAIRS = 20;

/** Thrown for a body that is not such a form; the message names the error. */
export class UploadFormError extends Error {
  override name = 'UploadFormError';
}

/** Reads one form from the body of a request. Call {@link UploadForm.stop} when done with it, regardless of the outcome. */
export class UploadForm {
  /** The fields before the file. */
  readonly fields = new Map<string, string>();
  readonly #source: Readable;
  readonly #limits: FormLimits;
  readonly #busboy: BusboyInstance;
  readonly #file = Promise.withResolvers<AsyncIterable<Uint8Array> | undefined>();
  readonly #whole = Promise.withResolvers<void>();
  #stream: BusboyFileStream | undefined;
  #fieldBytes = 0;
  /** Bytes received, including the file. */
  #bytes = 0;
  #failure: Error | undefined;

  /**
   * Starts reading.
   * @param source body of the request; it is paused and resumed, never destroyed
   * @returns undefined when the Content-Type is not `multipart/form-data` with a boundary
   */
  static read(
    source: Readable,
    contentType: string | undefined,
    limits: FormLimits = FORM_LIMITS,
  ): UploadForm | undefined {
    if (contentType === undefined || !/^\s*multipart\/form-data\s*;/i.test(contentType)) return undefined;
    try {
      return new UploadForm(source, contentType, limits);
    } catch {
      // Busboy throws if the Content-Type has no boundary or a boundary that is too long.
      return undefined;
    }
  }

  private constructor(source: Readable, contentType: string, limits: FormLimits) {
    this.#source = source;
    this.#limits = limits;
    this.#busboy = new Busboy({
      headers: { 'content-type': contentType.trim() },
      // Only the first part of this name is the file; later ones are fields like the others.
      isPartAFile: (name) => name === FILE_PART && this.#stream === undefined,
      limits: {
        fields: limits.fields,
        parts: limits.fields + 1,
        fieldSize: limits.fieldBytes,
        headerPairs: HEADER_PAIRS,
        headerSize: HEADER_BYTES,
      },
    });
    // When it fails, nobody may be waiting yet, or any more.
    this.#file.promise.catch(() => undefined);
    this.#whole.promise.catch(() => undefined);
    this.#busboy
      .on('field', (name, value) => this.#takeField(name ?? '', value))
      .on('file', (_name, stream) => this.#takeFile(stream))
      .on('fieldsLimit', () => this.#fail(tooManyFields(limits)))
      .on('partsLimit', () => this.#fail(tooManyFields(limits)))
      .on('error', () => this.#fail(cutOff()))
      .on('finish', () => {
        this.#file.resolve(undefined);
        this.#whole.resolve();
      });
    source.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  /**
   * Waits for the file.
   * @returns its bytes; undefined when the form has no file
   * @throws UploadFormError for an invalid form or one beyond the limits; errors of the source
   */
  file(): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#file.promise;
  }

  /**
   * Waits for the end of the form, after the file was read: a file that ends early at its last
   * boundary may be truncated elsewhere too.
   * @throws as {@link file}
   */
  whole(): Promise<void> {
    return this.#whole.promise;
  }

  /** Stops reading; the caller handles the rest of the body. */
  stop(): void {
    this.#source
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose);
    this.#stream?.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#failure !== undefined) return;
    if (this.#bytes - (this.#stream?.bytesRead ?? 0) > this.#limits.formBytes) {
      this.#fail(
        new UploadFormError(`The form takes more than ${this.#limits.formBytes} bytes beside the part "${FILE_PART}".`),
      );
      return;
    }
    this.#bytes += chunk.length;
    // Chunk by chunk: the next is read when the parts of this one have found a reader.
    this.#source.pause();
    this.#write(chunk);
  };

  #write(chunk: Buffer): void {
    const written = () => {
      if (this.#failure === undefined) this.#source.resume();
    };
    try {
      for (let from = 0; from < chunk.length && this.#failure === undefined; ) {
        const to = this.#stream === undefined ? Math.min(from + SLICE_BYTES, chunk.length) : chunk.length;
        this.#busboy.write(chunk.subarray(from, to), to === chunk.length ? written : undefined);
        from = to;
      }
    } catch (error) {
      this.#fail(new UploadFormError('The form cannot be read.', { cause: error }));
    }
  }

  readonly #onEnd = (): void => {
    this.#busboy.end();
  };

  readonly #onError = (error: Error): void => this.#fail(error);

  readonly #onClose = (): void => {
    if (!this.#source.readableEnded) this.#fail(cutOff());
  };

  #takeField(name: string, value: string): void {
    this.#fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    // Busboy truncates a longer value at the limit; together with its name it exceeds the limit.
    if (this.#fieldBytes > this.#limits.fieldBytes || value.length >= this.#limits.fieldBytes) {
      this.#fail(
        new UploadFormError(`The fields of the form take more than ${this.#limits.fieldBytes} bytes together.`),
      );
    } else if (this.#stream === undefined) this.fields.set(name, value);
  }

  #takeFile(stream: BusboyFileStream): void {
    this.#stream = stream;
    // A form that ends too early fails the file as well, which may have no reader yet.
    stream.on('error', () => undefined);
    this.#file.resolve(this.#pieces(stream));
  }

  async *#pieces(stream: Readable): AsyncIterable<Uint8Array> {
    try {
      yield* stream;
    } catch (error) {
      // Busboy raises an error of its own on the file when the form failed.
      throw this.#failure ?? error;
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#source.pause();
    this.#file.reject(error);
    this.#whole.reject(error);
    this.#stream?.destroy(error);
  }
}

function cutOff(): UploadFormError {
  return new UploadFormError('The body ends before the closing boundary.');
}

function tooManyFields(limits: FormLimits): UploadFormError {
  return new UploadFormError(`The form has more than ${limits.fields} fields beside the part "${FILE_PART}".`);
}
