/** Access rules for seeing and changing a community (docs/decisions/people.md). Pure, no I/O. */
import type { GetCommunityOperationalCapabilitiesResponse } from '@portico/contract';
import {
  all,
  any,
  fact,
  hasRight,
  hasRole,
  holds,
  managesCommunity,
  mayAnnouncePosts,
  mayComment,
  mayCreatePosts,
  mayCreateTasks,
  mayPinPosts,
  type Rule,
} from '../../kernel/access/index.ts';
import { forbidden, notFound, PorticoError } from '../../kernel/errors.ts';
import type { Actor } from '../../kernel/scope.ts';
import type { CommunityDefinition, CommunityHead } from './definition-types.ts';

/**
 * Returns whether the actor sees the community: whether they have a role in it, given there or
 * through its workspace.
 */
export function seesCommunity(actor: Actor, communityId: number): boolean {
  return hasRole.holds({ actor, community: { id: communityId } });
}

/** An actor and a community that they may see, write in or administer. */
interface CommunityCase {
  readonly actor: Actor;
  readonly community: Pick<CommunityHead, 'id' | 'draft' | 'eventsEnabled' | 'archivedAt'>;
}

/** An actor and a community in which they may write. */
interface WriterCase {
  readonly actor: Pick<Actor, 'roles' | 'permissions' | 'principals'>;
  readonly community: Pick<CommunityHead, 'id' | 'draft' | 'archivedAt'>;
}

const isOpen = fact<WriterCase>(({ community }) => !community.draft, {
  kind: 'SETTING',
  yes: () => 'the community is open',
  no: () => 'the community is being prepared',
});
/** Holds unless the community is archived. Archived communities are read-only. */
export const isInUse = fact<{ readonly community: Pick<CommunityHead, 'archivedAt'> }>(
  ({ community }) => community.archivedAt === null,
  { kind: 'SETTING', yes: () => 'the community is in use', no: () => 'the community is archived' },
);
const hasEvents = fact<CommunityCase>(({ community }) => community.eventsEnabled, {
  kind: 'SETTING',
  yes: () => 'the community has event posts',
  no: () => 'the community has no event posts',
});

/** Allows writes. While a community is being prepared, only its managers write. */
const takesWrites = all<WriterCase>(isInUse, any<WriterCase>(isOpen, managesCommunity));
export const writesPosts = all<WriterCase>(mayCreatePosts, takesWrites);
export const writesComments = all<WriterCase>(mayComment, takesWrites);
export const writesTasks = all<WriterCase>(mayCreateTasks, takesWrites);

/**
 * Requirements of each capability in a community. The built-in role of contributors writes; managers
 * also pin and announce.
 */
export const communityRules = {
  viewPost: hasRole,
  createPost: writesPosts,
  createEventPost: all<CommunityCase>(writesPosts, hasEvents),
  pinPost: all<CommunityCase>(mayPinPosts, isInUse),
  editPostVisibility: writesPosts,
  setPostAnnouncementFlag: all<CommunityCase>(mayAnnouncePosts, isInUse),
} satisfies Record<keyof GetCommunityOperationalCapabilitiesResponse, Rule<CommunityCase>>;

/** Returns the capabilities of the caller in a community. */
export function communityCapabilities(
  actor: Actor,
  community: CommunityCase['community'],
): Required<GetCommunityOperationalCapabilitiesResponse> {
  const about = { actor, community };
  return {
    viewPost: communityRules.viewPost.holds(about),
    createPost: communityRules.createPost.holds(about),
    createEventPost: communityRules.createEventPost.holds(about),
    pinPost: communityRules.pinPost.holds(about),
    editPostVisibility: communityRules.editPostVisibility.holds(about),
    setPostAnnouncementFlag: communityRules.setPostAnnouncementFlag.holds(about),
  };
}

/**
 * Refuses writes to an archived community and its posts. Every write calls it first, whatever the
 * role of the caller.
 * @throws PorticoError COMMUNITY_ARCHIVED
 */
export function refuseArchived(community: Pick<CommunityHead, 'archivedAt'>): void {
  if (!isInUse.holds({ community })) throw new PorticoError('COMMUNITY_ARCHIVED');
}

/** Returns the workflow of the posts of the community; null while it is archived. */
export function workflowInUse({
  community,
  workflow,
}: Pick<CommunityDefinition, 'community' | 'workflow'>): CommunityDefinition['workflow'] {
  return isInUse.holds({ community }) ? workflow : null;
}

/**
 * Allows managers of the community and administrators of the workplace to change the community
 * itself.
 */
export const communityEditorRule = any<{ readonly actor: Actor; readonly community: { readonly id: number } }>(
  hasRight('manageDigitalWorplace'),
  managesCommunity,
);

/** Returns whether the actor may change the community itself. */
export function mayEditCommunity(actor: Actor, communityId: number): boolean {
  return communityEditorRule.holds({ actor, community: { id: communityId } });
}

/**
 * Requires the right to read and edit the settings of a community: managers of it and
 * administrators of the workplace have it. Administrators need not see the community.
 * @throws PorticoError NOT_FOUND where the actor does not see the community, FORBIDDEN
 */
export function requireCommunityEditor(actor: Actor, communityId: number): void {
  if (mayEditCommunity(actor, communityId)) return;
  if (!seesCommunity(actor, communityId)) throw notFound();
  throw forbidden('Missing permission: manageCommunity, or the administrative right manageDigitalWorplace.');
}

/**
 * Requires the right `manageDigitalWorplace` to change definitions. Managers may change the
 * definitions of their own community.
 * @throws PorticoError FORBIDDEN
 */
export function requireDefinitionRight(actor: Actor, communityIds: readonly number[] = []): void {
  const manages = communityIds.length > 0 && communityIds.every((id) => mayEditCommunity(actor, id));
  if (!holds(actor, 'manageDigitalWorplace') && !manages) {
    throw forbidden(
      communityIds.length > 0
        ? 'Missing permission: manageCommunity in each community of the definition, or the administrative right manageDigitalWorplace.'
        : 'Missing administrative right: manageDigitalWorplace.',
    );
  }
}
