/** Signing in as a person: the browser confirms a code that the terminal shows (RFC 8628). */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { PorticoClient, RequestOptions } from '@portico/sdk';
import { CommandError } from '../errors.ts';
import { deleteKeptToken, keepToken, readKeptToken, type TokenStore, tokenFolder } from '../kept-token.ts';
import { type KeptSignIn, type Profile, signInAccount } from '../profiles.ts';
import { openPage } from './browser.ts';

/** Choices of a sign-in. */
export interface DeviceFlags {
  access?: 'read' | 'write';
  days?: number;
  /** False: only print the address. */
  browser: boolean;
  /** False: store the token in a file. */
  keychain: boolean;
}

/** The token that a person confirmed. */
interface Confirmed {
  accessToken: string;
  tokenId: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Shows a code and waits until the person has confirmed it in a browser.
 * @param client without a sign-in
 * @throws CommandError if the person refused it, or did nothing for ten minutes
 */
export async function signInByBrowser(
  client: PorticoClient,
  { access, days, browser }: DeviceFlags,
  options: RequestOptions,
): Promise<Confirmed> {
  const started = await client.auth.startDeviceSignIn(
    { name: `portico on ${hostname()}`.slice(0, 100), access, validDays: days },
    options,
  );
  const { deviceCode = '', userCode, verificationUri = '', verificationUriComplete = '' } = started;
  const minutes = Math.round((started.expiresInSeconds ?? 0) / 60);
  process.stderr.write(`Your code is ${userCode}. Confirm it within ${minutes} minutes at ${verificationUri}\n`);
  if (browser) await openPage(verificationUriComplete);
  while (true) {
    await pause((started.intervalSeconds ?? 5) * 1000, undefined, { signal: options.signal ?? undefined });
    const { status, accessToken, tokenId, expirationTimestamp } = await client.auth.collectDeviceSignIn(
      { deviceCode },
      options,
    );
    if (status === 'pending') continue;
    if (status === 'confirmed' && accessToken && tokenId !== undefined && expirationTimestamp !== undefined)
      return { accessToken, tokenId, expiresAt: expirationTimestamp };
    throw new CommandError(
      status === 'refused'
        ? 'The sign-in was refused in the browser.'
        : 'The code has expired; run "portico login" again.',
    );
  }
}

/** Stores the token of a person, and tells where. @returns what the profile says about it */
export async function keepSignIn(
  name: string,
  profile: Profile,
  { accessToken, tokenId, expiresAt }: Confirmed,
  keychain: boolean,
): Promise<KeptSignIn> {
  const account = signInAccount(name, profile);
  const { store, reason } = await keepToken(account, accessToken, Math.floor(expiresAt / 1000), keychain);
  if (store === 'file')
    process.stderr.write(
      `The token is in ${tokenFolder()} (mode 0600)${reason === undefined ? '' : `; no keychain: ${reason}`}.\n`,
    );
  return { store, tokenId, expiresAt };
}

/**
 * Revokes the token of a person and deletes it here.
 * @param connectWith makes a client of a token
 */
export async function endSignIn(
  name: string,
  profile: Profile,
  { store, tokenId }: KeptSignIn,
  connectWith: (accessToken: string) => Promise<{ client: PorticoClient; options: RequestOptions }>,
): Promise<void> {
  const account = signInAccount(name, profile);
  const accessToken = await readKeptToken(store as TokenStore, account);
  if (accessToken !== undefined) {
    const { client, options } = await connectWith(accessToken);
    const { AuthenticationError } = await import('@portico/sdk');
    try {
      await client.auth.revokePersonalToken({ tokenId }, options);
    } catch (error) {
      // It has expired or was revoked elsewhere.
      if (!(error instanceof AuthenticationError)) throw error;
    }
  }
  await deleteKeptToken(store, account);
}
