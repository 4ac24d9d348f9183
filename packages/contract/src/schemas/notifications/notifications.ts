/** Notifications of the caller, and their preferences. */
import {
  Following,
  MailFrequency,
  MailOutcome,
  MailReason,
  NotificationKind,
  PushOutcome,
  PushReason,
} from '../../codes/defined-codes.ts';
import { excerptLength, listLimits, pushLimits } from '../../limits.ts';
import * as t from '../fields.ts';

export const notificationTypes = {
  ListNotificationsRequest: t.type('Filters and paging for the list of notifications.', {
    ...t.pageInputs,
    kinds: t.codeList(NotificationKind, 'Only notifications of these kinds.'),
    communityId: t.int64('Only notifications about posts of this community.'),
    unread: t.flag('True: only unread notifications; false: only read notifications.'),
    done: t.flag('True: only notifications marked as done. False: only the others.'),
  }),
  ListNotificationsResponse: t.page('Notification', 'A page of notifications, the newest first.'),
  Notification: t.type('A notification of the caller.', {
    id: t.int64('Id of the notification.'),
    kind: t.code(NotificationKind, 'Reason of the notification.'),
    timestamp: t.time('Time at which it happened.'),
    authorUser: t.ref('User', 'User who did it; for kind DUE, the creator of the task.'),
    typeDescription: t.text('Name of the event, as in the history of the post.'),
    postId: t.int64('The post.'),
    postCustomId: t.text('Number of the post within its community, as text.'),
    postTitle: t.text('Title of the post.'),
    communityId: t.int64('Community of the post.'),
    communityName: t.text('Name of that community.'),
    commentId: t.int64('The comment concerned.'),
    excerpt: t.text(
      `The beginning of that comment, or of the text of the post that mentions the caller, without formatting: at most ${excerptLength} characters. Reading it is no view of the post.`,
    ),
    taskId: t.int64('The task concerned.'),
    taskTitle: t.text('Title of the task.'),
    transitionName: t.text('Name of the transition that was run.'),
    expirationTimestamp: t.time('Due time of the task; only for kind DUE.'),
    overdue: t.flag(
      'Whether the due time has passed: false on the morning of the day before, in the time ' +
        'zone of the person, and for reminders of the task. Only for kind DUE.',
    ),
    read: t.flag('Whether it is marked as read.'),
    done: t.flag('Whether it is marked as done.'),
    mail: t.ref('NotificationMail', 'What became of it by mail; absent if mail was off at the time.'),
    push: t.ref('NotificationPush', 'What became of it at the browsers; absent if no browser was to show it.'),
  }),
  NotificationPush: t.type('A notification at the browsers of its person.', {
    outcome: t.word(
      Object.values(PushOutcome),
      'Result: it waits, a push service took it, it was held back, or no push service took it.',
    ),
    reason: t.word(Object.values(PushReason), 'Why it was held back, or failed.'),
    timestamp: t.time('Time of the result; absent if it waits.'),
  }),
  NotificationMail: t.type('The mail of a notification.', {
    outcome: t.word(Object.values(MailOutcome), 'Result: it waits in a mail, was sent, was held back, or failed.'),
    reason: t.word(Object.values(MailReason), 'Why it was held back, failed, or waits longer than chosen.'),
    timestamp: t.time('Time of the mail: when it was sent or ended, or when it is due.'),
  }),
  CountNotificationsResponse: t.type('Number of unread notifications.', {
    unread: t.count('Unread notifications that are not done; counted up to 1,000.'),
  }),
  MarkNotificationsRequest: t.type('Notifications to mark, and the mark.', {
    ids: t.ids('The notifications. If omitted, all up to `untilId`.', { maxItems: listLimits.notifications }),
    untilId: t.int64('All notifications up to and including this one: the ones that the caller has seen.'),
    read: t.flag('Marks them as read (true) or unread (false).'),
    done: t.flag('Marks them as done (true) or not (false). Done notifications are also read.'),
  }),
  MarkNotificationsResponse: t.type('The marked notifications.', {
    marked: t.count('Number of changed notifications.'),
    unread: t.count('Number of unread notifications now; counted up to 1,000.'),
  }),
  EditFollowingRequest: t.type('Choice of the caller.', {
    following: t.required(t.code(Following, 'Events that notify the caller.')),
  }),
  EditPostFollowingResponse: t.type('Choice for a post.', {
    postId: t.int64('Id of the post.'),
    following: t.code(Following, 'Events that notify the caller.'),
  }),
  CommunityFollowing: t.type('Choice for a community.', {
    communityId: t.int64('Id of the community.'),
    following: t.code(Following, 'Events that notify the caller. 0 without a choice.'),
  }),
  PostOwnState: t.type('Relation of the caller to the post.', {
    following: t.code(
      Following,
      'Events of the post that notify the caller: as chosen, otherwise 1 for authors and watchers and 0 for others.',
    ),
    communityFollowing: t.code(Following, 'Choice for its community, which applies without a choice for the post.'),
  }),
  NotificationPreferences: t.type('Notification settings of the caller. A kind without an entry is on.', {
    preferences: t.list('NotificationPreference', 'Entries that were set.'),
    mailAddress: t.text('Address that mail of notifications is sent to; absent if none is sent.'),
    mailHeld: t.word(
      Object.values(MailReason),
      'Why no mail of notifications is sent to the caller; absent if mail is sent.',
    ),
  }),
  NotificationPreference: t.type('Setting of the caller for one kind of notification.', {
    kind: t.required(t.code(NotificationKind, 'The kind.')),
    communityId: t.int64('The community. If omitted, all communities without their own entry.'),
    enabled: t.flag('Whether they are notified. An entry has at least one of `enabled`, `mail` and `push`.'),
    mail: t.word(
      Object.values(MailFrequency),
      'When they get mail of it. If omitted, it stays unchanged. Without any entry, mentions, answers, assigned and due ' +
        'tasks are bundled, and other kinds are in the digest.',
    ),
    push: t.flag(
      'Whether their browsers show it. If omitted, it stays unchanged. Without any entry, mentions, answers, assigned and ' +
        'due tasks are shown.',
    ),
  }),
  EditNotificationPreferencesRequest: t.type('Entries to set; others stay.', {
    preferences: t.required(
      t.list('NotificationPreference', 'The entries.', { maxItems: listLimits.notificationPreferences }),
    ),
  }),
  ListPushSubscriptionsResponse: t.type('The browsers that show notifications of the caller.', {
    enabled: t.flag('Whether the tenant lets browsers show notifications.'),
    publicKey: t.text(
      'Key of the tenant that a browser subscribes with (`applicationServerKey`), in base64url; absent if `enabled` is false.',
    ),
    subscriptions: t.list('PushSubscriptionInfo', 'The browsers, the newest first.'),
  }),
  PushSubscriptionInfo: t.type('A browser that shows notifications.', {
    id: t.int64('Id of the subscription.'),
    service: t.text('Host of the push service that takes the messages.'),
    userAgent: t.text('The browser, as it named itself when the person signed in.'),
    current: t.flag('Whether it belongs to the session of this request.'),
    creationTimestamp: t.time('Time at which it was switched on.'),
    lastSentTimestamp: t.time('Time of the last message that the push service took.'),
  }),
  CreatePushSubscriptionRequest: t.type('A subscription, as a browser returns it (`PushSubscription.toJSON()`).', {
    endpoint: t.required(t.checked(t.text('Address at the push service: https.'), { maxLength: pushLimits.address })),
    p256dh: t.required(t.checked(t.text('Public key of the browser, in base64url.'), { maxLength: 100 })),
    auth: t.required(t.checked(t.text('Secret of the browser, in base64url.'), { maxLength: 40 })),
  }),
  CreatePushSubscriptionResponse: t.type('The subscription.', {
    subscriptionId: t.int64('Id of the subscription.'),
  }),
};
