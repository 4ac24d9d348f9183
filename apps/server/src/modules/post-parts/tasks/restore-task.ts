/** Operation restoreTask: restores a deleted task. */

import { TaskType } from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { restoreFiles } from '../../files/index.ts';
import { readGrantedReaders, recordPost } from '../../records/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { lockPost } from '../common/post-row.ts';
import { mayRestorePart } from '../policy/restore-policy.ts';
import { taskCapabilities } from '../policy/task-capabilities.ts';
import { type TaskResult, taskResult } from './task-result.ts';
import {
  countTaskAttachments,
  findDeletedTask,
  findTask,
  grantAssignee,
  unmarkTaskDeleted,
} from './tasks.repository.ts';

/**
 * Restores a task with its attachments; its assignee sees the post again. A task that is not
 * deleted stays as it is.
 * @throws PorticoError NOT_FOUND for an unknown task, or one whose post the caller does not see;
 *   FORBIDDEN
 */
export async function restoreTask(scope: Scope, taskId: number): Promise<TaskResult> {
  return writeTransaction(scope, 'none', async (write) => {
    const { tx, actor, now } = write;
    const postId = ((await findDeletedTask(tx, taskId)) ?? (await findTask(tx, taskId)))?.postId;
    if (postId === undefined) throw notFound();
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    // Read again now that the post is locked: another request may have restored it since.
    const deleted = await findDeletedTask(tx, taskId);
    const readers = await readGrantedReaders(write, post);
    if (deleted) await unmarkTaskDeleted(write, taskId);
    const task = await findTask(tx, taskId);
    if (!task) throw notFound();
    if (
      !taskCapabilities(actor, definition, post, task).canDelete ||
      (deleted && !mayRestorePart(actor, post.communityId, 'manageTasks', deleted, now))
    ) {
      throw forbidden('Missing permission: manageTasks. The person who deleted a task can restore it for 30 days.');
    }
    if (deleted) {
      await grantAssignee(write, post.id, taskId, deleted.assignee);
      await restoreFiles(write, post.id, { taskId }, deleted.deletedAt);
      await countTaskAttachments(write, taskId);
      const standardTasks = deleted.type === TaskType.STANDARD ? 1 : 0;
      await recordPost(write, post, { touch: { tasks: 1, standardTasks }, readers });
    }
    return taskResult(write, definition, post, taskId);
  });
}
