/** Lag of the stream over all tenants, for /metrics. */
import { readStreamLag } from '../modules/notifications/index.ts';
import { measureTenants } from './measure-tenants.ts';
import type { StreamLag } from './metrics.ts';
import type { Services } from './services.ts';

/** @returns the pending change rows of all tenants and the age of the oldest */
export async function measureStreamLag(services: Services): Promise<StreamLag> {
  let pending = 0;
  let oldestAt = Number.POSITIVE_INFINITY;
  for (const lag of await measureTenants(services, ({ id }) => readStreamLag(services.databases.for(id)))) {
    pending += lag.pending;
    oldestAt = Math.min(oldestAt, lag.oldestAt ?? oldestAt);
  }
  return {
    pending,
    oldestSeconds: Number.isFinite(oldestAt) ? Math.max(0, services.clock.now() - oldestAt) / 1000 : 0,
  };
}
