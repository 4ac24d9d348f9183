/**
 * Counts views of posts. A view is written after the response, together with the other views of the
 * moment (docs/decisions/lists.md): readers of a popular post would otherwise wait for each other
 * to update its row. Rows are written in the order of their keys, so that two batches do not
 * deadlock.
 */
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { holdCommunities } from '../../records/index.ts';

/** A view of a post. */
interface View {
  readonly userId: number;
  readonly postId: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Maximum number of views that one statement writes. */
const MAX_BATCH = 500;

interface Pending {
  views: View[];
  running: Promise<void> | undefined;
}

const pendingViews = new WeakMap<TenantDb, Pending>();

/** Writes a view with the next batch. Resolves when it is written. */
export async function countView({ detached: db }: TenantDb, view: View): Promise<void> {
  let pending = pendingViews.get(db);
  if (!pending) {
    pending = { views: [], running: undefined };
    pendingViews.set(db, pending);
  }
  pending.views.push(view);
  // While a batch is being written the next one gathers.
  while (pending.views.includes(view)) {
    if (pending.running) await settled(pending.running);
    else await writeBatch(db, pending);
  }
  // The view may be in a batch that another caller is still writing.
  if (pending.running) await settled(pending.running);
}

async function writeBatch(db: TenantDb, pending: Pending): Promise<void> {
  pending.running = writeViews(db, pending.views.splice(0, MAX_BATCH));
  try {
    await pending.running;
  } finally {
    pending.running = undefined;
  }
}

/** Waits for a batch of other callers, who report its failure. */
async function settled(work: Promise<void>): Promise<void> {
  await Promise.allSettled([work]);
}

/** Writes views: per reader and post the last time and the number, per post the totals. */
export async function writeViews(db: TenantDb, views: readonly View[]): Promise<void> {
  const merged = new Map<string, { view: View; count: number }>();
  for (const view of views) {
    const key = `${view.userId}:${view.postId}`;
    const known = merged.get(key);
    if (!known) merged.set(key, { view, count: 1 });
    else merged.set(key, { view: view.at > known.view.at ? view : known.view, count: known.count + 1 });
  }
  await db.transaction(async (tx) => {
    const named = [...new Set(views.map(({ postId }) => postId))];
    const communities = await holdCommunities(tx, named);
    const rows = [...merged.values()].filter(({ view }) => communities.has(view.postId));
    const given = [tx.tenantId, rows.map((row) => row.view.userId), rows.map((row) => row.view.postId)];
    await tx.send(
      `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id)
       SELECT a.tenant_id, v.user_id, v.post_id, v.community_id
         FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS v (user_id, post_id, community_id)
        WHERE a.tenant_id = $1 ORDER BY v.post_id, v.user_id
       ON CONFLICT DO NOTHING`,
      [...given, rows.map((row) => communities.get(row.view.postId))],
    );
    // The row before the update says whether this is the reader's first view, also when two nodes count it at once.
    const written = await tx.query<{ postId: number; count: number; first: boolean }>(
      `WITH held AS MATERIALIZED (
         SELECT s.user_id, s.post_id, s.viewed_at, v.at, v.count
           FROM unnest($2::bigint[], $3::bigint[], $4::timestamptz[], $5::bigint[]) AS v (user_id, post_id, at, count)
           JOIN post_user_state s ON s.tenant_id = $1 AND s.user_id = v.user_id AND s.post_id = v.post_id
          ORDER BY s.post_id, s.user_id FOR UPDATE OF s)
       UPDATE post_user_state s
          SET viewed_at = greatest(s.viewed_at, h.at), unread = false, views_count = s.views_count + h.count
         FROM held h
        WHERE s.tenant_id = $1 AND s.user_id = h.user_id AND s.post_id = h.post_id
        RETURNING s.post_id AS "postId", h.count, h.viewed_at IS NULL AS first`,
      [...given, rows.map((row) => new Date(row.view.at)), rows.map((row) => row.count)],
    );
    const posts = new Map<number, { views: number; viewers: number }>();
    for (const row of written) {
      const total = posts.get(row.postId) ?? { views: 0, viewers: 0 };
      posts.set(row.postId, { views: total.views + row.count, viewers: total.viewers + (row.first ? 1 : 0) });
    }
    if (posts.size === 0) return;
    const ids = [...posts.keys()].sort((a, b) => a - b);
    await tx.send(
      `INSERT INTO post_view_counts AS c (tenant_id, post_id, views_count, viewers_count)
       SELECT a.tenant_id, v.* FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::integer[]) AS v (post_id, views, viewers)
        WHERE a.tenant_id = $1 ORDER BY v.post_id
       ON CONFLICT (tenant_id, post_id) DO UPDATE
         SET views_count = c.views_count + excluded.views_count, viewers_count = c.viewers_count + excluded.viewers_count`,
      [tx.tenantId, ids, ids.map((id) => posts.get(id)!.views), ids.map((id) => posts.get(id)!.viewers)],
    );
  });
}
