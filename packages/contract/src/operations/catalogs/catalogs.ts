/** Catalogs of values and their entries. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const catalogsOperations = defineOperations('catalogs', {
  getCatalogForEdit: {
    method: 'GET',
    path: '/admin/manage/catalogs/{catalogId}/edit',
    responses: { 200: 'GetCatalogForEditResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: "Read a catalog's form",
    description:
      'Returns the name in each language, the parent catalog, the communities that use it, and ' + 'the `occToken`.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['3', '3 --output json'] },
  },
  createCatalog: {
    method: 'POST',
    path: '/admin/manage/catalogs',
    body: 'CreateEditCatalogRequest',
    responses: { 200: 'CreateEditCatalogResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageDigitalWorplace',
    summary: 'Create a catalog',
    description:
      'Creates a catalog: a list of values that fields of many communities share. Requires a ' +
      '`name` in at least one language.',
    requestExamples: examples<'CreateEditCatalogRequest'>({
      catalog: { summary: 'A catalog in two languages', value: { name: { en: 'Suppliers', it: 'Fornitori' } } },
    }),
    clientMethod: 'create',
    command: {
      examples: [`--name '{"en": "Suppliers", "it": "Fornitori"}'`, `--name '{"en": "Rooms"}' --parent-id 3 --dry-run`],
    },
  },
  editCatalog: {
    method: 'PUT',
    path: '/admin/manage/catalogs/{catalogId}',
    body: 'CreateEditCatalogRequest',
    requires: ['occToken'],
    responses: { 200: 'CreateEditCatalogResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: 'Edit a catalog',
    description:
      'Replaces name, parent and state. Send the `occToken` of the form in the body; a stale token returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getCatalogForEdit',
      needsValue: true,
      examples: [`3 --name '{"en": "Vendors"}'`, '3 --deleted --dry-run'],
    },
  },
  editCatalogDeleted: {
    method: 'PUT',
    path: '/admin/manage/catalogs/{catalogId}/deleted',
    body: 'EditCatalogDeletedRequest',
    responses: { 200: 'EditCatalogDeletedResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: 'Take a catalog out of use or back',
    description: 'Switches the `deleted` mark of a catalog. Values already chosen in posts stay readable.',
    clientMethod: 'setDeleted',
    command: { examples: ['3 --deleted', '3 --no-deleted'] },
  },
  getCatalogEntryForEdit: {
    method: 'GET',
    path: '/admin/manage/catalogs/{catalogId}/entries/{entryId}/edit',
    responses: { 200: 'GetCatalogEntryForEditResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: "Read a catalog entry's form",
    description:
      'Returns the label in each language, the chain of all ancestors (nearest first), and the ' +
      '`occToken`. Returns 404 also if the catalog has no such entry.',
    clientMethod: 'readEntryForEdit',
    formerMethod: 'entryForm',
    command: { examples: ['3 41', '3 41 --output json'] },
  },
  createCatalogEntry: {
    method: 'POST',
    path: '/admin/manage/catalogs/{catalogId}/entries',
    body: 'CreateEditCatalogEntryRequest',
    responses: { 200: 'CreateEditCatalogEntryResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageDigitalWorplace',
    summary: 'Create a catalog entry',
    description: 'Requires a `label` in at least one language; `externalId` is unique within the catalog.',
    requestExamples: examples<'CreateEditCatalogEntryRequest'>({
      entry: { summary: 'In two languages', value: { label: { en: 'Blue', it: 'Blu' }, externalId: 'blue' } },
    }),
    clientMethod: 'createEntry',
    command: {
      examples: [
        `3 --label '{"en": "Kobe"}' --external-id kobe`,
        `3 --label '{"en": "Hall"}' --parent-ids 12 --dry-run`,
      ],
    },
  },
  putCatalogEntries: {
    method: 'PUT',
    path: '/admin/manage/catalogs/{catalogId}/entries',
    body: 'PutCatalogEntriesRequest',
    responses: { 200: 'PutCatalogEntriesResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    extension: true,
    summary: 'Create and edit many catalog entries',
    description:
      'Creates missing entries and edits changed ones, in one transaction. An entry is matched ' +
      'by its `externalId` or, without one, by its label in the language of the tenant. ' +
      'Entries that are not sent stay unchanged. Requires no token.',
    requestExamples: examples<'PutCatalogEntriesRequest'>({
      cities: {
        summary: 'Cities below their countries',
        value: {
          entries: [
            { label: { en: 'Rome', it: 'Roma' }, externalId: 'rome', parentExternalIds: ['italy'] },
            { label: { en: 'Kobe' }, externalId: 'kobe', parentExternalIds: ['japan'] },
          ],
        },
      },
    }),
    clientMethod: 'putEntries',
    command: {
      examples: ['3 --data @entries.json', `3 --entries '[{"label": {"en": "Kobe"}, "externalId": "kobe"}]' --dry-run`],
    },
  },
  editCatalogEntry: {
    method: 'PUT',
    path: '/admin/manage/catalogs/{catalogId}/entries/{entryId}',
    body: 'CreateEditCatalogEntryRequest',
    requires: ['occToken'],
    responses: { 200: 'CreateEditCatalogEntryResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: 'Edit a catalog entry',
    description: 'Replaces label, parents, external id and state. A stale `occToken` in the body returns 409.',
    clientMethod: 'replaceEntry',
    formerMethod: 'editEntry',
    command: {
      form: 'getCatalogEntryForEdit',
      needsValue: true,
      examples: [`3 41 --label '{"en": "Kobe (new)"}'`, '3 41 --external-id kobe-2'],
    },
  },
  editCatalogEntryDeleted: {
    method: 'PUT',
    path: '/admin/manage/catalogs/{catalogId}/entries/{entryId}/deleted',
    body: 'EditCatalogEntryDeletedRequest',
    responses: { 200: 'EditCatalogEntryDeletedResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'manageDigitalWorplace',
    summary: 'Take a catalog entry out of use or back',
    description:
      'Switches the `deleted` mark of an entry. Requires no token; a repeat changes nothing. ' +
      'Returns the entry and its catalog.',
    clientMethod: 'setEntryDeleted',
    command: { examples: ['3 41 --deleted', '3 41 --no-deleted'] },
  },
  getPostDefinitionCatalogs: {
    method: 'POST',
    path: '/communication/settings/post-definition/catalogs',
    query: {
      loadEntries: {
        type: 'boolean',
        default: false,
        description: 'When true, each catalog that is not `paged` carries its entries.',
      },
    },
    body: 'GetPostDefinitionCatalogsRequest',
    responses: { 200: 'GetPostDefinitionCatalogsResponse' },
    permission: 'authenticated',
    summary: 'Read catalogs',
    description:
      'Returns the heads of the catalogs that fields take their values from: all of them, or ' +
      'the catalogs in `catalogIds`. An id that is unknown or out of use returns 400 ' +
      '`NOT_EXISTS` on `catalogIds`. A catalog with more than 500 entries is `paged`: its ' +
      'entries come from `listPostDefinitionCatalogEntries`.',
    clientMethod: 'list',
    command: {
      rows: 'catalogs',
      columns: ['id', 'name', 'paged', 'etag'],
      examples: ['', '--load-entries --output json'],
    },
  },
  listPostDefinitionCatalogEntries: {
    method: 'POST',
    path: '/communication/settings/post-definition/catalogs/{catalogId}/entries',
    body: 'ListPostDefinitionCatalogEntriesRequest',
    responses: { 200: 'ListPostDefinitionCatalogEntriesResponse' },
    permission: 'authenticated',
    paging: 'page',
    summary: 'List the entries of a catalog',
    description:
      'Returns the entries that can be chosen, narrowed by part of their label and by ' +
      '`context`, the form in which they are chosen (a hierarchical field offers only entries ' +
      "that fit its parent's value).",
    clientMethod: 'entries',
    command: {
      columns: ['id', 'label', 'externalId', 'parentIds', 'deleted'],
      examples: ['3 --all', '3 --label kobe --output ndjson'],
    },
  },
});
