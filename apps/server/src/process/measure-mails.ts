/** Mails of each tenant that did not arrive, or not yet, for /metrics. */
import { readMailFigures } from '../modules/people/index.ts';
import { measureTenants } from './measure-tenants.ts';
import type { TenantMails } from './metrics.ts';
import type { Services } from './services.ts';

export async function measureMails(services: Services): Promise<TenantMails[]> {
  return measureTenants(services, async ({ id, name }) => ({
    tenant: name,
    states: { ...(await readMailFigures(services.databases.for(id))) },
  }));
}
