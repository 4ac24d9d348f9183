/** Size of the files of each tenant, and failed jobs on them, for /metrics. */
import { readFileFigures } from '../modules/files/index.ts';
import type { TenantFiles } from './metrics.ts';
import type { Services } from './services.ts';

export async function measureFiles(services: Services): Promise<TenantFiles[]> {
  const all: TenantFiles[] = [];
  for (const tenant of await services.tenants.all()) {
    all.push({ tenant: tenant.name, ...(await readFileFigures(services.databases.for(tenant.id))) });
  }
  return all;
}
