/** What concerns the caller across communities: what waits for them, their drafts, what they read last. */
import { WaitingKind } from '../codes/defined-codes.ts';
import { code, codeList, type Fields, flag, int64, list, page, pageInputs, ref, text, time, type } from './fields.ts';

const postFields: Fields = {
  postId: int64('The post.'),
  postCustomId: text('Number of the post within its community, as text.'),
  postTitle: text('Title of the post.'),
  communityId: int64('Community of the post.'),
  communityName: text('Name of that community.'),
};

const pageOfPosts: Fields = { ...pageInputs, communityId: int64('Only posts of this community.') };

export const ownWorkTypes = {
  ListMyDraftsRequest: type('Which drafts to list, and paging.', pageOfPosts),
  ListMyDraftsResponse: page('MyDraft', 'A page of drafts.'),
  MyDraft: type('A draft, or a scheduled post, of the caller.', {
    ...postFields,
    timestamp: time('When it was last edited.'),
    scheduledTimestamp: time('When it will be published, if it is scheduled.'),
  }),
  ListDeletedPostsRequest: type('Which posts to list, and paging.', pageOfPosts),
  ListDeletedPostsResponse: page('DeletedPost', 'A page of deleted posts.'),
  DeletedPost: type('A deleted post that the caller can restore.', {
    ...postFields,
    timestamp: time('When it was deleted.'),
    deletedByUser: ref('User', 'Who deleted it.'),
  }),
  RestorePostResponse: type('The post that is there again.', { postId: int64('Id of the post.') }),
  ListRecentPostsRequest: type('Which posts to list, and paging.', pageOfPosts),
  ListRecentPostsResponse: page('RecentPost', 'A page of posts.'),
  RecentPost: type('A post that the caller has read.', {
    ...postFields,
    timestamp: time('When they last read it.'),
    changed: flag('Whether it was edited or commented since.'),
  }),
  ListWaitingRequest: type('What to list, and paging.', {
    ...pageOfPosts,
    kinds: codeList(WaitingKind, 'Only these kinds.'),
  }),
  ListWaitingResponse: page('WaitingItem', 'A page of what waits for the caller.'),
  WaitingItem: type('Something that waits for the caller.', {
    ...postFields,
    kind: code(WaitingKind, 'What waits.'),
    timestamp: time('Since when: when the task was given, the mention made, the post last changed.'),
    authorUser: ref('User', 'Who made the task, the mention or the post.'),
    taskId: int64('The task or the request for an acknowledgement.'),
    taskTitle: text('Its title.'),
    expirationTimestamp: time('When it is due.'),
    notificationId: int64('The notification of the mention: `markNotifications` with `done` takes it off this list.'),
    commentId: int64('The comment in which the caller is mentioned.'),
    transitions: list('WaitingTransition', 'Transitions that the caller may run, in the order of the workflow.'),
  }),
  WaitingTransition: type('A transition that the caller may run.', {
    id: int64('Id of the transition.'),
    name: text('Name of the transition.'),
    screen: flag('Whether it asks for a screen to be filled in.'),
  }),
};
