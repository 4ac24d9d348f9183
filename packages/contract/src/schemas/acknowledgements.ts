/** Requests to acknowledge a post: that its readers confirm that they have read it. */
import { listLimits } from '../limits.ts';
import { count, flag, ids, int64, list, page, pageInputs, ref, time, type } from './fields.ts';

export const acknowledgementTypes = {
  RequestAcknowledgementsRequest: type('Who is asked to acknowledge a post, and until when.', {
    userIds: ids('People who are asked; each must be able to read the post.', {
      maxItems: listLimits.acknowledgements,
    }),
    groupIds: ids('Groups whose present members are asked, as far as they can read the post.', {
      maxItems: listLimits.items,
    }),
    expiration: ref('ZonedDatetimeInput', 'When it is due; left out, it is not due at any time.'),
    reminders: list('InputTaskReminder', 'When those who have not acknowledged it are reminded; needs `expiration`.', {
      maxItems: listLimits.reminders,
    }),
  }),
  RequestAcknowledgementsResponse: type('The post, and how many people are asked.', {
    postId: int64('Id of the post.'),
    askedCount: count('How many people this request asks who were not asked before.'),
  }),
  WithdrawAcknowledgementsRequest: type('Whose requests are withdrawn; without ids those of everybody.', {
    userIds: ids('Only requests to these people.', { maxItems: listLimits.acknowledgements }),
  }),
  WithdrawAcknowledgementsResponse: type('The post, and how many requests were withdrawn.', {
    postId: int64('Id of the post.'),
    withdrawnCount: count('How many people are no longer asked.'),
  }),
  AcknowledgePostResponse: type('The post, acknowledged.', {
    postId: int64('Id of the post.'),
    acknowledgementTimestamp: time('When the caller acknowledged it.'),
  }),
  ListAcknowledgementsRequest: type('Which requests to list, and paging.', {
    ...pageInputs,
    acknowledged: flag('With true only people who have acknowledged the post, with false only the others.'),
    overdue: flag('With true only people who have not acknowledged the post although it is past due.'),
  }),
  ListAcknowledgementsResponse: page('Acknowledgement', 'A page of requests to acknowledge a post.'),
  Acknowledgement: type('A person who is asked to acknowledge a post.', {
    taskId: int64('Id of the task by which they are asked.'),
    user: ref('User', 'Who is asked.'),
    requestUser: ref('User', 'Who asked.'),
    requestTimestamp: time('When they were asked.'),
    expiration: ref('ZonedDatetime', 'When it is due.'),
    overdue: flag('Whether it is past due and not acknowledged.'),
    acknowledged: flag('Whether they have acknowledged the post.'),
    acknowledgementTimestamp: time('When they did.'),
  }),
};
