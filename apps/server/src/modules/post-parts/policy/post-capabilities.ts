/** Capabilities of a post and of a community (operation getPostCapabilities; 7.6). */
import {
  CapabilityScope,
  type GetCommunityOperationalCapabilitiesResponse,
  type GetPostCapabilitiesResponse,
  PartUse,
  type PostType,
  type PostWorkflowDefinitionTransition,
  TaskType,
  type Visibility,
} from '@portico/contract';
import {
  all,
  any,
  commentSightRule,
  fact,
  hasRole,
  mayEditPosts,
  mayModerateComments,
  type Rule,
} from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import {
  type CommunityDefinition,
  communityRules,
  isInUse,
  type WorkflowTransition,
  workflowInUse,
  writesComments,
  writesPosts,
  writesTasks,
} from '../../communities/index.ts';
import { isPublished, isThere, wrotePost } from './post-facts.ts';
import { permittedTransitions, screenRule, type WorkflowFacts } from './workflow-policy.ts';

/** The facts about a post that decide its capabilities. */
export interface PostFacts extends WorkflowFacts {
  visibility: Visibility;
  /** 1 custom, 2 event, 3 questionnaire. */
  type: PostType;
  /** The caller has an open request to acknowledge it: {@link askedSql}. */
  asked: boolean;
}

/**
 * Returns SQL of a boolean: a request to acknowledge the post is open for a person (tasks__open);
 * `$1` is the tenant.
 * @param post SQL of the id of the post
 * @param person SQL of the id of the person
 */
export function askedSql(post: string, person: string): string {
  return `EXISTS (SELECT FROM tasks k WHERE k.tenant_id = $1 AND k.assignee = ${person} AND k.post_id = ${post}
    AND k.type = ${TaskType.ACKNOWLEDGE} AND k.deleted_at IS NULL AND k.closed_at IS NULL OFFSET 0)`;
}

/** An actor and a post that the actor sees. */
export interface PostCase {
  readonly actor: Actor;
  readonly community: CommunityDefinition['community'];
  readonly workflow: CommunityDefinition['workflow'];
  readonly post: PostFacts;
}

export function postCase(actor: Actor, { community, workflow }: CommunityDefinition, post: PostFacts): PostCase {
  return { actor, community, workflow, post };
}

/**
 * Capabilities on a post; the wire type GetPostCapabilitiesResponse with transitions not yet
 * presented.
 */
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
  /** Transitions that the caller may run now, in the order of the workflow. */
  transitions: WorkflowTransition[];
  canEditWorkflowScreenData: boolean;
  canPin: boolean;
  canAnnounce: boolean;
  canRequestAcknowledgements: boolean;
  canAcknowledge: boolean;
}

/** Capabilities in a community. */
export type CommunityCapabilities = Required<GetCommunityOperationalCapabilitiesResponse>;

const setting = (is: (community: PostCase['community']) => boolean, what: string) =>
  fact<PostCase>(({ community }) => is(community), {
    kind: 'SETTING',
    yes: () => `the community has ${what}`,
    no: () => `the community has no ${what}`,
  });
const hasLikes = setting((community) => community.likeEnabled, 'likes');
const hasWatchers = setting((community) => community.watchersEnabled !== PartUse.DISABLED, 'watchers');
const hasAcknowledgements = setting((community) => community.acknowledgeTaskEnabled, 'requests to acknowledge posts');
export const hasAttachments = setting((community) => community.attachmentEnabled, 'attachments');

const isAsked = fact<PostCase>(({ post }) => post.asked, {
  kind: 'ASSIGNEE',
  yes: ({ who, verb }) => `${who} ${verb('are', 'is')} asked to acknowledge the post`,
  no: ({ who, verb }) => `${who} ${verb('have', 'has')} no open request to acknowledge the post`,
});

/**
 * Nothing is possible on a deleted post, another user's draft, or without a role in the community.
 */
const works = all<PostCase>(hasRole, isThere, any<PostCase>(isPublished, wrotePost));
const edits = all<PostCase>(works, writesPosts, any<PostCase>(mayEditPosts, wrotePost));
const seesComments = all<PostCase>(works, commentSightRule);
const comments = all<PostCase>(works, isPublished, writesComments);

