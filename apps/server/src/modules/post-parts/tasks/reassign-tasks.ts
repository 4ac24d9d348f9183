/** Operation reassignTasks: another assignee for many tasks, each written by itself. */
import { type BulkTaskOutcome, type BulkTasksResponse, bulkLimits, type ReassignTasksRequest } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { bulkAnswer, inParts, outcomeOf, PART } from '../../../kernel/bulk.ts';
import { type FieldError, FieldErrors, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readGrantedReaders, recordHistory, recordPost, touchPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { requireTaskCapability } from '../policy/task-capabilities.ts';
import { assigned } from './create-task.ts';
import { holdTask } from './edit-task.ts';
import { rescheduleReminders } from './reminders.repository.ts';
import { principalErrors, readAssignee } from './task-input.ts';
import { grantAssignee, inOrderOfPosts, openTasksOf, updateAssignee } from './tasks.repository.ts';

/**
 * Gives tasks another assignee, in the order of their posts, so that two parallel writes do not
 * wait for one another.
 * @throws ValidationError for an empty list, too many tasks, a task that is named twice, and a body
 *   without one assignee
 */
export async function reassignTasks(scope: Scope, body: ReassignTasksRequest): Promise<BulkTasksResponse> {
  const { taskIds = [] } = body;
  const errors = new FieldErrors();
  errors.push(...taskIdErrors(taskIds));
  const assignee = readAssignee(body, undefined, errors);
  if (errors.length > 0 || assignee === undefined) throw new ValidationError(errors.list);
  const outcomes = await inParts<number, BulkTaskOutcome>(
    scope,
    await inOrderOfPosts(scope.db, taskIds),
    PART,
    async (within, part) => {
      const done: BulkTaskOutcome[] = [];
      for (const taskId of part) {
        done.push(
          await outcomeOf({ taskId }, () =>
            writeTransaction(within, 'none', (write) => reassignTask(write, taskId, assignee)),
          ),
        );
      }
      return done;
    },
    (taskId) => ({ taskId, outcome: 'NOT_RUN' }),
  );
  const byId = new Map(outcomes.map((outcome) => [outcome.taskId, outcome]));
  return bulkAnswer(taskIds.map((taskId) => byId.get(taskId)!));
}

function taskIdErrors(taskIds: readonly number[]): FieldError[] {
  if (taskIds.length === 0)
    return [
      { field: 'taskIds', code: 'REQUIRED_FIELD', defaultMessage: 'taskIds names no task; send at least one id.' },
    ];
  if (taskIds.length > bulkLimits.posts) {
    const defaultMessage = `taskIds may name at most ${bulkLimits.posts} tasks.`;
    return [{ field: 'taskIds', code: 'TOO_MANY_ITEMS', defaultMessage, args: [bulkLimits.posts] }];
  }
  const seen = new Set<number>();
  return taskIds.flatMap((taskId, index): FieldError[] => {
    if (!seen.has(taskId)) {
      seen.add(taskId);
      return [];
    }
    const defaultMessage = `Task ${taskId} is named twice.`;
    return [{ field: `taskIds[${index}]`, code: 'DUPLICATE_VALUE', defaultMessage }];
  });
}

/**
 * Gives a task another assignee. The grant of the assignee follows, and reminders go to the new
 * one.
 * @param assignee principal: user id, or negated group id
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for an unknown assignee
 */
async function reassignTask(
  write: WriteScope,
  taskId: number,
  assignee: number,
): Promise<{ outcome: 'OK' | 'UNCHANGED'; nextOccToken: number }> {
  const { task, post } = await holdTask(write, taskId);
  requireTaskCapability('canModify', write.actor, await definitionOf(write, post.communityId), post, task);
  if (task.assignee === assignee) return { outcome: 'UNCHANGED', nextOccToken: task.version };
  const errors = await principalErrors(write, { assignee, assigneeBefore: task.assignee, users: {}, groups: {} });
  if (errors.length > 0) throw new ValidationError(errors);
  const readers = await readGrantedReaders(write, post);
  await giveTask(write, post.id, taskId, assignee);
  await recordPost(write, post, { touch: {}, events: assigned(taskId, assignee), readers });
  return { outcome: 'OK', nextOccToken: task.version + 1 };
}

/** Writes the assignee of a task, and the dependent reminders and grant. */
async function giveTask(write: WriteScope, postId: number, taskId: number, assignee: number): Promise<void> {
  await updateAssignee(write, taskId, assignee);
  await rescheduleReminders(write, taskId);
  await grantAssignee(write, postId, taskId, assignee);
}

/**
 * Gives the open tasks of a person on a post that the write has locked to a successor, with their
 * history. Checks no rights; the caller writes the change row. Requests to acknowledge the post
 * stay.
 * @returns the number of tasks
 */
export async function handOverTasks(
  write: WriteScope,
  post: { id: number; communityId: number },
  { from, to }: { from: number; to: number },
): Promise<number> {
  const taskIds = await openTasksOf(write.tx, post.id, from);
  if (taskIds.length === 0) return 0;
  for (const taskId of taskIds) await giveTask(write, post.id, taskId, to);
  await touchPost(write, post.id, {});
  await recordHistory(
    write,
    taskIds.map((taskId) => ({ ...assigned(taskId, to), postId: post.id, communityId: post.communityId })),
  );
  return taskIds.length;
}
