/** Operation getTaskDetailById: returns one task to users who see its post. */
import type { GetTaskDetailResponse, Task } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { presentState } from '../../communities/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { peopleBehind } from '../common/people.ts';
import { requirePost } from '../common/post-row.ts';
import { taskCapabilities } from '../policy/task-capabilities.ts';
import { presentTaskDetail, presentTaskSummary, principalsOf } from './tasks.presenter.ts';
import { findTask, findTaskSummaries } from './tasks.repository.ts';

/** @throws PorticoError NOT_FOUND for a task that is unknown, deleted, or on a post that the caller does not see */
export async function getTaskDetail(scope: Scope, taskId: number): Promise<GetTaskDetailResponse> {
  const task = await findTask(scope.db, taskId);
  if (!task) throw notFound();
  const post = await requirePost(scope.db, scope.actor, task.postId);
  const definition = await definitionOf(scope, post.communityId);
  const state = post.stateId === null ? undefined : definition.workflow?.stateById.get(post.stateId);
  return presentTaskDetail(
    task,
    await peopleBehind(scope, scope.db, principalsOf(task)),
    state && presentState(state),
    taskCapabilities(scope.actor, definition, post, task),
  );
}

/**
 * Returns summaries of tasks of one post by id, deleted ones included, for the history of a post
 * that the caller sees.
 */
export async function loadTaskSummaries(
  db: TenantExecutor,
  postId: number,
  taskIds: readonly number[],
): Promise<Map<number, Task>> {
  const rows = await findTaskSummaries(db, postId, taskIds);
  return new Map(rows.map((row) => [row.id, presentTaskSummary(row)]));
}
