/** Operation editTaskReminders: sets the times at which the assignee of a task is reminded. */

import { type EditTaskRemindersRequest, ReminderType } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { requireTaskCapability } from '../policy/task-capabilities.ts';
import { holdTask } from './edit-task.ts';
import { replaceReminders } from './reminders.repository.ts';
import { type ReminderInput, reminderErrors } from './task-input.ts';
import { type TaskResult, taskResult } from './task-result.ts';

/**
 * Reads the reminders of a body; they are notifications.
 * @param errors found errors are added to it
 */
export function readReminders(
  reminders: EditTaskRemindersRequest['reminders'] = [],
  errors: FieldErrors,
): ReminderInput[] {
  const read = reminders.map(({ value, range }) => ({
    value: value ?? Number.NaN,
    range: range as ReminderInput['range'],
    types: [ReminderType.NOTIFICATION],
  }));
  errors.push(...reminderErrors(read));
  return read;
}

/**
 * Replaces the reminders of a task. The token of the task stays, since edits do not contain them.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError with every error
 */
export async function editTaskReminders(
  scope: Scope,
  taskId: number,
  body: EditTaskRemindersRequest,
): Promise<TaskResult> {
  return writeTransaction(scope, 'none', async (write) => {
    const { task, post } = await holdTask(write, taskId);
    const definition = await definitionOf(write, post.communityId);
    requireTaskCapability('canEditReminders', write.actor, definition, post, task);
    const errors = new FieldErrors(write.missing);
    const reminders = readReminders(body.reminders, errors);
    errors.throwIfAny();
    await replaceReminders(write, taskId, reminders);
    await recordPost(write, post, { touch: {} });
    return taskResult(write, definition, post, taskId);
  });
}
