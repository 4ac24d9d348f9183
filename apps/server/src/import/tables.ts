/** Tables of the import. */
import { defineTables, internal } from '../kernel/tables/define-tables.ts';

export const importTables = defineTables({
  import_records: {
    distribution: 'distributed',
    parent: { table: 'posts', column: 'post_id' },
    analyze: true,
    columns: internal('tenant_id', 'source', 'external_id', 'fingerprint', 'post_id'),
  },
});
