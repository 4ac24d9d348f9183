/** The caller's work across communities: waiting items, drafts, recently read posts. */
import { WaitingKind } from '../../codes/defined-codes.ts';
import { excerptLength, listLimits, mostWaitingCounted, treeLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const postFields: t.Fields = {
  postId: t.int64('The post.'),
  postCustomId: t.text('Number of the post within its community, as text.'),
  postTitle: t.text('Title of the post.'),
  communityId: t.int64('Community of the post.'),
  communityName: t.text('Name of that community.'),
};

const pageOfPosts: t.Fields = { ...t.pageInputs, communityId: t.int64('Only posts of this community.') };

export const ownWorkTypes = {
  ListMyDraftsRequest: t.type('Filters and paging for the list of drafts.', pageOfPosts),
  ListMyDraftsResponse: t.page('MyDraft', 'A page of drafts.'),
  MyDraft: t.type('A draft, or a scheduled post, of the caller.', {
    ...postFields,
    timestamp: t.time('Time at which it was last edited.'),
    scheduledTimestamp: t.time('Time of the scheduled publication, if any.'),
  }),
  ListDeletedPostsRequest: t.type('Filters and paging for the list of posts.', pageOfPosts),
  ListDeletedPostsResponse: t.page('DeletedPost', 'A page of deleted posts.'),
  DeletedPost: t.type('A deleted post that the caller can restore.', {
    ...postFields,
    timestamp: t.time('Time at which it was deleted.'),
    deletedByUser: t.ref('User', 'User who deleted it.'),
  }),
  RestorePostResponse: t.type('The post that is there again.', { postId: t.int64('Id of the post.') }),
  ListRecentPostsRequest: t.type('Filters and paging for the list of posts.', pageOfPosts),
  ListRecentPostsResponse: t.page('RecentPost', 'A page of posts.'),
  RecentPost: t.type('A post that the caller has read.', {
    ...postFields,
    timestamp: t.time('Time at which they last read it.'),
    changed: t.flag('Whether others edited or commented it since.'),
  }),
  CommunityTree: t.type('Workspaces and communities in which the caller has a role.', {
    workspaces: t.list('WorkspaceOfTree', 'Workspaces, by name.'),
  }),
  WorkspaceOfTree: t.type('A workspace with its communities.', {
    workspaceId: t.int64('Id of the workspace.'),
    workspaceName: t.text('Its name.'),
    communities: t.list('CommunityOfTree', 'Communities of it in which the caller has a role, by name.'),
  }),
  CommunityOfTree: t.type('A community with its news.', {
    communityId: t.int64('Id of the community.'),
    communityName: t.text('Its name.'),
    favourite: t.flag('Whether it is a favourite of the caller.'),
    newPosts: t.count(
      'Number of posts that others published, edited, commented or moved on since the last ' +
        `visit, and that the caller has not opened since; counted up to ${treeLimits.newPosts}, ` +
        `among the ${2 * treeLimits.newPosts} latest. Before the first visit, the events of the ` +
        `last ${treeLimits.daysWithoutVisit} days count.`,
    ),
    visitTimestamp: t.time('Time at which the caller last visited it. Absent before the first visit.'),
  }),
  VisitCommunityRequest: t.type('Time until which the caller has seen the news.', {
    untilTimestamp: t.time('Earlier events are no longer new. Default, also for a future time: now.'),
    takeBack: t.flag(
      'True reverts a visit: events after `untilTimestamp` are new again; without ' +
        '`untilTimestamp`, the community counts as never visited.',
    ),
  }),
  VisitCommunityResponse: t.type('The visit.', {
    communityId: t.int64('Id of the community.'),
    visitTimestamp: t.time(
      'Time until which nothing is new: never earlier than before, unless a visit was ' +
        'reverted. Absent if no visit is left.',
    ),
  }),
  MarkWaitingRequest: t.type('Items that the caller has done.', {
    items: t.required(t.list('WaitingReference', 'Items to mark.', { maxItems: listLimits.notifications })),
    done: t.flag('False takes the mark back. Default true.', { default: true }),
  }),
  WaitingReference: t.type('Something that waits for the caller.', {
    kind: t.required(t.code(WaitingKind, 'What waits.')),
    id: t.required(t.int64('The task, the notification of a mention, or the post of a step.')),
  }),
  MarkWaitingResponse: t.type('The marked items.', { marked: t.count('Number of changed marks.') }),
  CountWaitingResponse: t.type(`Numbers of items that wait for the caller, each counted up to ${mostWaitingCounted}.`, {
    tasks: t.count('Open tasks.'),
    acknowledgements: t.count('Requests for an acknowledgement.'),
    mentions: t.count('Mentions.'),
    steps: t.count('Posts on which they are asked to run a transition.'),
    drafts: t.count('Their drafts and scheduled posts.'),
  }),
  ListWaitingRequest: t.type('Filters and paging for the list.', {
    ...pageOfPosts,
    kinds: t.codeList(WaitingKind, 'Only these kinds.'),
  }),
  ListWaitingResponse: t.page('WaitingItem', 'A page of the waiting work of the caller.'),
  WaitingItem: t.type('Something that waits for the caller.', {
    ...postFields,
    kind: t.code(WaitingKind, 'What waits.'),
    timestamp: t.time(
      'Start of the wait: time when the task was assigned, the mention written, or the post ' + 'last changed.',
    ),
    authorUser: t.ref('User', 'Author of the task, the mention or the post.'),
    taskId: t.int64('The task or the request for an acknowledgement.'),
    taskTitle: t.text('Its title.'),
    expirationTimestamp: t.time('Due time.'),
    notificationId: t.int64('The notification of the mention: `markNotifications` with `done` takes it off this list.'),
    commentId: t.int64('The comment in which the caller is mentioned.'),
    excerpt: t.text(
      `The beginning of the text that the mention is in, without formatting: at most ${excerptLength} characters. Reading it is no view of the post.`,
    ),
    transitions: t.list('WaitingTransition', 'Transitions that the caller may run, in the order of the workflow.'),
  }),
  WaitingTransition: t.type('A transition that the caller may run.', {
    id: t.int64('Id of the transition.'),
    name: t.text('Name of the transition.'),
    screen: t.flag('Whether it asks for a screen to be filled in.'),
  }),
};
