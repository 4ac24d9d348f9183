/** The registry of tenants. */

export { createTenant, enableTenant, removeTenant, TenantError } from './create-tenant.ts';
export { tenantSettingsHandlers } from './edit-tenant-settings.ts';
export { normaliseHost, TenantRegistry } from './registry.ts';
export { systemAccountOf, systemScope, type TenantServices, tenantScope } from './scopes.ts';
export {
  emptyFormerSecrets,
  listSecrets,
  MAX_SECRETS,
  rotateSecret,
  type SecretKind,
  secretKinds,
  withdrawSecret,
} from './secrets.ts';
export {
  changeTenantSettings,
  checkTenantSettings,
  readTenantSettings,
  type TenantSettingValues,
} from './tenant-settings.ts';
