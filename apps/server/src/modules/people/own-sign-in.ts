/** Sign-ins that the portal itself checks: by password or passkey. */
import { PorticoError } from '../../kernel/errors.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { hasRequiredProvider } from '../auth/index.ts';

/**
 * Called once password or passkey was right, so that the refusal tells nothing to others.
 * @throws PorticoError INVALID_CREDENTIALS (401) where the tenant requires an identity provider of everybody but this account
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
