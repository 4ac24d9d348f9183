/** Who sees and changes a community (docs/decisions/people.md): pure rules, no I/O. */
import { type GetCommunityOperationalCapabilitiesResponse, RoleId } from '@portico/contract';
import { holds } from '../../kernel/access/index.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Actor, CommunityRole } from '../../kernel/scope.ts';
import type { CommunityHead } from './definition-types.ts';

/** Whether the actor sees the community: a role in it, given there or through its workspace. */
export function seesCommunity(actor: Actor, communityId: number): boolean {
  const role = actor.roles.get(communityId);
  return role !== undefined && role <= 3;
}

/** Whether a role writes posts. In a community that is being prepared only managers do. */
export function mayWritePosts(role: CommunityRole, community: { readonly draft: boolean }): boolean {
  return role === RoleId.MANAGER || (role === RoleId.CONTRIBUTOR && !community.draft);
}

/** What the caller may do in a community: contributors write, managers also pin and announce. */
export function communityCapabilities(
  actor: Actor,
  community: Pick<CommunityHead, 'id' | 'draft' | 'eventsEnabled'>,
): Required<GetCommunityOperationalCapabilitiesResponse> {
  const role = actor.roles.get(community.id);
  const writes = role !== undefined && mayWritePosts(role, community);
  return {
    viewPost: seesCommunity(actor, community.id),
    createPost: writes,
    createEventPost: writes && community.eventsEnabled,
    pinPost: role === RoleId.MANAGER,
    editPostVisibility: writes,
    setPostAnnouncementFlag: role === RoleId.MANAGER,
  };
}

/** Whether the actor may change the community itself: its managers and administrators of the workplace. */
export function mayEditCommunity(actor: Actor, communityId: number): boolean {
  return holds(actor, 'manageDigitalWorplace') || actor.roles.get(communityId) === 1;
}

/**
 * The settings of a community are read and edited by its managers and by administrators of the workplace, who need not see it.
 * @throws PorticoError NOT_FOUND where the actor does not see the community, FORBIDDEN
 */
export function requireCommunityEditor(actor: Actor, communityId: number): void {
  if (mayEditCommunity(actor, communityId)) return;
  if (!seesCommunity(actor, communityId)) throw notFound();
  throw forbidden('Only managers of the community and holders of the right manageDigitalWorplace can edit it.');
}

/**
 * Definitions are made with the right `manageDigitalWorplace`; those of one community by its managers too.
 * @throws PorticoError FORBIDDEN
 */
export function requireDefinitionRight(actor: Actor, communityIds: readonly number[] = []): void {
  const manages = communityIds.length > 0 && communityIds.every((id) => mayEditCommunity(actor, id));
  if (!holds(actor, 'manageDigitalWorplace') && !manages) {
    throw forbidden(
      'Only managers of the community and holders of the right manageDigitalWorplace can edit definitions.',
    );
  }
}
