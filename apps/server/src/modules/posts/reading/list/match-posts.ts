/** Asks filters of a list of given posts. */
import type { ListCommunityPostsFilteredRequest } from '@portico/contract';
import type { Scope } from '../../../../kernel/scope.ts';
import { getDefinition, seesCommunity } from '../../../communities/index.ts';
import { readListInput } from './list-input.ts';
import { conditionsSql, postsById } from './page-query.ts';
import { Statement } from './statement.ts';

/** Filters of a list of posts. */
type PostFilters = Pick<ListCommunityPostsFilteredRequest, 'communityPostFilters' | 'communityAttachmentFilters'>;

/**
 * Returns the posts that the list of a community would show the actor under these filters. One
 * statement for all posts.
 * @returns undefined if the actor does not see the community
 * @throws ValidationError if the list rejects the filters
 */
export async function matchPosts(
  scope: Scope,
  communityId: number,
  filters: PostFilters,
  postIds: readonly number[],
): Promise<Set<number> | undefined> {
  const definition = seesCommunity(scope.actor, communityId) ? await getDefinition(scope, communityId) : undefined;
  if (!definition) return undefined;
  const { query } = await readListInput(filters, { scope, definition });
  if (postIds.length === 0) return new Set();
  const sql = new Statement(query.tenantId, query.communityId);
  const posts = postsById(`SELECT unnest(${sql.bigints(postIds)}) AS post_id`);
  const rows = await scope.db.query<{ id: number }>(
    `SELECT p.id FROM ${posts} WHERE ${conditionsSql(query, sql)}`,
    sql.values,
  );
  return new Set(rows.map(({ id }) => id));
}
