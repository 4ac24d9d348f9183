/** SQL of catalogs and their entries. */
import type { CatalogEntryOrder } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { likePattern, normaliseText, storableText } from '@portico/platform/text';
import { Parameters } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import {
  byExternalId,
  type PageRequest,
  readPage,
  type SortColumn,
  type SortKey,
} from '../../../kernel/paging/index.ts';
import { type LastChange, staleToken } from '../../../kernel/stale-token.ts';
import { type Catalog, type CatalogEntry, type LanguageMap, smallCatalogLimit } from './catalog-types.ts';

const ENTRY_COLUMNS = `e.id, e.catalog_id AS "catalogId", e.label, e.label_key AS "labelKey",
  e.external_id AS "externalId", e.parent_ids AS "parentIds", e.deleted OR c.deleted AS deleted`;
const ENTRIES = `catalog_entries e JOIN catalogs c ON c.tenant_id = e.tenant_id AND c.id = e.catalog_id`;

/**
 * Returns catalogs by id, with the entries of small ones, in two statements. Unknown ids are
 * missing.
 */
export async function loadCatalogs(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, Catalog>> {
  if (ids.length === 0) return new Map();
  const heads = await db.query<Omit<Catalog, 'entries'>>(
    `SELECT c.id, c.version, c.name, c.parent_id AS "parentId", c.external_id AS "externalId", c.deleted,
            (c.version + e.versions)::bigint AS etag, e.count AS "entriesCount"
       FROM catalogs c,
            LATERAL (SELECT count(*) AS count, coalesce(sum(version), 0) AS versions FROM catalog_entries
                      WHERE tenant_id = $1 AND catalog_id = c.id) e
      WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[])`,
    [db.tenantId, ids],
  );
  const small = heads.filter((head) => head.entriesCount > 0 && head.entriesCount <= smallCatalogLimit);
  const entries =
    small.length === 0
      ? []
      : await db.query<CatalogEntry>(
          `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES}
            WHERE e.tenant_id = $1 AND e.catalog_id = ANY ($2::bigint[]) ORDER BY e.position, e.label_key, e.id`,
          [db.tenantId, small.map((head) => head.id)],
        );
  const byCatalog = Map.groupBy(entries, (entry) => entry.catalogId);
  return new Map(
    heads.map((head) => [
      head.id,
      { ...head, entries: head.entriesCount > smallCatalogLimit ? null : (byCatalog.get(head.id) ?? []) },
    ]),
  );
}

/** Returns the ids of all catalogs in use. */
export async function listCatalogIds(db: TenantExecutor): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    'SELECT id FROM catalogs WHERE tenant_id = $1 AND NOT deleted ORDER BY id',
    [db.tenantId],
  );
  return rows.map((row) => row.id);
}

/**
 * Returns entries by id, of any catalog, deleted ones included, in one statement. Unknown ids are
 * missing.
 */
