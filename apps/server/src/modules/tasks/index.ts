/** Tasks of posts. */
export { createTask, type TaskExtras } from './create-task.ts';
export { deleteTask } from './delete-task.ts';
export { editTask } from './edit-task.ts';
export { getTaskDetail, loadTaskSummaries } from './get-task-detail.ts';
export { setTaskState } from './set-task-state.ts';
export type { ReminderInput } from './task-input.ts';
export type { TaskResult } from './task-result.ts';
export { storeSurveyAnswers } from './tasks.repository.ts';
export { tasksHandlers } from './tasks.routes.ts';
