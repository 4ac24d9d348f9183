/** Catalogs and entries → wire. `language` is the tenant's default language; see {@link textIn}. */
import type { Catalog as WireCatalog, CatalogEntry as WireEntry } from '@portico/contract';
import { compareSortKeys } from '@portico/platform/text';
import { type Catalog, type CatalogEntry, textIn } from './catalog-types.ts';

/** @param withEntries adds the entries, unless the catalog is paged */
export function presentCatalog(catalog: Catalog, language: string, withEntries = false): WireCatalog {
  return {
    id: catalog.id,
    name: textIn(catalog.name, language),
    etag: catalog.etag,
    paged: catalog.entries === null,
    entries:
      withEntries && catalog.entries
        ? catalog.entries.toSorted(byLabel).map((entry) => presentCatalogEntry(entry, language))
        : undefined,
  };
}

const byLabel = (a: CatalogEntry, b: CatalogEntry) => compareSortKeys(a.labelKey, b.labelKey) || a.id - b.id;

export function presentCatalogEntry(entry: CatalogEntry, language: string): WireEntry {
  return {
    id: entry.id,
    catalogId: entry.catalogId,
    label: textIn(entry.label, language),
    externalId: entry.externalId ?? undefined,
    parentIds: [...entry.parentIds],
    deleted: entry.deleted,
  };
}
