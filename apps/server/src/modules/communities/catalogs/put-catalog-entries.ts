/** Creates and updates many entries of a catalog in one write (operation putCatalogEntries). */
import { listLimits, type PutCatalogEntriesRequest, type PutCatalogEntriesResponse } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { raiseLabelsVersion } from '../../../kernel/tenant-versions.ts';
import { optionalText } from '../../../kernel/text-input.ts';
import { isSameText, type LanguageMap, textIn } from './catalog-types.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { readCatalog } from './catalogs.repository.ts';
import { insertEntries, type NewRow } from './ensure-catalog.ts';
import { fillLanguage, readLanguageMap } from './language-map.ts';
import { labelKeyOf, MAX_EXTERNAL_ID } from './write-catalog-entry.ts';

type GivenEntry = NonNullable<PutCatalogEntriesRequest['entries']>[number];

/** An existing entry. */
interface PresentRow extends NewRow {
  id: number;
}

/**
 * Creates missing entries and updates different ones, found by external id, or else by label. Other
 * entries are not changed.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError with every error
 */
export async function putCatalogEntries(
  scope: Scope,
  catalogId: number,
  given: readonly GivenEntry[] | undefined,
): Promise<PutCatalogEntriesResponse> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireCatalogAdministrator(write.actor);
    const catalog = await readCatalog(write.tx, catalogId);
    const errors = new FieldErrors(write.missing);
    const rows = await readRows(write, catalog.parentId, given ?? [], errors);
    const present = await presentRows(write, catalogId, rows);
    const language = write.settings.defaultLanguage;
    const found = rows.map((row) => present.find((other) => isSame(row, other, language)));
    findRepeated(rows, found, language, errors);
    errors.throwIfAny();
    const made = await insertEntries(
      write,
      catalogId,
      rows.filter((_, index) => found[index] === undefined),
    );
    let renamed = false;
    const changed = rows.flatMap((row, index) => {
      const before = found[index];
      if (!before) return [];
      const after = { ...row, external_id: row.external_id ?? before.external_id, id: before.id };
      renamed ||= !isSameText(after.label, before.label);
      return JSON.stringify(imageOf(after)) === JSON.stringify(imageOf(before)) ? [] : [after];
    });
    await updateEntries(write, changed);
    if (renamed) await raiseLabelsVersion(write.tx);
    let next = 0;
    return {
      entryIds: found.map((row) => row?.id ?? made[next++]!),
      createdCount: made.length,
      editedCount: changed.length,
      unchangedCount: rows.length - made.length - changed.length,
    };
  });
}

/** Returns the properties of an entry that are compared. */
function imageOf({ label, external_id, parent_ids, deleted }: NewRow) {
  const texts = Object.entries(label).sort(([one], [other]) => (one < other ? -1 : 1));
  return [texts, external_id, [...parent_ids].sort((one, other) => one - other), deleted];
}

/** Returns whether a row denotes an entry: by external id, or without one by label. */
function isSame(row: NewRow, other: NewRow, language: string): boolean {
  if (row.external_id !== null) return row.external_id === other.external_id;
  return textIn(row.label, language) === textIn(other.label, language);
}

/** Adds an error for each row that denotes the same entry as an earlier row. */
function findRepeated(
  rows: readonly NewRow[],
  found: readonly (PresentRow | undefined)[],
  language: string,
  errors: FieldErrors,
): void {
  const seen = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const key = found[index] ? `#${found[index].id}` : (row.external_id ?? `"${textIn(row.label, language)}`);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else {
      errors.add(
        `entries[${index}].${row.external_id === null ? 'label' : 'externalId'}`,
        'DUPLICATE_VALUE',
        `entries[${first}] is the same entry.`,
      );
    }
  }
}

