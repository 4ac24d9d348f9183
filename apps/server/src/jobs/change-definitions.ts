/** Continues the changes of definitions that go over posts. */
import type { DueWork } from '../kernel/due-work.ts';
import type { Tenant } from '../kernel/scope.ts';
import { workOnChange } from '../modules/definitions/index.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 5_000;

const UNFINISHED = 'SELECT FROM definition_changes WHERE tenant_id = $1 AND finished_at IS NULL';

/** Changes that are to be continued. */
export const definitionChangesDue: DueWork = { waiting: UNFINISHED };

export async function changeDefinitions(services: TenantServices, tenant: Tenant): Promise<boolean> {
  const [due] = await services.databases.for(tenant.id).query(`${UNFINISHED} LIMIT 1`, [tenant.id]);
  if (!due) return false;
  const scope = await systemScope(services, tenant, await systemAccountOf(services, tenant));
  const end = performance.now() + RUN_MS;
  while ((await workOnChange(scope)) && performance.now() < end);
  return true;
}
