/** Community → wire. */
import type { Community, User } from '@portico/contract';
import type { WriteScope } from '../../kernel/access/index.ts';
import { pictureLink } from '../../kernel/file-links.ts';
import type { Scope } from '../../kernel/scope.ts';
import { communityCapabilities, mayEditCommunity } from './communities.policy.ts';
import type { CommunityHead } from './definition-types.ts';

/** Facts needed to present a community, besides its definition. */
interface CommunityFacts {
  /** Creators by id. */
  readonly users: ReadonlyMap<number, User>;
  /** Number of people with a role, by community. */
  readonly members: ReadonlyMap<number, number>;
}

/**
 * Presents a community as the caller sees it, with their capabilities in it. Omits empty values.
 */
export function presentCommunity(
  community: CommunityHead,
  scope: Scope | WriteScope,
  facts: CommunityFacts,
): Community {
  const { actor } = scope;
  const cover = pictureLink(scope, community.coverContentRef);
  const creator = facts.users.get(community.creatorId);
  return {
    id: community.id,
    name: community.name,
    description: community.description ?? undefined,
    workspaceId: community.workspaceId,
    coverImageTemporaryContentViewLink: cover,
    colorCode: community.colorCode ?? undefined,
    draft: community.draft,
    creatorUser: creator,
    creationTimestamp: community.createdAt,
    archivedTimestamp: community.archivedAt ?? undefined,
    etag: community.etag,
    adminCapabilities: { editCommunity: mayEditCommunity(actor, community.id) },
    operationalCapabilities: communityCapabilities(actor, community),
    membersCount: facts.members.get(community.id) ?? 0,
  };
}
