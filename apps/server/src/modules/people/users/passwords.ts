/** Passwords: their rules, their hashes (argon2id in PHC strings), and generated ones. */
import { type Argon2Parameters, argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordLengths } from '@portico/contract';
import { dictionary } from '@zxcvbn-ts/language-common';
import pLimit, { type LimitFunction } from 'p-limit';
import { PorticoError } from '../../../kernel/errors.ts';
import { clientKey } from '../../../kernel/failure-limit.ts';

const hashOnce = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

const GENERATED_LENGTH = 20;
/** Letters and digits that cannot be confused. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * Cost of a hash: 19 MiB, two passes, one lane (the minimum that OWASP recommends for argon2id).
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/**
 * Maximum of concurrent hashes: they share Node's four threads with files and compression. Each
 * takes 19 MiB and tens of milliseconds.
 */
const MOST_HASHES = 2;
/** Maximum of waiting hashes; the last of them waits some seconds. */
const MOST_WAITING = 100;
const slots = pLimit(MOST_HASHES);
/**
 * Maximum of hashes of one client address that run or wait in the common queue; further ones wait
 * in a queue of that address.
 */
const MOST_OF_ADDRESS = 4;
/** Queues of addresses that have any work. */
const byAddress = new Map<string, LimitFunction>();

/**
 * Runs work that hashes, at most {@link MOST_HASHES} at once. An address with many requests delays
 * the work of others by at most {@link MOST_OF_ADDRESS} hashes.
 * @param address of the client; undefined for work without a client
 * @throws PorticoError UNAVAILABLE (503) when too many hashes wait already, or too many of this
 * address
 */
export async function inHashSlot<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
  const client = address === undefined ? undefined : clientKey(address);
  const own = client === undefined ? undefined : (byAddress.get(client) ?? pLimit(MOST_OF_ADDRESS));
  if (slots.pendingCount >= MOST_WAITING || (own && own.pendingCount >= MOST_WAITING))
    throw new PorticoError('UNAVAILABLE', {
      message: 'Too many passwords are being checked. Try again in some seconds.',
      headers: { 'Retry-After': '5' },
    });
  if (client === undefined || own === undefined) return slots(work);
  byAddress.set(client, own);
  try {
    return await own(() => slots(work));
  } finally {
    // The work that just ended is still counted as active.
    if (own.activeCount + own.pendingCount <= 1) byAddress.delete(client);
  }
}

const derive = (parameters: Argon2Parameters) => hashOnce('argon2id', parameters);

let common: ReadonlySet<string> | undefined;
/** Returns whether a password is on the list of the 50,000 most common ones, in any case. */
function isCommon(password: string): boolean {
  // Loaded at the first use: most processes check no new password.
  common ??= new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLengths.least));
  return common.has(password.toLowerCase());
}

/** @returns the error of a password, or undefined */
export function passwordError(password: string, username: string | null): string | undefined {
  const length = [...password].length;
  if (length < passwordLengths.least) return `A password has at least ${passwordLengths.least} characters.`;
  if (length > passwordLengths.most) return `A password has at most ${passwordLengths.most} characters.`;
  if (isCommon(password)) return 'This is one of the most common passwords; choose another one.';
  if (username !== null && password.toLowerCase() === username.toLowerCase()) {
    return 'The password must differ from the user name.';
  }
  return undefined;
}

/** Generates a password of about 116 bits, without characters that look alike. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * Normalises a password to composed characters, as RFC 8265 requires, so that the keyboard makes no
 * difference.
 */
const message = (password: string) => Buffer.from(password.normalize('NFC'), 'utf8');
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/**
 * @returns the hash as a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`
 * @throws PorticoError UNAVAILABLE (503) when too many hashes wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await inHashSlot(undefined, () =>
    derive({ message: message(password), nonce, tagLength: TAG_BYTES, ...COST }),
  );
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Dummy hash with the cost of all others, so that checking against it takes as long. */
export const NO_PASSWORD = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

/**
 * Returns whether a password matches a hash; call it within {@link inHashSlot}.
 * @throws Error when the hash is not an argon2id PHC string
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = PHC.exec(hash);
  if (!parts) throw new Error('the stored password hash is not an argon2id PHC string');
  const expected = Buffer.from(parts[5]!, 'base64');
  const tag = await derive({
    message: message(password),
    nonce: Buffer.from(parts[4]!, 'base64'),
    tagLength: expected.length,
    memory: Number(parts[1]),
    passes: Number(parts[2]),
    parallelism: Number(parts[3]),
  });
  return timingSafeEqual(tag, expected);
}
