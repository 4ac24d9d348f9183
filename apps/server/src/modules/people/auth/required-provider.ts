/**
 * Lets tenants require an identity provider for people. Each request checks it, so that the setting
 * also ends earlier sign-ins by password or passkey, on every node.
 */
import type { Actor, TenantScope } from '../../../kernel/scope.ts';

/**
 * Returns whether this setting accepts a sign-in. Service accounts and the break-glass
 * administrator are exempt.
 */
export function hasRequiredProvider(
  { settings }: Pick<TenantScope, 'settings'>,
  { person, breakGlass }: Pick<Actor, 'person' | 'breakGlass'>,
  byProvider: boolean,
): boolean {
  return byProvider || !settings.requireProvider || !person || breakGlass;
}
