/** Notifications of the caller. */
import { Following, NotificationKind } from '../codes/defined-codes.ts';
import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

export const notificationOperations = defineOperations('notifications', {
  listNotifications: {
    method: 'POST',
    path: '/communication/notifications/data/notifications',
    body: 'ListNotificationsRequest',
    responses: { 200: 'ListNotificationsResponse' },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List notifications',
    description:
      'What happened that concerns the caller, the newest first: mentions, tasks given to them, answers to their comments, and what happens to posts that they follow; and open tasks that are due on the next day (at 8:00 in their time zone), overdue, or due as their reminders say; and announcements. Written some seconds after the event, never about what the caller did. What they may no longer see is left out. Kept for 90 days.',
    requestExamples: examples<'ListNotificationsRequest'>({
      unread: { summary: 'What is new', value: { unread: true, done: false, pageSize: 20 } },
      mentions: { summary: 'Mentions', value: { kinds: [NotificationKind.MENTION] } },
    }),
    clientMethod: 'list',
    command: {
      columns: ['id', 'timestamp', 'kind', 'typeDescription', 'postId', 'postTitle', 'read'],
      examples: ['--unread', '--kinds 1,2 --all --output json'],
    },
  },
  countNotifications: {
    method: 'GET',
    path: '/communication/notifications/data/count',
    responses: { 200: 'CountNotificationsResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Count unread notifications',
    description: 'How many notifications of the caller are unread and not done. More than 1,000 are counted as 1,000.',
    clientMethod: 'count',
    command: { examples: ['', '--output json'] },
  },
  markNotifications: {
    method: 'POST',
    path: '/communication/notifications/manage/mark',
    body: 'MarkNotificationsRequest',
    responses: { 200: 'MarkNotificationsResponse', 400: 'ValidationErrorResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Mark notifications as read or done',
    description:
      'Marks notifications of the caller, by id or all up to one. Ids of others are ignored. Needs no token: marking twice changes nothing.',
    requestExamples: examples<'MarkNotificationsRequest'>({
      done: { summary: 'One is done', value: { ids: [5012], done: true } },
      all: { summary: 'All are read', value: { untilId: 5012, read: true } },
    }),
    clientMethod: 'mark',
    command: { needsValue: true, examples: ['--until-id 5012 --read', '--ids 5012,5013 --done --dry-run'] },
  },
  editPostFollowing: {
    method: 'PUT',
    path: '/communication/posts/manage/following/{postId}',
    domain: 'posts',
    body: 'EditFollowingRequest',
    responses: { 200: 'EditPostFollowingResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'followPost',
    extension: true,
    summary: 'Follow, unfollow or mute a post',
    description:
      'Decides what the caller is told of, before they are an author, a watcher or invited, and before what they chose about the community: 1 everything, 0 only what is meant for them (mentions, answers, tasks), 2 nothing but tasks. Changes nothing for others and does not raise the token of the post.',
    requestExamples: examples<'EditFollowingRequest'>({
      follow: { summary: 'Follow it', value: { following: Following.FOLLOWED } },
      mute: { summary: 'Mute it', value: { following: Following.MUTED } },
    }),
    clientMethod: 'follow',
    command: { needsValue: true, examples: ['4711 --following 1', '4711 --following 2 --dry-run'] },
  },
  getCommunityFollowing: {
    method: 'GET',
    path: '/communication/communities/data/following/{communityId}',
    domain: 'communities',
    responses: { 200: 'CommunityFollowing', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Read what the caller chose about a community',
    description: 'Whether the caller follows the community, has muted it, or neither.',
    clientMethod: 'following',
    command: { examples: ['12', '12 --output json'] },
  },
  editCommunityFollowing: {
    method: 'PUT',
    path: '/communication/communities/manage/following/{communityId}',
    domain: 'communities',
    body: 'EditFollowingRequest',
    responses: { 200: 'CommunityFollowing', 400: 'ValidationErrorResponse', 404: null },
    permission: 'seeCommunity',
    extension: true,
    summary: 'Follow, unfollow or mute a community',
    description:
      'With 1 the caller is told of everything about posts of the community that they may see, new ones included, with 2 of nothing but tasks, with 0 as if they had not chosen. What they chose about a post counts before it.',
    requestExamples: examples<'EditFollowingRequest'>({
      follow: { summary: 'Follow it', value: { following: Following.FOLLOWED } },
    }),
    clientMethod: 'follow',
    command: { needsValue: true, examples: ['12 --following 1', '12 --following 2 --dry-run'] },
  },
  getNotificationPreferences: {
    method: 'GET',
    path: '/communication/notifications/data/preferences',
    responses: { 200: 'NotificationPreferences' },
    permission: 'authenticated',
    extension: true,
    summary: 'Read the preferences of notifications',
    description: 'The entries that the caller has set, by community and kind. What no entry names is on.',
    clientMethod: 'preferences',
    command: {
      rows: 'preferences',
      columns: ['communityId', 'kind', 'enabled'],
      examples: ['', '--output json'],
    },
  },
  editNotificationPreferences: {
    method: 'POST',
    path: '/communication/notifications/manage/preferences',
    body: 'EditNotificationPreferencesRequest',
    responses: { 200: 'NotificationPreferences', 400: 'ValidationErrorResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Edit the preferences of notifications',
    description:
      'Sets entries of the caller and answers with all. An entry with a community counts before one without. They decide about later events.',
    requestExamples: examples<'EditNotificationPreferencesRequest'>({
      quiet: {
        summary: 'No steps, but those of one community',
        value: {
          preferences: [
            { kind: NotificationKind.STEP, enabled: false },
            { kind: NotificationKind.STEP, communityId: 12, enabled: true },
          ],
        },
      },
    }),
    clientMethod: 'editPreferences',
    command: {
      needsValue: true,
      examples: [
        `--preferences '[{"kind": 5, "enabled": false}]'`,
        `--preferences '[{"kind": 4, "communityId": 12, "enabled": false}]' --dry-run`,
      ],
    },
  },
});
