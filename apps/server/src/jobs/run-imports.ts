/** Imports files over the interface. */
import { importLimits } from '@portico/contract';
import type { Tenant } from '../kernel/scope.ts';
import { forgetImports, importArchive, workOnImport } from '../modules/imports/index.ts';
import { systemScope, type TenantServices } from '../modules/tenants/index.ts';

/**
 * Time limit of one run per tenant, in milliseconds: the next import of the tenant waits for
 * imports of other tenants.
 */
const RUN_MS = 60_000;

const DAY_MS = 86_400_000;

/**
 * Works on the due imports. @param stop the process is about to end: running imports are given back
 */
export async function runImports(services: TenantServices, tenant: Tenant, stop: AbortSignal): Promise<boolean> {
  const worker = {
    db: services.databases.for(tenant.id),
    storage: services.storage,
    log: services.log,
    now: () => services.clock.now(),
    scopeOf: (userId: number) => systemScope(services, tenant, userId),
    importArchive,
    stop,
  };
  const end = performance.now() + RUN_MS;
  let worked = false;
  while (!stop.aborted && (await workOnImport(worker)) && performance.now() < end) worked = true;
  return worked;
}

/** Removes imports that ended long ago. */
export async function forgetOldImports(services: TenantServices, tenant: Tenant): Promise<void> {
  await forgetImports(services.databases.for(tenant.id), services.clock.now() - importLimits.days * DAY_MS);
}
