/** Table of posts whose searchable texts changed without a change row. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const pendingSearchTables = defineTables({
  search_pending: {
    distribution: 'distributed',
    parent: { table: 'posts', column: 'post_id' },
    columns: internal('tenant_id', 'post_id'),
  },
});
