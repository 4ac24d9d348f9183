/** The stream of changes. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';
import { mainAttachmentFlags } from '../query.ts';
import { samplePost } from '../sample-values.ts';

export const changeOperations = defineOperations('changes', {
  globalPostsStream: {
    method: 'POST',
    path: '/communication/posts/data/global-stream',
    query: {
      syncToken: {
        type: 'string',
        description:
          '`nextSyncToken` of the last finished round. If omitted, the stream starts with ' + 'every visible post.',
      },
      pageToken: {
        type: 'string',
        description: '`nextPageToken` of the page before, together with the same `syncToken`.',
      },
      ...mainAttachmentFlags,
    },
    responses: { 200: 'GlobalPostsStreamResponse', 403: null },
    permission: 'authenticated',
    paging: 'stream',
    summary: 'Follow all posts the caller sees',
    description:
      'Returns the posts that were created, modified, touched or deleted since `syncToken`, ' +
      'across all communities, each post once, newest first. While `nextPageToken` comes, the ' +
      'round continues: call again with it and the same `syncToken`. When it is absent, keep ' +
      '`nextSyncToken` for the next round. A post that the caller may no longer see arrives as ' +
      'DELETED, with only its ids. Tokens live 30 days; an older or unknown token returns 400 ' +
      'and asks for a new start.',
    responseExamples: examples<'GlobalPostsStreamResponse'>({
      round: {
        summary: 'The end of a round',
        value: {
          items: [
            { ...samplePost, status: 'MODIFIED', deleted: false },
            { id: 1198, communityId: 5, status: 'DELETED', deleted: true },
          ],
          nextSyncToken: 'eyJnIjoxLCJzIjo0NzExfQ.c2ln',
        },
      },
    }),
    clientMethod: 'page',
    formerMethod: 'stream.read',
    command: {
      rows: 'items',
      columns: ['status', 'id', 'communityId', 'customId', 'title'],
      examples: ['--output json', '--sync-token @token.txt --output ndjson'],
    },
  },
});
