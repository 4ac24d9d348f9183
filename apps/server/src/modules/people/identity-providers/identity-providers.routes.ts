import type { Handlers } from '../../../kernel/operations.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { createIdentityProvider, deleteIdentityProvider, editIdentityProvider } from './edit-provider.ts';
import type { ProviderClient } from './provider-client.ts';
import { getIdentityProviderForEdit, listIdentityProviders } from './read-providers.ts';
import { finishIdentityProviderTest, testIdentityProvider } from './trial.ts';

/** Dependencies of the routes that sign people in by a provider, or try it. */
export interface ProviderSignIns {
  readonly client: () => Promise<ProviderClient>;
  /** The scope of the tenant's own account. */
  systemScope(scope: TenantScope): Promise<Scope>;
}

/** @param internalHosts hosts of providers that the operator allows in the server's network */
export function identityProviderHandlers(internalHosts: readonly string[], { client, systemScope }: ProviderSignIns) {
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
    testIdentityProvider: async ({ scope, params }) =>
      testIdentityProvider(scope, params.identityProviderId, await client()),
    finishIdentityProviderTest: async ({ scope, body }) =>
      finishIdentityProviderTest(scope, body ?? {}, await client(), systemScope),
  } satisfies Handlers;
}
