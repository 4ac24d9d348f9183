/**
 * Sign-in with a token of an external identity provider (specification: Identity-provider token exchange; ruling 13).
 * The token is shown to the provider's own endpoint; nothing in it is believed unless the provider says so.
 */
import { PorticoError } from '../../platform/errors.ts';
import type { TenantScope } from '../../platform/scope.ts';

export interface IdentityProviderConfig {
  /** Endpoint that describes an access token: audience, scopes and the account's e-mail (Google's `tokeninfo`). */
  tokenInfoUrl: string;
  /** Milliseconds. */
  timeoutMs: number;
  /** Credentials of an introspection endpoint that asks for them (RFC 7662). */
  client?: { id: string; secret: string };
}

export const DEFAULT_TOKEN_INFO_URL = 'https://oauth2.googleapis.com/tokeninfo';
/** A longer answer is not read. Bytes. */
const MAX_ANSWER = 64 * 1024;

function refused(reason: string): PorticoError {
  return new PorticoError('INVALID_PROVIDER_TOKEN', {
    message: `The identity provider token was refused: ${reason}.`,
    headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' },
  });
}

/**
 * Finds the user that a provider's token is linked to.
 * @throws PorticoError INVALID_PROVIDER_TOKEN (401), or UNAVAILABLE when the provider does not answer
 */
export async function acceptProviderToken(
  scope: TenantScope,
  config: IdentityProviderConfig,
  token: string,
): Promise<number> {
  if (scope.settings.providerClientIds.length === 0)
    throw refused('this tenant has no client id of the provider configured');
  const info = await describeToken(config, token);
  const audiences = [info['aud'], info['azp'], info['client_id']].flat().filter((value) => typeof value === 'string');
  if (!audiences.some((audience) => scope.settings.providerClientIds.includes(audience)))
    throw refused('it was issued for another application');
  if (typeof info['scope'] !== 'string' || !info['scope'].split(/\s+/).some(grantsProfile)) {
    throw refused('it lacks the scope "profile"');
  }
  if (info['active'] === false) throw refused('it is no longer valid');
  const expiresIn = Number(info['expires_in']);
  const expiresAt = Number(info['exp']);
  const now = scope.clock.now() / 1000;
  if ((Number.isFinite(expiresIn) && expiresIn <= 0) || (Number.isFinite(expiresAt) && expiresAt <= now))
    throw refused('it has expired');
  const accounts = accountsOf(info);
  if (accounts.length === 0) throw refused('the provider names no verified account');
  const [user] = await scope.db.query<{ id: number }>(
    `SELECT id FROM users WHERE tenant_id = $1 AND google_enabled
        AND google_account_folded = ANY (ARRAY(SELECT lower(account) FROM unnest($2::text[]) account)) AND deleted_at IS NULL AND NOT blocked ORDER BY id LIMIT 1`,
    [scope.tenant.id, accounts],
  );
  if (!user) throw refused('its account is not linked to an active user');
  return user.id;
}

function grantsProfile(scope: string): boolean {
  return scope === 'profile' || scope === 'https://www.googleapis.com/auth/userinfo.profile';
}

/** What the account may be linked by: the verified e-mail address, and the provider's own name of the account. */
function accountsOf(info: Record<string, unknown>): string[] {
  const verified = info['email_verified'] !== false && info['email_verified'] !== 'false';
  return [verified ? info['email'] : undefined, info['sub']].filter(
    (account): account is string => typeof account === 'string' && account !== '',
  );
}

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
    // In the body, so that the token stands in no access log; in both names that providers use (RFC 7662, tokeninfo).
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
      message: 'The identity provider does not answer; try again shortly.',
      cause: error,
    });
  }
  const text = await response.text();
  if (response.status >= 500)
    throw new PorticoError('UNAVAILABLE', { message: 'The identity provider does not answer; try again shortly.' });
  if (!response.ok || text.length > MAX_ANSWER) throw refused('the provider does not know it');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Not JSON: refused below like any other answer that says nothing.
  }
  throw refused('the provider does not know it');
}
