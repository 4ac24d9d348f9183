import type { Handlers } from '../../../kernel/operations.ts';
import { createIdentityProvider, deleteIdentityProvider, editIdentityProvider } from './edit-provider.ts';
import { listMyIdentities, listUserIdentities, removeMyIdentity, removeUserIdentity } from './identities.ts';
import { getIdentityProviderForEdit, listIdentityProviders, listSignInProviders } from './read-providers.ts';

/** @param internalHosts hosts of providers that the operator allows in the server's network */
export function identityProviderHandlers(internalHosts: readonly string[]) {
  return {
    listIdentityProviders: ({ scope, body }) => listIdentityProviders(scope, body ?? {}),
    getIdentityProviderForEdit: ({ scope, params }) => getIdentityProviderForEdit(scope, params.identityProviderId),
    createIdentityProvider: ({ scope, body }) => createIdentityProvider(scope, body ?? {}, internalHosts),
    editIdentityProvider: ({ scope, params, body }) =>
      editIdentityProvider(scope, params.identityProviderId, body ?? {}),
    deleteIdentityProvider: async ({ scope, params }) => {
      await deleteIdentityProvider(scope, params.identityProviderId);
      return undefined;
    },
    listSignInProviders: ({ scope }) => listSignInProviders(scope),
    listMyIdentities: ({ scope }) => listMyIdentities(scope),
    removeMyIdentity: async ({ scope, params }) => {
      await removeMyIdentity(scope, params.identityProviderId);
      return undefined;
    },
    listUserIdentities: ({ scope, params }) => listUserIdentities(scope, params.userId),
    removeUserIdentity: async ({ scope, params }) => {
      await removeUserIdentity(scope, params.userId, params.identityProviderId);
      return undefined;
    },
  } satisfies Handlers;
}
