/** Addresses of sign-in by a provider. */
import type { TenantScope } from '../../kernel/scope.ts';

/** Path below which the addresses are; the key of the provider follows. */
export const PROVIDERS_PATH = '/portal/api/core/auth/providers';

/** The address that a provider sends people back to: on the tenant's own host, where it has one. */
export function redirectUriOf(
  { ownAddress, baseUrl }: Pick<TenantScope, 'ownAddress' | 'baseUrl'>,
  key: string,
): string {
  return `${ownAddress ?? baseUrl}${PROVIDERS_PATH}/${key}/callback`;
}
