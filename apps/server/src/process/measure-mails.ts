/** Mails of each tenant that did not arrive, or not yet, for /metrics. */
import { readMailFigures } from '../modules/mail/index.ts';
import type { TenantMails } from './metrics.ts';
import type { Services } from './services.ts';

export async function measureMails(services: Services): Promise<TenantMails[]> {
  const all: TenantMails[] = [];
  for (const tenant of await services.tenants.all()) {
    const figures = await readMailFigures(services.databases.for(tenant.id));
    all.push({ tenant: tenant.name, states: { ...figures } });
  }
  return all;
}
