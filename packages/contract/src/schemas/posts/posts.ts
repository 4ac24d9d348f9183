/** Posts in answers: detail, list elements, stream, capabilities. */
import {
  CapabilityScope,
  PostType,
  ScheduledPublicationResult,
  StreamStatus,
  SurveyType,
  Visibility,
} from '../../codes/codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

export const visibility = t.code(Visibility, 'Visibility of the post.');

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
  event: t.ref('EventOfPost', 'Time and place; only for events.'),
  currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post in the workflow; absent without one.'),
  customData: t.fieldValues('Values of the custom fields by field id; references are arrays of objects.'),
  creatorUser: t.ref('User', 'User who wrote the post.'),
  creationTimestamp: t.time('Time at which the post was created.'),
  lastModifyUser: t.ref('User', 'User who last edited the post.'),
  lastModifyTimestamp: t.time('Time at which the post was last edited.'),
  lastOperationTimestamp: t.time('Time of the last event of the post: edit, comment, transition, task, attachment.'),
};

const likeFields: t.Fields = {
  showLikeSection: t.flag('Whether the community has likes.'),
  likesCount: t.count('Number of people who like the post.'),
  likedByMe: t.flag('Whether the caller likes the post.'),
  followedByMe: t.flag(
    'Whether the caller follows the post: by their choice, otherwise as its author or as one of its watchers.',
  ),
};

const counterFields: t.Fields = {
  attachmentsCount: t.count('Number of attachments of the post.'),
  imageAttachmentsCount: t.count('Number of attachments that are pictures.'),
  videoAttachmentsCount: t.count('Number of attachments that are videos.'),
  commentsCount: t.count('Number of comments of the post.'),
  viewsCount: t.bigCount('Number of views of the post; writing it counts as a view.'),
  viewedByUsersCount: t.count('Number of different people who viewed the post, including its author.'),
  tasksCount: t.count('Number of tasks of the post.'),
  totalStandardTasksCount: t.count('Number of ordinary tasks (type 1).'),
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
  draftData: t.ref('DraftPostData', 'Settings for the publication of the draft.'),
  scheduledPublication: t.ref('ZonedDatetime', 'Time of the scheduled publication; absent if none is scheduled.'),
  scheduledPublicationResult: t.code(ScheduledPublicationResult, 'Outcome of the scheduled publication.'),
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
  watchersCount: t.count('Number of users and groups that watch the post.'),
  ...counterFields,
  ...likeFields,
  viewedByMe: t.flag('Whether the caller has opened the post.'),
  capabilities: t.ref(
    'GetPostCapabilitiesResponse',
    'Capabilities of the caller on the post; only with `loadCapabilities`.',
  ),
  coverImage,
};

const importTimestamp = t.time(
  'Time at which the archive of a community brought the post from another portal; absent for others.',
);

export const postTypes = {
  BaseListPostsElement: t.type('A post in a list.', listElementFields),
  PagedListPostsResponse: t.page('BaseListPostsElement', 'A page of posts.'),
  BasePostsStreamChunkElement: t.type(
    'A post in the global stream; a DELETED one has only ids, `status` and `deleted`.',
    {
      ...listElementFields,
      status: t.word(Object.values(StreamStatus), 'Change since the sync token.'),
      deleted: t.flag('True when the post is gone for the caller.'),
    },
  ),
  GlobalPostsStreamResponse: t.type('A page of the global stream.', {
    items: t.list('BasePostsStreamChunkElement', 'Each changed post once, the latest change first.'),
    nextSyncToken: t.text('Start of the next round; store it when `nextPageToken` is absent.'),
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
      'Time at which the post became visible to others: its creation, or the publication of ' +
        'its draft. Absent for a draft.',
    ),
    importTimestamp,
    myState: t.ref('PostOwnState', 'Relation of the caller to the post.'),
  }),
  PostDetail: t.type('A post in full, as returned by writes.', {
    ...headFields,
    currentWorkflowScreenData,
    attachments: t.list('PostAttachmentData', 'The attachments.'),
    ...peopleFields,
    ...counterFields,
    ...likeFields,
    coverImage,
    importTimestamp,
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
    creatorUser: t.ref('User', 'User who wrote the post.'),
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
  DraftPostData: t.type('Settings for the publication of a draft.', {
    workflowInitState: t.ref('PostWorkflowDefinitionState', 'State in which the post will begin.'),
  }),
  GetPostCapabilitiesResponse: t.type(
    'Capabilities of the caller on a post. They match the rules of the writes exactly.',
    {
      canViewDetail: t.flag('May read the post.'),
      canModify: t.flag('May edit the post.'),
      canCopy: t.flag('May copy the post.'),
      canDelete: t.flag('May delete the post.'),
      canViewComment: t.flag('May read the comments.'),
      canAddComment: t.flag('May comment.'),
      canEditComment: t.code(CapabilityScope, 'Comments that the caller may edit.'),
      canDeleteComment: t.code(CapabilityScope, 'Comments that the caller may delete.'),
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
    },
  ),
  CheckVisibilityRequest: t.type('Ids to be checked.', {
    ids: t.ids('The ids, at most 1,000.', { maxItems: listLimits.items }),
  }),
  CheckVisibilityResponse: t.type('Visible ids among the given ids.', {
    ids: t.ids('The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponse: t.type('Visible posts among the given posts.', {
    posts: t.list('CheckVisibilityWithCommentsResponseElement', 'The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponseElement: t.type('A post that the caller sees.', {
    id: t.int64('Id of the post.'),
    canViewComments: t.flag('Whether the caller sees its comments too.'),
  }),
};

/** Forms of a post: the starting point of a write. */
export const postFormTypes = {
  PostEditableContentData: t.type('Editable content of a post.', {
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
    contentData: t.ref('PostEditableContentData', 'Initial values.'),
  }),
  GetCustomPostForEditResponse: t.type('The edit form of a post.', {
    contentData: t.ref('PostEditableContentData', 'The editable properties.'),
    occToken: t.token('Token to put into the path of the next edit.'),
    communityId: t.int64('Community to which the post belongs.'),
    customId: t.text('Number of the post within its community, as text.'),
    currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post in the workflow.'),
    creatorUser: t.ref('User', 'User who wrote the post.'),
    creationTimestamp: t.time('Time at which the post was created.'),
    lastModifyUser: t.ref('User', 'User who last edited the post.'),
    lastModifyTimestamp: t.time('Time at which the post was last edited.'),
    lastOperationTimestamp: t.time('Time of the last event of the post.'),
  }),
  GetCustomPostForCopyResponse: t.type('The copy form of a post.', {
    contentData: t.ref('PostEditableContentData', 'Initial content of the copy.'),
    occToken: t.token('Token of the source, to put into the path of the copy.'),
  }),
};
