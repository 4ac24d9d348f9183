/** Keeps an imported copy from telling the world what the first tenant tells it too. */
import { insertEntries } from '../../kernel/audit/index.ts';
import { holdWaitingMails } from '../../modules/notifications/index.ts';
import { cancelMails } from '../../modules/people/index.ts';
import { type ownerExecutor, switchOffNotificationMails } from '../../modules/tenants/index.ts';
import { pauseWebhooks } from '../../modules/webhooks/index.ts';

/** Shown to administrators with each cancelled mail and message. */
const REASON = 'Cancelled: the tenant was imported as a copy.';

/** Numbers of what an import as a copy paused and cancelled. */
export interface QuietedCopy {
  readonly pausedWebhooks: number;
  readonly cancelledMessages: number;
  readonly cancelledMails: number;
  readonly cancelledNotificationMails: number;
  /** Whether mails of notifications were on, and are off now. */
  readonly switchedOffMails: boolean;
}

/**
 * Pauses webhooks, cancels waiting messages and mails, and switches off mails of notifications.
 * Everything else that a tenant does by itself stays within the tenant.
 * @param tx within a transaction that has set app.tenant_id
 */
export async function quietCopy(
  tx: ReturnType<typeof ownerExecutor>,
  now: Date,
  operator: string,
): Promise<QuietedCopy> {
  const { paused, cancelled } = await pauseWebhooks(tx, now, REASON);
  const cancelledMails = await cancelMails(tx, now, REASON);
  const switchedOffMails = await switchOffNotificationMails(tx, now);
  const cancelledNotificationMails = await holdWaitingMails(tx, now);
  const change = (object: string, objectId: number, field: string) =>
    ({ action: 'modified', object, objectId, before: { [field]: true }, after: { [field]: false } }) as const;
  await insertEntries(tx, { origin: { operator } }, [
    ...paused.map((id) => change('webhook', id, 'enabled')),
    ...(switchedOffMails ? [change('tenant', tx.tenantId, 'notificationMails')] : []),
  ]);
  return {
    pausedWebhooks: paused.length,
    cancelledMessages: cancelled,
    cancelledMails,
    cancelledNotificationMails,
    switchedOffMails,
  };
}
