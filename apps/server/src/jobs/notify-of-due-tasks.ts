/** Notifies people of tasks that are due. */
import type { Tenant } from '../kernel/scope.ts';
import { notifyOfDueTasks } from '../modules/notifications/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

export async function tellOfDueTasks(services: TenantServices, tenant: Tenant): Promise<void> {
  await notifyOfDueTasks(services.databases.for(tenant.id), services.clock.now());
}
