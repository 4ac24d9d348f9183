/** Notifications of the caller, and their preferences. */
import { Following, NotificationKind } from '../codes/defined-codes.ts';
import { excerptLength, listLimits } from '../limits.ts';
import {
  code,
  codeList,
  count,
  flag,
  ids,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  type,
} from './fields.ts';

export const notificationTypes = {
  ListNotificationsRequest: type('Which notifications to list, and paging.', {
    ...pageInputs,
    kinds: codeList(NotificationKind, 'Only notifications of these kinds.'),
    communityId: int64('Only notifications about posts of this community.'),
    unread: flag('With true only unread ones, with false only read ones.'),
    done: flag('With true only those that are marked as done, with false only the others.'),
  }),
  ListNotificationsResponse: page('Notification', 'A page of notifications, the newest first.'),
  Notification: type('Something that the caller is told of.', {
    id: int64('Id of the notification.'),
    kind: code(NotificationKind, 'Why the caller is told.'),
    timestamp: time('When it happened.'),
    authorUser: ref('User', 'Who did it; of kind DUE, who made the task.'),
    typeDescription: text('Name of what happened, as the history of the post calls it.'),
    postId: int64('The post.'),
    postCustomId: text('Number of the post within its community, as text.'),
    postTitle: text('Title of the post.'),
    communityId: int64('Community of the post.'),
    communityName: text('Name of that community.'),
    commentId: int64('The comment concerned.'),
    excerpt: text(
      `The beginning of that comment, or of the text of the post that mentions the caller, without formatting: at most ${excerptLength} characters. Reading it is no view of the post.`,
    ),
    taskId: int64('The task concerned.'),
    taskTitle: text('Title of the task.'),
    transitionName: text('Name of the transition that was run.'),
    expirationTimestamp: time('When the task is due; of kind DUE.'),
    overdue: flag(
      'Whether that has passed: false on the morning of the day before, in the time zone of the person, and for reminders of the task. Of kind DUE.',
    ),
    read: flag('Whether it is marked as read.'),
    done: flag('Whether it is marked as done.'),
  }),
  CountNotificationsResponse: type('How many notifications are unread.', {
    unread: count('Unread notifications that are not done; counted up to 1,000.'),
  }),
  MarkNotificationsRequest: type('Which notifications to mark, and as what.', {
    ids: ids('The notifications. Left out, all up to `untilId`.', { maxItems: listLimits.notifications }),
    untilId: int64('All notifications up to this one, itself included: what the caller has seen when they ask.'),
    read: flag('Marks them as read (true) or unread (false).'),
    done: flag('Marks them as done (true) or not (false). What is done is read too.'),
  }),
  MarkNotificationsResponse: type('What was marked.', {
    marked: count('How many notifications changed.'),
    unread: count('How many are unread now; counted up to 1,000.'),
  }),
  EditFollowingRequest: type('What the caller chooses.', {
    following: required(code(Following, 'What they are to be told of.')),
  }),
  EditPostFollowingResponse: type('What was chosen about a post.', {
    postId: int64('Id of the post.'),
    following: code(Following, 'What the caller is told of.'),
  }),
  CommunityFollowing: type('What was chosen about a community.', {
    communityId: int64('Id of the community.'),
    following: code(Following, 'What the caller is told of. 0 where nothing was chosen.'),
  }),
  PostOwnState: type('What the post is to the caller.', {
    following: code(
      Following,
      'What they are told of about the post: as chosen, else 1 for authors and watchers and 0 for others.',
    ),
    communityFollowing: code(
      Following,
      'What they chose about its community, which counts where nothing was chosen about the post.',
    ),
  }),
  NotificationPreferences: type('What the caller wants to be told of. What no entry names is on.', {
    preferences: list('NotificationPreference', 'Entries that were set.'),
  }),
  NotificationPreference: type('Whether the caller is told of one kind.', {
    kind: required(code(NotificationKind, 'The kind.')),
    communityId: int64('In which community; left out, in all for which there is no entry of their own.'),
    enabled: required(flag('Whether they are told.')),
  }),
  EditNotificationPreferencesRequest: type('Entries to set; others stay.', {
    preferences: required(
      list('NotificationPreference', 'The entries.', { maxItems: listLimits.notificationPreferences }),
    ),
  }),
};
