/** Notifications of the caller, and their preferences. */
import { Following, NotificationKind } from '../codes/defined-codes.ts';
import { excerptLength, listLimits } from '../limits.ts';
import * as t from './fields.ts';

export const notificationTypes = {
  ListNotificationsRequest: t.type('Which notifications to list, and paging.', {
    ...t.pageInputs,
    kinds: t.codeList(NotificationKind, 'Only notifications of these kinds.'),
    communityId: t.int64('Only notifications about posts of this community.'),
    unread: t.flag('With true only unread ones, with false only read ones.'),
    done: t.flag('With true only those that are marked as done, with false only the others.'),
  }),
  ListNotificationsResponse: t.page('Notification', 'A page of notifications, the newest first.'),
  Notification: t.type('Something that the caller is told of.', {
    id: t.int64('Id of the notification.'),
    kind: t.code(NotificationKind, 'Why the caller is told.'),
    timestamp: t.time('When it happened.'),
    authorUser: t.ref('User', 'Who did it; of kind DUE, who made the task.'),
    typeDescription: t.text('Name of what happened, as the history of the post calls it.'),
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
    expirationTimestamp: t.time('When the task is due; of kind DUE.'),
    overdue: t.flag(
      'Whether that has passed: false on the morning of the day before, in the time zone of the person, and for reminders of the task. Of kind DUE.',
    ),
    read: t.flag('Whether it is marked as read.'),
    done: t.flag('Whether it is marked as done.'),
  }),
  CountNotificationsResponse: t.type('How many notifications are unread.', {
    unread: t.count('Unread notifications that are not done; counted up to 1,000.'),
  }),
  MarkNotificationsRequest: t.type('Which notifications to mark, and as what.', {
    ids: t.ids('The notifications. Left out, all up to `untilId`.', { maxItems: listLimits.notifications }),
    untilId: t.int64('All notifications up to this one, itself included: what the caller has seen when they ask.'),
    read: t.flag('Marks them as read (true) or unread (false).'),
    done: t.flag('Marks them as done (true) or not (false). What is done is read too.'),
  }),
  MarkNotificationsResponse: t.type('What was marked.', {
    marked: t.count('How many notifications changed.'),
    unread: t.count('How many are unread now; counted up to 1,000.'),
  }),
  EditFollowingRequest: t.type('What the caller chooses.', {
    following: t.required(t.code(Following, 'What they are to be told of.')),
  }),
  EditPostFollowingResponse: t.type('What was chosen about a post.', {
    postId: t.int64('Id of the post.'),
    following: t.code(Following, 'What the caller is told of.'),
  }),
  CommunityFollowing: t.type('What was chosen about a community.', {
    communityId: t.int64('Id of the community.'),
    following: t.code(Following, 'What the caller is told of. 0 where nothing was chosen.'),
  }),
  PostOwnState: t.type('What the post is to the caller.', {
    following: t.code(
      Following,
      'What they are told of about the post: as chosen, else 1 for authors and watchers and 0 for others.',
    ),
    communityFollowing: t.code(
      Following,
      'What they chose about its community, which counts where nothing was chosen about the post.',
    ),
  }),
  NotificationPreferences: t.type('What the caller wants to be told of. What no entry names is on.', {
    preferences: t.list('NotificationPreference', 'Entries that were set.'),
  }),
  NotificationPreference: t.type('Whether the caller is told of one kind.', {
    kind: t.required(t.code(NotificationKind, 'The kind.')),
    communityId: t.int64('In which community; left out, in all for which there is no entry of their own.'),
    enabled: t.required(t.flag('Whether they are told.')),
  }),
  EditNotificationPreferencesRequest: t.type('Entries to set; others stay.', {
    preferences: t.required(
      t.list('NotificationPreference', 'The entries.', { maxItems: listLimits.notificationPreferences }),
    ),
  }),
};
