/** The operations of notifications. */
import type { Handlers } from '../../kernel/operations.ts';
import { countNotifications } from './count-notifications.ts';
import { listNotifications } from './list-notifications.ts';
import { markNotifications } from './mark-notifications.ts';
import { editNotificationPreferences, getNotificationPreferences } from './notification-preferences.ts';
import {
  createPushSubscription,
  deletePushSubscription,
  type InternalHosts,
  listPushSubscriptions,
} from './push/push-subscriptions.ts';

/** @param hosts push services with private addresses that the operator allows */
export const notificationsHandlers = (hosts: InternalHosts) =>
  ({
    listNotifications: ({ scope, body }) => listNotifications(scope, body),
    countNotifications: ({ scope }) => countNotifications(scope),
    markNotifications: ({ scope, body }) => markNotifications(scope, body),
    getNotificationPreferences: ({ scope }) => getNotificationPreferences(scope),
    editNotificationPreferences: ({ scope, body }) => editNotificationPreferences(scope, body),
    listPushSubscriptions: ({ scope }) => listPushSubscriptions(scope),
    createPushSubscription: ({ scope, body }) => createPushSubscription(scope, body ?? {}, hosts),
    deletePushSubscription: async ({ scope, params }) => {
      await deletePushSubscription(scope, params.subscriptionId);
      return undefined;
    },
  }) satisfies Handlers;
