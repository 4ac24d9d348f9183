/**
 * Stores the token of a sign-in for a client that repeats its assertion within two seconds
 * (docs/adr/0019-repeated-sign-ins.md). The token is encrypted with a key derived from the
 * assertion and the client's address: only the same assertion from the same address can decrypt it.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [SALT_BYTES, IV_BYTES, TAG_BYTES, KEY_BYTES] = [16, 12, 16, 32];

/** An assertion and the address from which it was sent. */
export interface Sent {
  /** The signed JWT. */
  readonly assertion: string;
  readonly address: string;
}

function keyOf({ assertion, address }: Sent, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', assertion, salt, `portico repeated sign-in ${address}`, KEY_BYTES));
}

/** @returns salt, initialisation vector, tag and the encrypted token */
export function sealToken(token: string, sent: Sent): Buffer {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv(CIPHER, keyOf(sent, salt), iv);
  const encrypted = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), encrypted]);
}

/**
 * @returns the token; undefined for an assertion or address other than the one it was sealed for
 */
export function openToken(sealed: Buffer, sent: Sent): string | undefined {
  const [afterIv, afterTag] = [SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES];
  const key = keyOf(sent, sealed.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(SALT_BYTES, afterIv), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(afterIv, afterTag));
  const text = decipher.update(sealed.subarray(afterTag));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined; // the tag does not match: sealed for another assertion or address
  }
}
