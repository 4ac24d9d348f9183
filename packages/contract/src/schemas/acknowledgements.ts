/** Requests to acknowledge a post: that its readers confirm that they have read it. */
import { listLimits } from '../limits.ts';
import * as t from './fields.ts';

export const acknowledgementTypes = {
  RequestAcknowledgementsRequest: t.type('Who is asked to acknowledge a post, and until when.', {
    userIds: t.ids('People who are asked; each must be able to read the post.', {
      maxItems: listLimits.acknowledgements,
    }),
    groupIds: t.ids('Groups whose present members are asked, as far as they can read the post.', {
      maxItems: listLimits.items,
    }),
    expiration: t.ref('ZonedDatetimeInput', 'When it is due; left out, it is not due at any time.'),
    reminders: t.list(
      'InputTaskReminder',
      'When those who have not acknowledged it are reminded; needs `expiration`.',
      {
        maxItems: listLimits.reminders,
      },
    ),
  }),
  RequestAcknowledgementsResponse: t.type('The post, and how many people are asked.', {
    postId: t.int64('Id of the post.'),
    askedCount: t.count('How many people this request asks who were not asked before.'),
  }),
  WithdrawAcknowledgementsRequest: t.type('Whose requests are withdrawn; without ids those of everybody.', {
    userIds: t.ids('Only requests to these people.', { maxItems: listLimits.acknowledgements }),
  }),
  WithdrawAcknowledgementsResponse: t.type('The post, and how many requests were withdrawn.', {
    postId: t.int64('Id of the post.'),
    withdrawnCount: t.count('How many people are no longer asked.'),
  }),
  AcknowledgePostResponse: t.type('The post, acknowledged.', {
    postId: t.int64('Id of the post.'),
    acknowledgementTimestamp: t.time('When the caller acknowledged it.'),
  }),
  ListAcknowledgementsRequest: t.type('Which requests to list, and paging.', {
    ...t.pageInputs,
    acknowledged: t.flag('With true only people who have acknowledged the post, with false only the others.'),
    overdue: t.flag('With true only people who have not acknowledged the post although it is past due.'),
  }),
  ListAcknowledgementsResponse: t.page('Acknowledgement', 'A page of requests to acknowledge a post.'),
  Acknowledgement: t.type('A person who is asked to acknowledge a post.', {
    taskId: t.int64('Id of the task by which they are asked.'),
    user: t.ref('User', 'Who is asked.'),
    requestUser: t.ref('User', 'Who asked.'),
    requestTimestamp: t.time('When they were asked.'),
    expiration: t.ref('ZonedDatetime', 'When it is due.'),
    overdue: t.flag('Whether it is past due and not acknowledged.'),
    acknowledged: t.flag('Whether they have acknowledged the post.'),
    acknowledgementTimestamp: t.time('When they did.'),
  }),
};
