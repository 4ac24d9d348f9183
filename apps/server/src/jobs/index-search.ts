/** Background job that keeps the index of the search up to date. */
import type { Tenant } from '../kernel/scope.ts';
import { indexNext } from '../modules/search/index.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 5_000;

/** Indexes changed posts and, where the index is being built, older ones. @returns whether more may be left */
export async function indexSearch(services: TenantServices, tenant: Tenant, stop?: AbortSignal): Promise<boolean> {
  const scope = await systemScope(services, tenant, await systemAccountOf(services, tenant));
  const end = performance.now() + RUN_MS;
  for (;;) {
    if (!(await indexNext(scope))) return false;
    if (stop?.aborted || performance.now() > end) return true;
  }
}
