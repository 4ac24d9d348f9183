/** The statements of the stream: walks of change rows and of posts, never of a whole community per page. */
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';

/** A post that changed between two positions. */
export interface ChangedPost {
  postId: number;
  communityId: number;
  /** Number of its last change in the window. */
  seq: number;
  modified: boolean;
}

/**
 * Posts that changed after `from` and up to `to`, once each, by their last change, newest first.
 * @param below continue below this position
 */
export function changedPosts(
  db: TenantExecutor,
  window: { from: number; to: number; below: number; communityIds: readonly number[] },
  limit: number,
): Promise<ChangedPost[]> {
  return db.query<ChangedPost>(
    `SELECT c.post_id AS "postId", c.community_id AS "communityId", c.seq,
            EXISTS (SELECT FROM changes m WHERE m.tenant_id = $1 AND m.post_id = c.post_id AND m.seq > $2 AND m.seq <= $3
                     AND m.kind IN (1, 2)) AS modified
       FROM changes c
      WHERE c.tenant_id = $1 AND c.seq > $2 AND c.seq <= $3 AND c.seq < $4 AND c.community_id = ANY ($5::bigint[])
        AND NOT EXISTS (SELECT FROM changes l WHERE l.tenant_id = $1 AND l.post_id = c.post_id AND l.seq > c.seq AND l.seq <= $3)
      ORDER BY c.seq DESC LIMIT $6`,
    [db.tenantId, window.from, window.to, window.below, window.communityIds, limit],
  );
}

/** A post as it stands, and as it stood at a position. */
export interface PostThenAndNow {
  postId: number;
  /** Missing when the post is gone for good. */
  current: { communityId: number; live: boolean; visibility: number; principals: number[] } | undefined;
  /** What the first change after the position says of the time before it; missing when nothing altered who sees it. */
  past: { communityId: number; live: boolean; visibility: number | null; principals: number[] } | undefined;
}

interface ThenAndNowRow {
  postId: number;
  communityId: number | null;
  live: boolean | null;
  visibility: number | null;
  principals: number[];
  thenCommunityId: number | null;
  thenLive: boolean | null;
  thenVisibility: number | null;
  thenPrincipals: number[] | null;
}

/**
 * Who sees posts now and who saw them at a position.
 * @param principals those that matter: the follower and their groups, then and now
 */
export async function postsThenAndNow(
  db: TenantExecutor,
  postIds: readonly number[],
  from: number,
  principals: readonly number[],
): Promise<Map<number, PostThenAndNow>> {
  const rows = await db.query<ThenAndNowRow>(
    `SELECT asked.id AS "postId", p.community_id AS "communityId", p.live, p.visibility,
            ARRAY(SELECT DISTINCT g.principal FROM post_grants g
                   WHERE g.tenant_id = $1 AND g.post_id = asked.id AND g.principal = ANY ($4::bigint[])) AS principals,
            f.community_id AS "thenCommunityId", f.before_live AS "thenLive", f.before_visibility AS "thenVisibility",
            f.before_principals AS "thenPrincipals"
       FROM unnest($2::bigint[]) AS asked(id)
       LEFT JOIN posts p ON p.tenant_id = $1 AND p.id = asked.id
       LEFT JOIN LATERAL (
         SELECT c.community_id, c.before_live, c.before_visibility, c.before_principals FROM changes c
          WHERE c.tenant_id = $1 AND c.post_id = asked.id AND c.acl_changed AND (c.seq > $3 OR c.seq IS NULL)
          ORDER BY c.seq NULLS LAST, c.xid, c.id LIMIT 1) f ON true`,
    [db.tenantId, postIds, from, principals],
  );
  return new Map(
    rows.map((row) => [
      row.postId,
      {
        postId: row.postId,
        current:
          row.communityId === null
            ? undefined
            : {
                communityId: row.communityId,
                live: row.live === true,
                visibility: row.visibility as number,
                principals: row.principals,
              },
        past:
          row.thenCommunityId === null
            ? undefined
            : {
                communityId: row.thenCommunityId,
                live: row.thenLive === true,
                visibility: row.thenVisibility,
                principals: row.thenPrincipals ?? [],
              },
      },
    ]),
  );
}

/**
 * Posts of communities, newest id first: for a first round, and for communities that a follower lost, gained or sees
 * differently. Deleted ones come along where asked: they may have been visible before.
 * @param below continue below this id
 */
export async function postsOfCommunities(
  db: TenantExecutor,
  communityIds: readonly number[],
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT newest.id FROM unnest($2::bigint[]) AS c(id)
      CROSS JOIN LATERAL (
        SELECT p.id FROM posts p WHERE p.tenant_id = $1 AND p.community_id = c.id AND p.live AND p.id < $3
         ORDER BY p.id DESC LIMIT $4) newest
      ORDER BY newest.id DESC LIMIT $4`,
    [db.tenantId, communityIds, below, limit],
  );
  return rows.map((row) => row.id);
}

/** Private posts that grants to the given groups open, newest id first. */
export async function postsGrantedTo(
  db: TenantExecutor,
  principals: readonly number[],
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT g.post_id AS id FROM post_grants g JOIN posts p ON p.tenant_id = g.tenant_id AND p.id = g.post_id
      WHERE g.tenant_id = $1 AND g.principal = ANY ($2::bigint[]) AND g.post_id < $3 AND p.live AND p.visibility = 1
      ORDER BY id DESC LIMIT $4`,
    [db.tenantId, principals, below, limit],
  );
  return rows.map((row) => row.id);
}

/** Of these posts, the ones that changed in a window: they were told in the walk of changes. */
export async function changedAmong(
  db: TenantExecutor,
  postIds: readonly number[],
  from: number,
  to: number,
): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT post_id AS id FROM changes WHERE tenant_id = $1 AND post_id = ANY ($2::bigint[]) AND seq > $3 AND seq <= $4`,
    [db.tenantId, postIds, from, to],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Posts whose readers changed after the end of a round, or so lately that the change has no number yet, newest id first.
 * A follower that lost a role or group in the same moment would otherwise never hear of them: this round no longer finds
 * them where it looks, and for the next one the follower did not see them before.
 */
export async function alteredSince(
  db: TenantExecutor,
  communityIds: readonly number[],
  to: number,
  below: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT DISTINCT id FROM (
       SELECT post_id AS id FROM changes WHERE tenant_id = $1 AND seq > $3 AND acl_changed AND community_id = ANY ($2::bigint[])
       UNION ALL
       SELECT post_id FROM changes WHERE tenant_id = $1 AND seq IS NULL AND acl_changed AND community_id = ANY ($2::bigint[])
     ) altered WHERE id < $4 ORDER BY id DESC LIMIT $5`,
    [db.tenantId, communityIds, to, below, limit],
  );
  return rows.map((row) => row.id);
}
