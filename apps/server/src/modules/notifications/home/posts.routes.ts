/** Operations on the caller's own posts across communities. */
import type { Handlers } from '../../../kernel/operations.ts';
import { listDeletedPosts } from './list-deleted-posts.ts';
import { listMyDrafts } from './list-my-drafts.ts';
import { listRecentPosts } from './list-recent-posts.ts';

export const ownPostHandlers = {
  listMyDrafts: ({ scope, body }) => listMyDrafts(scope, body),
  listDeletedPosts: ({ scope, body }) => listDeletedPosts(scope, body),
  listRecentPosts: ({ scope, body }) => listRecentPosts(scope, body),
} satisfies Handlers;
