/** News for people and programs: notifications, home, live updates, the stream. */

export { communityFollowingHandlers } from './communities.routes.ts';
export { deliverNotifications, kindOf as notificationKindOf } from './deliver-notifications.ts';
export { ownCommunityHandlers } from './home/communities.routes.ts';
export { inboxHandlers } from './home/inbox.routes.ts';
export { ownPostHandlers } from './home/posts.routes.ts';
export { describeMail, describePush, describeType } from './list-notifications.ts';
export { type LiveListener, statusFor } from './live/listener.ts';
export { changesAfter, type FeedChange, type ReadersNow, readersNow, readFeedState } from './live/live.repository.ts';
export { LiveFeed } from './live/live-feed.ts';
export { type LivePosition, readLivePosition } from './live/live-position.ts';
export { NotificationMailer } from './mails/notification-mailer.ts';
export {
  endedNotificationMailsDue,
  forgetNotificationMails,
  holdWaitingMails,
  newMailsWaiting,
  notificationMailsDue,
} from './mails/notification-mails.repository.ts';
export { planMails } from './mails/plan-mails.ts';
export {
  readUnsubscription,
  UNSUBSCRIBE_PATH,
  type UnsubscriptionTexts,
  unsubscribe,
  unsubscriptionTexts,
} from './mails/unsubscribe.ts';
export type { NotificationRow } from './notifications.repository.ts';
export { forgetNotifications, oldNotificationsDue, PUSH_COLUMNS } from './notifications.repository.ts';
export { notificationsHandlers } from './notifications.routes.ts';
export { nextDueTask, notifyOfDueTasks } from './notify-of-due-tasks.ts';
export { postFollowingHandlers } from './posts.routes.ts';
export {
  forgetSubscriptions,
  forgetUnreadableSubscriptions,
  hasBrowser,
  pushesDue,
} from './push/push.repository.ts';
export { PushSender } from './push/push-sender.ts';
export { PUSH_WANTED } from './queue-pushes.ts';
export { readRecipients } from './recipients.ts';
export { remindOfTasks } from './remind-of-tasks.ts';
export { type ReplyOutcome, takeReply } from './replies/take-reply.ts';
export { forgetReaches, reachesDue } from './stream/access-snapshots.ts';
export { changeHandlers } from './stream/changes.routes.ts';
export { readStreamLag } from './stream/stream-lag.ts';
export { whyHeld } from './why-held.ts';
export { withoutUnwanted } from './without-unwanted.ts';
