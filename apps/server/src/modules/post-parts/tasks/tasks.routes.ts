/** The operations of tasks. */
import type { Handlers } from '../../../kernel/operations.ts';
import { createTask } from './create-task.ts';
import { deleteTask } from './delete-task.ts';
import { editTask } from './edit-task.ts';
import { editTaskReminders } from './edit-task-reminders.ts';
import { getTaskDetail } from './get-task-detail.ts';
import { listTasks } from './list-tasks.ts';
import { reassignTasks } from './reassign-tasks.ts';
import { restoreTask } from './restore-task.ts';
import { setTaskState } from './set-task-state.ts';

export const tasksHandlers = {
  getTaskDetailById: ({ scope, params }) => getTaskDetail(scope, params.taskId),
  listTasks: ({ scope, body }) => listTasks(scope, body),
  createTask: ({ scope, params, body }) => createTask(scope, params.postId, body),
  editTask: async ({ scope, params, body }) => {
    const { taskId: _, ...answer } = await editTask(scope, params.taskId, params.occToken, body);
    return answer;
  },
  setTaskState: async ({ scope, params, body }) => {
    const { taskId: _, ...answer } = await setTaskState(scope, params.taskId, body);
    return answer;
  },
  reassignTasks: ({ scope, body }) => reassignTasks(scope, body ?? {}),
  restoreTask: async ({ scope, params }) => {
    const { taskId: _, ...answer } = await restoreTask(scope, params.taskId);
    return answer;
  },
  editTaskReminders: async ({ scope, params, body }) => {
    const { taskId: _, ...answer } = await editTaskReminders(scope, params.taskId, body);
    return answer;
  },
  deleteTask: ({ scope, params }) => deleteTask(scope, params.taskId),
} satisfies Handlers;
