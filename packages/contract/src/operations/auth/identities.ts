/** Identities at identity providers. */
import { defineOperations } from '../define.ts';

export const identitiesOperations = defineOperations('auth', {
  listSignInProviders: {
    method: 'GET',
    path: '/core/auth/providers',
    responses: { 200: 'ListSignInProvidersResponse' },
    permission: 'public',
    extension: true,
    summary: 'Providers that people can sign in by',
    description:
      'Returns the data of the sign-in page: the name of the portal, and the enabled identity ' +
      'providers of the tenant, by name.',
    clientMethod: 'providers',
    command: { rows: 'providers', columns: ['key', 'name'], examples: ['', '--output json'] },
  },
  listMyIdentities: {
    method: 'GET',
    path: '/core/auth/identities',
    responses: { 200: 'ListIdentitiesResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Identities of the caller',
    description: 'Returns the identities at identity providers by which the caller signs in.',
    clientMethod: 'identities',
    command: { rows: 'identities', columns: ['identityProviderId', 'name'], examples: ['', '--output json'] },
  },
  removeMyIdentity: {
    method: 'POST',
    path: '/core/auth/manage/identities/{identityProviderId}/remove',
    responses: { 200: null, 404: null, 409: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Unlink an identity of the caller',
    description:
      'Unlinks the identity at this provider from the caller; it no longer signs them in. ' +
      'Returns 409 if the caller has no other way to sign in: neither a password, which counts ' +
      'unless the tenant requires a provider, nor another linked identity of an enabled ' +
      'provider. On success, returns an empty body.',
    clientMethod: 'removeIdentity',
    command: { confirms: true, examples: ['3', '3 --yes --dry-run'] },
  },
});
