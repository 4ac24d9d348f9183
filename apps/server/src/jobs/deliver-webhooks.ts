/** Composes and sends the messages of webhooks. */
import type { Tenant } from '../kernel/scope.ts';
import { systemScope, type TenantServices, tenantScope } from '../modules/tenants/index.ts';
import { composeMessages, tellOwners, type WebhookSender } from '../modules/webhooks/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 1_000;

interface WebhookServices extends TenantServices {
  readonly webhooks: WebhookSender;
}

/**
 * Composes the messages of new changes, and begins to send due ones.
 * @returns whether more may be due
 */
export async function deliverWebhooks(services: WebhookServices, tenant: Tenant): Promise<boolean> {
  const db = services.databases.for(tenant.id);
  if (!(await services.webhooks.serves(db))) return false;
  const work = {
    db,
    now: () => services.clock.now(),
    scopeOf: (userId: number) => systemScope(services, tenant, userId),
  };
  const end = performance.now() + RUN_MS;
  let more = true;
  while (more && performance.now() < end) {
    more = await composeMessages(work);
    await services.webhooks.sendDue({ tenant, db });
  }
  await tellOwners(await tenantScope(services, tenant, `https://${tenant.name}.invalid`));
  return more;
}
