/** When background work is due for a tenant next: read when its work is done, so that nobody looks at it before. */
import { signInFailuresDue } from '../kernel/audit/index.ts';
import type { DueTerms, DueWork } from '../kernel/due-work.ts';
import type { Tenant } from '../kernel/scope.ts';
import { responsesDue } from '../kernel/stored-responses.ts';
import { documentsDue, previewsDue, textsDue, unattachedDue } from '../modules/files/index.ts';
import { endedImportsDue, importsDue } from '../modules/imports/index.ts';
import {
  endedNotificationMailsDue,
  newMailsWaiting,
  nextDueTask,
  notificationMailsDue,
  oldNotificationsDue,
  pushesDue,
  reachesDue,
} from '../modules/notifications/index.ts';
import {
  assertionsDue,
  challengesDue,
  deviceSignInsDue,
  dueMails,
  endedMailsDue,
  erasureDue,
  expiredMailsDue,
  failedMailsDue,
  idleSessionsDue,
  linksDue,
  mailsDue,
  personalTokensDue,
  sessionsDue,
  signInStatesDue,
} from '../modules/people/index.ts';
import { deletedCommentsDue, pendingSearchDue, remindersDue } from '../modules/post-parts/index.ts';
import { changesDue, eventsDue, oldChangesDue, versionsDue } from '../modules/records/index.ts';
import { indexDue } from '../modules/search/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { entriesDue } from '../modules/tenants/index.ts';
import {
  compositionDue,
  deliveriesDue,
  dueDeliveries,
  oldDeliveriesDue,
  ownersDue,
} from '../modules/webhooks/index.ts';
import { definitionChangesDue } from './change-definitions.ts';
import { erasablePostsDue } from './erase-posts.ts';
import { duePosts, postsDue } from './publish-due-posts.ts';

/** All kinds of work of the jobs, but for tasks that are due and files that nothing uses any more. */
const RULES: readonly DueWork[] = [
  ...[duePosts, postsDue, erasablePostsDue, definitionChangesDue, versionsDue, deletedCommentsDue],
  ...[eventsDue, changesDue, oldChangesDue, reachesDue, responsesDue],
  ...[dueMails, mailsDue, endedMailsDue, expiredMailsDue, failedMailsDue, remindersDue, oldNotificationsDue],
  ...[newMailsWaiting, notificationMailsDue, endedNotificationMailsDue, pushesDue],
  ...[previewsDue, textsDue, documentsDue, unattachedDue, importsDue, endedImportsDue],
  ...[compositionDue, dueDeliveries, deliveriesDue, oldDeliveriesDue, ownersDue],
  ...[entriesDue, signInFailuresDue, erasureDue, linksDue, challengesDue, signInStatesDue],
  ...[indexDue, pendingSearchDue],
  ...[assertionsDue, personalTokensDue, deviceSignInsDue, idleSessionsDue, sessionsDue],
];

const SQL = `SELECT ${RULES.map((rule, place) =>
  'waiting' in rule ? `EXISTS (${rule.waiting}) AS r${place}` : `(${rule.earliest}) AS r${place}`,
).join(',\n       ')}`;

/** @returns whether work waits now, and the earliest moment at which other work is due, epoch milliseconds; it may be past */
export async function nextDue(
  services: TenantServices,
  tenant: Tenant,
): Promise<{ waiting: boolean; at: number | undefined }> {
  const db = services.databases.for(tenant.id);
  const now = services.clock.now();
  const terms: DueTerms = { settings: await services.tenants.settings(tenant), config: services.config };
  const [row] = await db.query<Record<string, boolean | number | null>>(SQL, [tenant.id, new Date(now)]);
  let waiting = false;
  const moments = [(await nextDueTask(db, now)) ?? Number.POSITIVE_INFINITY];
  for (const [place, rule] of RULES.entries()) {
    const found = row![`r${place}`];
    if ('waiting' in rule) waiting ||= found === true;
    else if (typeof found === 'number') moments.push(found + (rule.afterMs?.(terms) ?? 0));
  }
  const at = Math.min(...moments);
  return { waiting, at: Number.isFinite(at) ? at : undefined };
}
