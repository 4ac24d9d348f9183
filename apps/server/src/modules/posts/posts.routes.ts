/** Operations of posts whose work other folders do. */

import type { Handlers } from '../../kernel/operations.ts';
import {
  acknowledgePost,
  editPostLike,
  listAcknowledgements,
  listPostLikes,
  requestAcknowledgements,
  withdrawAcknowledgements,
} from '../post-parts/index.ts';
import { listEventGuests } from './calendars/list-event-guests.ts';
import { getPostCapabilities } from './workflow/read-screen.ts';
import { transitionPosts } from './workflow/transition-posts.ts';

export const postPartHandlers = {
  editPostLike: ({ scope, params, body }) => editPostLike(scope, params.postId, body.liked ?? true),
  listPostLikes: ({ scope, params, body }) => listPostLikes(scope, params.postId, body),
  requestAcknowledgements: ({ scope, params, body }) => requestAcknowledgements(scope, params.postId, body ?? {}),
  withdrawAcknowledgements: ({ scope, params, body }) => withdrawAcknowledgements(scope, params.postId, body ?? {}),
  acknowledgePost: ({ scope, params }) => acknowledgePost(scope, params.postId),
  listAcknowledgements: ({ scope, params, body }) => listAcknowledgements(scope, params.postId, body ?? {}),
  listEventGuests: ({ scope, params, body }) => listEventGuests(scope, params.postId, body),
  getPostCapabilities: ({ scope, params }) => getPostCapabilities(scope, params.postId),
  transitionPosts: ({ scope, body }) => transitionPosts(scope, body ?? {}),
} satisfies Handlers;
