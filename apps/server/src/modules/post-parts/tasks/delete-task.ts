/** deleteTask: deletes a task of a post; it needs no token. */

import { TaskType } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readGrantedReaders, recordPost } from '../../records/index.ts';
import { removeFilesOf } from '../common/comment-and-task-attachments.ts';
import { definitionOf } from '../common/definition-of.ts';
import { requireTaskCapability } from '../policy/task-capabilities.ts';
import { holdTask } from './edit-task.ts';
import { grantAssignee, markTaskDeleted } from './tasks.repository.ts';

/**
 * Deletes a task with its attachments; users who saw the post only as its assignee lose access.
 * @returns the post it belonged to
 * @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function deleteTask(scope: Scope, taskId: number): Promise<{ postId: number }> {
  return writeTransaction(scope, 'none', async (write) => {
    const { task, post } = await holdTask(write, taskId);
    const definition = await definitionOf(write, post.communityId);
    requireTaskCapability('canDelete', write.actor, definition, post, task);
    const readers = await readGrantedReaders(write, post);
    await markTaskDeleted(write, taskId);
    await grantAssignee(write, post.id, taskId, null);
    await removeFilesOf(write, post, 'task', taskId);
    const standardTasks = task.type === TaskType.STANDARD ? -1 : 0;
    await recordPost(write, post, { touch: { tasks: -1, standardTasks }, readers });
    return { postId: post.id };
  });
}
