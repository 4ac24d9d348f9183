/**
 * Opaque signed tokens (pages, sync positions, file links) and the hash that binds filters to them
 * (docs/decisions/lists.md).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { finishAtOnce } from '../parts.ts';

/** Shortest secret that is accepted, in bytes. */
const MIN_SECRET_BYTES = 32;
/** A longer token is refused unread. */
export const MAX_TOKEN_LENGTH = 16_384;

export interface TokenSigner {
  /**
   * A token for `payload`, readable only as the same `kind`. The payload is signed, not encrypted: nothing secret belongs in
   * it. Only characters that need no escaping in a URL. An expiry, where one is wanted, is a field of the payload.
   */
  sign(kind: string, payload: object): string;
  /**
   * Returns the payload of a token that one of the secrets signed for this `kind`, else null: for
   * any input of any type and size, never an error. The type parameter is the caller's claim about
   * the payloads signed under that kind.
   */
  verify<T extends object>(kind: string, token: unknown): T | null;
  /** A keyed hash of a text for one `kind`: 43 characters that need no escaping in a URL, the same for the same text. */
  hash(kind: string, text: string): string;
  /** Whether `given` is such a hash, made with one of the secrets: for any input of any type. */
  isHash(kind: string, text: string, given: unknown): boolean;
  /** A keyed hash of 100 bits, as 20 characters of `a` to `z` and `2` to `7`, where case may be lost. */
  code(kind: string, text: string): string;
  /** Whether `given` is such a code, made with one of the secrets. */
  isCode(kind: string, text: string, given: string): boolean;
}

const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/;
const CONTEXT = 'portico-token-1';
/** Another context: no hash is the signature of a token. */
const HASH_CONTEXT = 'portico-hash-1';
const CODE_CONTEXT = 'portico-code-1';
const CODE_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const CODE_LENGTH = 20;

/**
 * HMAC-SHA256 tokens. Nodes with the same secrets read each other's tokens.
 * @param secrets one or several, each of at least 32 bytes: the first signs, all verify
 */
export function createTokenSigner(secrets: Uint8Array | readonly Uint8Array[]): TokenSigner {
  const keys = (secrets instanceof Uint8Array ? [secrets] : secrets).map((secret) => {
    if (secret.byteLength < MIN_SECRET_BYTES) {
      throw new RangeError(`the token secret has ${secret.byteLength} bytes; at least ${MIN_SECRET_BYTES} are needed`);
    }
    return Buffer.from(secret);
  });
  const [signing] = keys;
  if (!signing) throw new RangeError('there is no token secret');

  /** The length in front of the kind keeps (kind, body) pairs apart: no two of them give the same bytes. */
  function mac(key: Buffer, kind: string, body: string): Buffer {
    return createHmac('sha256', key).update(`${CONTEXT}:${kind.length}:${kind}:${body}`).digest();
  }

  function keyedHash(key: Buffer, kind: string, text: string): string {
    return createHmac('sha256', key).update(`${HASH_CONTEXT}:${kind.length}:${kind}:${text}`).digest('base64url');
  }

  function keyedCode(key: Buffer, kind: string, text: string): string {
    const digest = createHmac('sha256', key).update(`${CODE_CONTEXT}:${kind.length}:${kind}:${text}`).digest();
    // 256 is a multiple of 32: every letter is as likely.
    return [...digest.subarray(0, CODE_LENGTH)].map((byte) => CODE_LETTERS[byte % 32]).join('');
  }

  /** Whether `given` is what one of the secrets makes of a text. */
  function isMade(make: (key: Buffer) => string, given: unknown): boolean {
    const bytes = Buffer.from(typeof given === 'string' ? given : '');
    return keys.some((key) => {
      const expected = Buffer.from(make(key));
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    });
  }

  return {
    sign(kind, payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
      if (body.length + 44 > MAX_TOKEN_LENGTH) {
        throw new RangeError(`a ${kind} token of ${body.length} characters would be longer than ${MAX_TOKEN_LENGTH}`);
      }
      return `${body}.${mac(signing, kind, body).toString('base64url')}`;
    },

    verify<T extends object>(kind: string, token: unknown): T | null {
      if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH || !SHAPE.test(token)) return null;
      const dot = token.length - 44;
      const body = token.slice(0, dot);
      // Compared as text: several texts decode to the same bytes, and only the issued text is a
      // token.
      const given = Buffer.from(token.slice(dot + 1));
      const matches = (key: Buffer) => timingSafeEqual(Buffer.from(mac(key, kind, body).toString('base64url')), given);
      if (!keys.some(matches)) return null;
      // After the signature check, the body is text from `sign`, so this parses.
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as T;
    },

    hash: (kind, text) => keyedHash(signing, kind, text),

    isHash: (kind, text, given) => isMade((key) => keyedHash(key, kind, text), given),

    code: (kind, text) => keyedCode(signing, kind, text),

    isCode: (kind, text, given) => isMade((key) => keyedCode(key, kind, text), given),
  };
}

