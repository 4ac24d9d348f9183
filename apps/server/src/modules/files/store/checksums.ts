/**
 * Checksums that a client sends with an upload to detect a damaged transfer. Form fields before the
 * file and the S3 headers hold checksums of the file. `Content-MD5`, `Digest` and `Content-Digest`
 * are defined as checksums of the request body, but many clients send the checksum of the file in
 * them; a header is therefore accepted if it matches either.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ReceivedFile } from '@portico/platform/files';
import { type FieldError, ValidationError } from '../../../kernel/errors.ts';

const algorithms = ['md5', 'sha256'] as const;
type Algorithm = (typeof algorithms)[number];

/** Headers and fields that hold one checksum, in Base64. */
const single = new Map<string, Algorithm>([
  ['content-md5', 'md5'],
  ['x-amz-checksum-md5', 'md5'],
  ['x-amz-checksum-sha256', 'sha256'],
]);
/**
 * Headers and fields that hold a list such as `sha-256=…, md5=…` (RFC 3230), or with colons around
 * the value (RFC 9530).
 */
const lists = ['digest', 'content-digest', 'repr-digest'];
/** Algorithm names in lists. Other names are ignored, as HTTP requires. */
const listed = new Map<string, Algorithm>([
  ['md5', 'md5'],
  ['sha-256', 'sha256'],
]);

interface Stated {
  readonly field: string;
  readonly algorithm: Algorithm;
  /** In Base64. */
  readonly value: string;
}

function statedIn(values: Iterable<readonly [string, string | string[] | undefined]>): Stated[] {
  return [...values].flatMap(([name, given]) => {
    const field = name.toLowerCase();
    const text = String(given ?? '').trim();
    const algorithm = single.get(field);
    if (algorithm) return [{ field, algorithm, value: text }];
    if (!lists.includes(field)) return [];
    return text.split(',').flatMap((item) => {
      const at = item.indexOf('=');
      const kind = listed.get(item.slice(0, Math.max(at, 0)).trim().toLowerCase());
      return kind
        ? [
            {
              field,
              algorithm: kind,
              value: item
                .slice(at + 1)
                .trim()
                .replaceAll(':', ''),
            },
          ]
        : [];
    });
  });
}

/** Checksums in the headers of an upload. Hashes the body while it is read if there are any. */
export class UploadChecksums {
  readonly #source: Readable;
  readonly #stated: readonly Stated[];
  readonly #hashes: ReadonlyMap<Algorithm, Hash>;

  /** Starts hashing. Call it before the body flows. */
  constructor(source: Readable, headers: Readonly<Record<string, string | string[] | undefined>>) {
    this.#source = source;
    this.#stated = statedIn(Object.entries(headers));
    const needed = algorithms.filter((algorithm) => this.#stated.some((stated) => stated.algorithm === algorithm));
    this.#hashes = new Map(needed.map((algorithm) => [algorithm, createHash(algorithm)]));
    if (needed.length > 0) source.on('data', this.#onData);
  }

  /**
   * Compares the checksums; call it once the file is received.
   * @param fields form fields before the file
   * @throws ValidationError for checksums that match neither the file nor the body
   */
  async check(fields: ReadonlyMap<string, string>, received: Pick<ReceivedFile, 'md5' | 'sha256'>): Promise<void> {
    const ofFile = { md5: received.md5, sha256: Buffer.from(received.sha256, 'hex').toString('base64') };
    const wrong = statedIn(fields).filter(({ algorithm, value }) => value !== ofFile[algorithm]);
    const notOfFile = this.#stated.filter(({ algorithm, value }) => value !== ofFile[algorithm]);
    if (notOfFile.length > 0) {
      await finished(this.#source, { writable: false });
      const ofBody = new Map([...this.#hashes].map(([algorithm, hash]) => [algorithm, hash.copy().digest('base64')]));
      wrong.push(...notOfFile.filter(({ algorithm, value }) => value !== ofBody.get(algorithm)));
    }
    if (wrong.length > 0) throw new ValidationError(wrong.map(mismatch));
  }

  /** Ends the hashing. */
  stop(): void {
    this.#source.off('data', this.#onData);
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const hash of this.#hashes.values()) hash.update(chunk);
  };
}

function mismatch({ field, algorithm }: Stated): FieldError {
  return {
    field,
    code: 'INVALID_VALUE',
    defaultMessage: `What arrived has another ${algorithm === 'md5' ? 'MD5' : 'SHA-256'} checksum, in Base64; send the file again.`,
  };
}
