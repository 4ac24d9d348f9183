/**
 * Operations getCommunityTree and visitCommunity: workspaces and communities with counts of new
 * posts.
 */
import {
  type CommunityTree,
  treeLimits,
  type VisitCommunityRequest,
  type VisitCommunityResponse,
} from '@portico/contract';
import { compare } from '@portico/platform/compare';
import { sortKey } from '@portico/platform/text';
import { clampedDate } from '@portico/platform/time';
import { Parameters, visiblePostSql, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { knownUntilSql } from './own-posts.ts';

const c = sqlColumns('communities', 'c');
const f = sqlColumns('favourite_communities', 'f');
const s = sqlColumns('post_user_state', 's');
const x = sqlColumns('posts', 'x');
const w = sqlColumns('workspaces', 'w');

const DAY_MS = 86_400_000;
/** Maximum of recent posts examined per community; a person may see only a few of them. */
const MOST_EXAMINED = 2 * treeLimits.newPosts;

interface Row {
  communityId: number;
  communityName: string;
  workspaceId: number;
  workspaceName: string;
  favourite: boolean;
  /** Epoch milliseconds; null before the first visit. */
  visitedAt: number | null;
  newPosts: number;
}

/**
 * Returns the communities in which the caller has a role, by workspace, with bounded counts of new
 * posts: posts that somebody else published, edited, commented or moved on since the caller's last
 * visit, and that the caller has not opened since.
 */
export async function getCommunityTree(scope: Scope): Promise<CommunityTree> {
  const { actor } = scope;
  const parameters = new Parameters([scope.tenant.id, actor.userId]);
  const communities = parameters.add([...actor.roles.keys()]);
  const since = parameters.add(new Date(scope.clock.now() - treeLimits.daysWithoutVisit * DAY_MS));
  const visible = visiblePostSql('p', actor, parameters);
  const rows = await scope.db.query<Row>(
    `SELECT ${c.id} AS "communityId", ${c.name} AS "communityName", ${w.id} AS "workspaceId", ${w.name} AS "workspaceName",
            ${f.id} IS NOT NULL AS favourite, v.visited_at AS "visitedAt", fresh.count AS "newPosts"
       FROM communities c
       JOIN workspaces w ON w.tenant_id = $1 AND ${w.id} = ${c.workspace_id}
       LEFT JOIN community_visits v ON v.tenant_id = $1 AND v.user_id = $2 AND v.community_id = ${c.id}
       LEFT JOIN favourite_communities f ON f.tenant_id = $1 AND ${f.user_id} = $2 AND ${f.community_id} = ${c.id}
      CROSS JOIN LATERAL (
        SELECT count(*) AS count FROM (
          SELECT FROM (
            SELECT ${x.id}, ${x.community_id}, ${x.live}, ${x.visibility}, ${x.recent_at}, ${x.recent_by} FROM posts x
             WHERE x.tenant_id = $1 AND ${x.community_id} = ${c.id} AND ${x.live} AND ${x.recent_at} > coalesce(v.visited_at, ${since})
             ORDER BY ${x.recent_at} DESC, ${x.id} DESC LIMIT ${MOST_EXAMINED}) p
           WHERE ${visible} AND p.recent_by IS DISTINCT FROM $2
             AND NOT EXISTS (
               SELECT FROM post_user_state s WHERE s.tenant_id = $1 AND ${s.user_id} = $2 AND ${s.post_id} = p.id AND NOT ${s.unread}
                  AND ${knownUntilSql('s')} >= p.recent_at)
           LIMIT ${treeLimits.newPosts}) seen) fresh
      WHERE c.tenant_id = $1 AND ${c.id} = ANY (${communities}::bigint[])`,
    parameters.values,
  );
  return { workspaces: inWorkspaces(rows) };
}

/** Groups communities by workspace, both ordered by name. */
function inWorkspaces(rows: readonly Row[]) {
  const byName = rows
    .map((row) => ({ row, workspace: sortKey(row.workspaceName), community: sortKey(row.communityName) }))
    .sort(
      (a, b) =>
        compare(a.workspace, b.workspace) ||
        a.row.workspaceId - b.row.workspaceId ||
        compare(a.community, b.community) ||
        a.row.communityId - b.row.communityId,
    );
  return [...Map.groupBy(byName, ({ row }) => row.workspaceId)].map(([workspaceId, places]) => ({
    workspaceId,
    workspaceName: places[0]!.row.workspaceName,
    communities: places.map(({ row }) => ({
      communityId: row.communityId,
      communityName: row.communityName,
      favourite: row.favourite,
      newPosts: row.newPosts,
      visitTimestamp: row.visitedAt ?? undefined,
    })),
  }));
}

/**
 * Records a visit of the caller to a community, after which earlier events no longer count as new;
 * or takes a visit back.
 * @throws PorticoError NOT_FOUND
 */
export async function visitCommunity(
  scope: Scope,
  communityId: number,
  { untilTimestamp, takeBack }: VisitCommunityRequest,
): Promise<VisitCommunityResponse> {
  return writeTransaction(scope, 'none', async ({ tx, actor, now }) => {
    if (!actor.roles.has(communityId)) throw notFound();
    if (takeBack) return { communityId, ...(await takeVisitBack(tx, actor.userId, communityId, untilTimestamp)) };
    const [row] = await tx.changeRows<{ id: number; visitedAt: number }>(
      'community_visits',
      ({ id }) => id,
      `INSERT INTO community_visits (tenant_id, user_id, community_id, visited_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, user_id, community_id)
       DO UPDATE SET visited_at = greatest(community_visits.visited_at, excluded.visited_at)
       RETURNING id, visited_at AS "visitedAt"`,
      [tx.tenantId, actor.userId, communityId, clampedDate(Math.min(untilTimestamp ?? now, now))],
    );
    return { communityId, visitTimestamp: row!.visitedAt };
  });
}

/** Moves the visit of a user to an earlier time, or deletes it. @returns the remaining visit */
async function takeVisitBack(
  tx: WriteScope['tx'],
  userId: number,
  communityId: number,
  until: number | undefined,
): Promise<{ visitTimestamp?: number }> {
  const visit = [tx.tenantId, userId, communityId];
  const of = 'WHERE tenant_id = $1 AND user_id = $2 AND community_id = $3';
  const rows = await tx.changeRows<{ id: number; visitedAt: number }>(
    'community_visits',
    ({ id }) => id,
    until === undefined
      ? `DELETE FROM community_visits ${of} RETURNING id, visited_at AS "visitedAt"`
      : `UPDATE community_visits SET visited_at = least(visited_at, $4) ${of} RETURNING id, visited_at AS "visitedAt"`,
    until === undefined ? visit : [...visit, clampedDate(until)],
  );
  const [left] = rows;
  return until === undefined || left === undefined ? {} : { visitTimestamp: left.visitedAt };
}
