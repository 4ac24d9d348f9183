/** Size of the files of each tenant, and failed jobs on them, for /metrics. */
import { readFileFigures } from '../modules/files/index.ts';
import { measureTenants } from './measure-tenants.ts';
import type { TenantFiles } from './metrics.ts';
import type { Services } from './services.ts';

export async function measureFiles(services: Services): Promise<TenantFiles[]> {
  return measureTenants(services, async ({ id, name }) => ({
    tenant: name,
    ...(await readFileFigures(services.databases.for(id))),
  }));
}
