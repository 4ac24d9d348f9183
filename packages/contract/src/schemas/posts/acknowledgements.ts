/** Requests to acknowledge a post: that its readers confirm that they have read it. */
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

export const acknowledgementTypes = {
  RequestAcknowledgementsRequest: t.type('People to ask for an acknowledgement of a post, and the due time.', {
    userIds: t.ids('People who are asked; each must be able to read the post.', {
      maxItems: listLimits.acknowledgements,
    }),
    groupIds: t.ids('Groups; their current members with access to the post are asked.', {
      maxItems: listLimits.items,
    }),
    expiration: t.ref('ZonedDatetimeInput', 'Due time of the acknowledgement. If omitted, it has none.'),
    reminders: t.list(
      'InputTaskReminder',
      'Times of the reminders of people who have not acknowledged it; requires `expiration`.',
      {
        maxItems: listLimits.reminders,
      },
    ),
  }),
  RequestAcknowledgementsResponse: t.type('The post, and how many people are asked.', {
    postId: t.int64('Id of the post.'),
    askedCount: t.count('Number of people whom this request asks for the first time.'),
  }),
  WithdrawAcknowledgementsRequest: t.type(
    'People whose requests are withdrawn; without ids, the requests of all people.',
    {
      userIds: t.ids('Only requests to these people.', { maxItems: listLimits.acknowledgements }),
    },
  ),
  WithdrawAcknowledgementsResponse: t.type('The post, and how many requests were withdrawn.', {
    postId: t.int64('Id of the post.'),
    withdrawnCount: t.count('Number of withdrawn requests.'),
  }),
  AcknowledgePostResponse: t.type('The post, acknowledged.', {
    postId: t.int64('Id of the post.'),
    acknowledgementTimestamp: t.time('Time at which the caller acknowledged it.'),
  }),
  ListAcknowledgementsRequest: t.type('Filters and paging for the list of requests.', {
    ...t.pageInputs,
    acknowledged: t.flag('True: only people who have acknowledged the post; false: only the others.'),
    overdue: t.flag('True: only people who have not acknowledged the post although it is past due.'),
  }),
  ListAcknowledgementsResponse: t.page('Acknowledgement', 'A page of requests to acknowledge a post.'),
  Acknowledgement: t.type('A person with a request to acknowledge a post.', {
    taskId: t.int64('Id of the task by which they are asked.'),
    user: t.ref('User', 'The person.'),
    requestUser: t.ref('User', 'Who asked.'),
    requestTimestamp: t.time('Time at which they were asked.'),
    expiration: t.ref('ZonedDatetime', 'Due time.'),
    overdue: t.flag('Whether it is past due and not acknowledged.'),
    acknowledged: t.flag('Whether they have acknowledged the post.'),
    acknowledgementTimestamp: t.time('Time of their acknowledgement.'),
  }),
};
