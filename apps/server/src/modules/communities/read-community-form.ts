/** Forms of communities (operations listManagedCommunities, getCommunityForEdit). */
import type {
  GetCommunityForEditResponse,
  ListManagedCommunitiesRequest,
  ListManagedCommunitiesResponse,
} from '@portico/contract';
import { holds } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { pictureLink } from '../../kernel/file-links.ts';
import { readPaging, type SortKey } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { mayEditCommunity, requireCommunityEditor } from './communities.policy.ts';
import { readActivity } from './community-activity.ts';
import { listCommunityIds } from './community-rows.ts';
import { presentSettings } from './community-settings.ts';
import { getDefinition, getDefinitions } from './definitions.ts';
import { presentCommunities } from './list-communities.ts';

/**
 * Returns the communities that the caller may edit, by name (operation listManagedCommunities):
 * with the right `manageDigitalWorplace` all communities of the tenant, otherwise the communities
 * that the caller manages.
 * @throws ValidationError for the inputs of paging
 */
export async function listManagedCommunities(
  scope: Scope,
  input: ListManagedCommunitiesRequest,
): Promise<ListManagedCommunitiesResponse> {
  const { nameFilter, workspaceId } = input;
  const page = readPaging<SortKey>(scope, 'listManagedCommunities', input, [nameFilter, workspaceId]);
  const { actor } = scope;
  const among = holds(actor, 'manageDigitalWorplace')
    ? undefined
    : [...actor.roles.keys()].filter((id) => mayEditCommunity(actor, id));
  const { rows, ...paging } = await listCommunityIds(scope.db, { name: nameFilter, workspaceId, among }, page);
  const ids = rows.map(({ id }) => id);
  const definitions = await getDefinitions(scope, ids);
  const found = ids.flatMap((id) => definitions.get(id) ?? []);
  const items = await presentCommunities(scope, found);
  if (!input.includeActivity) return { items, ...paging };
  const activity = await readActivity(scope.db, ids);
  return { items: items.map((item) => ({ ...item, ...activity.get(item.id ?? 0) })), ...paging };
}

/**
 * Returns the form of a community (operation getCommunityForEdit).
 * @throws PorticoError NOT_FOUND where the caller neither sees nor may edit it, FORBIDDEN where
 * they only see it
 */
export async function getCommunityForEdit(scope: Scope, communityId: number): Promise<GetCommunityForEditResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const community = (await getDefinition(scope, communityId))?.community;
  if (!community) throw notFound();
  const { name, description, colorCode, externalId, coverContentRef, workspaceId, etag } = community;
  const cover = pictureLink(scope, coverContentRef);
  return {
    name,
    description: description ?? undefined,
    colorCode: colorCode ?? undefined,
    externalId: externalId ?? undefined,
    ...presentSettings(community),
    workspaceId,
    ...(cover !== undefined && { coverImageTemporaryContentViewLink: cover }),
    occToken: etag,
  };
}
