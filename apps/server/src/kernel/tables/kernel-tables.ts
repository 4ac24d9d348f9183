/** Tables of the kernel. */
import { defineTables, internal } from './define-tables.ts';

export const kernelTables = defineTables({
  tenant_versions: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'access_version', 'definitions_version', 'keys_version'),
  },
  idempotency_keys: {
    distribution: 'distributed',
    people: { user_id: 'remove' },
    columns: internal('tenant_id', 'user_id', 'key', 'request_hash', 'status', 'response', 'created_at'),
  },
});
