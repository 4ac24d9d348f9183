/** The registry of tenants. */

export type { CreatedTenant, NewTenant } from './create-tenant.ts';
export { createTenant, enableTenant, removeTenant, TenantError } from './create-tenant.ts';
export { normaliseHost, TenantRegistry } from './registry.ts';
export { systemAccountOf, systemScope, type TenantServices, tenantScope } from './scopes.ts';
export {
  listSecrets,
  MAX_SECRETS,
  rotateSecret,
  type SecretKind,
  type SecretState,
  secretKinds,
  withdrawSecret,
} from './secrets.ts';
