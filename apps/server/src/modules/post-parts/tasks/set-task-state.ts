/** Operation setTaskState: the state of a task and of its steps. */

import { type SetTaskStateRequest, SubTaskState, TaskState } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { requireTaskCapability } from '../policy/task-capabilities.ts';
import { holdTask } from './edit-task.ts';
import { type TaskResult, taskResult } from './task-result.ts';
import { type TaskRow, updateSubTaskStates, updateTaskState } from './tasks.repository.ts';

/**
 * Moves a task to another state: IN_REVIEW submits it, CLOSED closes it, TO_DO opens it again; also
 * sets the states of steps. A change of the state alone leaves the token of the task as it is,
 * since edits do not contain it.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for unknown states and steps
 */
export async function setTaskState(scope: Scope, taskId: number, input: SetTaskStateRequest): Promise<TaskResult> {
  return writeTransaction(scope, 'none', async (write) => {
    const { task, post } = await holdTask(write, taskId);
    const definition = await definitionOf(write, post.communityId);
    requireTaskCapability('canUpdateState', write.actor, definition, post, task);
    const { state, steps } = readStates(task, input);
    if (state !== undefined) {
      await updateTaskState(write, taskId, state, {
        reviewed: state === TaskState.IN_REVIEW,
        closed: state === TaskState.CLOSED,
      });
    }
    if (steps.length > 0) await updateSubTaskStates(write, taskId, steps);
    if (state !== undefined || steps.length > 0) await recordPost(write, post, { touch: {} });
    return taskResult(write, definition, post, taskId);
  });
}

/** Returns the differences from the task as it is. @throws ValidationError with every error */
function readStates(task: TaskRow, { state, subTasks = [] }: SetTaskStateRequest) {
  const errors = new FieldErrors();
  if (state === undefined && subTasks.length === 0) errors.add('state', 'REQUIRED_FIELD');
  const present = new Map(task.subTasks.map((step) => [step.id, step.state]));
  const steps = new Map<number, SubTaskState>();
  for (const [index, step] of subTasks.entries()) {
    const field = `subTasks[${index}]`;
    if (step.id === undefined || !present.has(step.id)) errors.add(`${field}.id`, 'UNKNOWN_REFERENCE');
    else if (step.state === undefined)
      errors.add(`${field}.state`, 'INVALID_VALUE', undefined, Object.values(SubTaskState));
    else steps.set(step.id, step.state);
  }
  errors.throwIfAny();
  return {
    state: state === task.state ? undefined : state,
    steps: [...steps].map(([id, to]) => ({ id, state: to })).filter((step) => present.get(step.id) !== step.state),
  };
}
