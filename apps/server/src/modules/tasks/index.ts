/** Tasks of posts. */

export { createTask } from './create-task.ts';
export { loadTaskSummaries } from './get-task-detail.ts';
export { type DueReminder, takeDueReminders } from './reminders.repository.ts';
export { setTaskState } from './set-task-state.ts';
export { findTask, storeSurveyAnswers } from './tasks.repository.ts';
export { tasksHandlers } from './tasks.routes.ts';
