/** Archives of single tenants: written while the portal runs, and imported into another installation. */
export { exportTenant } from './export-tenant.ts';
export { type ImportedTenant, type ImportKind, importTenant } from './import-tenant.ts';
export type { TenantManifest } from './manifest.ts';
export type { QuietedCopy } from './quiet-copy.ts';
