/**
 * Functions of the product with which the bench builds its data: verbs for the few objects
 * (tenants, people, definitions), and the pure functions that return the rows of a post for the
 * many.
 */

import { attachmentTables } from '../../src/modules/attachments/tables.ts';
import { commentTables } from '../../src/modules/comments/tables.ts';
import { postTables } from '../../src/modules/posts/tables.ts';
import { taskTables } from '../../src/modules/tasks/tables.ts';

export { GrantSource, type WriteScope, writeTransaction } from '../../src/kernel/access/index.ts';
export type { CommunityRole, Scope } from '../../src/kernel/scope.ts';
export { tablesBelow } from '../../src/kernel/tables/registry.ts';
export { createServiceAccountKey } from '../../src/modules/auth/index.ts';
export { createCatalogEntries, ensureCatalog } from '../../src/modules/catalogs/index.ts';
export { addField } from '../../src/modules/communities/define-fields.ts';
export {
  type CommunityDefinition,
  createCommunity,
  createWorkflow,
  ensureHashtags,
  getDefinition,
  type NewField,
  setCommunityRoles,
} from '../../src/modules/communities/index.ts';
export { entityKind, type StoredValue, storedIds, typeOf } from '../../src/modules/fields/index.ts';
export { createGroupRecord, createServiceAccount, createUserRecords } from '../../src/modules/people/index.ts';
export { ChangeKind } from '../../src/modules/posts/events/index.ts';
export { listPosts } from '../../src/modules/posts/reading/index.ts';
export type { FieldRules } from '../../src/modules/posts/values/field-rules.ts';
export {
  extendsVisibility,
  type FieldRule,
  fieldRules,
  searchTexts,
} from '../../src/modules/posts/values/index.ts';
export { holdsPosts } from '../../src/modules/posts/values/references.ts';
export { textRow, valueRows } from '../../src/modules/posts/values/rows.ts';
export { keepReach, reachOf } from '../../src/modules/stream/access-snapshots.ts';
export { signPosition } from '../../src/modules/stream/stream-tokens.ts';
export { tables } from '../../src/modules/tables.ts';
export { createTenant, systemScope, tenantScope } from '../../src/modules/tenants/index.ts';
export { createWorkspace } from '../../src/modules/workspaces/index.ts';
export { migrate } from '../../src/platform/db/migrate.ts';
export { finishAtOnce } from '../../src/platform/parts.ts';
export { Random } from '../../src/platform/random.ts';
export { type DeltaOp, describeDelta, plainTextToDelta } from '../../src/platform/richtext/index.ts';
export { sortKey, sortKeyWithTies } from '../../src/platform/text/index.ts';
export { readConfig } from '../../src/process/config/config.ts';
export { createServices, type Services } from '../../src/process/services.ts';
export { configOf } from './cluster.ts';

/** Tables that rows of posts go to. */
export const loadedTables = { ...postTables, ...commentTables, ...taskTables, ...attachmentTables };
export { testSealer } from './encryption.ts';
