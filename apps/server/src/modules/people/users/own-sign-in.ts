/** Sign-ins that the portal itself verifies: by password or passkey. */
import { PorticoError } from '../../../kernel/errors.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { hasRequiredProvider } from '../auth/required-provider.ts';

/**
 * Rejects the sign-in if the tenant requires an identity provider. Call it only after the password
 * or passkey was verified, so that the error reveals nothing to others.
 * @throws PorticoError INVALID_CREDENTIALS (401) if the tenant requires an identity provider and
 * the account is not the break-glass administrator
 */
export function mustAcceptOwnSignIn(
  { settings }: Pick<TenantScope, 'settings'>,
  account: { userId: number; breakGlass: boolean },
): void {
  if (hasRequiredProvider({ settings }, { person: true, breakGlass: account.breakGlass }, false)) return;
  throw new PorticoError('INVALID_CREDENTIALS', {
    headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' },
    account: account.userId,
    message: 'Sign in by an identity provider: passwords and passkeys are not accepted here.',
  });
}
