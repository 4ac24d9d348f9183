/** editTask: replaces the content of a task. */

import { AttachmentEntityType, type EditTaskRequest } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { notFound, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { applyFiles, planFiles } from '../../files/index.ts';
import { readGrantedReaders, recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost, type PostRow } from '../common/post-row.ts';
import { findHashtags, findUsers } from '../common/references.ts';
import { requireTaskCapability } from '../policy/task-capabilities.ts';
import { assigned, mentioned } from './create-task.ts';
import { rescheduleReminders } from './reminders.repository.ts';
import { principalErrors, readTask, type TaskContent } from './task-input.ts';
import { type TaskResult, taskResult } from './task-result.ts';
import {
  addWatchers,
  countTaskAttachments,
  findPostOfTask,
  findTask,
  grantAssignee,
  removeWatchers,
  replaceMarks,
  replaceSubTasks,
  type TaskRow,
  updateTask,
} from './tasks.repository.ts';

/** Locks a task and its post for the rest of the write. @throws PorticoError NOT_FOUND */
export async function holdTask(write: WriteScope, taskId: number): Promise<{ task: TaskRow; post: PostRow }> {
  const postId = await findPostOfTask(write.tx, taskId);
  if (postId === undefined) throw notFound();
  const post = await lockPost(write, postId);
  // Writes of a task lock its post first, so the task is read in the state that the write before
  // left.
  const task = await findTask(write.tx, taskId);
  if (!task) throw notFound();
  return { task, post };
}

/**
 * Replaces title, text, expiration, priority, assignee and steps of a task; watchers and
 * attachments change by their lists only. Steps are inserted anew. The grant of the assignee
 * follows the assignee.
 * @param occToken the token of the detail; a stale one returns 409 and names the current one
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN
 */
export async function editTask(
  scope: Scope,
  taskId: number,
  occToken: number,
  input: EditTaskRequest,
): Promise<TaskResult> {
  return writeTransaction(scope, 'none', async (write) => {
    const { task, post } = await holdTask(write, taskId);
    const definition = await definitionOf(write, post.communityId);
    requireTaskCapability('canModify', write.actor, definition, post, task);
    if (task.version !== occToken) throw await staleToken(write.tx, task);
    const { content, errors } = readTask(write, input, task.assignee);
    const addUsers = input.addWatcherUserIds ?? [];
    const addGroups = input.addWatcherGroupIds ?? [];
    errors.push(
      ...(await principalErrors(write, {
        assignee: content.assignee,
        assigneeBefore: task.assignee,
        users: { addWatcherUserIds: addUsers },
        groups: { addWatcherGroupIds: addGroups },
        keptGroups: task.watchers.flatMap((principal) => (principal < 0 ? -principal : [])),
      })),
    );
    const files = await planFiles(
      write,
      { communityId: post.communityId, postId: post.id, taskId, entityType: AttachmentEntityType.TASK },
      { add: input.addAttachments, removeIds: input.removeAttachmentIds },
      definition.community,
      { add: 'addAttachments', remove: 'removeAttachmentIds' },
      errors,
    );
    if (errors.length > 0) throw new ValidationError(errors.list);
    const after = content as TaskContent;
    const reassigned = after.assignee !== task.assignee;
    const readers = reassigned ? await readGrantedReaders(write, post) : undefined;
    if (!(await updateTask(write, taskId, occToken, after))) throw await staleToken(write.tx, task);
    await rescheduleReminders(write, taskId);
    await replaceSubTasks(write, taskId, after.subTasks);
    // Ids below 1 are invalid; as principals they would identify a group or user instead.
    const named = (ids: readonly number[] | undefined) => (ids ?? []).filter((id) => id > 0);
    const removed = [...named(input.removeWatcherUserIds), ...named(input.removeWatcherGroupIds).map((id) => -id)];
    await removeWatchers(write, taskId, removed);
    await addWatchers(write, taskId, [...addUsers, ...addGroups.map((id) => -id)]);
    const mentions = await replaceMarks(write, taskId, {
      mentions: await findUsers(write.tx, after.description?.mentions ?? []),
      hashtags: definition.community.hashtagEnabled
        ? await findHashtags(write.tx, post.communityId, after.description?.hashtags ?? [])
        : [],
    });
    if (reassigned) await grantAssignee(write, post.id, taskId, after.assignee);
    await applyFiles(write, files, { postId: post.id, taskId, countOfTask: countTaskAttachments });
    await recordPost(write, post, {
      touch: {},
      events: [...(reassigned ? [assigned(taskId, after.assignee)] : []), ...mentioned(taskId, mentions)],
      readers,
    });
    return taskResult(write, definition, post, taskId);
  });
}
