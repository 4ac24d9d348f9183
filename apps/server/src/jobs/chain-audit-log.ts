/** Brings the audit log up to date: counts of failed sign-ins become entries, entries get their place in the chain. */
import { moveSignInFailures } from '../kernel/audit/index.ts';
import type { Tenant } from '../kernel/scope.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { chainEntries } from '../modules/tenants/index.ts';

export async function chainAuditLog(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  await moveSignInFailures(db, services.clock.now());
  await chainEntries(db);
}
