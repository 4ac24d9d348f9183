/** Tables of the tenants. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const tenantTables = defineTables({
  tenants: {
    distribution: 'reference',
    columns: internal('id', 'name', 'display_name', 'created_at', 'disabled_at'),
  },
  tenant_hosts: {
    distribution: 'reference',
    columns: internal('host', 'tenant_id', 'is_primary'),
  },
  tenant_settings: {
    distribution: 'distributed',
    audit: {
      object: 'tenant',
      key: 'tenant_id',
      also: [
        'audiences',
        'access_token_seconds',
        'provider_client_ids',
        'login_domains',
        'cors_origins',
        'default_language',
        'default_timezone',
        'attachment_quota_bytes',
        'requests_per_minute',
        'account_requests_per_minute',
      ],
    },
    columns: internal(
      'tenant_id',
      'opaque_secret',
      'link_secret',
      'audiences',
      'access_token_seconds',
      'provider_client_ids',
      'login_domains',
      'cors_origins',
      'default_language',
      'default_timezone',
      'attachment_quota_bytes',
      'requests_per_minute',
      'account_requests_per_minute',
    ),
  },
  tenant_secrets: {
    distribution: 'distributed',
    auditList: {
      of: 'tenant_settings',
      column: 'tenant_id',
      field: 'secrets',
      value: `jsonb_build_object('id', l.id, 'kind', l.kind)`,
    },
    columns: internal('tenant_id', 'id', 'kind', 'secret', 'sealed_secret', 'created_at', 'signs_from'),
    sealed: { row: 'id', columns: { sealed_secret: { plain: 'secret', form: 'bytes' } } },
  },
});
