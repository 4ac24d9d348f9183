/** Who sees and changes a community (docs/decisions/people.md): pure rules, no I/O. */
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

/** Whether the actor sees the community: a role in it, given there or through its workspace. */
export function seesCommunity(actor: Actor, communityId: number): boolean {
  return hasRole.holds({ actor, community: { id: communityId } });
}

/** A community that somebody may see, write in or administer. */
interface CommunityCase {
  readonly actor: Actor;
  readonly community: Pick<CommunityHead, 'id' | 'draft' | 'eventsEnabled' | 'archivedAt'>;
}

/** Somebody and a community in which they may write. */
interface WriterCase {
  readonly actor: Pick<Actor, 'roles' | 'permissions' | 'principals'>;
  readonly community: Pick<CommunityHead, 'id' | 'draft' | 'archivedAt'>;
}

const isOpen = fact<WriterCase>(({ community }) => !community.draft, {
  kind: 'SETTING',
  yes: () => 'the community is open',
  no: () => 'the community is being prepared',
});
/** A community that is archived can only be read. */
export const isInUse = fact<{ readonly community: Pick<CommunityHead, 'archivedAt'> }>(
  ({ community }) => community.archivedAt === null,
  { kind: 'SETTING', yes: () => 'the community is in use', no: () => 'the community is archived' },
);
const hasEvents = fact<CommunityCase>(({ community }) => community.eventsEnabled, {
  kind: 'SETTING',
  yes: () => 'the community has event posts',
  no: () => 'the community has no event posts',
});

/** Where writing goes on: while a community is being prepared, only its managers write. */
const takesWrites = all<WriterCase>(isInUse, any<WriterCase>(isOpen, managesCommunity));
export const writesPosts = all<WriterCase>(mayCreatePosts, takesWrites);
export const writesComments = all<WriterCase>(mayComment, takesWrites);
export const writesTasks = all<WriterCase>(mayCreateTasks, takesWrites);

/** What each capability in a community asks: of built-in roles contributors write, managers also pin and announce. */
export const communityRules = {
  viewPost: hasRole,
  createPost: writesPosts,
  createEventPost: all<CommunityCase>(writesPosts, hasEvents),
  pinPost: all<CommunityCase>(mayPinPosts, isInUse),
  editPostVisibility: writesPosts,
  setPostAnnouncementFlag: all<CommunityCase>(mayAnnouncePosts, isInUse),
} satisfies Record<keyof GetCommunityOperationalCapabilitiesResponse, Rule<CommunityCase>>;

/** What the caller may do in a community. */
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
 * What every write to a community or its posts asks first, whoever makes it.
 * @throws PorticoError COMMUNITY_ARCHIVED
 */
export function refuseArchived(community: Pick<CommunityHead, 'archivedAt'>): void {
  if (!isInUse.holds({ community })) throw new PorticoError('COMMUNITY_ARCHIVED');
}

/** The workflow by which posts of the community move; none while it is archived. */
export function workflowInUse({
  community,
  workflow,
}: Pick<CommunityDefinition, 'community' | 'workflow'>): CommunityDefinition['workflow'] {
  return isInUse.holds({ community }) ? workflow : null;
}

/** Who may change the community itself: its managers and administrators of the workplace. */
export const communityEditorRule = any<{ readonly actor: Actor; readonly community: { readonly id: number } }>(
  hasRight('manageDigitalWorplace'),
  managesCommunity,
);

/** Whether the actor may change the community itself. */
export function mayEditCommunity(actor: Actor, communityId: number): boolean {
  return communityEditorRule.holds({ actor, community: { id: communityId } });
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
      communityIds.length > 0
        ? 'Only managers of the community and holders of the right manageDigitalWorplace can edit definitions.'
        : 'This needs the right manageDigitalWorplace; managing a community is not enough.',
    );
  }
}
