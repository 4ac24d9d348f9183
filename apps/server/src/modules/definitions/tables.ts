/** Tables of changes of definitions. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const definitionTables = defineTables({
  community_drafts: {
    distribution: 'distributed',
    parent: { table: 'communities', column: 'community_id' },
    field: `'definitionDraft'`,
    auditList: { of: 'communities', column: 'community_id', field: 'definitionDraft', value: 'to_jsonb(l.version)' },
    columns: internal('tenant_id', 'community_id', 'version', 'file', 'saved_by', 'saved_at'),
  },
});