/**
 * Rules of the capabilities of a post, for a reader of the post; {@link postCapabilities} lists
 * them.
 */
export const postRules = {
  canViewDetail: works,
  canModify: edits,
  canCopy: all<PostCase>(works, writesPosts),
  canDelete: edits,
  canViewComment: seesComments,
  canAddComment: all<PostCase>(seesComments, isPublished, writesComments),
  canEditLike: all<PostCase>(works, isInUse, isPublished, hasLikes),
  canEditFollow: all<PostCase>(works, isPublished, hasWatchers),
  canEditAttachments: all<PostCase>(edits, hasAttachments),
  canEditVisibility: edits,
  canCreateTask: all<PostCase>(works, isPublished, writesTasks),
  canEditWorkflowScreenData: all<PostCase>(works, isInUse, screenRule),
  canPin: all<PostCase>(works, isPublished, communityRules.pinPost),
  canAnnounce: all<PostCase>(works, isPublished, communityRules.setPostAnnouncementFlag),
  canRequestAcknowledgements: all<PostCase>(edits, isPublished, hasAcknowledgements),
  canAcknowledge: all<PostCase>(works, isInUse, isPublished, isAsked),
} satisfies Record<Flag, Rule<PostCase>>;

/** Rule for answering the invitation to an event, for a reader of the event. */
export const eventAnswerRule = all<PostCase>(works, isPublished);

/** Capabilities that are on or off; the others have a scope. */
type Flag = { [K in keyof PostCapabilities]: PostCapabilities[K] extends boolean ? K : never }[keyof PostCapabilities];

/** Rules of the scopes of `canEditComment` and `canDeleteComment`. */
export const commentScopeRules = {
  [CapabilityScope.OWN]: comments,
  [CapabilityScope.ALL]: all<PostCase>(comments, mayModerateComments),
} as const;

function commentScope(about: PostCase): CapabilityScope {
  if (!commentScopeRules[CapabilityScope.OWN].holds(about)) return CapabilityScope.NONE;
  return commentScopeRules[CapabilityScope.ALL].holds(about) ? CapabilityScope.ALL : CapabilityScope.OWN;
}

/**
 * Returns the caller's capabilities on a post that the caller sees. All are false (0, empty) for a
 * deleted post, another user's draft, or without a role in the community.
 */
export function postCapabilities(actor: Actor, definition: CommunityDefinition, post: PostFacts): PostCapabilities {
  const about = postCase(actor, definition, post);
  const may = (flag: Flag) => postRules[flag].holds(about);
  const scope = commentScope(about);
  return {
    canViewDetail: may('canViewDetail'),
    canModify: may('canModify'),
    canCopy: may('canCopy'),
    canDelete: may('canDelete'),
    canViewComment: may('canViewComment'),
    canAddComment: may('canAddComment'),
    canEditComment: scope,
    canDeleteComment: scope,
    canEditLike: may('canEditLike'),
    canEditFollow: may('canEditFollow'),
    canEditAttachments: may('canEditAttachments'),
    canEditVisibility: may('canEditVisibility'),
    canCreateTask: may('canCreateTask'),
    transitions: permittedTransitions(actor, workflowInUse(definition), post),
    canEditWorkflowScreenData: may('canEditWorkflowScreenData'),
    canPin: may('canPin'),
    canAnnounce: may('canAnnounce'),
    canRequestAcknowledgements: may('canRequestAcknowledgements'),
    canAcknowledge: may('canAcknowledge'),
  };
}

/**
 * Returns the wire form of capabilities.
 * @param presentTransition presents a transition of the community's workflow (its screens belong to
 *   the workflow)
 */
export function presentCapabilities(
  { transitions, ...flags }: PostCapabilities,
  presentTransition: (transition: WorkflowTransition) => PostWorkflowDefinitionTransition,
): GetPostCapabilitiesResponse {
  return { ...flags, workflowPermittedOperations: transitions.map(presentTransition) };
}
