/**
 * Capabilities of a task (wire type TaskCapabilities). Whoever sees the post sees its tasks. Managers of
 * the community and the task's creator change it as long as they may write; its assignees (also as members of a
 * group) change its state. Comments and copies of tasks have no operation in version 2, so no capability permits them.
 */
import type { Actor } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { type PostFacts, postCapabilities } from './post-capabilities.ts';

/** The facts about a task that decide. */
export interface TaskFacts {
  creatorId: number;
  /** Principal: user id, or negated group id. */
  assignee: number;
  deleted: boolean;
}

/** What the caller may do with a task. */
export interface TaskCapabilities {
  canViewDetail: boolean;
  canModify: boolean;
  canUpdateState: boolean;
  canCopy: boolean;
  canDelete: boolean;
  canAddComment: boolean;
  canEditAttachments: boolean;
  canEditReminders: boolean;
}

/** What the caller may do with a task of a post that they see. */
export function taskCapabilities(
  actor: Actor,
  definition: CommunityDefinition,
  post: PostFacts,
  task: TaskFacts,
): TaskCapabilities {
  const onPost = postCapabilities(actor, definition, post);
  const sees = onPost.canViewDetail && !task.deleted;
  const manager = actor.roles.get(post.communityId) === 1;
  const canModify = sees && onPost.canCreateTask && (manager || task.creatorId === actor.userId);
  return {
    canViewDetail: sees,
    canModify,
    canUpdateState: sees && (canModify || actor.principals.includes(task.assignee)),
    canCopy: false,
    canDelete: canModify,
    canAddComment: false,
    canEditAttachments: canModify && definition.community.attachmentEnabled,
    canEditReminders: canModify,
  };
}
