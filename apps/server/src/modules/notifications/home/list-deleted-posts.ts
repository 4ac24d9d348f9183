/** Operation listDeletedPosts: deleted posts that the caller can restore. */
import type { ListDeletedPostsRequest, ListDeletedPostsResponse } from '@portico/contract';
import type { Scope } from '../../../kernel/scope.ts';
import { usersOf } from '../../people/index.ts';
import { restorableSql } from '../../post-parts/index.ts';
import { type OwnPostRow, pageOfOwnPosts, presentOwnPost } from './own-posts.ts';

interface DeletedRow extends OwnPostRow {
  deletedBy: number | null;
}

/** @throws PorticoError NOT_FOUND for a community in which the caller has no role */
export async function listDeletedPosts(scope: Scope, body: ListDeletedPostsRequest): Promise<ListDeletedPostsResponse> {
  const now = scope.clock.now();
  return pageOfOwnPosts<DeletedRow>(scope, body, {
    operation: 'listDeletedPosts',
    at: 'p.deleted_at',
    select: 'p.deleted_by AS "deletedBy"',
    from: 'posts p',
    where: (parameters) => ['p.tenant_id = $1', restorableSql('p', scope.actor, now, parameters)],
    present: async (rows) => {
      const users = await usersOf(
        scope,
        scope.db,
        rows.flatMap((row) => row.deletedBy ?? []),
      );
      return rows.map((row) => ({
        ...presentOwnPost(row),
        deletedByUser: row.deletedBy === null ? undefined : users.get(row.deletedBy),
      }));
    },
  });
}
