/** What concerns the caller across communities: what waits for them, their drafts, what they read last. */
import { WaitingKind } from '../codes/defined-codes.ts';
import { excerptLength, listLimits, mostWaitingCounted, treeLimits } from '../limits.ts';
import {
  code,
  codeList,
  count,
  type Fields,
  flag,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  type,
} from './fields.ts';

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
    changed: flag('Whether others edited or commented it since.'),
  }),
  CommunityTree: type('Workspaces and communities in which the caller has a role.', {
    workspaces: list('WorkspaceOfTree', 'Workspaces, by name.'),
  }),
  WorkspaceOfTree: type('A workspace with its communities.', {
    workspaceId: int64('Id of the workspace.'),
    workspaceName: text('Its name.'),
    communities: list('CommunityOfTree', 'Communities of it in which the caller has a role, by name.'),
  }),
  CommunityOfTree: type('A community, and what is new in it.', {
    communityId: int64('Id of the community.'),
    communityName: text('Its name.'),
    favourite: flag('Whether it is a favourite of the caller.'),
    newPosts: count(
      `How many posts were published, edited, commented or moved on by others since the last visit, and not opened since; counted up to ${treeLimits.newPosts}, among the ${2 * treeLimits.newPosts} latest. Before the first visit, what happened within ${treeLimits.daysWithoutVisit} days.`,
    ),
    visitTimestamp: time('When the caller last visited it. Absent before the first visit.'),
  }),
  VisitCommunityRequest: type('Until when the caller has seen what is new.', {
    untilTimestamp: time('What happened until then is not new any more. Left out, or in the future: now.'),
    takeBack: flag(
      'True takes a visit back: what happened after `untilTimestamp` is new again; where that is left out, as if the caller had never visited the community.',
    ),
  }),
  VisitCommunityResponse: type('The visit.', {
    communityId: int64('Id of the community.'),
    visitTimestamp: time(
      'Until when nothing is new: never earlier than before, unless a visit was taken back. Absent where no visit is left.',
    ),
  }),
  MarkWaitingRequest: type('What the caller is done with.', {
    items: required(list('WaitingReference', 'What to mark.', { maxItems: listLimits.notifications })),
    done: flag('False takes the mark back. Default true.', { default: true }),
  }),
  WaitingReference: type('Something that waits for the caller.', {
    kind: required(code(WaitingKind, 'What waits.')),
    id: required(int64('The task, the notification of a mention, or the post of a step.')),
  }),
  MarkWaitingResponse: type('What was marked.', { marked: count('How many marks changed.') }),
  CountWaitingResponse: type(`How much waits for the caller. Each number is counted up to ${mostWaitingCounted}.`, {
    tasks: count('Open tasks.'),
    acknowledgements: count('Requests for an acknowledgement.'),
    mentions: count('Mentions.'),
    steps: count('Posts on which they are asked to run a transition.'),
    drafts: count('Their drafts and scheduled posts.'),
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
    excerpt: text(
      `The beginning of the text that the mention is in, without formatting: at most ${excerptLength} characters. Reading it is no view of the post.`,
    ),
    transitions: list('WaitingTransition', 'Transitions that the caller may run, in the order of the workflow.'),
  }),
  WaitingTransition: type('A transition that the caller may run.', {
    id: int64('Id of the transition.'),
    name: text('Name of the transition.'),
    screen: flag('Whether it asks for a screen to be filled in.'),
  }),
};
