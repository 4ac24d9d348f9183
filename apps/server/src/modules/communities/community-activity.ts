/** Posts and last activity of communities. */
import type { Community } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../columns.ts';

const q = sqlColumns('posts', 'q');

type Activity = Required<Pick<Community, 'postsCount'>> & Pick<Community, 'lastActivityTimestamp'>;

/**
 * Counts the published posts of communities, and returns the time of the last activity in them, by id
 * of the community. Posts are counted whether or not the caller sees them.
 */
export async function readActivity(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<ReadonlyMap<number, Activity>> {
  const rows = await db.query<{ id: number; posts: number; activeAt: number | null }>(
    `SELECT c.id, p.posts, p."activeAt" FROM unnest($2::bigint[]) AS c (id)
      CROSS JOIN LATERAL (SELECT count(*) AS posts, max(${q.active_at}) AS "activeAt" FROM posts q
        WHERE q.tenant_id = $1 AND ${q.community_id} = c.id AND ${q.live}) p`,
    [db.tenantId, communityIds],
  );
  return new Map(
    rows.map(({ id, posts, activeAt }) => [
      id,
      { postsCount: posts, ...(activeAt !== null && { lastActivityTimestamp: activeAt }) },
    ]),
  );
}
