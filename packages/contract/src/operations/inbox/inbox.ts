/** The work that waits for the caller, across communities. */
import { WaitingKind } from '../../codes/defined-codes.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const inboxOperations = defineOperations('inbox', {
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
    clientMethod: 'list',
    formerMethod: 'posts.waiting',
    command: {
      columns: ['kind', 'timestamp', 'postId', 'postTitle', 'communityName'],
      examples: ['', '--kinds 1,3 --all --output json'],
    },
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
    clientMethod: 'count',
    formerMethod: 'posts.waitingCount',
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
    clientMethod: 'done',
    formerMethod: 'posts.markWaiting',
    command: {
      needsValue: true,
      examples: [`--items '[{"kind": 1, "id": 88}]'`, `--items '[{"kind": 4, "id": 1201}]' --no-done --dry-run`],
    },
  },
});
