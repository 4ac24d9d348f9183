/**
 * Responses of the writes of tasks, read inside their transaction so that a dry run returns the
 * same.
 */
import type { TaskDetail } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { loadFilesOf } from '../common/comment-and-task-attachments.ts';
import { peopleBehind } from '../common/people.ts';
import type { PostRow } from '../common/post-row.ts';
import { type TaskCapabilities, taskCapabilities } from '../policy/task-capabilities.ts';
import { presentTaskData, principalsOf } from './tasks.presenter.ts';
import { findTask } from './tasks.repository.ts';

/** The response of createTask and editTask. */
export interface TaskResult {
  taskId: number;
  nextOccToken: number;
  taskData: TaskDetail;
  capabilities: TaskCapabilities;
}

/** Returns a task as its write left it. */
export async function taskResult(
  write: WriteScope,
  definition: CommunityDefinition,
  post: PostRow,
  taskId: number,
): Promise<TaskResult> {
  const task = await findTask(write.tx, taskId);
  if (!task) throw new Error(`task ${taskId} is not there to answer with`);
  const capabilities = taskCapabilities(write.actor, definition, post, task);
  const files = (await loadFilesOf(write, write.tx, 'task', [taskId])).get(taskId) ?? [];
  const canEdit = capabilities.canEditAttachments;
  return {
    taskId,
    nextOccToken: task.version,
    taskData: presentTaskData(
      task,
      await peopleBehind(write, write.tx, principalsOf(task)),
      files.map((file) => ({ ...file, capabilities: { canEdit, canEditHashtags: canEdit, canDelete: canEdit } })),
    ),
    capabilities,
  };
}
