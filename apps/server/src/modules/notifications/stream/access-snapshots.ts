/**
 * The reach of a follower at the time it was given a token. The stream compares it with the present
 * reach, so that lost communities arrive as DELETED and gained ones as CREATED
 * (docs/decisions/stream.md).
 */

import { RoleId } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { stableHash } from '@portico/platform/tokens';
import { hasPermission, type PostReaders, seesLivePost } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { Actor, CommunityRole } from '../../../kernel/scope.ts';
import { streamCutoff } from '../../records/index.ts';

/** A follower's reach: roles by community, and groups. */
export interface Reach {
  readonly userId: number;
  readonly roles: ReadonlyMap<number, CommunityRole>;
  readonly groupIds: readonly number[];
}

/**
 * Milliseconds for which a use of a reach is not recorded again, so that most reads of the stream
 * write nothing.
 */
const USED_LATELY_MS = 3_600_000;

/**
 * Stores the reach of an actor. In a snapshot transaction it may fail to serialise with another
 * request of the same actor, once an hour.
 * @returns its id, the same for the same reach
 */
export async function keepReach(db: TenantExecutor, reach: Reach, now: number): Promise<number> {
  const communityIds = [...reach.roles.keys()].sort((a, b) => a - b);
  const roleIds = communityIds.map((id) => reach.roles.get(id) as number);
  const groupIds = [...reach.groupIds].sort((a, b) => a - b);
  const digest = stableHash([communityIds, roleIds, groupIds]);
  const [kept] = await db.query<{ id: number }>(
    'SELECT id FROM access_snapshots WHERE tenant_id = $1 AND user_id = $2 AND digest = $3 AND used_at > $4',
    [db.tenantId, reach.userId, digest, new Date(now - USED_LATELY_MS)],
  );
  if (kept) return kept.id;
  const [row] = await db.query<{ id: number }>(
    `INSERT INTO access_snapshots (tenant_id, user_id, digest, community_ids, role_ids, group_ids, created_at, used_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (tenant_id, user_id, digest) DO UPDATE SET used_at = greatest(access_snapshots.used_at, EXCLUDED.used_at)
     RETURNING id`,
    [db.tenantId, reach.userId, digest, communityIds, roleIds, groupIds, new Date(now)],
  );
  return row!.id;
}

/** Schedule for deleting reaches. */
export const reachesDue: DueWork = {
  earliest: 'SELECT min(used_at) FROM access_snapshots WHERE tenant_id = $1',
  afterMs: () => -streamCutoff(0),
};

/** Deletes reaches that no valid token refers to. */
export async function forgetReaches(db: TenantExecutor, now: number): Promise<void> {
  await db.execute('DELETE FROM access_snapshots WHERE tenant_id = $1 AND used_at < $2', [
    db.tenantId,
    new Date(streamCutoff(now)),
  ]);
}

/** Reads stored reaches of one user. */
export async function readReaches(
  db: TenantExecutor,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, Reach>> {
  const rows = await db.query<{ id: number; communityIds: number[]; roleIds: number[]; groupIds: number[] }>(
    `SELECT id, community_ids AS "communityIds", role_ids AS "roleIds", group_ids AS "groupIds"
       FROM access_snapshots WHERE tenant_id = $1 AND user_id = $2 AND id = ANY ($3::bigint[])`,
    [db.tenantId, userId, ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        userId,
        roles: new Map(row.communityIds.map((id, index) => [id, row.roleIds[index] as CommunityRole])),
        groupIds: row.groupIds,
      },
    ]),
  );
}

/** The reach of an actor. */
export function reachOf(actor: Actor): Reach {
  // Only visibility counts: a custom role of the tenant that sees all posts is stored as a
  // manager's.
  const roles = new Map([...actor.roles]);
  for (const id of actor.permissions?.keys() ?? [])
    if (hasPermission(actor, id, 'readAllPosts')) roles.set(id, RoleId.MANAGER);
  return { userId: actor.userId, roles, groupIds: actor.groupIds };
}

/** Returns whether a follower saw a post at a moment that may be past. */
export function reaches(reach: Reach, post: PostReaders & { communityId: number }): boolean {
  const principals = [reach.userId, ...reach.groupIds.map((id) => -id)];
  return seesLivePost({ roles: reach.roles, principals }, post.communityId, post);
}
