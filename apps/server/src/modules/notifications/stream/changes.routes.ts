/** The operation of the stream. */
import type { BasePostsStreamChunkElement } from '@portico/contract';
import type { Handlers } from '../../../kernel/operations.ts';
import { hydratePosts, lastFitting } from '../../posts/index.ts';
import { readStream } from './read-stream.ts';

export const changeHandlers = {
  globalPostsStream: async ({ scope, query }) => {
    const chunk = await readStream(scope, query.syncToken || undefined, query.pageToken || undefined);
    const shown = chunk.entries.filter((entry) => entry.status !== 'DELETED').map((entry) => entry.postId);
    const hydrated = await hydratePosts(scope, shown, query);
    const posts = new Map(hydrated.map((post) => [post.id, post]));
    const last = lastFitting(shown, hydrated);
    const end = last === undefined ? undefined : chunk.entries.findIndex((entry) => entry.postId === last);
    const entries = end === undefined ? chunk.entries : chunk.entries.slice(0, end + 1);
    const items = entries.flatMap((entry): BasePostsStreamChunkElement[] => {
      const { postId, communityId, status } = entry;
      if (status === 'DELETED') return [{ id: postId, communityId, status, deleted: true }];
      const post = posts.get(postId);
      // Deleted between the two reads: the next round reports it.
      return post ? [{ ...post, status, deleted: false }] : [];
    });
    if (end !== undefined) return { items, nextPageToken: chunk.tokenAfter(entries[end]!) };
    return {
      items,
      nextPageToken: chunk.nextPageToken || undefined,
      nextSyncToken: chunk.nextSyncToken || undefined,
    };
  },
} satisfies Handlers;
