/** What concerns the caller across communities. */
import { WaitingKind } from '../codes/defined-codes.ts';
import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

const columns = ['timestamp', 'postId', 'postTitle', 'communityName'] as const;

export const ownWorkOperations = defineOperations('posts', {
  listWaiting: {
    method: 'POST',
    path: '/communication/posts/data/waiting',
    body: 'ListWaitingRequest',
    responses: { 200: 'ListWaitingResponse', 404: null },
    permission: 'authenticated',
    kind: 'read',
    paging: 'page',
    extension: true,
    summary: 'List what waits for the caller',
    description:
      'Open tasks and requests for an acknowledgement that are given to the caller or a group of theirs; mentions that they have not marked as done; and posts on which they are asked to run a transition: one that is open to a group of theirs or to them as the author, or to their role where they watch the post, are invited, have a task on it or are held in a field that lets them see it. The newest first, across communities.',
    requestExamples: examples<'ListWaitingRequest'>({
      all: { summary: 'Everything', value: { pageSize: 20 } },
      steps: { summary: 'Steps in one community', value: { kinds: [WaitingKind.STEP], communityId: 12 } },
    }),
    clientMethod: 'waiting',
    command: { columns: ['kind', ...columns], examples: ['', '--kinds 1,3 --all --output json'] },
  },
  listMyDrafts: {
    method: 'POST',
    path: '/communication/posts/data/my-drafts',
    body: 'ListMyDraftsRequest',
    responses: { 200: 'ListMyDraftsResponse', 404: null },
    permission: 'authenticated',
    kind: 'read',
    paging: 'page',
    extension: true,
    summary: 'List the drafts of the caller',
    description:
      'Drafts and scheduled posts of the caller in all communities where they have a role, the last edited first.',
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
    kind: 'read',
    paging: 'page',
    extension: true,
    summary: 'List deleted posts that the caller can restore',
    description:
      'Posts that were deleted within 30 days, in communities that the caller manages, and their own that they deleted themselves; the last deleted first. `restorePost` takes the deletion back.',
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
    kind: 'read',
    paging: 'page',
    extension: true,
    summary: 'List the posts that the caller read last',
    description:
      'Posts that the caller has read and still sees, in all communities, the last read first. A view counts some seconds after the answer.',
    requestExamples: examples<'ListRecentPostsRequest'>({
      all: { summary: 'All', value: { pageSize: 20 } },
    }),
    clientMethod: 'recent',
    command: { columns: [...columns, 'changed'], examples: ['--limit 10', '--community-id 12 --output json'] },
  },
});
