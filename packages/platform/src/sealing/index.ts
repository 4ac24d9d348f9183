/**
 * Encryption of secrets that are kept in the database: AES-256-GCM with keys that are not kept there.
 *
 * A sealed value is: version (1 byte), id of the key (8), nonce (12), ciphertext, tag (16). Version, id of the key and place
 * are authenticated: a sealed value opens only in the row and column that it was sealed for.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Length of a key. Bytes. */
export const SEALING_KEY_BYTES = 32;

const VERSION = 1;
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + ID_BYTES;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

/** Where a sealed value is kept. */
export interface SealedPlace {
  tenantId: number;
  table: string;
  column: string;
  /** The key of the row within the tenant. */
  row: string | number;
}

/** A sealed value that cannot be opened. The message holds neither the value nor a key. */
export class SealingError extends Error {
  override name = 'SealingError';
  /** `unknownKey`: no configured key has the id of the value's. `damaged`: the value was changed, cut or moved. */
  readonly reason: 'unknownKey' | 'damaged';
  /** Id of the key that `unknownKey` lacks. */
  readonly keyId: string | undefined;

  constructor(reason: SealingError['reason'], message: string, options: ErrorOptions & { keyId?: string } = {}) {
    super(message, options);
    this.reason = reason;
    this.keyId = options.keyId;
  }
}

export interface Sealer {
  /** Encrypts `value` for one place with the first key. The same value gives other bytes each time. */
  seal(value: Uint8Array, place: SealedPlace): Buffer;
  /** The value that was sealed for this place with any of the keys. @throws SealingError */
  open(sealed: Uint8Array, place: SealedPlace): Buffer;
  /** Ids of the keys, the one that encrypts first. */
  readonly keyIds: readonly string[];
}

/**
 * Reads keys from text: 32 bytes in base64 each, separated by commas or white space.
 * @returns the keys in their order, the one that encrypts first
 * @throws RangeError naming the position of the first text that is no key, never the text
 */
export function parseSealingKeys(text: string): Buffer[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) throw new RangeError('there is no key');
  return words.map((word, index) => {
    const key = Buffer.from(word, 'base64');
    if (!BASE64.test(word) || key.length !== SEALING_KEY_BYTES) {
      throw new RangeError(`key ${index + 1} is not ${SEALING_KEY_BYTES} bytes in base64`);
    }
    return key;
  });
}

/** The public name of a key, 16 hexadecimal digits: it follows from the key, and the key does not follow from it. */
export function sealingKeyId(key: Uint8Array): string {
  return idOf(key).toString('hex');
}

/** SQL of the id of the key that a sealed value needs. @param column SQL of a bytea */
export function sealingKeyIdSql(column: string): string {
  return `encode(substring(${column} FROM 2 FOR ${ID_BYTES}), 'hex')`;
}

/**
 * @param keys of 32 bytes each: the first encrypts, all decrypt
 * @throws RangeError when there is none, one has another length, or one is given twice
 */
export function createSealer(keys: readonly Uint8Array[]): Sealer {
  const byId = new Map<string, Buffer>();
  for (const key of keys) {
    if (key.byteLength !== SEALING_KEY_BYTES) {
      throw new RangeError(`an encryption key has ${key.byteLength} bytes; it must have ${SEALING_KEY_BYTES}`);
    }
    const id = sealingKeyId(key);
    if (byId.has(id)) throw new RangeError(`the encryption key ${id} is given twice`);
    byId.set(id, Buffer.from(key));
  }
  const [first] = byId;
  if (!first) throw new RangeError('there is no encryption key');
  const [firstId, firstKey] = first;
  const header = Buffer.concat([Buffer.of(VERSION), Buffer.from(firstId, 'hex')]);

  return {
    seal(value, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, firstKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(header, place));
      return Buffer.concat([header, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    },

    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      const id = keyIdOf(bytes);
      const key = byId.get(id);
      if (!key) throw new SealingError('unknownKey', `no encryption key ${id} is configured`, { keyId: id });
      const body = bytes.subarray(HEADER_BYTES + NONCE_BYTES, bytes.length - TAG_BYTES);
      const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(bytes.subarray(0, HEADER_BYTES), place));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const start = decipher.update(body);
      try {
        return Buffer.concat([start, decipher.final()]);
      } catch (error) {
        throw new SealingError('damaged', 'a sealed value was changed, or belongs elsewhere', { cause: error });
      }
    },

    keyIds: [...byId.keys()],
  };
}

function idOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('portico-sealing-key-1:').update(key).digest().subarray(0, ID_BYTES);
}

/** @throws SealingError when the bytes are no sealed value */
function keyIdOf(sealed: Buffer): string {
  if (sealed.length < OVERHEAD_BYTES || sealed[0] !== VERSION) {
    throw new SealingError('damaged', 'a value that should be sealed is not');
  }
  return sealed.subarray(1, HEADER_BYTES).toString('hex');
}

/** JSON keeps the members apart: no two places give the same bytes. */
function associatedData(header: Buffer, { tenantId, table, column, row }: SealedPlace): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([tenantId, table, column, String(row)]))]);
}
