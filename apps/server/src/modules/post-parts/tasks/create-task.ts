/** createTask: a task on a post (docs/decisions/people.md). */

import { AttachmentEntityType, type CreateTaskRequest, HistoryType, TaskPriority, TaskType } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { applyFiles, planFiles } from '../../files/index.ts';
import { type PostEvent, readGrantedReaders, recordPost } from '../../records/index.ts';
import { readClientUid } from '../common/client-uid.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost, type PostRow } from '../common/post-row.ts';
import { findHashtags, findUsers } from '../common/references.ts';
import { postCapabilities } from '../policy/post-capabilities.ts';
import { insertReminders } from './reminders.repository.ts';
import { principalErrors, type ReminderInput, readTask, reminderErrors, type TaskContent } from './task-input.ts';
import { type TaskResult, taskResult } from './task-result.ts';
import {
  addWatchers,
  countTaskAttachments,
  findTaskByClientUid,
  grantAssignee,
  insertTask,
  replaceMarks,
  replaceSubTasks,
} from './tasks.repository.ts';

/**
 * Properties of a task that no operation of version 2 writes: for the demo generator and for jobs.
 */
interface TaskExtras {
  /** Default STANDARD. */
  type?: TaskType;
  reminders?: readonly ReminderInput[];
}

/**
 * Creates a task on a post that the caller sees. A repeat of the same `clientUid` by the same
 * author on the same post returns the existing task (docs/decisions/writes.md).
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, DUPLICATE_CLIENT_UID
 */
export async function createTask(
  scope: Scope,
  postId: number,
  input: CreateTaskRequest,
  extras: TaskExtras = {},
): Promise<TaskResult> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    if (!postCapabilities(write.actor, definition, post).canCreateTask) {
      throw forbidden('Missing capability: canCreateTask.');
    }
    const repeated = !input.clientUid ? undefined : await repeatedTask(write, postId, input.clientUid);
    const taskId = repeated ?? (await insert(write, definition, post, input, extras));
    return taskResult(write, definition, post, taskId);
  });
}

/**
 * Returns the task that an earlier attempt of this request created. @throws PorticoError
 * DUPLICATE_CLIENT_UID when another user's task has the uid
 */
async function repeatedTask(write: WriteScope, postId: number, clientUid: string): Promise<number | undefined> {
  const existing = await findTaskByClientUid(write.tx, clientUid);
  if (!existing) return undefined;
  if (existing.deleted || existing.postId !== postId || existing.creatorId !== write.actor.userId) {
    throw new PorticoError('DUPLICATE_CLIENT_UID');
  }
  return existing.id;
}

async function insert(
  write: WriteScope,
  definition: CommunityDefinition,
  post: PostRow,
  input: CreateTaskRequest,
  extras: TaskExtras,
): Promise<number> {
  const { content, errors } = readTask(write, input);
  const clientUid = readClientUid(input.clientUid, errors);
  const reminders = extras.reminders ?? [];
  const users = input.watcherUserIds ?? [];
  const groups = input.watcherGroupIds ?? [];
  errors.push(...reminderErrors(reminders));
  errors.push(
    ...(await principalErrors(write, {
      assignee: content.assignee,
      users: { watcherUserIds: users },
      groups: { watcherGroupIds: groups },
    })),
  );
  const files = await planFiles(
    write,
    { communityId: post.communityId, postId: post.id, entityType: AttachmentEntityType.TASK },
    { add: input.attachments },
    definition.community,
    { add: 'attachments' },
    errors,
  );
  if (errors.length > 0) throw new ValidationError(errors.list);
  const task = { ...content, priority: content.priority ?? TaskPriority.NORMAL } as TaskContent;
  const type = extras.type ?? TaskType.STANDARD;
  const readers = await readGrantedReaders(write, post);
  const taskId = await insertTask(write, { postId: post.id, type, clientUid, content: task });
  // A write on another post has used the client uid since the look-up; this post is locked.
  if (taskId === undefined) throw new PorticoError('DUPLICATE_CLIENT_UID');
  await replaceSubTasks(write, taskId, task.subTasks);
  await insertReminders(write, [taskId], reminders);
  await addWatchers(write, taskId, [...users, ...groups.map((id) => -id)]);
  const mentions = await replaceMarks(write, taskId, {
    mentions: await findUsers(write.tx, task.description?.mentions ?? []),
    hashtags: definition.community.hashtagEnabled
      ? await findHashtags(write.tx, post.communityId, task.description?.hashtags ?? [])
      : [],
  });
  await grantAssignee(write, post.id, taskId, task.assignee);
  await applyFiles(write, files, { postId: post.id, taskId, countOfTask: countTaskAttachments });
  await recordPost(write, post, {
    touch: { tasks: 1, standardTasks: type === TaskType.STANDARD ? 1 : 0 },
    events: [assigned(taskId, task.assignee), ...mentioned(taskId, mentions)],
    readers,
  });
  return taskId;
}

/** The event of a task assignment; without a target user when the assignee is a group. */
export function assigned(taskId: number, assignee: number): PostEvent {
  return {
    typeId: HistoryType.TASK_ASSIGNED,
    taskIds: [taskId],
    targetUserId: assignee > 0 ? assignee : undefined,
  };
}

/** Returns the events that report the people mentioned in a task. */
export function mentioned(taskId: number, userIds: readonly number[]): PostEvent[] {
  return userIds.map((targetUserId) => ({
    typeId: HistoryType.MENTIONED_IN_TASK,
    taskIds: [taskId],
    targetUserId,
  }));
}
