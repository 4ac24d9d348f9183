/** Plans and sends mails of notifications. */
import type { Tenant } from '../kernel/scope.ts';
import { type NotificationMailer, planMails } from '../modules/notifications/index.ts';
import { findPersonScope, type TenantServices, tenantScope } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 5_000;

interface NotificationMailServices extends TenantServices {
  readonly notificationMail: NotificationMailer;
}

/** Plans mails of new notifications, and sends due mails. @returns true if more may be due */
export async function sendNotificationMails(services: NotificationMailServices, tenant: Tenant): Promise<boolean> {
  const scope = await tenantScope(services, tenant, `https://${tenant.name}.invalid`);
  const mailing = { ...scope, personScope: (userId: number) => findPersonScope(services, tenant, userId) };
  const end = performance.now() + RUN_MS;
  let more = false;
  while ((await planMails(scope)) && performance.now() < end) more = true;
  while ((await services.notificationMail.sendNext(mailing)) && performance.now() < end) more = true;
  return more;
}
