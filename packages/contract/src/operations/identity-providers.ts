import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

/** Identity providers (OpenID Connect) that people sign in by. */
export const identityProviderOperations = defineOperations('identityProviders', {
  listIdentityProviders: {
    method: 'POST',
    path: '/admin/data/identity-providers',
    body: 'ListIdentityProvidersRequest',
    responses: { 200: 'ListIdentityProvidersResponse', 403: null },
    permission: 'manageUsers',
    kind: 'read',
    paging: 'page',
    extension: true,
    summary: 'List identity providers',
    description: 'All identity providers of the tenant, by id.',
    clientMethod: 'list',
    command: {
      columns: ['identityProviderId', 'key', 'name', 'issuer', 'enabled', 'linkedUsersCount'],
      examples: ['--all', '--output csv --fields key,issuer,enabled'],
    },
  },
  getIdentityProviderForEdit: {
    method: 'GET',
    path: '/admin/manage/identity-providers/{identityProviderId}',
    responses: { 200: 'GetIdentityProviderForEditResponse', 403: null, 404: null },
    permission: 'manageUsers',
    extension: true,
    summary: "Read an identity provider's form",
    description:
      'What can be edited about an identity provider, without its client secret, the redirect URI to register there, and the `occToken` to send back.',
    clientMethod: 'form',
    command: { examples: ['3', '3 --output json --fields redirectUri'] },
  },
  createIdentityProvider: {
    method: 'POST',
    path: '/admin/manage/identity-providers',
    body: 'CreateIdentityProviderRequest',
    responses: { 200: 'CreateIdentityProviderResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'everyAdministrativeRight',
    kind: 'write',
    extension: true,
    summary: 'Create an identity provider',
    description:
      'Connects an OpenID Connect provider. Whoever configures one can sign in as anybody, so this needs every administrative right. The provider is asked for its configuration when the first person signs in by it.',
    requestExamples: examples<'CreateIdentityProviderRequest'>({
      google: {
        summary: 'Google, for the accounts of one domain',
        value: {
          key: 'google',
          name: 'Google',
          issuer: 'https://accounts.google.com',
          clientId: '1234.apps.googleusercontent.com',
          clientSecret: 'GOCSPX-…',
          enabled: true,
          linkByVerifiedEmail: true,
          emailDomains: ['acme.example'],
        },
      },
    }),
    clientMethod: 'create',
    command: {
      examples: [
        '--key google --name Google --issuer https://accounts.google.com --client-id 1234.apps.googleusercontent.com --client-secret @secret.txt --enabled',
        '--key keycloak --name Acme --issuer https://id.acme.example/realms/acme --client-id portico --groups-claim groups --dry-run',
      ],
    },
  },
  editIdentityProvider: {
    method: 'PUT',
    path: '/admin/manage/identity-providers/{identityProviderId}',
    body: 'EditIdentityProviderRequest',
    responses: {
      200: 'EditIdentityProviderResponse',
      400: 'ValidationErrorResponse',
      403: null,
      404: null,
      409: null,
    },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Edit an identity provider',
    description:
      'Replaces: what is left out is removed, except `clientSecret`, which then stays. `key` and `issuer` do not change: linked accounts belong to them. Needs every administrative right. The `occToken` of the form goes into the body; a stale one is a 409.',
    clientMethod: 'edit',
    command: {
      form: 'getIdentityProviderForEdit',
      needsValue: true,
      examples: ['3 --name "Acme accounts"', '3 --client-secret @secret.txt --dry-run'],
    },
  },
  deleteIdentityProvider: {
    method: 'DELETE',
    path: '/admin/manage/identity-providers/{identityProviderId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Delete an identity provider',
    description:
      'Removes the provider and the links of accounts to it; the accounts stay. Needs every administrative right. Answers with an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes --dry-run'] },
  },
});
