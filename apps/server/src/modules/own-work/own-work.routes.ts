/** The operations of what concerns the caller across communities. */
import type { Handlers } from '../../kernel/operations.ts';
import { listDeletedPosts } from './list-deleted-posts.ts';
import { listMyDrafts } from './list-my-drafts.ts';
import { listRecentPosts } from './list-recent-posts.ts';
import { listWaiting } from './list-waiting.ts';

export const ownWorkHandlers = {
  listWaiting: ({ scope, body }) => listWaiting(scope, body),
  listMyDrafts: ({ scope, body }) => listMyDrafts(scope, body),
  listDeletedPosts: ({ scope, body }) => listDeletedPosts(scope, body),
  listRecentPosts: ({ scope, body }) => listRecentPosts(scope, body),
} satisfies Handlers;
