/**
 * OpenID Connect client of one provider: discovery, the authorization URL, and the exchange of the
 * code. `openid-client` parses the responses of providers; ID tokens are verified with the
 * provider's current keys.
 */

import { type OutgoingOptions, outgoingFetch } from '@portico/platform/outgoing';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { SignInFailure } from './sign-in-failure.ts';

/** Time for which the configuration of a provider is cached. Milliseconds. */
const DISCOVERY_MS = 3_600_000;
/** Maximum of provider configurations cached per process. */
const MOST_PROVIDERS = 1_000;

/** Settings of a provider that the protocol needs. */
export interface ProviderConnection {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
}

/** Values that verify the callback of a sign-in. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly verifier: string;
}

/** Claims about the person, of the ID token and of the userinfo endpoint. */
export type ProviderClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

export class ProviderClient {
  readonly #fetch: ReturnType<typeof outgoingFetch>;
  readonly #discovered: LRUCache<string, oidc.ServerMetadata>;

  constructor(options: OutgoingOptions) {
    this.#fetch = outgoingFetch(options);
    this.#discovered = new LRUCache({
      max: MOST_PROVIDERS,
      ttl: DISCOVERY_MS,
      // Concurrent requests wait for one discovery; a failed one is not cached.
      fetchMethod: (issuer: string) => this.#discover(issuer),
    });
  }

  newSecrets(): SignInSecrets {
    return { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
  }

  /** Returns the authorization URL that starts a sign-in. @throws SignInFailure */
  async authorizationUrl(connection: ProviderConnection, { state, nonce, verifier }: SignInSecrets): Promise<string> {
    return atProvider(async () => {
      const config = await this.#configurationOf(connection);
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: connection.redirectUri,
        scope: connection.scopes.join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      if (!['https:', new URL(connection.issuer).protocol].includes(url.protocol))
        throw new SignInFailure('provider-unavailable', 'the authorization endpoint is no https address');
      return url.href;
    });
  }

  /**
   * Exchanges the code of a callback.
   * @param query of the callback, with its `?`
   * @param needsUserInfo returns whether the ID token lacks a claim, so that the userinfo endpoint
   * is called too
   * @throws SignInFailure for an invalid state, issuer, nonce, signature or code, or if the
   * provider does not respond
   */
  async exchange(
    connection: ProviderConnection,
    query: string,
    secrets: SignInSecrets,
    needsUserInfo: (claims: ProviderClaims) => boolean,
  ): Promise<ProviderClaims> {
    return atProvider(async () => {
      const config = await this.#configurationOf(connection);
      const tokens = await oidc.authorizationCodeGrant(config, new URL(connection.redirectUri + query), {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new SignInFailure('sign-in-refused', 'there is no ID token');
      if (!needsUserInfo(claims) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      const more = await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      return mergedClaims(claims, more);
    });
  }

  async #configurationOf({ issuer, clientId, clientSecret }: ProviderConnection): Promise<oidc.Configuration> {
    const metadata = await this.#discovered.fetch(issuer);
    if (!metadata) throw new SignInFailure('provider-unavailable', 'the provider has no configuration');
    const config = new oidc.Configuration(metadata, clientId, undefined, authenticationOf(metadata, clientSecret));
    // Created for each sign-in, so that keys that the provider has just replaced are known.
    oidc.enableNonRepudiationChecks(config);
    this.#prepare(config, issuer);
    return config;
  }

  async #discover(issuer: string): Promise<oidc.ServerMetadata> {
    const config = await oidc.discovery(new URL(issuer), 'discovery', undefined, oidc.None(), {
      [oidc.customFetch]: this.#send,
      ...(issuer.startsWith('http:') && { execute: [oidc.allowInsecureRequests] }),
    });
    const { supportsPKCE: _function, ...metadata } = config.serverMetadata();
    return metadata;
  }

  #prepare(config: oidc.Configuration, issuer: string): void {
    config[oidc.customFetch] = this.#send;
    // The issuer is a host on loopback that the operator listed.
    if (issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
  }

  readonly #send: oidc.CustomFetch = (url, { method, headers, body, signal }) =>
    this.#fetch(url, { method, headers, body, signal });
}

/**
 * Merges the claims of the ID token with the missing ones from userinfo. The address and its
 * verified flag come from the same response: the flag says nothing about an address in another one.
 */
export function mergedClaims(claims: ProviderClaims, more: Readonly<Record<string, unknown>>): ProviderClaims {
  const { email, email_verified } = claims['email'] === undefined ? more : claims;
  return { ...more, ...claims, email, email_verified };
}

function authenticationOf(metadata: oidc.ServerMetadata, secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  return metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    ? oidc.ClientSecretPost(secret)
    : oidc.ClientSecretBasic(secret);
}

/** Error codes of `openid-client` for responses that a working provider does not send. */
const UNAVAILABLE: readonly unknown[] = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_TIMEOUT', 'OAUTH_PARSE_ERROR'];

/**
 * Runs a step of the protocol.
 * @throws SignInFailure in place of errors of the library and the network
 */
async function atProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInFailure) throw error;
    const message = (error as Error).message;
    if (error instanceof oidc.AuthorizationResponseError) {
      const failed = ['server_error', 'temporarily_unavailable'].includes(error.error);
      throw new SignInFailure(failed ? 'provider-unavailable' : 'sign-in-cancelled', message, { cause: error });
    }
    // The provider rejects the code; any other error of its token endpoint concerns the client.
    if (error instanceof oidc.ResponseBodyError) {
      const reason = /^[\w-]{1,60}$/.test(error.error) ? `${message}: ${error.error}` : message;
      const refused = error.error === 'invalid_grant';
      throw new SignInFailure(refused ? 'sign-in-refused' : 'provider-unavailable', reason, { cause: error });
    }
    const code = (error as { code?: unknown }).code;
    const refused = error instanceof oidc.ClientError && !UNAVAILABLE.includes(code) && !isNetworkError(error);
    const claim = refused ? claimIn(error) : undefined;
    const reason = claim === undefined ? message : `${message}: ${claim}`;
    throw new SignInFailure(refused ? 'sign-in-refused' : 'provider-unavailable', reason, { cause: error });
  }
}

/** Returns the name of the claim of an ID token that failed a check. */
function claimIn(error: unknown): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { claim } = (cause.cause ?? {}) as { claim?: unknown };
    if (typeof claim === 'string') return claim;
  }
  return undefined;
}

function isNetworkError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause.name === 'OutgoingError') return true;
  return false;
}
