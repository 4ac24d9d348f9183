/** Operation listPostComments: the comments of a post, the newest first. */
import type { ListPostCommentsRequest, PostComment } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { forbidden } from '../../../kernel/errors.ts';
import { type Page, type PagingInput, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { definitionOf } from '../common/definition-of.ts';
import { requirePost } from '../common/post-row.ts';
import { type PostFacts, postCapabilities } from '../policy/post-capabilities.ts';
import { findComments, pageOfComments } from './comments.repository.ts';
import { presentComments } from './load-comments.ts';

/**
 * Returns a page of comments. Deleted comments are included as placeholders, so that threads stay
 * complete.
 * @throws PorticoError NOT_FOUND; FORBIDDEN where the community hides comments from the caller
 * (docs/decisions/people.md)
 */
export async function listPostComments(
  scope: Scope,
  postId: number,
  body: ListPostCommentsRequest | undefined,
  query?: PagingInput,
): Promise<Page<PostComment>> {
  const request = readPaging<SortKey>(scope, 'listPostComments', body, { postId }, query);
  const post = await requirePost(scope.db, scope.actor, postId);
  const definition = await definitionOf(scope, post.communityId);
  if (!postCapabilities(scope.actor, definition, post).canViewComment) {
    throw forbidden('Missing capability: canViewComment.');
  }
  const { rows, ...paging } = await pageOfComments(scope.db, scope.actor.userId, postId, request);
  return { items: await presentComments(scope, scope.db, definition, post, rows), ...paging };
}

/**
 * Returns comments of a post by id, for its history. The caller has checked that the reader sees
 * the post and its comments.
 */
export async function loadComments(
  scope: Scope,
  db: TenantExecutor,
  definition: CommunityDefinition,
  post: PostFacts & { id: number; importedAt: number | null },
  ids: readonly number[],
): Promise<Map<number, PostComment>> {
  const rows = await findComments(db, scope.actor.userId, post.id, ids);
  const presented = await presentComments(scope, db, definition, post, rows);
  return new Map(presented.map((comment) => [comment.id as number, comment]));
}
