/** Tables of catalogs. */
import { defineTables, OWN } from '../../../kernel/tables/define-tables.ts';

export const catalogTables = defineTables({
  catalogs: {
    distribution: 'distributed',
    entity: 'catalog',
    columns: {
      ...OWN,
      version: 'occToken',
      name: 'name',
      parent_id: 'parentCatalog',
      external_id: null,
      deleted: 'deleted',
      modified_at: null,
      modified_by: null,
    },
  },
  catalog_entries: {
    distribution: 'distributed',
    entity: 'catalogEntry',
    constraints: {
      catalog_entries__external_id: {
        field: 'externalId',
        code: 'DUPLICATE_VALUE',
        message: 'Another entry of this catalog has this external id.',
      },
    },
    columns: {
      ...OWN,
      version: 'occToken',
      catalog_id: 'catalogId',
      label: 'label',
      label_key: null,
      external_id: 'externalId',
      parent_ids: 'parentIds',
      deleted: 'deleted',
      position: 'position',
      modified_at: null,
      modified_by: null,
    },
  },
});
