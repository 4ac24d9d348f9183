/** What accumulates and is no longer needed. */

import type { Tenant } from '../kernel/scope.ts';
import { forgetExpiredAssertions } from '../modules/auth/index.ts';
import { removeUnattachedFiles } from '../modules/files/index.ts';
import { forgetShapes } from '../modules/posts/list-shapes/index.ts';
import { forgetOldChanges, sequenceChanges } from '../modules/stream/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';

/** Answers of writes with an Idempotency-Key are kept this long. Milliseconds. */
const IDEMPOTENCY_MS = 48 * 3_600_000;

export async function tidy(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  const now = services.clock.now();
  await removeUnattachedFiles(db, services.storage, now);
  await sequenceChanges(db);
  await forgetOldChanges(db, now);
  await forgetExpiredAssertions(db, now);
  await forgetShapes(db, now);
  await db.execute('DELETE FROM idempotency_keys WHERE tenant_id = $1 AND created_at < $2', [
    db.tenantId,
    new Date(now - IDEMPOTENCY_MS),
  ]);
}
