/** The caller's work across communities. */
import { WaitingKind } from '../../codes/defined-codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

const columns = ['timestamp', 'postId', 'postTitle', 'communityName'] as const;

export const ownWorkOperations = defineOperations('posts', {
  listWaiting: {
    method: 'POST',
    path: '/communication/posts/data/waiting',
    body: 'ListWaitingRequest',
    responses: { 200: 'ListWaitingResponse', 404: null },
    permission: 'authenticated',
    paging: 'page',
    extension: true,
    summary: 'List the work that waits for the caller',
    description:
      'Returns open tasks and requests for an acknowledgement that are assigned to the caller ' +
      'or to one of their groups; mentions that they have not marked as done; and posts that ' +
      'wait for a transition by the caller. The transition is open to one of their groups, to ' +
      'the caller as the author, or to their role if they watch the post, are invited, have a ' +
      'task on it or are held in a field that lets them see it. The newest items come first, ' +
      'across communities.',
    requestExamples: examples<'ListWaitingRequest'>({
      all: { summary: 'Everything', value: { pageSize: 20 } },
      steps: { summary: 'Steps in one community', value: { kinds: [WaitingKind.STEP], communityId: 12 } },
    }),
    clientMethod: 'waiting',
    command: { columns: ['kind', ...columns], examples: ['', '--kinds 1,3 --all --output json'] },
  },
  countWaiting: {
    method: 'GET',
    path: '/communication/posts/data/waiting-count',
    responses: { 200: 'CountWaitingResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Count the work that waits for the caller',
    description:
      'Counts the items of `listWaiting` by kind, and the drafts of the caller. Counts above ' +
      '100 are returned as 100.',
    clientMethod: 'waitingCount',
    command: { examples: ['', '--output json'] },
  },
  markWaiting: {
    method: 'POST',
    path: '/communication/posts/manage/mark-waiting',
    body: 'MarkWaitingRequest',
    responses: { 200: 'MarkWaitingResponse', 400: 'ValidationErrorResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Mark waiting work of the caller as done',
    description:
      'Removes items from the list of waiting work until something new happens: until the task ' +
      'changes, or an event of the post of a step. A mention stays removed. Closes no task and ' +
      'runs no transition. Items that do not wait for the caller are ignored. Requires no ' +
      'token: marking twice changes nothing.',
    requestExamples: examples<'MarkWaitingRequest'>({
      task: { summary: 'A task', value: { items: [{ kind: WaitingKind.TASK, id: 88 }] } },
      step: { summary: 'A step waits again', value: { items: [{ kind: WaitingKind.STEP, id: 1201 }], done: false } },
    }),
    clientMethod: 'markWaiting',
    command: {
      needsValue: true,
      examples: [`--items '[{"kind": 1, "id": 88}]'`, `--items '[{"kind": 4, "id": 1201}]' --no-done --dry-run`],
    },
  },
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
