/**
 * Capabilities of a task (wire type TaskCapabilities). Readers of the post see its tasks. Managers
 * of the community and the task's creator change it as long as they may write; its assignees (also
 * as members of a group) change its state. Requests to acknowledge the post are tasks, too, but
 * have operations of their own. Comments and copies of tasks have no operation in version 2, so no
 * capability permits them.
 */
import { TaskType } from '@portico/contract';
import { all, any, fact, mayManageTasks, type Rule, refusalOf } from '../../../kernel/access/index.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { type CommunityDefinition, isInUse } from '../../communities/index.ts';
import { hasAttachments, type PostCase, type PostFacts, postCase, postRules } from './post-capabilities.ts';

/** The facts about a task that decide. */
interface TaskFacts {
  creatorId: number;
  /** Principal: user id, or negated group id. */
  assignee: number;
  deleted: boolean;
  type: TaskType;
}

/** Capabilities on a task. */
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

/** An actor and a task of a post that the actor sees. */
type TaskCase = PostCase & { readonly task: TaskFacts };

const isThere = fact<TaskCase>(({ task }) => !task.deleted, {
  kind: 'DELETED',
  yes: () => 'the task is there',
  no: () => 'the task is deleted',
});
const madeTask = fact<TaskCase>(({ actor, task }) => task.creatorId === actor.userId, {
  kind: 'AUTHOR',
  yes: ({ who }) => `${who} created the task`,
  no: ({ who }) => `${who} did not create the task`,
});
const isAssignee = fact<TaskCase>(({ actor, task }) => actor.principals.includes(task.assignee), {
  kind: 'ASSIGNEE',
  yes: ({ who }) => `the task is assigned to ${who}, alone or by a group`,
  no: ({ who }) => `the task is not assigned to ${who}`,
});
// A request that anybody could close would not show that the person has read the post.
const isOrdinary = fact<TaskCase>(({ task }) => task.type !== TaskType.ACKNOWLEDGE, {
  kind: 'SETTING',
  yes: () => 'the task is no request to acknowledge the post',
  no: () => 'the task is a request to acknowledge the post',
});
const never = (what: string) =>
  fact<TaskCase>(() => false, { kind: 'SETTING', yes: () => `tasks have ${what}`, no: () => `tasks have no ${what}` });

const sees = all<TaskCase>(postRules.canViewDetail, isThere);
const edits = all<TaskCase>(sees, isOrdinary, postRules.canCreateTask, any<TaskCase>(mayManageTasks, madeTask));

/** Rules of the capabilities of a task, for a reader of its post. */
export const taskRules = {
  canViewDetail: sees,
  canModify: edits,
  canUpdateState: all<TaskCase>(sees, isOrdinary, isInUse, any<TaskCase>(edits, isAssignee)),
  canCopy: never('copies'),
  canDelete: edits,
  canAddComment: never('comments'),
  canEditAttachments: all<TaskCase>(edits, hasAttachments),
  canEditReminders: edits,
} satisfies Record<keyof TaskCapabilities, Rule<TaskCase>>;

/** Returns the caller's capabilities on a task of a post that the caller sees. */
export function taskCapabilities(
  actor: Actor,
  definition: CommunityDefinition,
  post: PostFacts,
  task: TaskFacts,
): TaskCapabilities {
  const about = { ...postCase(actor, definition, post), task };
  const may = (capability: keyof TaskCapabilities) => taskRules[capability].holds(about);
  return {
    canViewDetail: may('canViewDetail'),
    canModify: may('canModify'),
    canUpdateState: may('canUpdateState'),
    canCopy: may('canCopy'),
    canDelete: may('canDelete'),
    canAddComment: may('canAddComment'),
    canEditAttachments: may('canEditAttachments'),
    canEditReminders: may('canEditReminders'),
  };
}

/**
 * Requires a capability of a task. @throws PorticoError FORBIDDEN, whose message names the missing
 * capability
 */
export function requireTaskCapability(
  capability: keyof TaskCapabilities,
  actor: Actor,
  definition: CommunityDefinition,
  post: PostFacts,
  task: TaskFacts,
): void {
  const about = { ...postCase(actor, definition, post), task };
  const rule = taskRules[capability];
  if (!rule.holds(about)) throw forbidden(`Missing capability: ${capability}. ${refusalOf(rule, about)}`);
}
