/** The registry of tenants. */
export { createTenant, enableTenant, removeTenant, TenantError } from './create-tenant.ts';
export type { CreatedTenant, NewTenant } from './create-tenant.ts';
export { normaliseHost, TenantRegistry } from './registry.ts';
