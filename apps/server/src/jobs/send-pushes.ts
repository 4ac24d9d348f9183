/** Sends notifications to browsers. */
import type { Tenant } from '../kernel/scope.ts';
import type { PushSender } from '../modules/notifications/index.ts';
import { findPersonScope, type TenantServices } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 1_000;

interface PushServices extends TenantServices {
  readonly push: PushSender;
}

/** Begins to send due messages, and does not wait for the answers. @returns whether more may be due */
export async function sendPushes(services: PushServices, tenant: Tenant): Promise<boolean> {
  const db = services.databases.for(tenant.id);
  const work = { tenant, db, personScope: (userId: number) => findPersonScope(services, tenant, userId) };
  const end = performance.now() + RUN_MS;
  let more = true;
  while (more && performance.now() < end) more = await services.push.sendDue(work);
  return more;
}
