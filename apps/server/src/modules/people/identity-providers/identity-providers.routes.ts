import type { Handlers } from '../../../kernel/operations.ts';
import { createIdentityProvider, deleteIdentityProvider, editIdentityProvider } from './edit-provider.ts';
import { getIdentityProviderForEdit, listIdentityProviders } from './read-providers.ts';

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
  } satisfies Handlers;
}
