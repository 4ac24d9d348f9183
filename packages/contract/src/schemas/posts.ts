/** Posts in answers: detail, list elements, stream, capabilities. */
import {
  CapabilityScope,
  PostType,
  ScheduledPublicationResult,
  StreamStatus,
  SurveyType,
  Visibility,
} from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import * as t from './fields.ts';

export const visibility = t.code(Visibility, 'Who sees the post.');

/** Head of a post, common to all its forms in answers. */
const headFields: t.Fields = {
  id: t.int64('Id of the post.'),
  communityId: t.int64('Community to which it belongs.'),
  customId: t.text('Number of the post within its community, as text.'),
  type: t.code(PostType, 'Kind of post.'),
  title: t.text('Title.'),
  descriptionPlainText: t.text('The text without formatting.'),
  descriptionDelta: t.text('The text as rich text: a Quill delta, the bare array of operations as a JSON string.'),
  visibility,
  announcement: t.flag('True when the post is an announcement.'),
  event: t.ref('EventOfPost', 'Time and place, of an event.'),
  currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post in the workflow; absent without one.'),
  customData: t.fieldValues('Values of the custom fields by field id; references are arrays of objects.'),
  creatorUser: t.ref('User', 'Who wrote the post.'),
  creationTimestamp: t.time('When the post was created.'),
  lastModifyUser: t.ref('User', 'Who last edited the post.'),
  lastModifyTimestamp: t.time('When the post was last edited.'),
  lastOperationTimestamp: t.time(
    'When something last happened to the post: edit, comment, transition, task, attachment.',
  ),
};

const likeFields: t.Fields = {
  showLikeSection: t.flag('Whether the community has likes.'),
  likesCount: t.count('How many people like the post.'),
  likedByMe: t.flag('Whether the caller likes the post.'),
  followedByMe: t.flag(
    'Whether the caller follows the post: as they chose, else as its author, or as one of its watchers.',
  ),
};

const counterFields: t.Fields = {
  attachmentsCount: t.count('How many attachments the post has.'),
  imageAttachmentsCount: t.count('How many of the attachments are pictures.'),
  videoAttachmentsCount: t.count('How many of the attachments are videos.'),
  commentsCount: t.count('How many comments the post has.'),
  viewsCount: t.bigCount('How often the post was opened; writing it counts as once.'),
  viewedByUsersCount: t.count('How many different people opened the post; its author is one of them.'),
  tasksCount: t.count('How many tasks the post has.'),
  totalStandardTasksCount: t.count('How many of the tasks are ordinary ones (type 1).'),
};

const peopleFields: t.Fields = {
  mentions: t.list('User', 'People mentioned in the text.'),
  watchers: t.list('User', 'Users who watch the post; the same as `watcherUsers`.'),
  watcherUsers: t.list('User', 'Users who watch the post: they are notified, and see it also when it is private.'),
  watcherGroups: t.list('Group', 'Groups that watch the post.'),
  hashtags: t.list('Hashtag', 'Hashtags of the post.'),
};

const mainAttachment = t.ref(
  'PostAttachmentData',
  'First picture, else first file of the post; only with `loadMainAttachment`.',
);
const coverImage = t.ref('PostCoverImage', 'Cover picture; absent when there is none.');
const currentWorkflowScreenData = t.fieldValues('Values of the workflow screens by field id.');

const draftFields: t.Fields = {
  draft: t.flag('True while the post is not published.'),
  draftData: t.ref('DraftPostData', 'What counts when the draft is published.'),
  scheduledPublication: t.ref('ZonedDatetime', 'When the post is to be published by itself; absent when it is not.'),
  scheduledPublicationResult: t.code(ScheduledPublicationResult, 'What became of the scheduled publication.'),
};

/**
 * An element of a list of posts. With `loadPostDetails=false` only ids, number, title and
 * timestamps are returned.
 */
