/** Asking people to acknowledge a post, which only Portico has. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const acknowledgementOperations = defineOperations('posts', {
  requestAcknowledgements: {
    method: 'POST',
    path: '/communication/posts/manage/request-acknowledgements/{postId}',
    body: 'RequestAcknowledgementsRequest',
    responses: { 200: 'RequestAcknowledgementsResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'requestAcknowledgements',
    extension: true,
    summary: 'Ask people to acknowledge a post',
    description:
      'Asks people, and the present members of groups, to confirm that they have read the ' +
      'post. Requests go only to readers of the post; a request gives no access to the post. ' +
      'Earlier requests stay unchanged. Each request is a task of type ACKNOWLEDGE that waits ' +
      'for the person (`listWaiting`), and they are notified of it, also on the day before it ' +
      'is due and when it is overdue. Available to the author of the post and managers of the ' +
      'community, if the community has `acknowledgeTaskEnabled`.',
    requestExamples: examples<'RequestAcknowledgementsRequest'>({
      group: {
        summary: 'Members of a group, with a reminder a day before',
        value: {
          groupIds: [7],
          expiration: { datetime: '2026-12-15T12:00:00', timezone: 'Europe/Rome' },
          reminders: [{ value: 1, range: 3 }],
        },
      },
      people: { summary: 'Two people', value: { userIds: [17, 18] } },
    }),
    clientMethod: 'requestAcknowledgements',
    command: { needsValue: true, examples: ['4711 --group-ids 7', '4711 --user-ids 17,18 --dry-run'] },
  },
  withdrawAcknowledgements: {
    method: 'POST',
    path: '/communication/posts/manage/withdraw-acknowledgements/{postId}',
    body: 'WithdrawAcknowledgementsRequest',
    responses: { 200: 'WithdrawAcknowledgementsResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'requestAcknowledgements',
    extension: true,
    summary: 'Withdraw requests to acknowledge a post',
    description:
      'Withdraws the requests of people who have not acknowledged the post: all of them, or ' +
      'the people in `userIds`. People who have acknowledged it stay in the list. Withdrawn ' +
      'requests can be sent again.',
    requestExamples: examples<'WithdrawAcknowledgementsRequest'>({
      all: { summary: 'All that are open', value: {} },
      one: { summary: 'One person', value: { userIds: [17] } },
    }),
    clientMethod: 'withdrawAcknowledgements',
    command: { confirms: true, examples: ['4711 --user-ids 17', '4711 --yes'] },
  },
  acknowledgePost: {
    method: 'POST',
    path: '/communication/posts/manage/acknowledge/{postId}',
    responses: { 200: 'AcknowledgePostResponse', 403: null, 404: null },
    permission: 'acknowledgePost',
    extension: true,
    summary: 'Acknowledge a post',
    description:
      'Confirms that the caller has read the post; the request no longer waits for them. A ' +
      'repeat returns the time of the first confirmation. Only people who are asked can ' +
      'acknowledge a post, and only for themselves.',
    clientMethod: 'acknowledge',
    command: { examples: ['4711', '4711 --dry-run'] },
  },
  listAcknowledgements: {
    method: 'POST',
    path: '/communication/posts/data/acknowledgements/{postId}',
    body: 'ListAcknowledgementsRequest',
    responses: { 200: 'ListAcknowledgementsResponse', 404: null },
    permission: 'seePost',
    paging: 'page',
    extension: true,
    summary: 'List the acknowledgements of a post',
    description:
      'Returns all people who are asked to acknowledge the post, in the order of the requests. ' +
      'Everybody who sees the post sees the list, like its tasks. With `acknowledged` and ' +
      '`calculateTotalItemsCount` the response counts the people who have, or have not, ' +
      'acknowledged it.',
    requestExamples: examples<'ListAcknowledgementsRequest'>({
      open: {
        summary: 'People who have not acknowledged yet, with their count',
        value: { acknowledged: false, calculateTotalItemsCount: true },
      },
    }),
    clientMethod: 'acknowledgements',
    command: {
      columns: ['user.id', 'user.lastName', 'user.firstName', 'acknowledged', 'acknowledgementTimestamp', 'overdue'],
      examples: ['4711', '4711 --no-acknowledged --all --output csv'],
    },
  },
});
