/**
 * Changes of definitions that go over the posts of a community in the background (table `definition_changes`): begun by the edit
 * that needs them, worked on in small transactions by every node, continued after a crash where they were.
 */
import type { WriteScope } from '../../kernel/access/index.ts';
import { takeIds } from '../../platform/db/take-ids.ts';
import type { TenantTx } from '../../platform/db/tenant-db.ts';

/** What is done with each post. */
export interface ChangeKinds {
  /** Search text, mentions and hashtags are worked out anew: who sees a text field has changed. */
  refreshTexts: Record<string, never>;
}
export type ChangeKind = keyof ChangeKinds;

/** A change that is not finished. */
export type DueChange = {
  [K in ChangeKind]: {
    readonly id: number;
    readonly communityId: number;
    readonly kind: K;
    readonly details: ChangeKinds[K];
    /** Number of the last post that was worked on. */
    readonly position: number;
  };
}[ChangeKind];

/** Begins a change of the posts of some communities. It is due when the transaction commits. */
export async function startChanges<K extends ChangeKind>(
  write: WriteScope,
  communityIds: readonly number[],
  kind: K,
  details: ChangeKinds[K],
): Promise<void> {
  if (communityIds.length === 0) return;
  const ids = await takeIds(write.tx, 'definition_changes', communityIds.length);
  await write.tx.execute(
    `INSERT INTO definition_changes (tenant_id, id, community_id, kind, details, started_by, started_at)
     SELECT a.tenant_id, c.id, c.community_id, $4, $5::jsonb, $6, $7
       FROM tenant_versions a, unnest($2::bigint[], $3::bigint[]) AS c (id, community_id) WHERE a.tenant_id = $1`,
    [write.tx.tenantId, ids, communityIds, kind, JSON.stringify(details), write.actor.userId, new Date(write.now)],
  );
}

/** Holds the oldest change that is due and that no other node works on. */
export async function holdDueChange(tx: TenantTx): Promise<DueChange | undefined> {
  const [row] = await tx.query<DueChange>(
    `SELECT id, community_id AS "communityId", kind, details, position FROM definition_changes
      WHERE tenant_id = $1 AND finished_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [tx.tenantId],
  );
  return row;
}

/** The next posts of a change in the order of their numbers, held until the write ends. */
export async function holdNextPosts(
  tx: TenantTx,
  change: DueChange,
  limit: number,
): Promise<{ id: number; customNo: number }[]> {
  return tx.query(
    `SELECT id, custom_no AS "customNo" FROM posts
      WHERE tenant_id = $1 AND community_id = $2 AND custom_no > $3 ORDER BY custom_no LIMIT $4 FOR NO KEY UPDATE`,
    [tx.tenantId, change.communityId, change.position, limit],
  );
}

/** Notes that posts were worked on. @param last whether no more are left */
export async function noteProgress(
  write: WriteScope,
  change: DueChange,
  posts: readonly { customNo: number }[],
  last: boolean,
): Promise<void> {
  await write.tx.execute(
    `UPDATE definition_changes SET position = $3, posts_done = posts_done + $4, finished_at = $5
      WHERE tenant_id = $1 AND id = $2`,
    [
      write.tx.tenantId,
      change.id,
      posts.at(-1)?.customNo ?? change.position,
      posts.length,
      last ? new Date(write.now) : null,
    ],
  );
}
