/** Reads identity providers: the list, and the form of one provider. */
import type {
  GetIdentityProviderForEditResponse,
  ListIdentityProvidersRequest,
  ListIdentityProvidersResponse,
  ListSignInProvidersResponse,
} from '@portico/contract';
import { requireRight } from '../../../kernel/access/index.ts';
import { readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { listEnabledProviders, listProviderRows, readGroupMappings, readProvider } from './providers.repository.ts';
import { redirectUriOf } from './redirect-uri.ts';

/**
 * Lists the identity providers of the tenant by id (operation listIdentityProviders).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listIdentityProviders(
  scope: Scope,
  input: ListIdentityProvidersRequest,
): Promise<ListIdentityProvidersResponse> {
  requireRight(scope.actor, 'manageUsers');
  const page = readPaging<SortKey>(scope, 'listIdentityProviders', input, []);
  const { rows, ...paging } = await listProviderRows(scope.db, page);
  return {
    items: rows.map(({ id, key, name, issuer, enabled, linkedUsers }) => ({
      identityProviderId: id,
      key,
      name,
      issuer,
      enabled,
      linkedUsersCount: linkedUsers,
    })),
    ...paging,
  };
}

/**
 * Returns the form of an identity provider (operation getIdentityProviderForEdit).
 * @throws PorticoError 403 without manageUsers, 404
 */
export async function getIdentityProviderForEdit(
  scope: Scope,
  id: number,
): Promise<GetIdentityProviderForEditResponse> {
  requireRight(scope.actor, 'manageUsers');
  const provider = await readProvider(scope.db, id);
  return {
    key: provider.key,
    name: provider.name,
    issuer: provider.issuer,
    clientId: provider.clientId,
    hasClientSecret: provider.sealedClientSecret !== null,
    scopes: provider.scopes,
    enabled: provider.enabled,
    createUsers: provider.createsUsers,
    linkByVerifiedEmail: provider.linksByEmail,
    emailDomains: provider.emailDomains,
    ...(provider.groupsClaim !== null && { groupsClaim: provider.groupsClaim }),
    groupMappings: await readGroupMappings(scope.db, id),
    redirectUri: redirectUriOf(scope, provider.key),
    occToken: provider.version,
  };
}

/** Lists the providers that the sign-in page shows (operation listSignInProviders). */
export async function listSignInProviders({ db, tenant }: TenantScope): Promise<ListSignInProvidersResponse> {
  return { portalName: tenant.displayName, providers: await listEnabledProviders(db) };
}