async function readRows(
  write: WriteScope,
  parentCatalogId: number | null,
  given: readonly GivenEntry[],
  errors: FieldErrors,
): Promise<NewRow[]> {
  const parents = await usableParents(write, parentCatalogId, given);
  return given.map((entry, index) => {
    const at = `entries[${index}]`;
    const label = fillLanguage(readLanguageMap(`${at}.label`, entry.label, errors), write.settings.defaultLanguage);
    const externalId = optionalText(`${at}.externalId`, entry.externalId, MAX_EXTERNAL_ID, errors);
    const parentIds = new Set<number>();
    const unknown = (field: string, value: unknown) =>
      errors.add(
        `${at}.${field}`,
        'UNKNOWN_REFERENCE',
        parentCatalogId === null
          ? 'Entries of a catalog without a parent catalog cannot have parents.'
          : 'Parents are entries in use of the parent catalog.',
        [value],
      );
    for (const [n, id] of (entry.parentIds ?? []).entries()) {
      if (parents.ids.has(id)) parentIds.add(id);
      else unknown(`parentIds[${n}]`, id);
    }
    for (const [n, name] of (entry.parentExternalIds ?? []).entries()) {
      const id = parents.byExternalId.get(name);
      if (id === undefined) unknown(`parentExternalIds[${n}]`, name);
      else parentIds.add(id);
    }
    if (parentIds.size > listLimits.parents)
      errors.add(`${at}.parentIds`, 'TOO_MANY_ITEMS', undefined, [listLimits.parents]);
    return {
      label,
      label_key: labelKeyOf(label, write.settings),
      external_id: externalId,
      parent_ids: [...parentIds],
      deleted: entry.deleted ?? false,
    };
  });
}

/** Returns the named parents that are entries in use of the parent catalog. */
async function usableParents({ tx }: WriteScope, parentCatalogId: number | null, given: readonly GivenEntry[]) {
  const ids = new Set<number>();
  const byExternalId = new Map<string, number>();
  const names = given.flatMap(({ parentExternalIds = [] }) => parentExternalIds);
  const named = given.flatMap(({ parentIds = [] }) => parentIds);
  if (parentCatalogId === null || names.length + named.length === 0) return { ids, byExternalId };
  const rows = await tx.query<{ id: number; externalId: string | null }>(
    `SELECT id, external_id AS "externalId" FROM catalog_entries
      WHERE tenant_id = $1 AND catalog_id = $2 AND NOT deleted
        AND (id = ANY ($3::bigint[]) OR external_id = ANY ($4::text[]))`,
    [tx.tenantId, parentCatalogId, [...new Set(named)], [...new Set(names)]],
  );
  for (const { id, externalId } of rows) {
    ids.add(id);
    if (externalId !== null) byExternalId.set(externalId, id);
  }
  return { ids, byExternalId };
}

/**
 * Returns entries of the catalog that rows may denote. If several have the same label, the oldest
 * in use comes first.
 */
async function presentRows({ tx }: WriteScope, catalogId: number, rows: readonly NewRow[]): Promise<PresentRow[]> {
  if (rows.length === 0) return [];
  return tx.query<PresentRow & { label: LanguageMap }>(
    `SELECT id, label, label_key, external_id, parent_ids, deleted FROM catalog_entries
      WHERE tenant_id = $1 AND catalog_id = $2 AND (external_id = ANY ($3::text[]) OR label_key = ANY ($4::text[]))
      ORDER BY deleted, id`,
    [tx.tenantId, catalogId, rows.flatMap((row) => row.external_id ?? []), rows.map((row) => row.label_key)],
  );
}

async function updateEntries({ tx, now, actor }: WriteScope, rows: readonly PresentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.sendChange(
    'catalog_entries',
    rows.map(({ id }) => id),
    `UPDATE catalog_entries e SET label = r.label, label_key = r.label_key, external_id = r.external_id,
            parent_ids = r.parent_ids, deleted = r.deleted, version = e.version + 1, modified_at = $3, modified_by = $4
       FROM jsonb_to_recordset($2::jsonb)
            AS r (id bigint, label jsonb, label_key text, external_id text, parent_ids bigint[], deleted boolean)
      WHERE e.tenant_id = $1 AND e.id = r.id`,
    [tx.tenantId, JSON.stringify(rows), new Date(now), actor.userId],
  );
}
