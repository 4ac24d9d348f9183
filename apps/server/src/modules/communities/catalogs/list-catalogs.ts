/** Reads catalogs and their entries. */
import type {
  GetCatalogEntryForEditResponse,
  ListPostDefinitionCatalogEntriesRequest,
  ListPostDefinitionCatalogEntriesResponse,
  Catalog as WireCatalog,
} from '@portico/contract';
import { compareSortKeys, sortKeyWithTies } from '@portico/platform/text';
import { invalid } from '../../../kernel/errors.ts';
import { readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { getCatalogs } from './catalog-store.ts';
import { textIn } from './catalog-types.ts';
import { requireCatalogAdministrator } from './catalogs.policy.ts';
import { presentCatalog, presentCatalogEntry } from './catalogs.presenter.ts';
import { listCatalogIds, listEntries, loadAncestors, readCatalog, readEntry } from './catalogs.repository.ts';

/** Maximum number of ids in an error message. */
const MOST_NAMED = 20;

/**
 * Returns catalogs by name (operation getPostDefinitionCatalogs). Everybody signed in may read
 * catalogs: they contain labels only.
 * @param ids omitted or empty: all catalogs in use
 * @param withEntries adds the entries of catalogs that are not paged (at most 500 each), deleted
 * ones marked
 * @throws ValidationError NOT_EXISTS when an id belongs to no catalog in use: unknown catalogs and
 * catalogs out of use alike
 */
export async function readCatalogs(
  scope: Scope,
  ids: readonly number[] | undefined,
  withEntries: boolean,
): Promise<WireCatalog[]> {
  const wanted = ids && ids.length > 0 ? ids : await listCatalogIds(scope.db);
  const catalogs = await getCatalogs(scope, wanted);
  const missing = [...new Set(wanted)].filter((id) => catalogs.get(id)?.deleted !== false);
  if (ids && missing.length > 0) {
    const named = missing.slice(0, MOST_NAMED);
    throw invalid('catalogIds', 'NOT_EXISTS', `No catalog in use has the id ${named.join(', ')}.`, named);
  }
  const language = scope.settings.defaultLanguage;
  return [...catalogs.values()]
    .map((catalog) => ({ catalog, key: sortKeyWithTies(textIn(catalog.name, language)) }))
    .sort((a, b) => compareSortKeys(a.key, b.key) || a.catalog.id - b.catalog.id)
    .map(({ catalog }) => presentCatalog(catalog, language, withEntries));
}

/**
 * Returns a page of the entries of a catalog that can be chosen (operation
 * listPostDefinitionCatalogEntries). Omits entries out of use, and all entries of a catalog out of
 * use.
 * @param parentEntryIds set when the form decides: entries must fit below one of these; see
 * {@link fitsBelow}
 * @throws PorticoError NOT_FOUND for an unknown catalog
 */
export async function listCatalogEntries(
  scope: Scope,
  catalogId: number,
  request: ListPostDefinitionCatalogEntriesRequest,
  parentEntryIds: readonly number[] | undefined,
): Promise<ListPostDefinitionCatalogEntriesResponse> {
  await readCatalog(scope.db, catalogId);
  const order = {
    by: request.orderBy ?? 'label',
    desc: request.orderDesc ?? true,
  } as const;
  const filter = { label: request.label, parentEntryIds };
  const page = readPaging<SortKey>(scope, 'listPostDefinitionCatalogEntries', request, { catalogId, order, filter });
  const { rows, ...paging } = await listEntries(scope.db, catalogId, filter, order, page);
  return {
    items: rows.map((row) => presentCatalogEntry(row, scope.settings.defaultLanguage)),
    ...paging,
  };
}

/**
 * Returns the form of an entry (operation getCatalogEntryForEdit), with all its ancestors, nearest
 * first (docs/decisions/lists.md).
 * @throws PorticoError FORBIDDEN, NOT_FOUND
 */
export async function readCatalogEntryForm(
  scope: Scope,
  catalogId: number,
  entryId: number,
): Promise<GetCatalogEntryForEditResponse> {
  requireCatalogAdministrator(scope.actor);
  const entry = await readEntry(scope.db, catalogId, entryId);
  const parents = await loadAncestors(scope.db, entryId);
  return {
    id: entry.id,
    label: { ...entry.label },
    parents: parents.map((parent) => presentCatalogEntry(parent, scope.settings.defaultLanguage)),
    externalId: entry.externalId ?? undefined,
    deleted: entry.deleted,
    occToken: entry.version,
  };
}
