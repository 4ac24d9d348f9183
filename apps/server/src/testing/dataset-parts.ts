/**
 * The product's own functions that the bench builds its data with: verbs for what is few (tenants, people, definitions),
 * and the pure functions that give the rows of a post for what is many.
 */

export { readConfig } from '../config/config.ts';
export { type WriteScope, write } from '../modules/access/index.ts';
export { createServiceAccountKey } from '../modules/auth/index.ts';
export { createCatalogEntries, ensureCatalog } from '../modules/catalogs/index.ts';
export {
  addField,
  type CommunityDefinition,
  createCommunity,
  createWorkflow,
  ensureHashtags,
  getDefinition,
  type NewField,
  setCommunityRoles,
} from '../modules/communities/index.ts';
export { createGroupRecord, createServiceAccount, createUserRecords } from '../modules/people/index.ts';
export { ChangeKind } from '../modules/posts/events/index.ts';
export { listPosts } from '../modules/posts/reading/index.ts';
export {
  entityKind,
  extendsVisibility,
  type FieldRule,
  type FieldRules,
  fieldRules,
  holdsPosts,
  type StoredValue,
  searchTexts,
  storedIds,
  textRow,
  valueRows,
} from '../modules/posts/values/index.ts';
export { GrantSource } from '../modules/posts/writing/watchers.ts';
export { keepReach, reachOf } from '../modules/stream/access-snapshots.ts';
export { signPosition } from '../modules/stream/stream-tokens.ts';
export { createTenant } from '../modules/tenants/index.ts';
export { createWorkspace } from '../modules/workspaces/index.ts';
export { migrate } from '../platform/db/migrate.ts';
export { type DeltaOp, describeDelta, plainTextToDelta } from '../platform/richtext/index.ts';
export type { RoleId, Scope } from '../platform/scope.ts';
export { sortKey, sortKeyWithTies } from '../platform/text/index.ts';
export { createServices, type Services, systemScope, tenantScope } from '../services.ts';
export { configOf } from './cluster.ts';