export async function loadCatalogEntries(
  db: TenantExecutor,
  ids: Iterable<number>,
): Promise<Map<number, CatalogEntry>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const rows = await db.query<CatalogEntry>(
    `SELECT ${ENTRY_COLUMNS} FROM ${ENTRIES} WHERE e.tenant_id = $1 AND e.id = ANY ($2::bigint[])`,
    [db.tenantId, wanted],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Most entries that a label may mean. */
const MOST_MEANT = 200;
/** Last code point: keys that begin with a prefix lie between it and itself followed by this one. */
const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Returns entries whose label in the tenant's language begins with a text, the first by label,
 * deleted ones included.
 * @param prefix in normal form
 */
export function findEntriesByLabel(
  db: TenantExecutor,
  catalogIds: readonly number[],
  prefix: string,
): Promise<{ id: number; catalogId: number; label: LanguageMap }[]> {
  return db.query(
    `SELECT e.id, e.catalog_id AS "catalogId", e.label FROM catalog_entries e
      WHERE e.tenant_id = $1 AND e.catalog_id = ANY ($2::bigint[])
        AND e.label_key >= $3::text AND e.label_key < $4::text ORDER BY e.label_key, e.id LIMIT ${MOST_MEANT}`,
    [db.tenantId, [...new Set(catalogIds)], storableText(prefix), storableText(prefix) + LAST_CHARACTER],
  );
}

/** Filter of a list of entries. */
interface EntryFilter {
  /** Part of the label, ignoring case and accents. */
  label?: string | undefined;
  /** Entries chosen in the parent field; omitted: entries below any parent. */
  parentEntryIds?: readonly number[] | undefined;
}

/** Returns a page of the entries that can be chosen. */
export async function listEntries(
  db: TenantExecutor,
  catalogId: number,
  filter: EntryFilter,
  order: { by: CatalogEntryOrder; desc: boolean },
  page: PageRequest<SortKey>,
) {
  const parameters = new Parameters([db.tenantId, catalogId]);
  const where = ['e.tenant_id = $1', 'e.catalog_id = $2', 'NOT e.deleted', 'NOT c.deleted'];
  const label = filter.label === undefined ? '' : normaliseText(filter.label);
  if (label !== '') where.push(`e.label_key LIKE ${parameters.add(likePattern(label))}`);
  if (filter.parentEntryIds !== undefined) {
    where.push(`(e.parent_ids = '{}' OR e.parent_ids && ${parameters.add(filter.parentEntryIds)}::bigint[])`);
  }
  const { desc } = order;
  const byLabel: SortColumn = { sql: 'e.label_key', desc, type: 'text' };
  const columns: Readonly<Record<CatalogEntryOrder, readonly SortColumn[]>> = {
    label: [byLabel],
    externalId: byExternalId('e.external_id', desc),
    position: [{ sql: 'e.position', desc, type: 'integer' }, byLabel],
  };
  const sorted = [...columns[order.by], { sql: 'e.id', desc: order.desc, type: 'bigint' } as const];
  return readPage<CatalogEntry>(db, page, { select: ENTRY_COLUMNS, from: ENTRIES, where, order: sorted }, parameters);
}

/** A catalog as its form shows it. */
interface CatalogRow {
  id: number;
  version: number;
  name: LanguageMap;
  parentId: number | null;
  deleted: boolean;
}

/** Returns the row of a catalog. @throws PorticoError NOT_FOUND */
export async function readCatalog(db: TenantExecutor, catalogId: number): Promise<CatalogRow> {
  const [row] = await db.query<CatalogRow>(
    `SELECT id, version, name, parent_id AS "parentId", deleted FROM catalogs WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, catalogId],
  );
  if (!row) throw notFound();
  return row;
}

/** An entry as its form shows it: `deleted` is the entry's own mark. */
interface EntryRow {
  id: number;
  version: number;
  label: LanguageMap;
  externalId: string | null;
  parentIds: number[];
  deleted: boolean;
}

/**
 * Returns the row of an entry of a catalog. @throws PorticoError NOT_FOUND, also when the entry
 * belongs to another catalog
 */
export async function readEntry(db: TenantExecutor, catalogId: number, entryId: number): Promise<EntryRow> {
  const [row] = await db.query<EntryRow>(
    `SELECT id, version, label, external_id AS "externalId", parent_ids AS "parentIds", deleted
       FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = $2 AND id = $3`,
    [db.tenantId, catalogId, entryId],
  );
  if (!row) throw notFound();
  return row;
}

/** Maximum number of levels: catalogs form a tree and each level is a catalog. */
const MAX_LEVELS = 64;

/** Returns all ancestors of an entry, nearest first, each once; within a level by label. */
export async function loadAncestors(db: TenantExecutor, entryId: number): Promise<CatalogEntry[]> {
  return db.query<CatalogEntry>(
    `WITH RECURSIVE up (id, level) AS (
       SELECT p.id, 1 FROM catalog_entries e, unnest(e.parent_ids) AS p (id) WHERE e.tenant_id = $1 AND e.id = $2
       UNION
       SELECT p.id, up.level + 1
         FROM up JOIN catalog_entries e ON e.tenant_id = $1 AND e.id = up.id, unnest(e.parent_ids) AS p (id)
        WHERE up.level < ${MAX_LEVELS})
     SELECT ${ENTRY_COLUMNS}
       FROM (SELECT id, min(level) AS level FROM up GROUP BY id) a
       JOIN catalog_entries e ON e.tenant_id = $1 AND e.id = a.id
       JOIN catalogs c ON c.tenant_id = e.tenant_id AND c.id = e.catalog_id
      ORDER BY a.level, e.label_key, e.id`,
    [db.tenantId, entryId],
  );
}

/** Returns whether `catalogId` is `parentId` itself or a catalog above it. */
export async function isAtOrAbove(db: TenantExecutor, catalogId: number, parentId: number): Promise<boolean> {
  const rows = await db.query(
    `WITH RECURSIVE up (id) AS (
       SELECT $3::bigint UNION
       SELECT c.parent_id FROM up JOIN catalogs c ON c.tenant_id = $1 AND c.id = up.id WHERE c.parent_id IS NOT NULL)
     SELECT FROM up WHERE id = $2`,
    [db.tenantId, catalogId, parentId],
  );
  return rows.length > 0;
}

/**
 * Throws the reason why an UPDATE with a token changed nothing.
 * @throws PorticoError NOT_FOUND, or CONFLICT_STALE_TOKEN with author and time of the last change
 */
export async function refuseStale(tx: TenantTx, table: 'catalogs' | 'catalog_entries', id: number): Promise<never> {
  const [row] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modified_by AS "modifierId" FROM ${table} WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, id],
  );
  throw row ? await staleToken(tx, row) : notFound();
}
