/** Operations on the caller's own posts across communities. */
import type { Handlers } from '../../../kernel/operations.ts';
import { listDeletedPosts } from './list-deleted-posts.ts';
import { listMyDrafts } from './list-my-drafts.ts';
import { listRecentPosts } from './list-recent-posts.ts';
import { listWaiting } from './list-waiting.ts';
import { countWaiting, markWaiting } from './mark-waiting.ts';

export const ownPostHandlers = {
  listWaiting: ({ scope, body }) => listWaiting(scope, body),
  countWaiting: ({ scope }) => countWaiting(scope),
  markWaiting: ({ scope, body }) => markWaiting(scope, body ?? {}),
  listMyDrafts: ({ scope, body }) => listMyDrafts(scope, body),
  listDeletedPosts: ({ scope, body }) => listDeletedPosts(scope, body),
  listRecentPosts: ({ scope, body }) => listRecentPosts(scope, body),
} satisfies Handlers;
