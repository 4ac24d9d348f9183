/** Capabilities of a post and of a community (operation getPostCapabilities; 7.6). */
import {
  CapabilityScope,
  type GetCommunityOperationalCapabilitiesResponse,
  type GetPostCapabilitiesResponse,
  PartUse,
  type PostType,
  type PostWorkflowDefinitionTransition,
  RoleId,
  type Visibility,
} from '@portico/contract';
import { seesComments } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { type CommunityDefinition, mayWritePosts, type WorkflowTransition } from '../../communities/index.ts';
import { editableScreenState, permittedTransitions } from './workflow-policy.ts';

/** The facts about a post that decide what a caller may do with it. */
export interface PostFacts {
  communityId: number;
  creatorId: number;
  visibility: Visibility;
  draft: boolean;
  deleted: boolean;
  stateId: number | null;
  /** 1 custom, 2 event, 3 questionnaire. */
  type: PostType;
}

/** What the caller may do with a post; the wire type GetPostCapabilitiesResponse with transitions not yet presented. */
export interface PostCapabilities {
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
  transitions: WorkflowTransition[];
  canEditWorkflowScreenData: boolean;
}

/** What the caller may do in a community. */
export type CommunityCapabilities = Required<GetCommunityOperationalCapabilitiesResponse>;

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
 * What the caller may do with a post that they see. All of it is false (0, empty) for a deleted post, another user's
 * draft, or without a role in the community.
 */
export function postCapabilities(actor: Actor, definition: CommunityDefinition, post: PostFacts): PostCapabilities {
  const { community, workflow } = definition;
  const role = actor.roles.get(post.communityId);
  const own = post.creatorId === actor.userId;
  if (role === undefined || post.deleted || (post.draft && !own)) return { ...nothing, transitions: [] };
  const manager = role === RoleId.MANAGER;
  const writes = mayWritePosts(role, community);
  const canModify = manager || (writes && own);
  const published = !post.draft;
  const canViewComment = seesComments(actor, community);
  const comments = !published || !writes ? CapabilityScope.NONE : manager ? CapabilityScope.ALL : CapabilityScope.OWN;
  return {
    canViewDetail: true,
    canModify,
    canCopy: writes,
    canDelete: canModify,
    canViewComment,
    canAddComment: published && canViewComment && writes,
    canEditComment: comments,
    canDeleteComment: comments,
    canEditLike: published && community.likeEnabled,
    canEditFollow: published && community.watchersEnabled !== PartUse.DISABLED,
    canEditAttachments: canModify && community.attachmentEnabled,
    canEditVisibility: canModify,
    canCreateTask: published && writes,
    transitions: permittedTransitions(actor, workflow, post),
    canEditWorkflowScreenData: editableScreenState(actor, workflow, post) !== undefined,
  };
}

/**
 * The wire form of capabilities.
 * @param presentTransition how a transition of the community's workflow is shown (its screens belong to the workflow)
 */
export function presentCapabilities(
  { transitions, ...flags }: PostCapabilities,
  presentTransition: (transition: WorkflowTransition) => PostWorkflowDefinitionTransition,
): GetPostCapabilitiesResponse {
  return { ...flags, workflowPermittedOperations: transitions.map(presentTransition) };
}
