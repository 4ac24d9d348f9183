/**
 * Tenants may require an identity provider of their people. It is decided at each request, so that sign-ins by password or passkey
 * from before the setting end with it, on every node.
 */
import type { Actor, TenantScope } from '../../kernel/scope.ts';

/** Whether a sign-in is accepted as far as this setting goes. Programs and the break-glass administrator are exempt. */
export function hasRequiredProvider(
  { settings }: Pick<TenantScope, 'settings'>,
  { person, breakGlass }: Pick<Actor, 'person' | 'breakGlass'>,
  byProvider: boolean,
): boolean {
  return byProvider || !settings.requireProvider || !person || breakGlass;
}
