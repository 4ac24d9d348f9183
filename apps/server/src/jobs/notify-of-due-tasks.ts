/** Notifies people of tasks that are due, and by the reminders of tasks. */
import type { Tenant } from '../kernel/scope.ts';
import { notifyOfDueTasks, remindOfTasks } from '../modules/notifications/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

export async function tellOfDueTasks(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  await notifyOfDueTasks(db, services.clock.now());
  await remindOfTasks(db, services.clock.now());
}
