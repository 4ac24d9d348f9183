/** Options of a client, and functions that depend on the platform. */
import { apiPrefixes } from '@portico/contract';
import type { ClientCredentials } from './credentials.ts';
import { ConfigurationError } from './errors.ts';
import { type FileSource, type SendMultipart, sendMultipartForm } from './files.ts';
import type { TokenCache } from './token-cache.ts';
import type { Fetch, Hooks } from './transport.ts';

export interface ClientOptions {
  /**
   * Base address of the tenant, for example `https://portal.example.org`; without a scheme,
   * `https://` is added.
   */
  baseUrl: string;
  credentials: ClientCredentials;
  /** `aud` of the service-account assertion. Default `portico/portal-authenticator`. */
  audience?: string;
  /** Path of the API root below the base address. Default `/portal/api/external/v` followed by {@link apiVersion}. */
  apiPath?: string;
  /** Version of the interface. Default 2. A contradicting `apiPath` is refused. */
  apiVersion?: number;
  /** Store of access tokens. Default: in memory. Node.js also has DiskTokenCache. */
  tokenCache?: TokenCache;
  /** Milliseconds until a request fails with a TimeoutError; 0 means no limit. Default 30 000. */
  timeoutMs?: number;
  /**
   * Number of retries after a network failure, a 429 or a 5xx. Writes carry an idempotency key, so
   * that a retry never writes twice; sign-ins and writes whose response holds a secret are not
   * retried. Default 2.
   */
  retries?: number;
  hooks?: Hooks;
  /** Sends the requests; default the global `fetch`. */
  fetch?: Fetch;
  /** `User-Agent`, if the platform allows it to be set. */
  userAgent?: string;
}

/** Functions that depend on the platform. */
export interface Platform {
  readonly readKeyFile?: (path: string) => Promise<string>;
  readonly openPath?: (path: string) => Promise<FileSource>;
  readonly sendMultipart: SendMultipart;
  readonly userAgent?: string;
}

/** Platform functions of browsers, and of other environments with fetch and Web Crypto. */
export const webPlatform: Platform = { sendMultipart: sendMultipartForm };

/**
 * Returns the path of the interface.
 * @throws ConfigurationError for an invalid version, or a version that differs from the end of the
 *   path
 */
export function apiPathOf({ apiPath, apiVersion }: ClientOptions): string {
  if (apiVersion !== undefined && !(Number.isSafeInteger(apiVersion) && apiVersion > 0))
    throw new ConfigurationError('apiVersion is a whole number such as 2.');
  const known = apiPrefixes[1].replace(/\d+$/, String(apiVersion ?? 2));
  const path = `/${apiPath ?? known}`.replace(/\/+/g, '/').replace(/\/$/, '');
  const named = /\/v(\d+)$/.exec(path)?.[1];
  if (apiVersion !== undefined && named !== undefined && Number(named) !== apiVersion)
    throw new ConfigurationError(
      `apiPath ends in version ${named}, apiVersion is ${apiVersion}: leave one of them out.`,
    );
  return path;
}
