/** Catalogs: lists of values that fields of several communities share. */

export { getCatalogs } from './catalog-store.ts';
export {
  type Catalog,
  textIn,
  translationsOf,
} from './catalog-types.ts';
export { requireCatalogAdministrator } from './catalogs.policy.ts';
export { presentCatalog, presentCatalogEntry } from './catalogs.presenter.ts';
export { loadCatalogEntries, readCatalog } from './catalogs.repository.ts';
export { catalogHandlers } from './catalogs.routes.ts';
export {
  createCatalogEntries,
  type EnsuredCatalog,
  ensureCatalog,
} from './ensure-catalog.ts';
export { listCatalogEntries } from './list-catalogs.ts';
export { editCatalog } from './write-catalog.ts';
export { editCatalogEntry } from './write-catalog-entry.ts';
