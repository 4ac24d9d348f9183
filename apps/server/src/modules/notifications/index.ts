/** News for people and programs: notifications, home, live updates, the stream. */
export { deliverNotifications } from './deliver-notifications.ts';
export { ownWorkHandlers } from './home/own-work.routes.ts';
export type { LiveListener } from './live/listener.ts';
export { LiveFeed } from './live/live-feed.ts';
export { type LivePosition, readLivePosition } from './live/live-position.ts';
export { forgetNotifications, oldNotificationsDue } from './notifications.repository.ts';
export { notificationsHandlers } from './notifications.routes.ts';
export { nextDueTask, notifyOfDueTasks } from './notify-of-due-tasks.ts';
export { remindOfTasks } from './remind-of-tasks.ts';
export { forgetReaches, reachesDue } from './stream/access-snapshots.ts';
export { streamHandlers } from './stream/stream.routes.ts';
export { readStreamLag } from './stream/stream-lag.ts';
