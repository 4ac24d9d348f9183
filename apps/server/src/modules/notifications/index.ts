/**
 * Notifications: created after the events, listed, marked, and configured by kind and community.
 */

export { deliverNotifications } from './deliver-notifications.ts';
export { movePostFollowing } from './following.repository.ts';
export {
  excerptSql,
  forgetNotifications,
  mentionsStillSql,
  notifiedAfter,
  oldNotificationsDue,
  updateMarks,
} from './notifications.repository.ts';
export { notificationsHandlers } from './notifications.routes.ts';
export { nextDueTask, notifyOfDueTasks } from './notify-of-due-tasks.ts';
export { remindOfTasks } from './remind-of-tasks.ts';
