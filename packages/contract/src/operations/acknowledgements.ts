/** Asking people to acknowledge a post, which only Portico has. */
import { defineOperations } from './define.ts';
import { examples } from './examples.ts';

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
      'Asks people, and the present members of groups, to confirm that they have read the post. Only people who can read the post are asked; being asked lets nobody read it. Who has been asked before stays as they are. Each request is a task of type ACKNOWLEDGE that waits for the person (`listWaiting`), and they are notified of it, also on the day before it is due and when it is overdue. For the author of the post and managers of the community, where the community has `acknowledgeTaskEnabled`.',
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
      'Those who have not acknowledged the post are no longer asked: all of them, or those in `userIds`. Who has acknowledged it stays in the list. They can be asked again.',
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
      'The caller confirms that they have read the post; its request no longer waits for them. A repeat answers with the time of the first. Only who is asked can acknowledge a post, and only for themselves.',
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
    summary: 'List who has acknowledged a post, and who has not',
    description:
      'Everybody who is asked to acknowledge the post, in the order in which they were asked. Whoever sees the post sees the list, as they see its tasks. With `acknowledged` and `calculateTotalItemsCount` the answer says how many have, or have not.',
    requestExamples: examples<'ListAcknowledgementsRequest'>({
      open: {
        summary: 'Who has not yet, and how many',
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
