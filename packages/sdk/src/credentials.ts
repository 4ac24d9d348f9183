/** Ways to sign in, and the access token they yield. */
import { AuthenticationError, ConfigurationError, NetworkError, TimeoutError } from './errors.ts';
import { type CachedToken, type TokenCache, tokenKey } from './token-cache.ts';

/** The key file of a service account. */
export interface ServiceAccountKey {
  /** `service_account`; anything else is refused. */
  type: string;
  private_key_id: number;
  /** RSA key, PKCS#8 PEM. */
  private_key: string;
  client_id: number;
}

/** Ways of the client to get access tokens; exactly one is used. */
export type Credentials =
  /** A service account: its key, or (Node.js) the path of its key file. */
  | { readonly serviceAccount: ServiceAccountKey | string }
  /** An access token of the identity provider, or a function that returns a fresh one on demand. */
  | { readonly providerToken: string | (() => string | Promise<string>) }
  /** A person: user name or contact e-mail address, and password. No token is shared with other clients of the person. */
  | { readonly username: string; readonly password: string }
  /** An access token of the portal, used as it is. */
  | { readonly accessToken: string };

/**
 * Sign-in of the client: by an access token, or (in a page of the portal) by the cookie of the
 * browser's session. `client.auth.startSession` starts a session.
 */
export type ClientCredentials = Credentials | 'session';

/** Default `aud` of the assertion. */
export const defaultAudience = 'portico/portal-authenticator';

export const CREDENTIALS_MISSING =
  "credentials must hold serviceAccount, providerToken, username and password, or accessToken, or be 'session' in a page of the portal.";

const LIFETIME_S = 300;
/** A token with less lifetime left is no longer used. */
const MARGIN_S = 60;
const READABLE_ALGORITHMS = new Set(['RS256', 'RS512', 'HS256', 'ES256']);

/**
 * The signed assertion that a service account exchanges for a token: RS512, numeric `kid` and `iss`, `exp` = `iat` + 300.
 * @param now epoch milliseconds
 */
async function serviceAccountAssertion(key: ServiceAccountKey, audience: string, now: number): Promise<string> {
  const iat = Math.floor(now / 1000);
  const header = { alg: 'RS512', typ: 'JWT', kid: key.private_key_id };
  const claims = {
    jti: crypto.randomUUID().replaceAll('-', ''),
    aud: audience,
    iss: key.client_id,
    iat,
    exp: iat + LIFETIME_S,
  };
  const unsigned = `${encodeJson(header)}.${encodeJson(claims)}`;
  const signature = await crypto.subtle.sign(
    'RSASSA-PKCS1-v1_5',
    await importKey(key.private_key),
    new TextEncoder().encode(unsigned),
  );
  return `${unsigned}.${base64url(new Uint8Array(signature))}`;
}

async function importKey(pem: string) {
  const der = pem.match(/-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/)?.[1];
  if (der === undefined) throw new ConfigurationError('private_key of the key file is not a PKCS#8 PEM.');
  const bytes = Uint8Array.from(atob(der.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  try {
    return await crypto.subtle.importKey('pkcs8', bytes, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }, false, [
      'sign',
    ]);
  } catch (error) {
    throw new ConfigurationError('private_key of the key file is not an RSA key.', { cause: error });
  }
}

/** @throws ConfigurationError if the text is no key file */
export function readServiceAccountKey(text: string): ServiceAccountKey {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigurationError('The key file is not JSON.', { cause: error });
  }
  return checkKey(value);
}

function checkKey(value: unknown): ServiceAccountKey {
  const key = value as Partial<Record<keyof ServiceAccountKey, unknown>> | null;
  if (typeof key !== 'object' || key === null || key.type !== 'service_account') {
    throw new ConfigurationError('The key file is not one of a service account: its type must be service_account.');
  }
  if (!Number.isSafeInteger(key.private_key_id) || !Number.isSafeInteger(key.client_id)) {
    throw new ConfigurationError('private_key_id and client_id of the key file are numbers.');
  }
  if (typeof key.private_key !== 'string') throw new ConfigurationError('The key file has no private_key.');
  return key as ServiceAccountKey;
}

function encodeJson(value: unknown): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Reads the end of an access token without checking its signature.
 * @returns epoch seconds, or undefined if it is no JWT, has another algorithm or no numeric `exp`
 */
function tokenExpiry(token: string): number | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [header, claims] = parts.slice(0, 2).map(decodePart);
  if (typeof header?.['alg'] !== 'string' || !READABLE_ALGORITHMS.has(header['alg'])) return undefined;
  return typeof claims?.['exp'] === 'number' ? claims['exp'] : undefined;
}

function decodePart(part: string): Record<string, unknown> | undefined {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const value: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))),
    );
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // not JSON in base64url: the caller refuses the token
  }
}

