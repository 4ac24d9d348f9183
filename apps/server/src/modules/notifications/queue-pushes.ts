/** Queues new notifications for browsers. */
import { NotificationKind, pushLimits } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../columns.ts';

const p = sqlColumns('posts', 'p');
const t = sqlColumns('tenant_settings', 't');

/** Age from which on a notification is not sent any more. Milliseconds. */
export const LONGEST_PUSH_MS = pushLimits.hours * 3_600_000;

/** Kinds that browsers show without a choice. */
const SHOWN = [NotificationKind.MENTION, NotificationKind.ASSIGNMENT, NotificationKind.REPLY, NotificationKind.DUE];

/** SQL of a boolean: the person chose that browsers show the notification `n` of a post `p`. */
export const PUSH_WANTED = `coalesce(
  (SELECT o.push FROM notification_preferences o WHERE o.tenant_id = $1 AND o.user_id = n.user_id
      AND o.kind = n.kind AND o.community_id = ${p.community_id}),
  (SELECT o.push FROM notification_preferences o WHERE o.tenant_id = $1 AND o.user_id = n.user_id
      AND o.kind = n.kind AND o.community_id = 0),
  n.kind IN (${SHOWN.join(', ')}))`;

/**
 * Queues new notifications for the browsers of their people, where the tenant lets browsers show
 * them.
 * @param now epoch milliseconds
 */
export async function queuePushes(tx: TenantTx, notificationIds: readonly number[], now: number): Promise<void> {
  const found = await tx.query<{ subscriptionId: number; notificationId: number; service: string }>(
    `SELECT s.id AS "subscriptionId", n.id AS "notificationId", s.service
       FROM notifications n
       JOIN tenant_settings t ON t.tenant_id = $1 AND ${t.notification_push}
       JOIN push_subscriptions s ON s.tenant_id = $1 AND s.user_id = n.user_id
       JOIN posts p ON p.tenant_id = $1 AND ${p.id} = n.post_id
      WHERE n.tenant_id = $1 AND n.id = ANY ($2::bigint[]) AND n.at > $3 AND ${PUSH_WANTED} FOR KEY SHARE OF s`,
    [tx.tenantId, notificationIds, new Date(now - LONGEST_PUSH_MS)],
  );
  if (found.length === 0) return;
  const ids = await takeIds(tx, 'push_messages', found.length);
  await tx.execute(
    `INSERT INTO push_messages (tenant_id, id, subscription_id, notification_id, service, created_at, due_at)
     SELECT a.tenant_id, m.id, m.subscription_id, m.notification_id, m.service, $6, $7
       FROM tenant_versions a,
            unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) AS m(id, subscription_id, notification_id, service)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      ids,
      found.map(({ subscriptionId }) => subscriptionId),
      found.map(({ notificationId }) => notificationId),
      found.map(({ service }) => service),
      new Date(now),
      new Date(now + pushLimits.delaySeconds * 1_000),
    ],
  );
}
