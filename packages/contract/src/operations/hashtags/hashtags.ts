/** Hashtags of a community. */
import { defineOperations } from '../define.ts';

export const hashtagsOperations = defineOperations('hashtags', {
  listHashtags: {
    method: 'POST',
    path: '/admin/data/communities/{communityId}/hashtags',
    body: 'AdminListHashtagsRequest',
    responses: { 200: 'AdminListHashtagsResponse', 403: null, 404: null },
    permission: 'seeCommunity',
    paging: 'page',
    summary: 'List the hashtags of a community',
    description: 'Returns hashtags by part of their name; deleted hashtags only on request.',
    clientMethod: 'list',
    command: {
      columns: ['id', 'name', 'externalId', 'deleted'],
      examples: ['2 --all', '2 --name urg --include-deleted --output json'],
    },
  },
});
