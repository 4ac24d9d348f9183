/** Reading posts: operation → read → response. */
import type { Handlers, OperationRequest } from '../../../kernel/operations.ts';
import { checkVisibility } from './check-visibility.ts';
import { countView } from './count-views.ts';
import { fromDeprecated } from './list/list-input.ts';
import { listPosts } from './list/list-posts.ts';
import type { PostName } from './post-name.ts';
import { loadPostDetail } from './read-post.ts';
import { summarisePosts } from './summary/summarise-posts.ts';

/** Reads a post and counts the view once the response is sent (docs/decisions/lists.md). */
async function readPost(
  { scope, afterAnswer }: Pick<OperationRequest<'getPostDetailById'>, 'scope' | 'afterAnswer'>,
  name: PostName,
  flags: OperationRequest<'getPostDetailById'>['query'],
) {
  const { postId, answer } = await loadPostDetail(scope, name, flags);
  const view = { userId: scope.actor.userId, postId, at: scope.clock.now() };
  afterAnswer(() => countView(scope.db, view));
  return answer;
}

export const postReadingHandlers = {
  getPostDetailById: (request) => readPost(request, { id: request.params.postId }, request.query),
  getPostDetailByClientUid: (request) => readPost(request, { clientUid: request.params.clientUid }, request.query),
  listCommunityPostsFiltered: ({ scope, params, query, body }) =>
    listPosts(scope, 'listCommunityPostsFiltered', params.communityId, body ?? {}, query),
  listCommunityPosts: ({ scope, params, query, body }) =>
    listPosts(scope, 'listCommunityPosts', params.communityId, fromDeprecated(body ?? {}), query),
  summarisePosts: ({ scope, params, body }) => summarisePosts(scope, params.communityId, body ?? {}),
  checkPostVisibility: ({ scope, body }) => checkVisibility(scope, body?.ids ?? []),
  checkPostVisibilityWithComments: ({ scope, body }) => checkVisibility(scope, body?.ids ?? []),
} satisfies Handlers;