/** The exchanges, as the transport sends them. */
interface Exchanges {
  serviceAccount(jwtAssertion: string): Promise<string>;
  provider(token: string): Promise<string>;
  password(username: string, password: string): Promise<string>;
}

/** Options of a {@link TokenSource}. */
interface TokenSourceOptions {
  credentials: Credentials;
  audience: string;
  apiRoot: string;
  cache: TokenCache;
  exchanges: Exchanges;
  /** Reads a key file; absent on platforms without files. */
  readKeyFile?: ((path: string) => Promise<string>) | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Returns access tokens: cached ones until 60 s before their end, then new ones. Signs in once at a
 * time.
 */
export class TokenSource {
  readonly #options: TokenSourceOptions;
  #key: Promise<ServiceAccountKey> | undefined;
  #cacheKey: Promise<string> | undefined;
  #signingIn: Promise<string> | undefined;
  #fixed: string | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
    if ('accessToken' in options.credentials) this.#fixed = options.credentials.accessToken;
  }

  /** @throws AuthenticationError if there is no token */
  async token(): Promise<string> {
    if ('accessToken' in this.#options.credentials) {
      if (this.#fixed !== undefined) return this.#fixed;
      throw refused('The access token was refused before; make a client with a new one.');
    }
    // Callers during a sign-in wait for its result.
    this.#signingIn ??= this.#obtain().finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  /** Removes a token that was refused; a token that has replaced it since is kept. */
  async drop(token: string): Promise<void> {
    if (this.#fixed === token) this.#fixed = undefined;
    if ('accessToken' in this.#options.credentials) return;
    const key = await this.#keyOfCache();
    if ((await this.#options.cache.get(key))?.accessToken === token) await this.#options.cache.delete(key);
  }

  /** Removes the cached token. */
  async forget(): Promise<void> {
    this.#fixed = undefined;
    if (!('accessToken' in this.#options.credentials)) await this.#options.cache.delete(await this.#keyOfCache());
  }

  async #obtain(): Promise<string> {
    const { cache, now } = this.#options;
    const key = await this.#keyOfCache();
    const kept: CachedToken | undefined = await cache.get(key);
    if (kept && kept.expiresAt - now() / 1000 > MARGIN_S) return kept.accessToken;
    const accessToken = await this.#exchange();
    const expiresAt = tokenExpiry(accessToken);
    if (expiresAt === undefined) throw refused('The server gave an access token that is not a JWT with an end.');
    await cache.set(key, { accessToken, expiresAt });
    return accessToken;
  }

  async #exchange(): Promise<string> {
    const { credentials, audience, exchanges, now } = this.#options;
    if ('serviceAccount' in credentials) {
      const key = await this.#serviceAccount();
      const exchange = async () => exchanges.serviceAccount(await serviceAccountAssertion(key, audience, now()));
      // A broken connection, for example one that the server has closed meanwhile, is retried once,
      // with a new assertion.
      return exchange().catch((error) => {
        if (!(error instanceof NetworkError) || error instanceof TimeoutError) throw error;
        return exchange();
      });
    }
    if ('providerToken' in credentials) {
      const { providerToken } = credentials;
      return exchanges.provider(typeof providerToken === 'string' ? providerToken : await providerToken());
    }
    if ('username' in credentials) return exchanges.password(credentials.username, credentials.password);
    throw new ConfigurationError(CREDENTIALS_MISSING);
  }

  #serviceAccount(): Promise<ServiceAccountKey> {
    this.#key ??= this.#readKey();
    return this.#key;
  }

  async #readKey(): Promise<ServiceAccountKey> {
    const { credentials, readKeyFile } = this.#options;
    const given = 'serviceAccount' in credentials ? credentials.serviceAccount : undefined;
    if (typeof given !== 'string') return checkKey(given);
    if (!readKeyFile) throw new ConfigurationError('There are no files here: pass the content of the key file.');
    return readServiceAccountKey(await readKeyFile(given));
  }

  #keyOfCache(): Promise<string> {
    this.#cacheKey ??= this.#identity().then((identity) => tokenKey(this.#options.apiRoot, identity));
    return this.#cacheKey;
  }

  async #identity(): Promise<string> {
    const { credentials } = this.#options;
    if ('serviceAccount' in credentials) {
      const { client_id, private_key_id } = await this.#serviceAccount();
      return `account_${client_id}_${private_key_id}`;
    }
    if ('providerToken' in credentials && typeof credentials.providerToken === 'string') {
      return `provider_${(await tokenKey(credentials.providerToken, '')).slice(0, 32)}`;
    }
    // A function may return tokens of any person, and a token cached by name alone would be
    // available without the password: these tokens are for this client only.
    return `function_${crypto.randomUUID().replaceAll('-', '')}`;
  }
}

function refused(message: string): AuthenticationError {
  return new AuthenticationError({ status: 401, requestId: undefined, operation: undefined, body: { message } });
}
