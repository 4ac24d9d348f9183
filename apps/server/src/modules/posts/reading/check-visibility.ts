/** Visibility checks of posts (operations checkPostVisibility, checkPostVisibilityWithComments). */
import type { CheckVisibilityWithCommentsResponse } from '@portico/contract';
import { seesComments } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { getDefinitions } from '../../communities/index.ts';
import { visiblePosts } from './post-rows.repository.ts';

/**
 * Returns the visible posts among the given ones, in the order of the ids, and whether the caller
 * sees the comments of each; unknown and invisible posts are omitted.
 */
export async function checkVisibility(
  scope: Scope,
  ids: readonly number[],
): Promise<CheckVisibilityWithCommentsResponse> {
  const wanted = [...new Set(ids)];
  const rows = await visiblePosts(scope.db, scope.actor, wanted);
  const communities = new Map(rows.map((row) => [row.id, row.communityId]));
  const definitions = await getDefinitions(scope, [...new Set(communities.values())]);
  return {
    posts: wanted.flatMap((id) => {
      const communityId = communities.get(id);
      if (communityId === undefined) return [];
      const definition = definitions.get(communityId);
      return [{ id, canViewComments: definition ? seesComments(scope.actor, definition.community) : undefined }];
    }),
  };
}
