/** Recovery codes: texts that are accepted once in place of a code of the authenticator app. */
import { createHash, randomInt } from 'node:crypto';

const RECOVERY_CODES = 10;
/** Characters of a recovery code, without its dash: 51 bits. */
const RECOVERY_LENGTH = 10;
/** Letters and digits that are not mistaken for one another. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Returns new codes and their stored hashes. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  return { codes, hashes: codes.map(hashOfCode) };
}

function newCode(): string {
  const text = Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${text.slice(0, RECOVERY_LENGTH / 2)}-${text.slice(RECOVERY_LENGTH / 2)}`;
}

/** A code as it is compared: apps show spaces in it, and people type dashes and capitals. */
export function compact(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

/** Returns the stored hash of a recovery code. */
export function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(compact(code)).digest();
}
