/** The operation of the stream. */
import type { BasePostsStreamChunkElement } from '@portico/contract';
import type { Handlers } from '../../kernel/operations.ts';
import { hydratePosts } from '../posts/reading/index.ts';
import { readStream } from './read-stream.ts';

export const streamHandlers = {
  globalPostsStream: async ({ scope, query }) => {
    const chunk = await readStream(scope, query.syncToken || undefined, query.pageToken || undefined);
    const shown = chunk.entries.filter((entry) => entry.status !== 'DELETED').map((entry) => entry.postId);
    const posts = new Map((await hydratePosts(scope, shown, query)).map((post) => [post.id, post]));
    const items = chunk.entries.flatMap((entry): BasePostsStreamChunkElement[] => {
      const { postId, communityId, status } = entry;
      if (status === 'DELETED') return [{ id: postId, communityId, status, deleted: true }];
      const post = posts.get(postId);
      // Deleted between the two reads: the next round reports it.
      return post ? [{ ...post, status, deleted: false }] : [];
    });
    return {
      items,
      ...(chunk.nextPageToken && { nextPageToken: chunk.nextPageToken }),
      ...(chunk.nextSyncToken && { nextSyncToken: chunk.nextSyncToken }),
    };
  },
} satisfies Handlers;
