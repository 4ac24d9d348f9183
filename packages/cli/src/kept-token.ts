/** Keeps the token of a person: in the keychain of the system, else in a file for its owner only. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { DiskTokenCache } from '@portico/sdk';
import { UsageError } from './errors.ts';
import { configurationPath } from './profiles.ts';

/** Place of a token. */
export type TokenStore = 'keychain' | 'file';

/** Name of the program in the keychain. */
const SERVICE = 'portico';

/** Returns the folder of token files, mode 0700. */
export const tokenFolder = (): string => join(dirname(configurationPath()), 'tokens');

const fileKey = (account: string) => `person-${createHash('sha256').update(account).digest('hex')}`;

async function files(): Promise<DiskTokenCache> {
  const { DiskTokenCache } = await import('@portico/sdk');
  return new DiskTokenCache(tokenFolder());
}

async function keychainEntry(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  // The other store of Linux, the kernel's, forgets its keys with the end of the session.
  return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
}

/**
 * Stores a token.
 * @param account profile and portal, such as `default@https://portal.acme.example`
 * @param expiresAt end of the token, in epoch seconds
 * @param keychain false to use a file in any case
 * @returns where it is, and why the keychain was not used
 */
export async function keepToken(
  account: string,
  accessToken: string,
  expiresAt: number,
  keychain: boolean,
): Promise<{ store: TokenStore; reason?: string }> {
  let reason: string | undefined;
  if (keychain) {
    try {
      await (await keychainEntry(account)).setPassword(accessToken);
      return { store: 'keychain' };
    } catch (error) {
      // Not installed, or the system has no keychain, as on servers.
      reason = (error as Error).message.split('\n', 1)[0];
    }
  }
  await (await files()).set(fileKey(account), { accessToken, expiresAt });
  return { store: 'file', ...(reason !== undefined && { reason }) };
}

/** Returns a stored token; undefined if it was deleted. @throws UsageError if the keychain does not answer */
export async function readKeptToken(store: TokenStore, account: string): Promise<string | undefined> {
  if (store === 'file') return (await (await files()).get(fileKey(account)))?.accessToken;
  try {
    return (await (await keychainEntry(account)).getPassword()) ?? undefined;
  } catch (error) {
    throw new UsageError(`The keychain of the system cannot be read: ${(error as Error).message}`);
  }
}

/** Deletes a stored token, if it exists. */
export async function deleteKeptToken(store: TokenStore, account: string): Promise<void> {
  if (store === 'file') await (await files()).delete(fileKey(account));
  else await (await keychainEntry(account)).deletePassword();
}
