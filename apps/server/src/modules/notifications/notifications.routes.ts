/** The operations of notifications. */
import type { Handlers } from '../../kernel/operations.ts';
import { countNotifications } from './count-notifications.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotifications } from './mark-notifications.ts';
import { editNotificationPreferences, getNotificationPreferences } from './notification-preferences.ts';

export const notificationsHandlers = {
  listNotifications: ({ scope, body }) => listNotifications(scope, body),
  countNotifications: ({ scope }) => countNotifications(scope),
  markNotifications: ({ scope, body }) => markNotifications(scope, body),
  getNotificationPreferences: ({ scope }) => getNotificationPreferences(scope),
  editNotificationPreferences: ({ scope, body }) => editNotificationPreferences(scope, body),
} satisfies Handlers;
