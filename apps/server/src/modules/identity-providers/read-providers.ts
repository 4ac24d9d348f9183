/** Reading identity providers: the list, and the form of one. */
import type {
  GetIdentityProviderForEditResponse,
  ListIdentityProvidersRequest,
  ListIdentityProvidersResponse,
  ListSignInProvidersResponse,
} from '@portico/contract';
import { readPaging, toPage } from '../../kernel/paging/index.ts';
import type { Scope, TenantScope } from '../../kernel/scope.ts';
import { mustSeeProviders } from './providers.policy.ts';
import {
  countProviders,
  listEnabledProviders,
  listProviderRows,
  readGroupMappings,
  readProvider,
} from './providers.repository.ts';
import { redirectUriOf } from './redirect-uri.ts';

/**
 * Lists the identity providers of the tenant by id (operation listIdentityProviders).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listIdentityProviders(
  scope: Scope,
  input: ListIdentityProvidersRequest,
): Promise<ListIdentityProvidersResponse> {
  mustSeeProviders(scope.actor);
  const page = readPaging<[number]>(scope, 'listIdentityProviders', input, []);
  const rows = await listProviderRows(scope.db, page.after?.[0] ?? 0, page.size + 1);
  const shown = toPage(page, rows, (row): [number] => [row.id]);
  return {
    items: shown.rows.map(({ id, key, name, issuer, enabled, linkedUsers }) => ({
      identityProviderId: id,
      key,
      name,
      issuer,
      enabled,
      linkedUsersCount: linkedUsers,
    })),
    ...(shown.nextPageToken !== undefined && { nextPageToken: shown.nextPageToken }),
    ...(page.withTotal && { totalItemsCount: await countProviders(scope.db) }),
  };
}

/**
 * The form of an identity provider (operation getIdentityProviderForEdit).
 * @throws PorticoError 403 without manageUsers, 404
 */
export async function getIdentityProviderForEdit(
  scope: Scope,
  id: number,
): Promise<GetIdentityProviderForEditResponse> {
  mustSeeProviders(scope.actor);
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

/** What the sign-in page shows (operation listSignInProviders). */
export async function listSignInProviders({ db, tenant }: TenantScope): Promise<ListSignInProvidersResponse> {
  return { portalName: tenant.displayName, providers: await listEnabledProviders(db) };
}
