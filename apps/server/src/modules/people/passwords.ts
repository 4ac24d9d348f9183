/** Passwords: their rules, their hashes (argon2id in PHC strings), and generated ones. */
import { type Argon2Parameters, argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** Shortest and longest password that is taken, in characters (code points). */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
const GENERATED_LENGTH = 20;
/** Letters and digits that are not mistaken for one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Cost of a hash: 19 MiB, two passes, one lane (the least that OWASP recommends for argon2id). */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** @returns what is wrong with a password, or undefined */
export function passwordError(password: string, username: string | null): string | undefined {
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return `A password has at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (length > MAX_PASSWORD_LENGTH) return `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (username !== null && password.toLowerCase() === username.toLowerCase()) {
    return 'The password must differ from the user name.';
  }
  return undefined;
}

/** A password of about 116 bits, without characters that look alike. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The same text however it was typed: composed characters, as RFC 8265 has it for passwords. */
const message = (password: string) => Buffer.from(password.normalize('NFC'), 'utf8');
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** @returns the hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$tag` */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', { message: message(password), nonce, tagLength: TAG_BYTES, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Whether a password is the one of a hash. @throws Error when the hash is not an argon2id PHC string */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = PHC.exec(hash);
  if (!parts) throw new Error('the stored password hash is not an argon2id PHC string');
  const expected = Buffer.from(parts[5]!, 'base64');
  const tag = await derive('argon2id', {
    message: message(password),
    nonce: Buffer.from(parts[4]!, 'base64'),
    tagLength: expected.length,
    memory: Number(parts[1]),
    passes: Number(parts[2]),
    parallelism: Number(parts[3]),
  });
  return timingSafeEqual(tag, expected);
}
