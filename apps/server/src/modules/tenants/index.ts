/** The registry of tenants. */

export { createTenant, enableTenant, removeTenant } from './create-tenant.ts';
export { tenantSettingsHandlers } from './edit-tenant-settings.ts';
export { isHostName, normaliseHost } from './host-names.ts';
export { changeHosts, type HostChanges } from './hosts.ts';
export { TenantRegistry } from './registry.ts';
export { systemAccountOf, systemScope, type TenantServices, tenantScope } from './scopes.ts';
export {
  listSecrets,
  MAX_SECRETS,
  rotateSecret,
  type SecretKind,
  secretKinds,
  withdrawSecret,
} from './secrets.ts';
export { TenantError } from './tenant-error.ts';
export {
  changeTenantSettings,
  checkTenantSettings,
  readTenantSettings,
  type TenantSettingValues,
} from './tenant-settings.ts';
export { type DueTenant, TenantWork } from './tenant-work.ts';