const listElementFields: t.Fields = {
  ...headFields,
  workflowStateDescription: t.text('Name of the workflow state.'),
  workflowStateColor: t.text('Colour of the workflow state, as `#` and six hexadecimal digits.'),
  mainAttachment,
  watchersCount: t.count('How many users and groups watch the post.'),
  ...counterFields,
  ...likeFields,
  viewedByMe: t.flag('Whether the caller has opened the post.'),
  capabilities: t.ref(
    'GetPostCapabilitiesResponse',
    'What the caller may do with the post; only with `loadCapabilities`.',
  ),
  coverImage,
};

export const postTypes = {
  BaseListPostsElement: t.type('A post in a list.', listElementFields),
  PagedListPostsResponse: t.page('BaseListPostsElement', 'A page of posts.'),
  BasePostsStreamChunkElement: t.type(
    'A post in the global stream; a DELETED one has only ids, `status` and `deleted`.',
    {
      ...listElementFields,
      status: t.word(Object.values(StreamStatus), 'What happened since the sync token.'),
      deleted: t.flag('True when the post is gone for the caller.'),
    },
  ),
  GlobalPostsStreamResponse: t.type('A page of the global stream.', {
    items: t.list('BasePostsStreamChunkElement', 'Each changed post once, the latest change first.'),
    nextSyncToken: t.text('Where the next round begins; keep it when `nextPageToken` is absent.'),
    nextPageToken: t.text('Present while the round continues: send it with the same `syncToken`.'),
  }),
  GetPostDetailResponse: t.type('A post in full.', {
    ...headFields,
    currentWorkflowScreenData,
    mainAttachment,
    ...peopleFields,
    commentMentions: t.ref('ListUsersResponse', 'People mentioned in the comments.'),
    ...counterFields,
    ...likeFields,
    draft: draftFields['draft']!,
    publicationTimestamp: t.time(
      'When the post became visible to others: its creation, or the publication of the draft that it was. Absent for a draft.',
    ),
    myState: t.ref('PostOwnState', 'What the post is to the caller.'),
  }),
  PostDetail: t.type('A post in full, as writes answer with it.', {
    ...headFields,
    currentWorkflowScreenData,
    attachments: t.list('PostAttachmentData', 'The attachments.'),
    ...peopleFields,
    ...counterFields,
    ...likeFields,
    coverImage,
    ...draftFields,
  }),
  PostBaseInfo: t.type('The base data of a post, beside one of its attachments.', {
    id: t.int64('Id of the post.'),
    communityId: t.int64('Community to which it belongs.'),
    customId: t.text('Number of the post within its community, as text.'),
    type: t.code(PostType, 'Kind of post.'),
    surveyType: t.code(SurveyType, 'Kind of questionnaire; absent for other posts.'),
    title: t.text('Title.'),
    clientUid: t.text('Identifier that the creating program chose.'),
    visibility,
    announcement: t.flag('True when the post is an announcement.'),
    creatorUser: t.ref('User', 'Who wrote the post.'),
    currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post in the workflow.'),
    deleted: t.flag('True when the post was deleted.'),
    occToken: t.token('Version of the post.'),
  }),
  PostCoverImage: t.type('The cover picture of a post.', {
    contentRef: t.text('Reference of the picture in the storage.'),
    temporaryContentViewLink: t.uri('Short-lived address that shows the picture.'),
    temporaryContentDownloadLink: t.uri('Short-lived address that downloads the picture.'),
    temporaryContentPreviewImageLink: t.uri('Short-lived address of a small still picture.'),
    temporaryContentPreviewImageAnimatedLink: t.uri('Short-lived address of a small moving picture.'),
    temporaryContentPreviewImageHiResLink: t.uri('Short-lived address of a large still picture.'),
    temporaryContentPreviewImageHiResAnimatedLink: t.uri('Short-lived address of a large moving picture.'),
    contentMimeType: t.text('Media type of the picture.'),
    etag: t.text('Changes when the content does.'),
    md5Hash: t.text('MD5 of the content: 32 lower-case hexadecimal characters.'),
    size: t.bigCount('Size in bytes.'),
  }),
  DraftPostData: t.type('What counts when a draft is published.', {
    workflowInitState: t.ref('PostWorkflowDefinitionState', 'State in which the post will begin.'),
  }),
  GetPostCapabilitiesResponse: t.type('What the caller may do with a post. Exactly what the writes accept.', {
    canViewDetail: t.flag('May read the post.'),
    canModify: t.flag('May edit the post.'),
    canCopy: t.flag('May copy the post.'),
    canDelete: t.flag('May delete the post.'),
    canViewComment: t.flag('May read the comments.'),
    canAddComment: t.flag('May comment.'),
    canEditComment: t.code(CapabilityScope, 'Which comments the caller may edit.'),
    canDeleteComment: t.code(CapabilityScope, 'Which comments the caller may delete.'),
    canEditLike: t.flag('May like the post.'),
    canEditFollow: t.flag('May follow the post.'),
    canEditAttachments: t.flag('May add, replace and remove attachments.'),
    canEditVisibility: t.flag('May make the post private or public.'),
    canCreateTask: t.flag('May create tasks on the post.'),
    workflowPermittedOperations: t.list('PostWorkflowDefinitionTransition', 'Transitions the caller may run now.'),
    canEditWorkflowScreenData: t.flag('May edit the screen of the present state.'),
    canPin: t.flag('May pin the post.'),
    canAnnounce: t.flag('May make the post an announcement.'),
    canRequestAcknowledgements: t.flag('May ask people to acknowledge the post.'),
    canAcknowledge: t.flag('Is asked to acknowledge the post and has not done so.'),
  }),
  CheckVisibilityRequest: t.type('Ids to be checked.', {
    ids: t.ids('The ids, at most 1,000.', { maxItems: listLimits.items }),
  }),
  CheckVisibilityResponse: t.type('Which of the ids are visible.', {
    ids: t.ids('The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponse: t.type('Which of the posts are visible.', {
    posts: t.list('CheckVisibilityWithCommentsResponseElement', 'The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponseElement: t.type('A post that the caller sees.', {
    id: t.int64('Id of the post.'),
    canViewComments: t.flag('Whether the caller sees its comments too.'),
  }),
};

/** Forms of a post: the starting point of a write. */
export const postFormTypes = {
  PostEditableContentData: t.type('What can be edited about a post.', {
    title: t.text('Title.'),
    descriptionDelta: t.text('The text as rich text: a Quill delta as a JSON string.'),
    descriptionPlainText: t.text('The text without formatting.'),
    visibility,
    announcement: t.flag('Whether the post is an announcement.'),
    customData: t.fieldValues(
      'Values of the custom fields by field id; references are arrays of objects here, and are written as arrays of ids.',
    ),
    currentWorkflowScreenData,
    attachments: t.list('PostAttachmentData', 'The attachments; absent with `loadAttachments=false`.'),
    ...peopleFields,
    ...draftFields,
  }),
  GetCustomPostForCreateResponse: t.type('The form of a new post.', {
    contentData: t.ref('PostEditableContentData', 'Its starting values.'),
  }),
  GetCustomPostForEditResponse: t.type('The edit form of a post.', {
    contentData: t.ref('PostEditableContentData', 'What can be edited.'),
    occToken: t.token('Token to put into the path of the next edit.'),
    communityId: t.int64('Community to which the post belongs.'),
    customId: t.text('Number of the post within its community, as text.'),
    currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post in the workflow.'),
    creatorUser: t.ref('User', 'Who wrote the post.'),
    creationTimestamp: t.time('When the post was created.'),
    lastModifyUser: t.ref('User', 'Who last edited the post.'),
    lastModifyTimestamp: t.time('When the post was last edited.'),
    lastOperationTimestamp: t.time('When something last happened to the post.'),
  }),
  GetCustomPostForCopyResponse: t.type('The copy form of a post.', {
    contentData: t.ref('PostEditableContentData', 'What the copy starts from.'),
    occToken: t.token('Token of the source, to put into the path of the copy.'),
  }),
};
