/** Tables of the tenants. */
import { defineTables, internal, MODIFIED } from '../../kernel/tables/define-tables.ts';

export const tenantTables = defineTables({
  tenants: {
    distribution: 'reference',
    columns: internal('id', 'name', 'display_name', 'created_at', 'disabled_at', 'unfinished', 'delete_after'),
  },
  portico_deleted_tenants: {
    distribution: 'local',
    columns: internal(
      'tenant',
      'name',
      'display_name',
      'started_at',
      'finished_at',
      'deleted_rows',
      'files',
      'file_bytes',
      'sha256',
    ),
  },
  tenant_hosts: {
    distribution: 'reference',
    leftBehind: true,
    columns: internal('host', 'tenant_id', 'is_primary'),
  },
  tenant_work: {
    // A mark must not wait for servers of the cluster that are away.
    distribution: 'local',
    columns: internal('tenant', 'due_at', 'marked_at', 'marks', 'watched_until'),
  },
  tenant_settings: {
    distribution: 'distributed',
    entity: 'tenant',
    audit: { key: 'tenant_id', also: ['provider_client_ids'] },
    files: ['logo_content_ref'],
    columns: {
      ...internal('tenant_id', 'opaque_secret', 'link_secret', 'provider_client_ids'),
      ...MODIFIED,
      version: 'occToken',
      audiences: 'audiences',
      display_name: 'name',
      session_idle_seconds: 'sessionIdleSeconds',
      session_seconds: 'sessionSeconds',
      notification_days: 'notificationRetentionDays',
      audit_days: 'auditRetentionDays',
      require_provider: 'requireProvider',
      notification_mails: 'notificationMails',
      notification_mails_since: null,
      notification_push: 'notificationPush',
      access_token_seconds: 'accessTokenSeconds',
      login_domains: 'loginDomains',
      cors_origins: 'corsOrigins',
      default_language: 'defaultLanguage',
      default_timezone: 'defaultTimezone',
      require_second_factor: 'requireSecondFactor',
      accent_color: 'accentColor',
      logo_content_ref: 'newLogoContentRef',
      sign_in_notice: 'signInNotice',
      imprint_url: 'imprintUrl',
      privacy_url: 'privacyUrl',
      attachment_quota_bytes: 'attachmentQuotaBytes',
      requests_per_minute: 'requestsPerMinute',
      account_requests_per_minute: 'accountRequestsPerMinute',
    },
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
    sealed: { row: 'id', column: 'sealed_secret', words: 'a key of the tenant' },
  },
});
