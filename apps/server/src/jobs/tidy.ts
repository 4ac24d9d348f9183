/** Deletes expired data. */

import { webhookLimits } from '@portico/contract';
import type { Tenant } from '../kernel/scope.ts';
import { deleteExpiredResponses } from '../kernel/stored-responses.ts';
import { removeUnattachedFiles } from '../modules/files/index.ts';
import {
  forgetNotificationMails,
  forgetNotifications,
  forgetReaches,
  forgetSubscriptions,
} from '../modules/notifications/index.ts';
import {
  forgetChallenges,
  forgetDeviceSignIns,
  forgetExpiredAssertions,
  forgetLinks,
  forgetMails,
  forgetPersonalTokens,
  forgetSessions,
  forgetSignInStates,
} from '../modules/people/index.ts';
import { eraseDeletedComments, RESTORABLE_MS } from '../modules/post-parts/index.ts';
import { forgetFeeds } from '../modules/posts/index.ts';
import { forgetChanges, forgetVersions, sequenceChanges } from '../modules/records/index.ts';
import { tables } from '../modules/tables.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { forgetDeliveries } from '../modules/webhooks/index.ts';

export async function tidy(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  const now = services.clock.now();
  await removeUnattachedFiles(db, { storage: services.storage, tables }, now);
  await sequenceChanges(db);
  await forgetChanges(db, now);
  await forgetReaches(db, now);
  await forgetExpiredAssertions(db, now);
  await forgetSignInStates(db, now);
  const settings = await services.tenants.settings(tenant);
  await forgetSessions(db, settings, now);
  await forgetPersonalTokens(db, now);
  await forgetDeviceSignIns(db, now);
  await forgetFeeds(db);
  await forgetSubscriptions(db);
  await forgetChallenges(db, now);
  await deleteExpiredResponses(db, now);
  await forgetMails(db, now);
  await forgetNotificationMails(db, now);
  await forgetNotifications(db, now, settings.notificationRetentionDays);
  await forgetVersions(db, now);
  await eraseDeletedComments(db, now - RESTORABLE_MS);
  await forgetLinks(db, now);
  await forgetDeliveries(db, now, webhookLimits);
}
