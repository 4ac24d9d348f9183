/** Publishes scheduled posts that are due, including posts that became due while no worker ran. */

import type { DueWork } from '../kernel/due-work.ts';
import { PorticoError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/scope.ts';
import { failScheduledPost, publishScheduledPost } from '../modules/posts/index.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';

/** Batch size per tenant. */
const BATCH = 100;

const SCHEDULED = 'FROM posts WHERE tenant_id = $1 AND draft AND deleted_at IS NULL AND scheduled_at IS NOT NULL';

/** Posts that are to be published now. */
export const duePosts: DueWork = { waiting: `SELECT ${SCHEDULED} AND scheduled_at <= $2::timestamptz` };

/** When the next post is to be published. */
export const postsDue: DueWork = { earliest: `SELECT min(scheduled_at) ${SCHEDULED}` };

/** Publishes due posts, in order. @returns their number */
export async function publishDuePosts(services: TenantServices, tenant: Tenant): Promise<number> {
  const db = services.databases.for(tenant.id);
  const due = await db.query<{ id: number; creatorId: number }>(
    `SELECT id, creator_id AS "creatorId" ${SCHEDULED} AND scheduled_at <= $2
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
      // The author is blocked or deleted, or the community refuses the post: recorded as the result code.
      services.log.warn(
        { tenant: tenant.name, post: id, reason: error.code },
        'a scheduled post could not be published',
      );
      await failScheduledPost(await systemScope(services, tenant, await systemAccountOf(services, tenant)), id);
    }
  }
  return published;
}
