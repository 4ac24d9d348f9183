/** Notifications of the caller, and their preferences. */
import { MailFrequency, NotificationKind } from '../../codes/defined-codes.ts';
import { pushLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

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
      'Returns events that concern the caller, the newest first: mentions, tasks given to ' +
      'them, answers to their comments, and events of posts that they follow; open tasks that ' +
      'are due on the next day (at 8:00 in their time zone), overdue, or due by their ' +
      'reminders; and announcements. Notifications are written some seconds after the event, ' +
      'never about actions of the caller. Objects that the caller may no longer see are ' +
      'omitted. Notifications are kept for 90 days.',
    requestExamples: examples<'ListNotificationsRequest'>({
      unread: { summary: 'New notifications', value: { unread: true, done: false, pageSize: 20 } },
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
    description:
      'Returns the number of notifications of the caller that are unread and not done. Counts ' +
      'above 1,000 are returned as 1,000.',
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
      done: { summary: 'Mark a notification as done', value: { ids: [5012], done: true } },
      all: { summary: 'All are read', value: { untilId: 5012, read: true } },
    }),
    clientMethod: 'mark',
    command: { needsValue: true, examples: ['--until-id 5012 --read', '--ids 5012,5013 --done --dry-run'] },
  },
  getNotificationPreferences: {
    method: 'GET',
    path: '/communication/notifications/data/preferences',
    responses: { 200: 'NotificationPreferences' },
    permission: 'authenticated',
    extension: true,
    summary: 'Read the preferences of notifications',
    description:
      'Returns the entries that the caller has set, by community and kind, the address that mail is sent to, and why no ' +
      'mail is sent. A kind without an entry is on.',
    clientMethod: 'preferences',
    command: {
      rows: 'preferences',
      columns: ['communityId', 'kind', 'enabled', 'mail', 'push'],
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
      'Sets entries of the caller and returns all entries. An entry with a community takes ' +
      'precedence over an entry without one. Entries apply to later events; `mail` also to ' +
      'notifications whose mail is not sent yet.',
    requestExamples: examples<'EditNotificationPreferencesRequest'>({
      quiet: {
        summary: 'No steps, except in one community',
        value: {
          preferences: [
            { kind: NotificationKind.STEP, enabled: false },
            { kind: NotificationKind.STEP, communityId: 12, enabled: true },
          ],
        },
      },
      mail: {
        summary: 'Mentions by mail at once, announcements never',
        value: {
          preferences: [
            { kind: NotificationKind.MENTION, mail: MailFrequency.AT_ONCE },
            { kind: NotificationKind.ANNOUNCEMENT, mail: MailFrequency.NEVER },
          ],
        },
      },
    }),
    clientMethod: 'updatePreferences',
    formerMethod: 'editPreferences',
    command: {
      needsValue: true,
      examples: [
        `--preferences '[{"kind": 5, "enabled": false}]'`,
        `--preferences '[{"kind": 4, "communityId": 12, "enabled": false}]' --dry-run`,
      ],
    },
  },
  listPushSubscriptions: {
    method: 'GET',
    path: '/communication/notifications/data/push-subscriptions',
    responses: { 200: 'ListPushSubscriptionsResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'List the browsers that show notifications',
    description:
      'Returns the browsers that show notifications of the caller, and the public key with which another browser ' +
      'subscribes at its push service (Web Push, RFC 8030 and 8292).',
    clientMethod: 'pushSubscriptions',
    command: {
      rows: 'subscriptions',
      columns: ['id', 'service', 'userAgent', 'current', 'creationTimestamp'],
      examples: ['', '--output json'],
    },
  },
  createPushSubscription: {
    method: 'POST',
    path: '/communication/notifications/manage/push-subscriptions',
    body: 'CreatePushSubscriptionRequest',
    responses: { 200: 'CreatePushSubscriptionResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Let a browser show notifications',
    description:
      'Stores the subscription of a browser, for the session of the request: it ends when the session ends. ' +
      `An address that is stored already belongs to the caller afterwards. A person has at most ${pushLimits.subscriptions}; ` +
      'subscriptions that the push service does not know any more (404 and 410) are deleted.',
    requestExamples: examples<'CreatePushSubscriptionRequest'>({
      browser: {
        summary: 'A browser',
        value: {
          endpoint: 'https://push.example.com/send/dGhpcyBpcyBhbiBhZGRyZXNz',
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      },
    }),
    clientMethod: 'createPushSubscription',
    command: {
      examples: [
        '--endpoint https://push.example.com/send/1 --p256dh BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 --auth BTBZMqHH6r4Tts7J_aSIgg',
        '--endpoint https://push.example.com/send/1 --p256dh BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 --auth BTBZMqHH6r4Tts7J_aSIgg --dry-run',
      ],
    },
  },
  deletePushSubscription: {
    method: 'DELETE',
    path: '/communication/notifications/manage/push-subscriptions/{subscriptionId}',
    responses: { 200: null, 403: null, 404: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Stop notifications of a browser',
    description: 'Deletes a subscription of the caller. Messages that were not sent yet are not sent any more.',
    clientMethod: 'deletePushSubscription',
    command: { examples: ['77', '77 --dry-run'] },
  },
});
