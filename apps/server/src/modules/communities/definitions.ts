/**
 * Definitions of communities, kept in memory for as long as the tenant's definitions version stands. A definition that
 * is handed out belongs to the version the work began with, or a later one.
 */

import type { TenantTx } from '../../platform/db/tenant-db.ts';
import type { TenantScope } from '../../platform/scope.ts';
import type { WriteScope } from '../access/index.ts';
import type { CommunityDefinition } from './definition-types.ts';
import { loadDefinitions } from './definitions.repository.ts';

/** Definitions kept at most, over all tenants; the ones unused for longest go first. */
const MAX_KEPT = 2_000;

interface Kept {
  readonly version: number;
  readonly definition: CommunityDefinition;
}

const kept = new Map<string, Kept>();
/** What joined transactions have loaded, by the transaction that last raised the version they see. */
const keptByTransaction = new WeakMap<TenantTx, Map<string, CommunityDefinition>>();

/**
 * The definition of one community, whoever asks: visibility is the caller's to check (`actor.roles`).
 * @returns undefined when the tenant has no such community
 */
export async function getDefinition(
  scope: TenantScope | WriteScope,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await getDefinitions(scope, [communityId])).get(communityId);
}

/**
 * The definitions of many communities, in a fixed number of statements; none when all are in memory. Unknown ids are
 * missing from the map. Inside a write, pass the {@link WriteScope}: its version is locked, so what it is given stays true
 * until it commits. A write that itself changes definitions sees them as they were when it began; it reads its own
 * changes with {@link loadDefinitions}.
 */
export async function getDefinitions(
  scope: TenantScope | WriteScope,
  communityIds: readonly number[],
): Promise<Map<number, CommunityDefinition>> {
  const found = new Map<number, CommunityDefinition>();
  const missing: number[] = [];
  for (const id of new Set(communityIds)) {
    const definition = recall(scope, id);
    if (definition) found.set(id, definition);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const loaded = 'tx' in scope ? await loadInWrite(scope, missing) : await loadAndKeep(scope, missing);
  for (const [id, definition] of loaded) found.set(id, definition);
  return found;
}

function keyOf(tenantId: number, communityId: number): string {
  return `${tenantId}:${communityId}`;
}

function recall(scope: TenantScope, communityId: number): CommunityDefinition | undefined {
  const key = keyOf(scope.tenant.id, communityId);
  const entry = kept.get(key);
  if (!entry || entry.version < scope.definitionsVersion) return undefined;
  kept.delete(key);
  kept.set(key, entry);
  return entry.definition;
}

function keep(tenantId: number, version: number, definitions: Iterable<CommunityDefinition>): void {
  for (const definition of definitions) {
    const key = keyOf(tenantId, definition.id);
    if ((kept.get(key)?.version ?? 0) > version) continue;
    kept.delete(key);
    kept.set(key, { version, definition });
  }
  while (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
}

/** Outside a write: version and definitions from one snapshot, so that no half-made change is ever seen or kept. */
async function loadAndKeep(scope: TenantScope, ids: readonly number[]): Promise<Map<number, CommunityDefinition>> {
  const { version, definitions } = await scope.db.transaction(
    async (tx) => ({ version: (await readVersion(tx)).version, definitions: await loadDefinitions(tx, ids) }),
    { isolation: 'repeatable read' },
  );
  keep(scope.tenant.id, version, definitions.values());
  return definitions;
}

/**
 * Inside a write nobody else can change definitions, but the transaction itself may have: what it alone sees must not
 * reach the shared memory. A version can come twice in one transaction (a savepoint rolled back, another verb raised it
 * again); the id of the subtransaction that wrote the version row cannot.
 */
async function loadInWrite(scope: WriteScope, ids: readonly number[]): Promise<Map<number, CommunityDefinition>> {
  const { version, writtenBy } = await readVersion(scope.tx);
  if (version !== scope.definitionsVersion) return loadDefinitions(scope.tx, ids);
  if (!scope.joined) {
    const definitions = await loadDefinitions(scope.tx, ids);
    keep(scope.tenant.id, version, definitions.values());
    return definitions;
  }
  let own = keptByTransaction.get(scope.tx);
  if (!own) {
    own = new Map();
    keptByTransaction.set(scope.tx, own);
  }
  const found = new Map<number, CommunityDefinition>();
  const missing: number[] = [];
  for (const id of ids) {
    const definition = own.get(`${writtenBy}:${id}`);
    if (definition) found.set(id, definition);
    else missing.push(id);
  }
  for (const [id, definition] of await loadDefinitions(scope.tx, missing)) {
    own.set(`${writtenBy}:${id}`, definition);
    found.set(id, definition);
  }
  return found;
}

async function readVersion(tx: TenantTx): Promise<{ version: number; writtenBy: string }> {
  const rows = await tx.query<{ version: number; writtenBy: string }>(
    `SELECT definitions_version AS version, xmin::text AS "writtenBy" FROM tenant_versions WHERE tenant_id = $1`,
    [tx.tenantId],
  );
  return rows[0]!;
}
