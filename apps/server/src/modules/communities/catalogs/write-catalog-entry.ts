/**
 * Creates and updates entries (operations createCatalogEntry, editCatalogEntry,
 * editCatalogEntryDeleted).
 */

import { listLimits } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { isLongerThan, sortKeyWithTies } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, unknownElements } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope, TenantSettings } from '../../../kernel/scope.ts';
import { raiseLabelsVersion } from '../../../kernel/tenant-versions.ts';
import { type CatalogEntry, isSameText, type LanguageMap, textIn } from './catalog-types.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { loadCatalogEntries, readCatalog, readEntry, refuseStale } from './catalogs.repository.ts';
import { fillLanguage, readLanguageMap } from './language-map.ts';

/** Properties of an entry; an edit replaces all of them. */
interface CatalogEntryInput {
  /**
   * Label by language code, in at least one language. If the tenant's language is missing, the
   * first other label is used.
   */
  label?: LanguageMap | undefined;
  /** Entries of the parent catalog below which the entry can be chosen. */
  parentIds?: readonly number[] | undefined;
  /** Unique within the catalog; blank means none. */
  externalId?: string | undefined;
  /** Default false. */
  deleted?: boolean | undefined;
}

/** An entry after a write, with the token for the next edit. */
interface WrittenEntry {
  entry: CatalogEntry;
  occToken: number;
}

/** Maximum length of an external id, in code points. */
export const MAX_EXTERNAL_ID = 500;
/** Maximum number of parents of an entry. */
const MAX_PARENTS = listLimits.parents;

/** @returns the key that orders an entry by its label in the tenant's language */
export function labelKeyOf(label: LanguageMap, settings: Pick<TenantSettings, 'defaultLanguage'>): string {
  return sortKeyWithTies(textIn(label, settings.defaultLanguage));
}

/**
 * Creates an entry.
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the catalog; ValidationError
 */
export async function createCatalogEntry(
  scope: Scope,
  catalogId: number,
  input: CatalogEntryInput,
): Promise<WrittenEntry> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    const catalog = await readCatalog(write.tx, catalogId);
    const values = await readInput(write, catalog, input, undefined);
    const [row] = await write.tx.create<{ id: number; version: number }>(
      'catalog_entries',
      `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key, external_id, parent_ids, deleted, modified_at, modified_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id, version`,
      [write.tx.tenantId, catalogId, ...values],
    );
    return { entry: await readWritten(write.tx, row!.id), occToken: row!.version };
  });
}

/**
 * Replaces label, parents, external id and state of an entry.
 * @param occToken the version in the form
 * @throws PorticoError FORBIDDEN, NOT_FOUND (also for an entry of another catalog),
 * CONFLICT_STALE_TOKEN; ValidationError
 */
export async function editCatalogEntry(
  scope: Scope,
  catalogId: number,
  entryId: number,
  occToken: number | undefined,
  input: CatalogEntryInput,
): Promise<WrittenEntry> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    const catalog = await readCatalog(write.tx, catalogId);
    const before = await readEntry(write.tx, catalogId, entryId);
    if (occToken !== undefined && occToken !== before.version) await refuseStale(write.tx, 'catalog_entries', entryId);
    const values = await readInput(write, catalog, input, { ...before, occToken });
    const changed = await write.tx.change(
      'catalog_entries',
      [entryId],
      `UPDATE catalog_entries SET label = $4, label_key = $5, external_id = $6, parent_ids = $7, deleted = $8,
              version = version + 1, modified_at = $9, modified_by = $10
        WHERE tenant_id = $1 AND id = $2 AND version = $3`,
      [write.tx.tenantId, entryId, occToken, ...values],
    );
    if (changed === 0) await refuseStale(write.tx, 'catalog_entries', entryId);
    const entry = await readWritten(write.tx, entryId);
    if (!isSameText(entry.label, before.label)) await raiseLabelsVersion(write.tx);
    return { entry, occToken: occToken! + 1 };
  });
}

