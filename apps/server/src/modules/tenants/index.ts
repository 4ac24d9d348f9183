/** The registry of tenants. */
export { createTenant, TenantError } from './create-tenant.ts';
export type { NewTenant } from './create-tenant.ts';
export { normaliseHost, TenantRegistry } from './registry.ts';
