/** The registry of tenants. */

export type { CreatedTenant, NewTenant } from './create-tenant.ts';
export { createTenant, enableTenant, removeTenant, TenantError } from './create-tenant.ts';
export { normaliseHost, TenantRegistry } from './registry.ts';
