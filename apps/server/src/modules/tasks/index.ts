/** Tasks of posts. */

export { acknowledgePost } from './acknowledgements/acknowledge-post.ts';
export { requestAcknowledgements } from './acknowledgements/request-acknowledgements.ts';
export { createTask } from './create-task.ts';
export { loadTaskSummaries } from './get-task-detail.ts';
export { handOverTasks } from './reassign-tasks.ts';
export { remindersDue, takeDueReminders } from './reminders.repository.ts';
export { setTaskState } from './set-task-state.ts';
export { findTask, storeSurveyAnswers, TASK_BYTES } from './tasks.repository.ts';
export { tasksHandlers } from './tasks.routes.ts';
