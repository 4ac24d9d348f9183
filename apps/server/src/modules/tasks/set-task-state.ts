/** The state of a task. No operation of version 2 changes it; the demo generator does. */
import { TaskState } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { forbidden, invalid } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { definitionOf, touchPost } from '../posts/common/index.ts';
import { ChangeKind, recordChange } from '../posts/events/index.ts';
import { taskCapabilities } from '../posts/policy/index.ts';
import { holdTask } from './edit-task.ts';
import { updateTaskState } from './tasks.repository.ts';

/**
 * Moves a task to another state: IN_REVIEW hands it in, CLOSED closes it, any other state opens it again. The token of
 * the task stays: its content does not change.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for a state that is none
 */
export async function setTaskState(scope: Scope, taskId: number, state: TaskState): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    if (!Object.values(TaskState).includes(state))
      throw invalid('state', 'INVALID_VALUE', undefined, Object.values(TaskState));
    const { task, post } = await holdTask(write, taskId);
    const definition = await definitionOf(write, post.communityId);
    if (!taskCapabilities(write.actor, definition, post, task).canUpdateState) {
      throw forbidden('You may not change the state of this task.');
    }
    if (task.state === state) return;
    await updateTaskState(write, taskId, state, {
      reviewed: state === TaskState.IN_REVIEW,
      closed: state === TaskState.CLOSED,
    });
    await touchPost(write, post.id, {});
    await recordChange(write, { postId: post.id, communityId: post.communityId, kind: ChangeKind.TOUCHED });
  });
}