/**
 * Takes an entry out of use or back into use. Needs no token. A change raises the token, because
 * the form shows the mark.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError when `deleted` is missing
 */
export async function editCatalogEntryDeleted(
  scope: Scope,
  catalogId: number,
  entryId: number,
  body: { readonly deleted?: boolean | undefined },
): Promise<boolean> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    await readEntry(write.tx, catalogId, entryId);
    const { deleted } = requireFields(write, body);
    await write.tx.sendChange(
      'catalog_entries',
      [entryId],
      `UPDATE catalog_entries SET deleted = $3, version = version + 1, modified_at = $4, modified_by = $5
        WHERE tenant_id = $1 AND id = $2 AND deleted <> $3`,
      [write.tx.tenantId, entryId, deleted, new Date(write.now), write.actor.userId],
    );
    return deleted!;
  });
}

async function readWritten(tx: TenantTx, entryId: number): Promise<CatalogEntry> {
  return (await loadCatalogEntries(tx, [entryId])).get(entryId)!;
}

/**
 * @returns the label, its key, the external id, the parents, whether it is out of use, and the time
 * and author of the write
 */
async function readInput(
  { tx, settings, now, actor, missing }: WriteScope,
  catalog: { id: number; parentId: number | null },
  input: CatalogEntryInput,
  before: { id: number; parentIds: number[]; occToken: number | undefined } | undefined,
): Promise<unknown[]> {
  const errors = new FieldErrors(missing);
  if (before && before.occToken === undefined) errors.add('occToken', 'REQUIRED_FIELD');
  const label = fillLanguage(readLanguageMap('label', input.label, errors), settings.defaultLanguage);
  const externalId = input.externalId?.trim() || null;
  if (externalId !== null) await checkExternalId(tx, catalog.id, externalId, before?.id, errors);
  const parentIds = [...new Set(input.parentIds)];
  await checkParents(tx, catalog.parentId, parentIds, before?.parentIds ?? [], errors);
  errors.throwIfAny();
  return [
    JSON.stringify(label),
    labelKeyOf(label, settings),
    externalId,
    parentIds,
    input.deleted ?? false,
    new Date(now),
    actor.userId,
  ];
}

async function checkExternalId(
  tx: TenantTx,
  catalogId: number,
  externalId: string,
  entryId: number | undefined,
  errors: FieldErrors,
): Promise<void> {
  if (isLongerThan(externalId, MAX_EXTERNAL_ID)) {
    errors.add('externalId', 'TEXT_TOO_LONG', undefined, [MAX_EXTERNAL_ID]);
    return;
  }
  const others = await tx.query(
    `SELECT FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND external_id = $3 AND id <> $4`,
    [tx.tenantId, catalogId, externalId, entryId ?? 0],
  );
  if (others.length > 0) {
    errors.add('externalId', 'DUPLICATE_VALUE', 'Another entry of this catalog has this external id.');
  }
}

/**
 * Present parents of the entry are accepted even if they are out of use, because clients resend
 * whole forms.
 */
async function checkParents(
  tx: TenantTx,
  parentCatalogId: number | null,
  parentIds: readonly number[],
  presentIds: readonly number[],
  errors: FieldErrors,
): Promise<void> {
  const added = parentIds.filter((id) => !presentIds.includes(id));
  if (parentIds.length > MAX_PARENTS) errors.add('parentIds', 'TOO_MANY_ITEMS', undefined, [MAX_PARENTS]);
  if (added.length === 0) return;
  const found = await tx.query<{ id: number }>(
    `SELECT id FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND id = ANY ($3::bigint[]) AND NOT deleted`,
    [tx.tenantId, parentCatalogId, added],
  );
  const known = new Set(found.map((row) => row.id));
  const unknown = new Set(added.filter((id) => !known.has(id)));
  const message =
    parentCatalogId === null
      ? 'Entries of a catalog without a parent catalog cannot have parents.'
      : 'Parents are entries in use of the parent catalog.';
  errors.push(...unknownElements('parentIds', parentIds, unknown, message));
}
