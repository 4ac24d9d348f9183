/** Tenants: hosts, settings, secrets, the audit log. */
export { auditHandlers } from './audit/audit.routes.ts';
export { chainEntries, countUnchained, entriesDue } from './audit/chain-entries.ts';
export type { ChainHead } from './audit/chained-entries.ts';
export { pruneEntries } from './audit/prune-entries.ts';
export { type ChainReport, verifyChain } from './audit/verify-chain.ts';
export { findLogo, LOGO_PATH, logoUrl } from './branding.ts';
export { createTenant, finishTenant } from './create-tenant.ts';
export { type DeletionCertificate, deleteTenant, readCertificates, removeUnfinishedTenant } from './delete-tenant.ts';
export { isHostName, normaliseHost } from './host-names.ts';
export { changeHosts, type HostChanges } from './hosts.ts';
export {
  findTaken,
  finishImported,
  forgetDeletion,
  insertImported,
  isHere,
  switchOffNotificationMails,
} from './import-tenant.ts';
export { ownerExecutor } from './owner-executor.ts';
export { TenantRegistry } from './registry.ts';
export { findPersonScope, systemAccountOf, systemScope, type TenantServices, tenantScope } from './scopes.ts';
export { listSecrets, MAX_SECRETS, rotateSecret, type SecretKind, secretKinds, withdrawSecret } from './secrets.ts';
export { tenantSettingsHandlers } from './settings.routes.ts';
export { TenantError } from './tenant-error.ts';
export {
  changeTenantSettings,
  checkTenantSettings,
  readTenantSettings,
  type TenantSettingValues,
} from './tenant-settings.ts';
export { disableTenant, recordExport, reenableTenant, renameTenant, scheduleDeletion } from './tenant-state.ts';
export { type DueTenant, TenantWork } from './tenant-work.ts';
