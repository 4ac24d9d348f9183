/**
 * Sign-in with a token of an external identity provider (docs/decisions/people.md).
 * The token is shown to the provider's own endpoint; nothing in it is believed unless the provider says so.
 */
import { PorticoError } from '../../kernel/errors.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { storableText } from '../../platform/text/index.ts';
import type { SignIn } from './access-tokens.ts';

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
 * @returns their sign-in
 * @throws PorticoError INVALID_PROVIDER_TOKEN (401), or UNAVAILABLE when the provider does not answer
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
  // Programs sign in by their keys, the system account not at all.
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

/** Whether a claim has one of these values, as JSON or as text in any case: providers send both. */
function says(claim: unknown, ...values: string[]): boolean {
  return values.includes(String(claim).trim().toLowerCase());
}

/**
 * What the account may be linked by. An id with `@` is an e-mail address and matches a verified one only: a `sub` of this
 * shape may have been chosen by its holder. Any other id matches `sub` only.
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
    // In the body, so that no access log contains the token; in both names that providers use (RFC 7662, tokeninfo).
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
    // Not JSON: refused below like any other answer that says nothing.
  }
  throw refused('the provider does not know it');
}
