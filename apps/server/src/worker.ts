/**
 * Work in the background of every node: what must happen at a time or from time to time. Each task takes a lock per
 * tenant in the database, so that several nodes do it once.
 */

import type { OpenDatabase } from './database.ts';
import { forgetExpiredAssertions } from './modules/auth/index.ts';
import { forgetOldChanges, sequenceChanges } from './modules/stream/index.ts';
import type { TenantDb } from './platform/db/tenant-db.ts';
import type { Services } from './services.ts';

/** How often the worker looks. Milliseconds. */
const INTERVAL_MS = 60_000;
/** Answers of writes with an Idempotency-Key are kept this long. Milliseconds. */
const IDEMPOTENCY_MS = 48 * 3_600_000;

export interface Worker {
  /** Ends after the task that is running. */
  stop(): Promise<void>;
}

/** Starts the worker. */
export async function startWorker(services: Services, _database: OpenDatabase): Promise<Worker> {
  let running: Promise<void> | undefined;
  const tick = () => {
    running ??= runAll(services)
      .catch((error: unknown) => services.log.error({ err: error }, 'background work failed; it is tried again'))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(tick, INTERVAL_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function runAll(services: Services): Promise<void> {
  for (const tenant of await services.tenants.all()) {
    await tidy(services.databases.for(tenant.id), services.clock.now());
  }
}

async function tidy(db: TenantDb, now: number): Promise<void> {
  await sequenceChanges(db);
  await forgetOldChanges(db, now);
  await forgetExpiredAssertions(db, now);
  await db.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1 AND created_at < $2', [
    db.tenantId,
    new Date(now - IDEMPOTENCY_MS),
  ]);
}
