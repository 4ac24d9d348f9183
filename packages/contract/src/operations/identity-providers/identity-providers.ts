/** Identity providers (OpenID Connect) that people sign in by. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const identityProviderOperations = defineOperations('identityProviders', {
  listIdentityProviders: {
    method: 'POST',
    path: '/admin/data/identity-providers',
    body: 'ListIdentityProvidersRequest',
    responses: { 200: 'ListIdentityProvidersResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List identity providers',
    description: 'Returns all identity providers of the tenant, by id.',
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
      'Returns the editable settings of an identity provider, without its client secret, the ' +
      'redirect URI to register there, and the `occToken` to send back.',
    clientMethod: 'readForEdit',
    formerMethod: 'form',
    command: { examples: ['3', '3 --output json --fields redirectUri'] },
  },
  createIdentityProvider: {
    method: 'POST',
    path: '/admin/manage/identity-providers',
    body: 'CreateIdentityProviderRequest',
    responses: { 200: 'CreateIdentityProviderResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Create an identity provider',
    description:
      'Connects an OpenID Connect provider. Requires every administrative right, because a ' +
      'person who configures a provider can sign in as anybody. The portal reads the ' +
      'configuration of the provider at the first sign-in by it.',
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
      'Replaces the settings: omitted settings are removed, except `clientSecret`, which is ' +
      'kept. `key` and `issuer` do not change: linked accounts belong to them. Requires every ' +
      'administrative right. Send the `occToken` of the form in the body; a stale token ' +
      'returns 409.',
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getIdentityProviderForEdit',
      needsValue: true,
      examples: ['3 --name "Acme accounts"', '3 --client-secret @secret.txt --dry-run'],
    },
  },
  testIdentityProvider: {
    method: 'POST',
    path: '/admin/data/identity-providers/{identityProviderId}/test',
    responses: { 200: 'TestIdentityProviderResponse', 403: null, 404: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Begin a trial sign-in by an identity provider',
    description:
      'Returns an address at the provider. Sign in there in a browser, and send the address that the ' +
      'browser is redirected to with `finishIdentityProviderTest`, as the same caller in the same session ' +
      'within ten minutes; the page of the administration does so by itself. A trial links, creates and ' +
      'signs in nobody, and works while the provider is disabled. A provider whose configuration cannot ' +
      'be read gives a `refusal`. Requires every administrative right.',
    clientMethod: 'test',
    command: { examples: ['3', '3 --output json --fields authorizationUrl'] },
  },
  finishIdentityProviderTest: {
    method: 'POST',
    path: '/admin/data/identity-providers/finish-test',
    body: 'FinishIdentityProviderTestRequest',
    responses: { 200: 'FinishIdentityProviderTestResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Finish a trial sign-in by an identity provider',
    description:
      'Verifies the answer of the provider as a sign-in does, and returns its claims and the effect that a ' +
      'sign-in would have: the account, its groups, or the reason of a refusal. Nothing is kept but an ' +
      'entry of the audit log with the outcome, without claims. An answer counts once; an answer to a ' +
      'trial of another caller or session, or after ten minutes, returns 400 `INVALID_VALUE` on `answer`.',
    requestExamples: examples<'FinishIdentityProviderTestRequest'>({
      answer: {
        summary: 'The address in the browser after the sign-in',
        value: {
          answer:
            'https://portal.acme.example/portal/api/core/auth/providers/google/callback?code=4%2F0Ab…&state=trial.AY7q…',
        },
      },
    }),
    clientMethod: 'finishTest',
    command: { examples: ['--answer @answer.txt', '--answer @answer.txt --output json --fields outcome,refusal'] },
  },
  deleteIdentityProvider: {
    method: 'DELETE',
    path: '/admin/manage/identity-providers/{identityProviderId}',
    responses: { 200: null, 403: null, 404: null, 409: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Delete an identity provider',
    description:
      'Removes the provider and the links of accounts to it; the accounts stay. Requires every ' +
      'administrative right. Removing the last enabled provider returns 409 while the tenant ' +
      'requires a provider. Returns an empty body.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['3', '3 --yes --dry-run'] },
  },
});
