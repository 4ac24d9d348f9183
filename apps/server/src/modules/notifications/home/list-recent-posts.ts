/** Operation listRecentPosts: posts that the caller has read most recently. */
import type { ListRecentPostsRequest, ListRecentPostsResponse } from '@portico/contract';
import { visiblePostSql } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { knownUntilSql, type OwnPostRow, pageOfOwnPosts, presentOwnPost } from './own-posts.ts';

interface RecentRow extends OwnPostRow {
  changed: boolean;
}

/** @throws PorticoError NOT_FOUND for a community in which the caller has no role */
export async function listRecentPosts(scope: Scope, body: ListRecentPostsRequest): Promise<ListRecentPostsResponse> {
  return pageOfOwnPosts<RecentRow>(scope, body, {
    operation: 'listRecentPosts',
    at: 's.viewed_at',
    select: `p.active_at > ${knownUntilSql('s')} AS changed`,
    from: 'post_user_state s JOIN posts p ON p.tenant_id = $1 AND p.id = s.post_id',
    where: (parameters) => [
      's.tenant_id = $1',
      `s.user_id = ${parameters.add(scope.actor.userId)}::bigint`,
      's.viewed_at IS NOT NULL',
      visiblePostSql('p', scope.actor, parameters),
    ],
    present: async (rows) => rows.map((row) => ({ ...presentOwnPost(row), changed: row.changed })),
  });
}
