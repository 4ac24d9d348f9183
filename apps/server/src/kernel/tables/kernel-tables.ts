/** Tables of the kernel. */
import { defineTables, internal } from './define-tables.ts';

/** Columns of the audit log but for the tenant. Their order is that in which the chain hashes them: new ones go last. */
export const auditEntryColumns = [
  'id',
  'at',
  'action',
  'operation',
  'actor_id',
  'operator',
  'object',
  'object_id',
  'before',
  'after',
  'values_hash',
  'address',
  'request_id',
  'count',
] as const;

export const kernelTables = defineTables({
  tenant_versions: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'access_version', 'definitions_version', 'keys_version', 'labels_version'),
  },
  audit_entries: {
    distribution: 'distributed',
    appendOnly: true,
    columns: internal('tenant_id', ...auditEntryColumns),
  },
  audit_values: {
    distribution: 'distributed',
    people: { user_id: 'remove' },
    columns: internal('tenant_id', 'entry_id', 'user_id', 'salt', 'before', 'after'),
  },
  sign_in_failures: {
    distribution: 'distributed',
    people: { user_id: 'keep' },
    columns: internal('tenant_id', 'minute', 'user_id', 'address', 'operation', 'count'),
  },
  idempotency_keys: {
    distribution: 'distributed',
    people: { user_id: 'remove' },
    columns: internal('tenant_id', 'user_id', 'key', 'request_hash', 'status', 'response', 'created_at'),
  },
});
