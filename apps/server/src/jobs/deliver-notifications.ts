/** Delivers notifications of the events since the last run. */
import type { Tenant } from '../kernel/scope.ts';
import { deliverNotifications } from '../modules/notifications/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

export async function deliverDueNotifications(services: TenantServices, tenant: Tenant): Promise<void> {
  await deliverNotifications(services.databases.for(tenant.id), services.clock.now());
}
