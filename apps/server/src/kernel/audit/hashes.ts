/** Hashes of the audit log. */
import { randomBytes } from 'node:crypto';
import { stableHash } from '@portico/platform/tokens';

/** Makes the hash of values that nobody has seen impossible to guess. */
export function newSalt(): string {
  return randomBytes(16).toString('base64url');
}

/** Hash that an entry holds in place of values stored separately. */
export function hashValues({ salt, before, after }: { salt: string; before: unknown; after: unknown }): string {
  return stableHash([salt, before, after]);
}
