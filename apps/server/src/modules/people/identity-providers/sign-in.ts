/**
 * Sign-in by a provider: the redirect to the provider, and the handling of its callback. A cookie,
 * encrypted for the tenant and the provider, holds the values that verify the callback, so that
 * every node can read it and only the browser that began the sign-in can complete it.
 */
import { SealingError } from '@portico/platform/sealing';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import type { SignIn } from '../auth/access-tokens.ts';
import { takeState } from './identities.repository.ts';
import { identityOf, lacksClaims } from './identity.ts';
import { accountOf } from './linked-accounts.ts';
import type { ProviderClaims, ProviderClient, ProviderConnection, SignInSecrets } from './provider-client.ts';
import { isProviderKey } from './providers.policy.ts';
import { enabledProvider, type ProviderRow, placeOfClientSecret } from './providers.repository.ts';
import { redirectUriOf } from './redirect-uri.ts';
import { SignInFailure } from './sign-in-failure.ts';

/** Time limit of a sign-in at the provider. Milliseconds. */
export const SIGN_IN_MS = 600_000;
/** Page after signing in if no other page was requested. */
export const START_PAGE = '/portal/';
const MAX_RETURN = 500;

/** Sign-in that was begun. */
interface BegunSignIn {
  /** Authorization URL at the provider. */
  location: string;
  /** Cookie that the browser keeps for {@link SIGN_IN_MS}. */
  cookie: string;
}

interface Pending extends SignInSecrets {
  returnTo: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Begins a sign-in.
 * @param key of the provider
 * @param returnTo requested page; ignored unless it is below /portal/
 * @throws SignInFailure unknown-provider, provider-unavailable
 */
export async function beginSignIn(
  scope: TenantScope,
  client: ProviderClient,
  key: string,
  returnTo: unknown,
): Promise<BegunSignIn> {
  const provider = await required(scope, key);
  const secrets = client.newSecrets();
  const location = await client.authorizationUrl(connectionOf(scope, provider), secrets);
  const expiresAt = scope.clock.now() + SIGN_IN_MS;
  const pending: Pending = { ...secrets, returnTo: pageBelowPortal(returnTo), expiresAt };
  const sealed = scope.sealer.seal(Buffer.from(JSON.stringify(pending)), placeOfPending(scope, provider));
  return { location, cookie: sealed.toString('base64url') };
}

/**
 * Completes a sign-in, once.
 * @param cookie of the browser; undefined if it sends none
 * @param query of the callback, with its `?`
 * @param system creates the scope of the tenant's system account
 * @returns the signed-in account, and the requested page
 * @throws SignInFailure
 */
export async function finishSignIn(
  scope: TenantScope,
  client: ProviderClient,
  key: string,
  { cookie, query }: { cookie: string | undefined; query: string },
  system: () => Promise<Scope>,
): Promise<{ signIn: SignIn; returnTo: string }> {
  const provider = await required(scope, key);
  const pending = openPending(scope, provider, cookie);
  // Compared before it is used up: a forged callback does not end the sign-in of its browser.
  if (new URLSearchParams(query).get('state') !== pending.state)
    throw new SignInFailure('sign-in-expired', 'the state is not that of the browser');
  if (!(await takeState(scope.db, pending.state, pending.expiresAt)))
    throw new SignInFailure('sign-in-expired', 'the state was used before');
  const claims = await claimsOf(scope, client, provider, query, pending);
  const identity = identityOf(claims, provider);
  if (identity.groups === null)
    scope.log.warn(
      { tenant: scope.tenant.name, provider: key },
      'the identity provider names groups elsewhere, so that memberships stay as they are',
    );
  return { signIn: await accountOf(await system(), provider, identity), returnTo: pending.returnTo };
}

async function required(scope: TenantScope, key: string): Promise<ProviderRow> {
  const provider = isProviderKey(key) ? await enabledProvider(scope.db, key) : undefined;
  if (!provider) throw new SignInFailure('unknown-provider', 'there is no enabled provider of this key');
  return provider;
}

/**
 * Returns the claims of a callback whose state was compared and taken.
 * @param query of the callback, with its `?`
 * @throws SignInFailure as `ProviderClient.exchange`
 */
export function claimsOf(
  scope: TenantScope,
  client: ProviderClient,
  provider: ProviderRow,
  query: string,
  secrets: SignInSecrets,
): Promise<ProviderClaims> {
  return client.exchange(connectionOf(scope, provider), query, secrets, (given) => lacksClaims(given, provider));
}

/** Returns the settings of a provider that the protocol needs. */
export function connectionOf(scope: TenantScope, provider: ProviderRow): ProviderConnection {
  const { id, key, issuer, clientId, scopes, sealedClientSecret } = provider;
  return {
    issuer,
    clientId,
    scopes,
    clientSecret: sealedClientSecret && open(scope, sealedClientSecret, id),
    redirectUri: redirectUriOf(scope, key),
  };
}

const open = (scope: TenantScope, sealed: Buffer, id: number) =>
  scope.sealer.open(sealed, placeOfClientSecret(scope.tenant.id, id)).toString();

/** Returns the encryption context of a sign-in cookie; no table holds the cookie. */
const placeOfPending = ({ tenant }: TenantScope, { id }: ProviderRow) => ({
  tenantId: tenant.id,
  table: 'cookies',
  column: 'sign_in',
  row: id,
});

function openPending(scope: TenantScope, provider: ProviderRow, cookie: string | undefined): Pending {
  if (!cookie) throw new SignInFailure('sign-in-expired', 'the browser sends no cookie');
  let text: string;
  try {
    text = scope.sealer.open(Buffer.from(cookie, 'base64url'), placeOfPending(scope, provider)).toString();
  } catch (error) {
    if (!(error instanceof SealingError)) throw error;
    throw new SignInFailure('sign-in-expired', 'the cookie is of another sign-in', { cause: error });
  }
  const pending = JSON.parse(text) as Pending;
  if (pending.expiresAt <= scope.clock.now()) throw new SignInFailure('sign-in-expired', 'it took too long');
  return pending;
}

/**
 * @returns path, query and fragment of a page below /portal/; {@link START_PAGE} for any other
 * value
 */
export function pageBelowPortal(page: unknown): string {
  if (typeof page !== 'string' || page.length > MAX_RETURN || !page.startsWith(START_PAGE)) return START_PAGE;
  const base = 'https://portal.invalid';
  const url = URL.parse(page, base);
  const inside =
    url?.origin === base && url.pathname.startsWith(START_PAGE) && !url.pathname.startsWith('/portal/api/');
  return inside ? `${url.pathname}${url.search}${url.hash}` : START_PAGE;
}