/** Canonical text that is hashed piece by piece. UTF-16 units. */
const PIECE = 64 * 1024;

/** Returns the canonical form of a value that has no elements and no members. */
function canonicalScalar(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
  return JSON.stringify(value);
}

const isScalar = (value: unknown) =>
  value === null || value instanceof Date || !['object', 'function', 'symbol'].includes(typeof value);

/** Hashes canonical JSON while it is written. */
class CanonicalHash {
  readonly #hash = createHash('sha256');
  readonly #keepNull: boolean;
  #text = '';

  constructor(keepNull: boolean) {
    this.#keepNull = keepNull;
  }

  *write(value: unknown): Generator<void, void> {
    if (isScalar(value)) this.#text += canonicalScalar(value);
    else if (Array.isArray(value)) yield* this.#writeList(value);
    else yield* this.#writeObject(value as object);
  }

  digest(): string {
    return this.#hash.update(this.#text).digest('base64url');
  }

  *#writeList(list: readonly unknown[]): Generator<void, void> {
    this.#text += '[';
    for (let index = 0; index < list.length; index++) {
      if (index > 0) this.#text += ',';
      // Lists of numbers are long: a generator for each would take most of the time.
      if (isScalar(list[index])) this.#text += canonicalScalar(list[index]);
      else yield* this.write(list[index]);
      yield* this.#flush();
    }
    this.#text += ']';
  }

  *#writeObject(object: object): Generator<void, void> {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (typeof object !== 'object' || (prototype !== Object.prototype && prototype !== null)) {
      throw new TypeError(`a ${typeof object} that is not plain data has no canonical form`);
    }
    let separator = '{';
    for (const key of Object.keys(object).sort()) {
      const item = (object as Record<string, unknown>)[key];
      if (item === undefined || (item === null && !this.#keepNull)) continue;
      this.#text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      yield* this.write(item);
      yield* this.#flush();
    }
    this.#text += separator === '{' ? '{}' : '}';
  }

  *#flush(): Generator<void, void> {
    if (this.#text.length < PIECE) return;
    this.#hash.update(this.#text);
    this.#text = '';
    yield;
  }
}

/**
 * SHA-256 of a value's canonical JSON, in base64url (43 characters): keys sorted, keys whose value
 * is null or undefined left out, since these values mean "no filter" (docs/decisions/lists.md).
 * Null keeps its place in a list, where it is an open bound (docs/decisions/lists.md). Throws a
 * TypeError for a value that is not plain data.
 */
export function stableHash(value: unknown): string {
  return finishAtOnce(stableHashParts(value));
}

/**
 * Computes {@link stableHash} in parts, for a value that may be large.
 * @param keepNull whether keys whose value is null count, too
 */
export function* stableHashParts(value: unknown, keepNull = false): Generator<void, string> {
  const hash = new CanonicalHash(keepNull);
  yield* hash.write(value);
  return hash.digest();
}
