import { isConnectionFailure } from '@portico/platform/db/pg-errors';
import type { Tenant } from '../kernel/scope.ts';
import type { Services } from './services.ts';

/**
 * Measures each tenant. Tenants on an unavailable worker of a cluster are left out.
 * @throws the first failure with another cause, or if every tenant fails
 */
export async function measureTenants<T>(services: Services, measure: (tenant: Tenant) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  let failure: unknown;
  for (const tenant of await services.tenants.all()) {
    try {
      measured.push(await measure(tenant));
    } catch (error) {
      if (!isConnectionFailure(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined && measured.length === 0) throw failure;
  return measured;
}
