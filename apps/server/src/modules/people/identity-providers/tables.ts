/** Tables of identity providers and of the accounts that are linked to them. */
import { defineTables, internal, OWN } from '../../../kernel/tables/define-tables.ts';

export const identityProviderTables = defineTables({
  identity_providers: {
    distribution: 'distributed',
    entity: 'identityProvider',
    audit: { secret: ['sealed_client_secret'] },
    sealed: { row: 'id', column: 'sealed_client_secret', words: 'the client secret of an identity provider' },
    constraints: {
      identity_providers__key: {
        field: 'key',
        code: 'DUPLICATE_VALUE',
        message: 'Another identity provider has this key.',
      },
    },
    columns: {
      ...OWN,
      version: 'occToken',
      key: 'key',
      name: 'name',
      issuer: 'issuer',
      client_id: 'clientId',
      sealed_client_secret: 'clientSecret',
      scopes: 'scopes',
      enabled: 'enabled',
      creates_users: 'createUsers',
      links_by_email: 'linkByVerifiedEmail',
      email_domains: 'emailDomains',
      groups_claim: 'groupsClaim',
      modified_at: null,
      modified_by: null,
    },
  },
  identity_provider_groups: {
    distribution: 'distributed',
    parent: { table: 'identity_providers', column: 'provider_id' },
    field: `'groupMappings'`,
    auditList: {
      of: 'identity_providers',
      column: 'provider_id',
      field: 'groupMappings',
      value: `jsonb_build_object('value', l.claim_value, 'groupId', l.group_id)`,
    },
    columns: internal('tenant_id', 'provider_id', 'claim_value', 'group_id'),
  },
  user_identities: {
    distribution: 'distributed',
    parent: { table: 'users', column: 'user_id' },
    field: `'identities'`,
    people: { user_id: 'remove' },
    auditList: {
      of: 'users',
      column: 'user_id',
      field: 'identities',
      value: `jsonb_build_object('identityProviderId', l.provider_id, 'subject', l.subject)`,
    },
    columns: internal('tenant_id', 'provider_id', 'subject', 'user_id', 'linked_at'),
  },
  used_sign_in_states: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'state_hash', 'expires_at'),
  },
});
