/** Sends due mails. */

import type { Tenant } from '../kernel/scope.ts';
import type { MailSender } from '../modules/people/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 5_000;

interface MailServices extends TenantServices {
  readonly mail: MailSender;
}

/** Sends due mails, in order, one after the other. */
export async function sendMails(services: MailServices, tenant: Tenant): Promise<boolean> {
  const { defaultTimezone: timezone, name } = await services.tenants.settings(tenant);
  const named = name === null ? tenant : { ...tenant, displayName: name };
  const db = services.databases.for(tenant.id);
  const end = performance.now() + RUN_MS;
  let sent = false;
  while ((await services.mail.sendNext({ tenant: named, db, timezone })) && performance.now() < end) sent = true;
  return sent;
}
