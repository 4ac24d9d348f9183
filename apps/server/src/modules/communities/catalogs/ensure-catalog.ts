/**
 * Creates catalogs and many entries at once, for generators and imports (not an operation of the
 * interface). Safe to repeat.
 */

import { takeIds } from '@portico/platform/db/take-ids';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { LanguageMap } from './catalog-types.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { readCatalog } from './catalogs.repository.ts';
import { readLanguageMap } from './language-map.ts';
import { labelKeyOf } from './write-catalog-entry.ts';

/** Rows per transaction: write transactions change at most 500 rows. */
const BATCH = 400;

/** Texts by language; a single text is in the tenant's language. */
type Texts = string | LanguageMap;

/** @returns texts by language */
function toLanguageMap(texts: Texts, language: string): LanguageMap {
  return typeof texts === 'string' ? { [language]: texts } : texts;
}

export interface EnsuredCatalog {
  name: Texts;
  /** Identifies an existing catalog; without it, the name in the tenant's language does. */
  externalId?: string;
  parentId?: number;
}

/**
 * Finds a catalog by its external id, else by its name in the tenant's language, or creates it.
 * @returns its id
 */
export async function ensureCatalog(scope: Scope, catalog: EnsuredCatalog): Promise<number> {
  // Look it up first: the second transaction raises the version of all definitions for everybody.
  const known = await writeTransaction(scope, 'none', (write) => findCatalog(write, catalog));
  if (known !== undefined) return known;
  return writeTransaction(scope, 'definitions', async (write) => {
    const present = await findCatalog(write, catalog);
    if (present !== undefined) return present;
    if (catalog.parentId !== undefined) await readCatalog(write.tx, catalog.parentId);
    const [row] = await write.tx.create<{ id: number }>(
      'catalogs',
      `INSERT INTO catalogs (tenant_id, name, external_id, parent_id, modified_at, modified_by)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [
        write.tx.tenantId,
        JSON.stringify(readName(write, catalog)),
        catalog.externalId ?? null,
        catalog.parentId ?? null,
        new Date(write.now),
        write.actor.userId,
      ],
    );
    return row!.id;
  });
}

function readName(write: WriteScope, catalog: EnsuredCatalog): LanguageMap {
  const errors = new FieldErrors();
  const name = readLanguageMap('name', toLanguageMap(catalog.name, write.settings.defaultLanguage), errors);
  errors.throwIfAny();
  return name;
}

async function findCatalog(write: WriteScope, catalog: EnsuredCatalog): Promise<number | undefined> {
  requireCatalogAdministrator(write.actor);
  const language = write.settings.defaultLanguage;
  const [row] = await write.tx.query<{ id: number }>(
    catalog.externalId === undefined
      ? `SELECT id FROM catalogs WHERE tenant_id = $1 AND name ->> $3 = $2 ORDER BY deleted, id LIMIT 1`
      : `SELECT id FROM catalogs WHERE tenant_id = $1 AND external_id = $2 AND $3::text IS NOT NULL`,
    [write.tx.tenantId, catalog.externalId ?? readName(write, catalog)[language] ?? null, language],
  );
  return row?.id;
}

interface EnsuredEntry {
  label: Texts;
  /**
   * Identifies an existing entry; without it, the label in the tenant's language and the parents
   * do.
   */
  externalId?: string;
  /** Entries of the parent catalog. */
  parentIds?: readonly number[];
  deleted?: boolean;
}

/**
 * Finds or creates entries of a catalog, in transactions of at most 400 rows. Existing entries are
 * not changed.
 * @returns their ids in the order of `entries`
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError for labels that are empty or too long
 */
export async function createCatalogEntries(
  scope: Scope,
  catalogId: number,
  entries: readonly EnsuredEntry[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    const known = await writeTransaction(scope, 'none', (write) => ensureBatch(write, catalogId, batch, start, false));
    ids.push(
      ...(known ??
        (await writeTransaction(scope, 'definitions', (write) => ensureBatch(write, catalogId, batch, start, true)))!),
    );
  }
  return ids;
}

/** An entry as it is inserted. */
export interface NewRow {
  label: LanguageMap;
  label_key: string;
  external_id: string | null;
  parent_ids: readonly number[];
  deleted: boolean;
}

/**
 * @returns ids in the order of `entries`; undefined when some are missing and must not be created
 */
async function ensureBatch(
  write: WriteScope,
  catalogId: number,
  entries: readonly EnsuredEntry[],
  offset: number,
  make: boolean,
): Promise<number[] | undefined> {
  requireCatalogAdministrator(write.actor);
  await readCatalog(write.tx, catalogId);
  const language = write.settings.defaultLanguage;
  const errors = new FieldErrors();
  const rows = entries.map((entry, index): NewRow => {
    const label = readLanguageMap(`[${offset + index}].label`, toLanguageMap(entry.label, language), errors);
    return {
      label,
      label_key: labelKeyOf(label, write.settings),
      external_id: entry.externalId ?? null,
      parent_ids: [...new Set(entry.parentIds)].sort((a, b) => a - b),
      deleted: entry.deleted ?? false,
    };
  });
  errors.throwIfAny();
  await checkParentsExist(write, catalogId, rows);
  const known = await write.tx.query<{
    id: number;
    label: LanguageMap;
    externalId: string | null;
    parentIds: number[];
  }>(
    `SELECT id, label, external_id AS "externalId", parent_ids AS "parentIds" FROM catalog_entries
      WHERE tenant_id = $1 AND catalog_id = $2 AND (external_id = ANY ($3::text[]) OR label_key = ANY ($4::text[]))
      ORDER BY deleted DESC, id DESC`,
    [write.tx.tenantId, catalogId, rows.flatMap((row) => row.external_id ?? []), rows.map((row) => row.label_key)],
  );
  const idByKey = new Map<string, number>();
  const keyOf = (row: { externalId: string | null; label: LanguageMap; parentIds: readonly number[] }) => {
    if (row.externalId !== null) return `x${row.externalId}`;
    return `l${JSON.stringify([row.label[language] ?? Object.values(row.label)[0], [...row.parentIds].sort((a, b) => a - b)])}`;
  };
  for (const row of known) {
    // An entry with an external id is also found by its label, when the input names no external id.
    idByKey.set(keyOf({ ...row, externalId: null }), row.id);
    if (row.externalId !== null) idByKey.set(keyOf(row), row.id);
  }
  const keys = rows.map((row) => keyOf({ externalId: row.external_id, label: row.label, parentIds: row.parent_ids }));
  const missing = new Map<string, NewRow>();
  for (const [index, key] of keys.entries()) if (!idByKey.has(key)) missing.set(key, rows[index]!);
  if (missing.size > 0 && !make) return undefined;
  const made = await insertEntries(write, catalogId, [...missing.values()]);
  for (const [index, key] of [...missing.keys()].entries()) idByKey.set(key, made[index]!);
  return keys.map((key) => idByKey.get(key)!);
}

async function checkParentsExist(write: WriteScope, catalogId: number, rows: readonly NewRow[]): Promise<void> {
  const wanted = [...new Set(rows.flatMap((row) => row.parent_ids))];
  if (wanted.length === 0) return;
  const found = await write.tx.query<{ id: number }>(
    `SELECT e.id FROM catalogs c JOIN catalog_entries e ON e.tenant_id = c.tenant_id AND e.catalog_id = c.parent_id
      WHERE c.tenant_id = $1 AND c.id = $2 AND e.id = ANY ($3::bigint[])`,
    [write.tx.tenantId, catalogId, wanted],
  );
  const known = new Set(found.map((row) => row.id));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw invalid('parentIds', 'UNKNOWN_REFERENCE', 'Parents are entries of the parent catalog.', unknown);
  }
}

/** @returns ids in the order of `rows` */
export async function insertEntries(write: WriteScope, catalogId: number, rows: readonly NewRow[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const ids = await takeIds(write.tx, 'catalog_entries', rows.length);
  await write.tx.createAs(
    'catalog_entries',
    ids,
    `INSERT INTO catalog_entries (tenant_id, id, catalog_id, label, label_key, external_id, parent_ids, deleted, modified_at, modified_by)
     SELECT a.tenant_id, r.id, $2, r.label, r.label_key, r.external_id, r.parent_ids, r.deleted, $4, $5
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb)
            AS r (id bigint, label jsonb, label_key text, external_id text, parent_ids bigint[], deleted boolean)
      WHERE a.tenant_id = $1`,
    [
      write.tx.tenantId,
      catalogId,
      JSON.stringify(rows.map((row, n) => ({ id: ids[n], ...row }))),
      new Date(write.now),
      write.actor.userId,
    ],
  );
  return ids;
}
