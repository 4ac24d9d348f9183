/**
 * Functions of the product with which the bench builds its data: verbs for the few objects
 * (tenants, people, definitions), and the pure functions that return the rows of a post for the
 * many.
 */

import { attachmentTables } from '../../src/modules/files/attachments/tables.ts';
import { commentTables } from '../../src/modules/post-parts/comments/tables.ts';
import { taskTables } from '../../src/modules/post-parts/tasks/tables.ts';
import { postTables } from '../../src/modules/posts/tables.ts';

export { finishAtOnce } from '@portico/platform/parts';
export { type DeltaOp, describeDelta, plainTextToDelta } from '@portico/platform/richtext';
export { sortKey, sortKeyWithTies } from '@portico/platform/text';
export { GrantSource, type WriteScope, writeTransaction } from '../../src/kernel/access/index.ts';
export type { CommunityRole, Scope } from '../../src/kernel/scope.ts';
export { tablesBelow } from '../../src/kernel/tables/registry.ts';
export { addField } from '../../src/modules/communities/define-fields.ts';
export {
  type CommunityDefinition,
  createCatalogEntries,
  createCommunity,
  createWorkflow,
  createWorkspace,
  ensureCatalog,
  ensureHashtags,
  getDefinition,
  type NewField,
  setCommunityRoles,
} from '../../src/modules/communities/index.ts';
export { entityKind, type StoredValue, storedIds, typeOf } from '../../src/modules/fields/index.ts';
export { keepReach, reachOf } from '../../src/modules/notifications/stream/access-snapshots.ts';
export { signPosition } from '../../src/modules/notifications/stream/stream-tokens.ts';
export {
  createGroupRecord,
  createServiceAccount,
  createServiceAccountKey,
  createUserRecords,
} from '../../src/modules/people/index.ts';
export { extendsVisibility, type FieldRule, fieldRules, searchTexts } from '../../src/modules/post-parts/index.ts';
export type { FieldRules } from '../../src/modules/post-parts/values/field-rules.ts';
export { holdsPosts } from '../../src/modules/post-parts/values/references.ts';
export { textRow, valueRows } from '../../src/modules/post-parts/values/rows.ts';
export { listPosts } from '../../src/modules/posts/reading/list/list-posts.ts';
export { ChangeKind } from '../../src/modules/records/index.ts';
export { tables } from '../../src/modules/tables.ts';
export { createTenant, systemScope, tenantScope } from '../../src/modules/tenants/index.ts';
export { readConfig } from '../../src/process/config/config.ts';
export { createServices, type Services } from '../../src/process/services.ts';
export { migrate } from '../../src/schema/migrate.ts';
export { configOf } from './cluster.ts';
export { Random } from './random.ts';

/** Tables that rows of posts go to. */
export const loadedTables = { ...postTables, ...commentTables, ...taskTables, ...attachmentTables };
export { testSealer } from './encryption.ts';
