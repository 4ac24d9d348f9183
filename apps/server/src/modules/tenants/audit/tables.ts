/** Tables of the chain of the audit log. Its entries are a table of the kernel. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const auditTables = defineTables({
  audit_links: {
    distribution: 'distributed',
    appendOnly: true,
    columns: internal('tenant_id', 'position', 'entry_id', 'hash', 'at'),
  },
  audit_checkpoints: {
    distribution: 'distributed',
    appendOnly: true,
    columns: internal('tenant_id', 'position', 'hash', 'at'),
  },
});
