/** Planned posts whose time has come, also those whose time came while nothing ran. */

import { PorticoError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/scope.ts';
import { failScheduledPost, publishScheduledPost } from '../modules/posts/writing/index.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';

/** Posts looked at in one round per tenant. */
const BATCH = 100;

/** Publishes what is due, in order. @returns how many were published */
export async function publishDuePosts(services: TenantServices, tenant: Tenant): Promise<number> {
  const db = services.databases.for(tenant.id);
  const due = await db.query<{ id: number; creatorId: number }>(
    `SELECT id, creator_id AS "creatorId" FROM posts
      WHERE tenant_id = $1 AND draft AND deleted_at IS NULL AND scheduled_at IS NOT NULL AND scheduled_at <= $2
      ORDER BY scheduled_at, id LIMIT ${BATCH}`,
    [tenant.id, new Date(services.clock.now())],
  );
  let published = 0;
  for (const { id, creatorId } of due) {
    try {
      const scope = await systemScope(services, tenant, creatorId);
      if ((await publishScheduledPost(scope, id)) === 'published') published++;
    } catch (error) {
      if (!(error instanceof PorticoError)) throw error;
      // The author is blocked or gone, or the community no longer takes the post: said by the result code.
      services.log.warn(
        { tenant: tenant.name, post: id, reason: error.code },
        'a scheduled post could not be published',
      );
      await failScheduledPost(await systemScope(services, tenant, await systemAccountOf(services, tenant)), id);
    }
  }
  return published;
}
