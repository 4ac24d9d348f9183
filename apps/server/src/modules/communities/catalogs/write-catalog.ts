/** Creates and updates catalogs (operations createCatalog, editCatalog, editCatalogDeleted). */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { Catalog, LanguageMap } from './catalog-types.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { isAtOrAbove, loadCatalogs, readCatalog, refuseStale } from './catalogs.repository.ts';
import { fillLanguage, readLanguageMap } from './language-map.ts';

/** Properties of a catalog; an edit replaces all of them. */
interface CatalogInput {
  /**
   * Name by language code, in at least one language. If the tenant's language is missing, the first
   * other name is used.
   */
  name?: LanguageMap | undefined;
  /** Catalog whose entries are the parents of its entries. */
  parentId?: number | undefined;
  /** Default false. */
  deleted?: boolean | undefined;
}

/** A catalog after a write. Its `version` is the token for the next edit. */
export interface WrittenCatalog {
  catalog: Catalog;
  parent: Catalog | undefined;
}

/**
 * Creates a catalog.
 * @throws ValidationError; PorticoError FORBIDDEN without the right `manageDigitalWorplace`
 */
export async function createCatalog(scope: Scope, input: CatalogInput): Promise<WrittenCatalog> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    const { name, parentId, deleted } = await readInput(write, input, undefined);
    const [row] = await write.tx.create<{ id: number }>(
      'catalogs',
      `INSERT INTO catalogs (tenant_id, name, parent_id, deleted, modified_at, modified_by)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [write.tx.tenantId, JSON.stringify(name), parentId, deleted, new Date(write.now), write.actor.userId],
    );
    return written(write, row!.id, parentId);
  });
}

/**
 * Replaces name, parent and state of a catalog.
 * @param occToken the version in the form
 * @throws PorticoError FORBIDDEN, NOT_FOUND, CONFLICT_STALE_TOKEN; ValidationError
 */
export async function editCatalog(
  scope: Scope,
  catalogId: number,
  occToken: number | undefined,
  input: CatalogInput,
): Promise<WrittenCatalog> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    const before = await readCatalog(write.tx, catalogId);
    if (occToken !== undefined && occToken !== before.version) await refuseStale(write.tx, 'catalogs', catalogId);
    const { name, parentId, deleted } = await readInput(write, input, { ...before, occToken });
    const changed = await write.tx.change(
      'catalogs',
      [catalogId],
      `UPDATE catalogs SET name = $4, parent_id = $5, deleted = $6, version = version + 1, modified_at = $7, modified_by = $8
        WHERE tenant_id = $1 AND id = $2 AND version = $3`,
      [
        write.tx.tenantId,
        catalogId,
        occToken,
        JSON.stringify(name),
        parentId,
        deleted,
        new Date(write.now),
        write.actor.userId,
      ],
    );
    if (changed === 0) await refuseStale(write.tx, 'catalogs', catalogId);
    return written(write, catalogId, parentId);
  });
}

/**
 * Takes a catalog out of use or back into use. Needs no token. A change raises the token, because
 * the form shows the mark.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError when `deleted` is missing
 */
export async function editCatalogDeleted(
  scope: Scope,
  catalogId: number,
  body: { readonly deleted?: boolean | undefined },
): Promise<boolean> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    await readCatalog(write.tx, catalogId);
    const { deleted } = requireFields(write, body);
    await write.tx.sendChange(
      'catalogs',
      [catalogId],
      `UPDATE catalogs SET deleted = $3, version = version + 1, modified_at = $4, modified_by = $5
        WHERE tenant_id = $1 AND id = $2 AND deleted <> $3`,
      [write.tx.tenantId, catalogId, deleted, new Date(write.now), write.actor.userId],
    );
    return deleted!;
  });
}

async function written(write: WriteScope, catalogId: number, parentId: number | null): Promise<WrittenCatalog> {
  const catalogs = await loadCatalogs(write.tx, parentId === null ? [catalogId] : [catalogId, parentId]);
  return { catalog: catalogs.get(catalogId)!, parent: parentId === null ? undefined : catalogs.get(parentId) };
}

async function readInput(
  { tx, settings, missing }: WriteScope,
  input: CatalogInput,
  before: { id: number; parentId: number | null; occToken: number | undefined } | undefined,
): Promise<{ name: LanguageMap; parentId: number | null; deleted: boolean }> {
  const errors = new FieldErrors(missing);
  if (before && before.occToken === undefined) errors.add('occToken', 'REQUIRED_FIELD');
  const name = fillLanguage(readLanguageMap('name', input.name, errors), settings.defaultLanguage);
  const parentId = input.parentId ?? null;
  if (parentId !== (before?.parentId ?? null)) await checkParent(tx, parentId, before?.id, errors);
  errors.throwIfAny();
  return { name, parentId, deleted: input.deleted ?? false };
}

async function checkParent(
  tx: TenantTx,
  parentId: number | null,
  catalogId: number | undefined,
  errors: FieldErrors,
): Promise<void> {
  const refuse = (code: FieldError['code'], defaultMessage: string) => errors.add('parentId', code, defaultMessage);
  if (parentId !== null) {
    const found = await tx.query('SELECT FROM catalogs WHERE tenant_id = $1 AND id = $2 AND NOT deleted', [
      tx.tenantId,
      parentId,
    ]);
    if (found.length === 0) return void refuse('UNKNOWN_REFERENCE', 'No catalog in use has this id.');
    if (catalogId !== undefined && (await isAtOrAbove(tx, catalogId, parentId))) {
      return void refuse('INVALID_VALUE', 'A catalog cannot stand below itself.');
    }
  }
  if (catalogId === undefined) return;
  const placed = await tx.query(
    `SELECT FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND parent_ids <> '{}' LIMIT 1`,
    [tx.tenantId, catalogId],
  );
  if (placed.length > 0) {
    refuse(
      'INVALID_VALUE',
      'Entries of this catalog have parents in its current parent catalog; remove those parents first.',
    );
  }
}
