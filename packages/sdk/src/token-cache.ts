/** Where access tokens wait between requests. */

/** An access token and when it ends. */
export interface CachedToken {
  readonly accessToken: string;
  /** `exp` of the token, in epoch seconds. */
  readonly expiresAt: number;
}

/** Keeps tokens by a key that names one API base and one identity; a token is never looked up for another base. */
export interface TokenCache {
  get(key: string): Promise<CachedToken | undefined>;
  set(key: string, token: CachedToken): Promise<void>;
  delete(key: string): Promise<void>;
}

/** Keeps tokens as long as the program runs. */
export class MemoryTokenCache implements TokenCache {
  readonly #tokens = new Map<string, CachedToken>();

  async get(key: string): Promise<CachedToken | undefined> {
    return this.#tokens.get(key);
  }

  async set(key: string, token: CachedToken): Promise<void> {
    this.#tokens.set(key, token);
  }

  async delete(key: string): Promise<void> {
    this.#tokens.delete(key);
  }
}

/**
 * The key of a token: a hash of the API base, and who signs in.
 * @param apiRoot address below which the operations answer
 * @param identity such as `account-12`; letters, digits, `-` and `_` only
 */
export async function tokenKey(apiRoot: string, identity: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(apiRoot));
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex}-${identity}`;
}
