/** Tables of keys and sign-ins. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const authTables = defineTables({
  signing_keys: {
    distribution: 'distributed',
    auditList: {
      of: 'tenant_settings',
      column: 'tenant_id',
      field: 'signingKeys',
      value: `jsonb_build_object('id', l.kid, 'retiredAt', l.retired_at)`,
    },
    columns: internal(
      'tenant_id',
      'kid',
      'algorithm',
      'private_jwk',
      'sealed_private_jwk',
      'public_jwk',
      'created_at',
      'retired_at',
    ),
    sealed: { row: 'kid', columns: { sealed_private_jwk: { plain: 'private_jwk', form: 'json' } } },
  },
  service_account_keys: {
    distribution: 'distributed',
    people: { user_id: 'keep' },
    auditList: {
      of: 'users',
      column: 'user_id',
      field: 'keys',
      value: `jsonb_build_object('id', l.id, 'name', l.name, 'expiresAt', l.expires_at, 'revokedAt', l.revoked_at)`,
    },
    parent: { table: 'users', column: 'user_id' },
    field: `'keys'`,
    columns: internal(
      'tenant_id',
      'id',
      'user_id',
      'public_key',
      'created_at',
      'revoked_at',
      'name',
      'expires_at',
      'last_used_at',
    ),
  },
  user_sessions: {
    distribution: 'distributed',
    parent: { table: 'users', column: 'user_id' },
    field: `'sessions'`,
    people: { user_id: 'remove' },
    auditList: {
      of: 'users',
      column: 'user_id',
      field: 'sessions',
      value: `jsonb_build_object('id', l.id, 'createdAt', l.created_at, 'userAgent', l.user_agent)`,
    },
    columns: internal(
      'tenant_id',
      'id',
      'user_id',
      'session_version',
      'secret_hash',
      'previous_hash',
      'renewed_at',
      'created_at',
      'last_used_at',
      'user_agent',
      'address',
    ),
  },
  used_assertions: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'key_id', 'jti', 'expires_at', 'iat', 'exp'),
  },
});
