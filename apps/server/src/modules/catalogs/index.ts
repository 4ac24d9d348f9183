/** Catalogs: lists of values that fields of several communities share. */

export { getCatalogs } from './catalog-store.ts';
export {
  type Catalog,
  type CatalogEntry,
  fitsBelow,
  type LanguageMap,
  smallCatalogLimit,
  textIn,
} from './catalog-types.ts';
export { requireCatalogAdministrator } from './catalogs.policy.ts';
export { presentCatalog, presentCatalogEntry } from './catalogs.presenter.ts';
export { type CatalogRow, loadCatalogEntries, readCatalog } from './catalogs.repository.ts';
export { catalogHandlers } from './catalogs.routes.ts';
export {
  createCatalogEntries,
  type EnsuredCatalog,
  type EnsuredEntry,
  ensureCatalog,
  type Texts,
} from './ensure-catalog.ts';
export { listCatalogEntries } from './list-catalogs.ts';
export {
  type CatalogInput,
  createCatalog,
  editCatalog,
  editCatalogDeleted,
  type WrittenCatalog,
} from './write-catalog.ts';
export {
  type CatalogEntryInput,
  createCatalogEntry,
  editCatalogEntry,
  editCatalogEntryDeleted,
  type WrittenEntry,
} from './write-catalog-entry.ts';
