/** Deletes expired data. */

import type { Tenant } from '../kernel/scope.ts';
import { deleteExpiredResponses } from '../kernel/stored-responses.ts';
import { forgetExpiredAssertions, forgetPersonalTokens, forgetSessions } from '../modules/auth/index.ts';
import { forgetFeeds } from '../modules/calendars/index.ts';
import { eraseDeletedComments } from '../modules/comments/index.ts';
import { removeUnattachedFiles } from '../modules/files/index.ts';
import { forgetSignInStates } from '../modules/identity-providers/index.ts';
import { forgetMails } from '../modules/mail/index.ts';
import { forgetNotifications } from '../modules/notifications/index.ts';
import { forgetChallenges, forgetLinks } from '../modules/people/index.ts';
import { forgetChanges, sequenceChanges } from '../modules/posts/events/index.ts';
import { RESTORABLE_MS } from '../modules/posts/policy/index.ts';
import { forgetVersions } from '../modules/posts/rows/index.ts';
import { forgetReaches } from '../modules/stream/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

export async function tidy(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  const now = services.clock.now();
  await removeUnattachedFiles(db, services.storage, now);
  await sequenceChanges(db);
  await forgetChanges(db, now);
  await forgetReaches(db, now);
  await forgetExpiredAssertions(db, now);
  await forgetSignInStates(db, now);
  const settings = await services.tenants.settings(tenant);
  await forgetSessions(db, settings, now);
  await forgetPersonalTokens(db, now);
  await forgetFeeds(db);
  await forgetChallenges(db, now);
  await deleteExpiredResponses(db, now);
  await forgetMails(db, now);
  await forgetNotifications(db, now, settings.notificationRetentionDays);
  await forgetVersions(db, now);
  await eraseDeletedComments(db, now - RESTORABLE_MS);
  await forgetLinks(db, now);
}
