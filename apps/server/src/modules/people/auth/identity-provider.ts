/**
 * Sign-in with a token of an external identity provider (docs/decisions/people.md). The token is
 * sent to the provider's own endpoint; its claims count only if the provider confirms them.
 */

import { storableText } from '@portico/platform/text';
import { PorticoError } from '../../../kernel/errors.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import type { SignIn } from './access-tokens.ts';

export interface IdentityProviderConfig {
  /** Endpoint that describes an access token: audience, scopes and the account's e-mail (Google's `tokeninfo`). */
  tokenInfoUrl: string;
  /** Milliseconds. */
  timeoutMs: number;
  /** Credentials of an introspection endpoint that requires them (RFC 7662). */
  client?: { id: string; secret: string };
}

export const DEFAULT_TOKEN_INFO_URL = 'https://oauth2.googleapis.com/tokeninfo';
/** Maximum size in bytes of a response that is read. */
const MAX_ANSWER = 64 * 1024;

function refused(reason: string): PorticoError {
  return new PorticoError('INVALID_PROVIDER_TOKEN', {
    message: `The identity provider token was refused: ${reason}.`,
    headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' },
  });
}

/**
 * Finds the user linked to a provider's token.
 * @returns their sign-in
 * @throws PorticoError INVALID_PROVIDER_TOKEN (401), or UNAVAILABLE when the provider does not
 * respond
 */
export async function acceptProviderToken(
  scope: TenantScope,
  config: IdentityProviderConfig,
  token: string,
): Promise<SignIn> {
  if (scope.settings.providerClientIds.length === 0)
    throw refused('this tenant has no client id of the provider configured');
  const info = await describeToken(config, token);
  const audiences = [info['aud'], info['azp'], info['client_id']].flat().filter((value) => typeof value === 'string');
  if (!audiences.some((audience) => scope.settings.providerClientIds.includes(audience)))
    throw refused('it was issued for another application');
  if (typeof info['scope'] !== 'string' || !info['scope'].split(/\s+/).some(grantsProfile)) {
    throw refused('it lacks the scope "profile"');
  }
  if (Object.hasOwn(info, 'active') && !says(info['active'], 'true', '1')) throw refused('it is no longer valid');
  const expiresIn = Number(info['expires_in']);
  const expiresAt = Number(info['exp']);
  const now = scope.clock.now() / 1000;
  if ((Number.isFinite(expiresIn) && expiresIn <= 0) || (Number.isFinite(expiresAt) && expiresAt <= now))
    throw refused('it has expired');
  const { email, subject } = accountOf(info);
  if (email === null && subject === null) throw refused('the provider names no verified account');
  // Service accounts sign in with their keys only; the system account never signs in.
  const [user] = await scope.db.query<{ id: number; sessionVersion: number }>(
    `SELECT id, session_version AS "sessionVersion" FROM users WHERE tenant_id = $1 AND google_enabled AND deleted_at IS NULL AND NOT blocked
        AND NOT service_account AND NOT system_account AND (google_account_folded = lower($2)
          OR (google_account_folded = lower($3) AND google_account_id = $3))
      ORDER BY google_account_id = $3 DESC LIMIT 1`,
    [scope.tenant.id, email, subject],
  );
  if (!user) throw refused('its account is not linked to an active user');
  return { userId: user.id, keyId: null, sessionVersion: user.sessionVersion, byProvider: true };
}

function grantsProfile(scope: string): boolean {
  return scope === 'profile' || scope === 'https://www.googleapis.com/auth/userinfo.profile';
}

/**
 * Returns whether a claim has one of these values, as JSON or as text in any case: providers send
 * both.
 */
function says(claim: unknown, ...values: string[]): boolean {
  return values.includes(String(claim).trim().toLowerCase());
}

/**
 * Returns the claims by which an account may be linked. An id with `@` is an e-mail address and
 * matches only a verified address: the holder may have chosen a `sub` of this shape. Any other id
 * matches `sub` only.
 */
function accountOf(info: Record<string, unknown>): { email: string | null; subject: string | null } {
  const { email, sub } = info;
  const verified = info['email_verified'] === true || info['email_verified'] === 'true';
  return {
    email: verified && isText(email) && email.includes('@') ? email : null,
    subject: isText(sub) && !sub.includes('@') ? sub : null,
  };
}

const isText = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim !== '' && storableText(claim) === claim;

async function describeToken(config: IdentityProviderConfig, token: string): Promise<Record<string, unknown>> {
  const { client } = config;
  const common: RequestInit = {
    headers: {
      Accept: 'application/json',
      ...(client && {
        Authorization: `Basic ${Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`).toString('base64')}`,
      }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(config.timeoutMs),
  };
  let response: Response;
  try {
    // Send the token in the body, so that no access log contains it, under both names that
    // providers use (RFC 7662, tokeninfo).
    response = await fetch(config.tokenInfoUrl, {
      ...common,
      method: 'POST',
      body: new URLSearchParams({ token, access_token: token }),
    });
    if (response.status === 404 || response.status === 405) {
      await response.body?.cancel();
      const address = new URL(config.tokenInfoUrl);
      address.searchParams.set('access_token', token);
      response = await fetch(address, common);
    }
  } catch (error) {
    throw new PorticoError('UNAVAILABLE', {
      message: 'The identity provider is not available. Try again later.',
      cause: error,
    });
  }
  const text = await response.text();
  if (response.status >= 500)
    throw new PorticoError('UNAVAILABLE', { message: 'The identity provider is not available. Try again later.' });
  if (!response.ok || text.length > MAX_ANSWER) throw refused('the provider does not know it');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON: rejected below like any other unusable response.
  }
  throw refused('the provider does not know it');
}
