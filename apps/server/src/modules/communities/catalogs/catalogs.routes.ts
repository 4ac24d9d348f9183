/**
 * Operations on catalogs. `getCatalogForEdit` and `listPostDefinitionCatalogEntries` need the
 * communities that use a catalog, so the module of communities has their handlers.
 */

import type { CreateEditCatalogResponse } from '@portico/contract';
import type { Handlers } from '../../../kernel/operations.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { listEntriesForForm, readCatalogForm } from '../catalog-use.ts';
import { presentCatalog, presentCatalogEntry } from './catalogs.presenter.ts';
import { readCatalogEntryForm, readCatalogs } from './list-catalogs.ts';
import { putCatalogEntries } from './put-catalog-entries.ts';
import { createCatalog, editCatalog, editCatalogDeleted, type WrittenCatalog } from './write-catalog.ts';
import { createCatalogEntry, editCatalogEntry, editCatalogEntryDeleted } from './write-catalog-entry.ts';

function presentWritten(scope: Scope, { catalog, parent }: WrittenCatalog): CreateEditCatalogResponse {
  const language = scope.settings.defaultLanguage;
  return {
    catalog: presentCatalog(catalog, language),
    parentCatalog: parent ? presentCatalog(parent, language) : undefined,
    occToken: catalog.version,
  };
}

export const catalogHandlers = {
  getPostDefinitionCatalogs: async ({ scope, body, query }) => ({
    catalogs: await readCatalogs(scope, body.catalogIds, query.loadEntries === true),
  }),

  createCatalog: async ({ scope, body }) => presentWritten(scope, await createCatalog(scope, body)),

  editCatalog: async ({ scope, params, body }) =>
    presentWritten(scope, await editCatalog(scope, params.catalogId, body.occToken, body)),

  editCatalogDeleted: async ({ scope, params, body }) => ({
    catalogId: params.catalogId,
    deleted: await editCatalogDeleted(scope, params.catalogId, body),
  }),

  createCatalogEntry: async ({ scope, params, body }) => {
    const { entry, occToken } = await createCatalogEntry(scope, params.catalogId, body);
    return { entry: presentCatalogEntry(entry, scope.settings.defaultLanguage), occToken };
  },

  editCatalogEntry: async ({ scope, params, body }) => {
    const { entry, occToken } = await editCatalogEntry(scope, params.catalogId, params.entryId, body.occToken, body);
    return { entry: presentCatalogEntry(entry, scope.settings.defaultLanguage), occToken };
  },

  putCatalogEntries: ({ scope, params, body }) => putCatalogEntries(scope, params.catalogId, body.entries),

  /** Clients read either id. */
  editCatalogEntryDeleted: async ({ scope, params, body }) => ({
    entryId: params.entryId,
    catalogId: params.catalogId,
    deleted: await editCatalogEntryDeleted(scope, params.catalogId, params.entryId, body),
  }),

  getCatalogEntryForEdit: async ({ scope, params }) => readCatalogEntryForm(scope, params.catalogId, params.entryId),
  getCatalogForEdit: async ({ scope, params }) => readCatalogForm(scope, params.catalogId),
  listPostDefinitionCatalogEntries: async ({ scope, params, body }) =>
    listEntriesForForm(scope, params.catalogId, body),
} satisfies Handlers;
