/** The caller's posts across communities. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

const columns = ['timestamp', 'postId', 'postTitle', 'communityName'] as const;

export const ownPostOperations = defineOperations('posts', {
  listMyDrafts: {
    method: 'POST',
    path: '/communication/posts/data/my-drafts',
    body: 'ListMyDraftsRequest',
    responses: { 200: 'ListMyDraftsResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List the drafts of the caller',
    description:
      'Returns drafts and scheduled posts of the caller in all communities where they have a ' +
      'role, the last edited first.',
    requestExamples: examples<'ListMyDraftsRequest'>({
      all: { summary: 'All', value: { pageSize: 20 } },
    }),
    clientMethod: 'drafts',
    command: { columns: [...columns, 'scheduledTimestamp'], examples: ['', '--community-id 12 --output json'] },
  },
  listDeletedPosts: {
    method: 'POST',
    path: '/communication/posts/data/deleted',
    body: 'ListDeletedPostsRequest',
    responses: { 200: 'ListDeletedPostsResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List deleted posts that the caller can restore',
    description:
      'Returns posts deleted in the last 30 days, in communities that the caller manages, and ' +
      'own posts that the caller deleted; the last deleted first. `restorePost` takes the ' +
      'deletion back.',
    requestExamples: examples<'ListDeletedPostsRequest'>({
      all: { summary: 'All', value: { pageSize: 20 } },
    }),
    clientMethod: 'deleted',
    command: { columns: [...columns, 'deletedByUser.lastName'], examples: ['', '--community-id 12 --output json'] },
  },
  listRecentPosts: {
    method: 'POST',
    path: '/communication/posts/data/recent',
    body: 'ListRecentPostsRequest',
    responses: { 200: 'ListRecentPostsResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List the posts that the caller read last',
    description:
      'Returns posts that the caller has read and still sees, in all communities, the last ' +
      'read first. A view counts some seconds after the response.',
    requestExamples: examples<'ListRecentPostsRequest'>({
      all: { summary: 'All', value: { pageSize: 20 } },
    }),
    clientMethod: 'recent',
    command: { columns: [...columns, 'changed'], examples: ['--limit 10', '--community-id 12 --output json'] },
  },
});
