/** Capabilities of a post and of a community (operation getPostCapabilities; behaviour §§7.5, 7.6). */
import { CapabilityScope, PartUse } from '@portico/contract';
import type { Actor } from '../../../platform/scope.ts';
import { seesComments } from '../../access/index.ts';
import {
  editableScreenOf,
  type PolicyState,
  type PolicyTransition,
  type PolicyWorkflow,
  permittedTransitions,
} from './workflow-policy.ts';

/** The facts about a post that decide what a caller may do with it. */
export interface PostFacts {
  communityId: number;
  creatorId: number;
  visibility: number;
  draft: boolean;
  deleted: boolean;
  stateId: number | null;
  /** 1 custom, 2 event, 3 questionnaire. */
  type: number;
}

/** What the rules read of a community (a CommunityDefinition has all of it). */
export interface CommunityFacts {
  id: number;
  commentsHiddenFromReaders: boolean;
  attachmentEnabled: boolean;
  likeEnabled: boolean;
  watchersEnabled: number;
  eventsEnabled: boolean;
}

/** A community with its workflow. */
export interface PolicyDefinition<T extends PolicyTransition = PolicyTransition> {
  community: CommunityFacts;
  workflow: PolicyWorkflow<PolicyState, T> | null;
}

/** What the caller may do with a post; the wire type GetPostCapabilitiesResponse with transitions not yet presented. */
export interface PostCapabilities<T extends PolicyTransition = PolicyTransition> {
  canViewDetail: boolean;
  canModify: boolean;
  canCopy: boolean;
  canDelete: boolean;
  canViewComment: boolean;
  canAddComment: boolean;
  /** 0 none, 1 own, 2 all. */
  canEditComment: CapabilityScope;
  /** 0 none, 1 own, 2 all. */
  canDeleteComment: CapabilityScope;
  canEditLike: boolean;
  canEditFollow: boolean;
  canEditAttachments: boolean;
  canEditVisibility: boolean;
  canCreateTask: boolean;
  /** Transitions the caller may run now, in the order of the workflow. */
  transitions: T[];
  canEditWorkflowScreenData: boolean;
}

const nothing = {
  canViewDetail: false,
  canModify: false,
  canCopy: false,
  canDelete: false,
  canViewComment: false,
  canAddComment: false,
  canEditComment: CapabilityScope.NONE,
  canDeleteComment: CapabilityScope.NONE,
  canEditLike: false,
  canEditFollow: false,
  canEditAttachments: false,
  canEditVisibility: false,
  canCreateTask: false,
  canEditWorkflowScreenData: false,
};

/**
 * What the caller may do with a post that they see. All of it is false (0, empty) for a deleted post, somebody else's
 * draft, or without a role in the community.
 */
export function postCapabilities<T extends PolicyTransition>(
  actor: Actor,
  definition: PolicyDefinition<T>,
  post: PostFacts,
): PostCapabilities<T> {
  const { community, workflow } = definition;
  const role = actor.roles.get(post.communityId);
  const own = post.creatorId === actor.userId;
  if (role === undefined || post.deleted || (post.draft && !own)) return { ...nothing, transitions: [] };
  const manager = role === 1;
  const writes = role <= 2;
  const canModify = manager || (writes && own);
  const published = !post.draft;
  const canViewComment = published && seesComments(actor, community);
  const scope = !published
    ? CapabilityScope.NONE
    : manager
      ? CapabilityScope.ALL
      : writes
        ? CapabilityScope.OWN
        : CapabilityScope.NONE;
  return {
    canViewDetail: true,
    canModify,
    canCopy: writes,
    canDelete: canModify,
    canViewComment,
    canAddComment: canViewComment && writes,
    canEditComment: scope,
    canDeleteComment: scope,
    canEditLike: published && community.likeEnabled,
    canEditFollow: published && community.watchersEnabled !== PartUse.DISABLED,
    canEditAttachments: canModify && community.attachmentEnabled,
    canEditVisibility: canModify,
    canCreateTask: published && writes,
    transitions: permittedTransitions(actor, workflow, post),
    canEditWorkflowScreenData: editableScreenOf(actor, workflow, post) !== undefined,
  };
}

/** What the caller may do in a community (wire type GetCommunityOperationalCapabilitiesResponse). */
export interface CommunityCapabilities {
  viewPost: boolean;
  createPost: boolean;
  createEventPost: boolean;
  pinPost: boolean;
  editPostVisibility: boolean;
  setPostAnnouncementFlag: boolean;
}

/** What the caller may do in a community: contributors write, managers also pin and announce. */
export function communityCapabilities(
  actor: Actor,
  community: { id: number; eventsEnabled: boolean },
): CommunityCapabilities {
  const role = actor.roles.get(community.id);
  const writes = role !== undefined && role <= 2;
  const manager = role === 1;
  return {
    viewPost: role !== undefined,
    createPost: writes,
    createEventPost: writes && community.eventsEnabled,
    pinPost: manager,
    editPostVisibility: writes,
    setPostAnnouncementFlag: manager,
  };
}
