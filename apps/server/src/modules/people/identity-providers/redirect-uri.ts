/** Addresses of sign-in by a provider. */
import type { TenantScope } from '../../../kernel/scope.ts';

/** Path prefix of the addresses; the key of the provider follows. */
export const PROVIDERS_PATH = '/portal/api/core/auth/providers';

/** Returns the redirect URI of a provider, on the tenant's own host if it has one. */
export function redirectUriOf(
  { ownAddress, baseUrl }: Pick<TenantScope, 'ownAddress' | 'baseUrl'>,
  key: string,
): string {
  return `${ownAddress ?? baseUrl}${PROVIDERS_PATH}/${key}/callback`;
}
