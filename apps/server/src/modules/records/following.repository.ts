/** SQL of followed and muted communities and posts. */
import { Following } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../kernel/access/index.ts';
import { sqlColumns } from '../columns.ts';

const followingColumns = sqlColumns('following');

/** Returns whether a user follows or has muted a community. */
export async function readFollowing(db: TenantExecutor, userId: number, communityId: number): Promise<Following> {
  const [row] = await db.query<{ following: Following }>(
    `SELECT ${followingColumns.following} FROM ${followingColumns.following} WHERE tenant_id = $1 AND ${followingColumns.user_id} = $2 AND ${followingColumns.community_id} = $3 AND ${followingColumns.post_id} IS NULL`,
    [db.tenantId, userId, communityId],
  );
  return row?.following ?? Following.NONE;
}

/** Stores the caller's choice for a post, or without a post for a community. */
export async function writeFollowing(
  write: WriteScope,
  communityId: number,
  postId: number | null,
  following: Following,
): Promise<void> {
  await write.tx.changeRows<{ id: number }>(
    'following',
    ({ id }) => id,
    `INSERT INTO following (tenant_id, user_id, community_id, post_id, following) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT ON CONSTRAINT following__choice DO UPDATE SET following = excluded.following
     RETURNING id`,
    [write.tx.tenantId, write.actor.userId, communityId, postId, following],
  );
}

/** Keeps the users' choices for a post that moves to another community. */
export async function movePostFollowing(
  { tx }: WriteScope,
  { postId, to }: { postId: number; to: number },
): Promise<void> {
  await tx.send('UPDATE following SET community_id = $3 WHERE tenant_id = $1 AND post_id = $2', [
    tx.tenantId,
    postId,
    to,
  ]);
}
