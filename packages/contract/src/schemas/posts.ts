/** Posts as they are read: detail, list elements, stream, capabilities. */
import {
  CapabilityScope,
  PostType,
  ScheduledPublicationResult,
  StreamStatus,
  SurveyType,
  Visibility,
} from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import {
  bigCount,
  code,
  count,
  type Fields,
  fieldValues,
  flag,
  ids,
  int64,
  list,
  page,
  ref,
  text,
  time,
  token,
  type,
  uri,
  word,
} from './fields.ts';

export const visibility = code(Visibility, 'Who sees the post.');

/** Head of a post, in every form in which it is read. */
const headFields: Fields = {
  id: int64('Id of the post.'),
  communityId: int64('Community to which it belongs.'),
  customId: text('Number of the post within its community, as text.'),
  type: code(PostType, 'Kind of post.'),
  title: text('Title.'),
  descriptionPlainText: text('The text without formatting.'),
  descriptionDelta: text('The text as rich text: a Quill delta, the bare array of operations as a JSON string.'),
  visibility,
  announcement: flag('True when the post is an announcement.'),
  event: ref('EventOfPost', 'Time and place, of an event.'),
  currentWorkflowState: ref('PostWorkflowDefinitionState', 'State of the post in the workflow; absent without one.'),
  customData: fieldValues('Values of the custom fields by field id; references are arrays of objects.'),
  creatorUser: ref('User', 'Who wrote the post.'),
  creationTimestamp: time('When the post was created.'),
  lastModifyUser: ref('User', 'Who last edited the post.'),
  lastModifyTimestamp: time('When the post was last edited.'),
  lastOperationTimestamp: time(
    'When something last happened to the post: edit, comment, transition, task, attachment.',
  ),
};

const likeFields: Fields = {
  showLikeSection: flag('Whether the community has likes.'),
  likesCount: count('How many people like the post.'),
  likedByMe: flag('Whether the caller likes the post.'),
  followedByMe: flag(
    'Whether the caller follows the post: as they chose, else as its author, or as one of its watchers.',
  ),
};

const counterFields: Fields = {
  attachmentsCount: count('How many attachments the post has.'),
  imageAttachmentsCount: count('How many of the attachments are pictures.'),
  videoAttachmentsCount: count('How many of the attachments are videos.'),
  commentsCount: count('How many comments the post has.'),
  viewsCount: bigCount('How often the post was opened; writing it counts as once.'),
  viewedByUsersCount: count('How many different people opened the post; its author is one of them.'),
  tasksCount: count('How many tasks the post has.'),
  totalStandardTasksCount: count('How many of the tasks are ordinary ones (type 1).'),
};

const peopleFields: Fields = {
  mentions: list('User', 'People mentioned in the text.'),
  watchers: list('User', 'Users who watch the post; the same as `watcherUsers`.'),
  watcherUsers: list('User', 'Users who watch the post: they are notified, and see it also when it is private.'),
  watcherGroups: list('Group', 'Groups that watch the post.'),
  hashtags: list('Hashtag', 'Hashtags of the post.'),
};

const mainAttachment = ref(
  'PostAttachmentData',
  'First picture, else first file of the post; only with `loadMainAttachment`.',
);
const coverImage = ref('PostCoverImage', 'Cover picture; absent when there is none.');
const currentWorkflowScreenData = fieldValues('Values of the workflow screens by field id.');

const draftFields: Fields = {
  draft: flag('True while the post is not published.'),
  draftData: ref('DraftPostData', 'What counts when the draft is published.'),
  scheduledPublication: ref('ZonedDatetime', 'When the post is to be published by itself; absent when it is not.'),
  scheduledPublicationResult: code(ScheduledPublicationResult, 'What became of the scheduled publication.'),
};

/** An element of a list of posts. With `loadPostDetails=false` only ids, number, title and timestamps come. */
const listElementFields: Fields = {
  ...headFields,
  workflowStateDescription: text('Name of the workflow state.'),
  workflowStateColor: text('Colour of the workflow state, as `#` and six hexadecimal digits.'),
  mainAttachment,
  watchersCount: count('How many users and groups watch the post.'),
  ...counterFields,
  ...likeFields,
  viewedByMe: flag('Whether the caller has opened the post.'),
  capabilities: ref(
    'GetPostCapabilitiesResponse',
    'What the caller may do with the post; only with `loadCapabilities`.',
  ),
  coverImage,
};

export const postTypes = {
  BaseListPostsElement: type('A post in a list.', listElementFields),
  PagedListPostsResponse: page('BaseListPostsElement', 'A page of posts.'),
  BasePostsStreamChunkElement: type(
    'A post in the global stream; a DELETED one has only ids, `status` and `deleted`.',
    {
      ...listElementFields,
      status: word(Object.values(StreamStatus), 'What happened since the sync token.'),
      deleted: flag('True when the post is gone for the caller.'),
    },
  ),
  GlobalPostsStreamResponse: type('A page of the global stream.', {
    items: list('BasePostsStreamChunkElement', 'Each changed post once, the latest change first.'),
    nextSyncToken: text('Where the next round begins; keep it when `nextPageToken` is absent.'),
    nextPageToken: text('Present while the round continues: send it with the same `syncToken`.'),
  }),
  GetPostDetailResponse: type('A post in full.', {
    ...headFields,
    currentWorkflowScreenData,
    mainAttachment,
    ...peopleFields,
    commentMentions: ref('ListUsersResponse', 'People mentioned in the comments.'),
    ...counterFields,
    ...likeFields,
    draft: draftFields['draft']!,
    publicationTimestamp: time(
      'When the post became visible to others: its creation, or the publication of the draft that it was. Absent for a draft.',
    ),
    myState: ref('PostOwnState', 'What the post is to the caller.'),
  }),
  PostDetail: type('A post in full, as writes answer with it.', {
    ...headFields,
    currentWorkflowScreenData,
    attachments: list('PostAttachmentData', 'The attachments.'),
    ...peopleFields,
    ...counterFields,
    ...likeFields,
    coverImage,
    ...draftFields,
  }),
  PostBaseInfo: type('The base data of a post, beside one of its attachments.', {
    id: int64('Id of the post.'),
    communityId: int64('Community to which it belongs.'),
    customId: text('Number of the post within its community, as text.'),
    type: code(PostType, 'Kind of post.'),
    surveyType: code(SurveyType, 'Kind of questionnaire; absent for other posts.'),
    title: text('Title.'),
    clientUid: text('Identifier that the creating program chose.'),
    visibility,
    announcement: flag('True when the post is an announcement.'),
    creatorUser: ref('User', 'Who wrote the post.'),
    currentWorkflowState: ref('PostWorkflowDefinitionState', 'State of the post in the workflow.'),
    deleted: flag('True when the post was deleted.'),
    occToken: token('Version of the post.'),
  }),
  PostCoverImage: type('The cover picture of a post.', {
    contentRef: text('Reference of the picture in the storage.'),
    temporaryContentViewLink: uri('Short-lived address that shows the picture.'),
    temporaryContentDownloadLink: uri('Short-lived address that downloads the picture.'),
    temporaryContentPreviewImageLink: uri('Short-lived address of a small still picture.'),
    temporaryContentPreviewImageAnimatedLink: uri('Short-lived address of a small moving picture.'),
    temporaryContentPreviewImageHiResLink: uri('Short-lived address of a large still picture.'),
    temporaryContentPreviewImageHiResAnimatedLink: uri('Short-lived address of a large moving picture.'),
    contentMimeType: text('Media type of the picture.'),
    etag: text('Changes when the content does.'),
    md5Hash: text('MD5 of the content: 32 lower-case hexadecimal characters.'),
    size: bigCount('Size in bytes.'),
  }),
  DraftPostData: type('What counts when a draft is published.', {
    workflowInitState: ref('PostWorkflowDefinitionState', 'State in which the post will begin.'),
  }),
  GetPostCapabilitiesResponse: type('What the caller may do with a post. Exactly what the writes accept.', {
    canViewDetail: flag('May read the post.'),
    canModify: flag('May edit the post.'),
    canCopy: flag('May copy the post.'),
    canDelete: flag('May delete the post.'),
    canViewComment: flag('May read the comments.'),
    canAddComment: flag('May comment.'),
    canEditComment: code(CapabilityScope, 'Which comments the caller may edit.'),
    canDeleteComment: code(CapabilityScope, 'Which comments the caller may delete.'),
    canEditLike: flag('May like the post.'),
    canEditFollow: flag('May follow the post.'),
    canEditAttachments: flag('May add, replace and remove attachments.'),
    canEditVisibility: flag('May make the post private or public.'),
    canCreateTask: flag('May create tasks on the post.'),
    workflowPermittedOperations: list('PostWorkflowDefinitionTransition', 'Transitions the caller may run now.'),
    canEditWorkflowScreenData: flag('May edit the screen of the present state.'),
    canPin: flag('May pin the post.'),
    canAnnounce: flag('May make the post an announcement.'),
    canRequestAcknowledgements: flag('May ask people to acknowledge the post.'),
    canAcknowledge: flag('Is asked to acknowledge the post and has not done so.'),
  }),
  CheckVisibilityRequest: type('Ids to be checked.', {
    ids: ids('The ids, at most 1,000.', { maxItems: listLimits.items }),
  }),
  CheckVisibilityResponse: type('Which of the ids are visible.', {
    ids: ids('The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponse: type('Which of the posts are visible.', {
    posts: list('CheckVisibilityWithCommentsResponseElement', 'The visible ones, in the order of the request.'),
  }),
  CheckVisibilityWithCommentsResponseElement: type('A post that the caller sees.', {
    id: int64('Id of the post.'),
    canViewComments: flag('Whether the caller sees its comments too.'),
  }),
};

/** Forms of a post: what a write starts from. */
export const postFormTypes = {
  PostEditableContentData: type('What can be edited about a post.', {
    title: text('Title.'),
    descriptionDelta: text('The text as rich text: a Quill delta as a JSON string.'),
    descriptionPlainText: text('The text without formatting.'),
    visibility,
    announcement: flag('Whether the post is an announcement.'),
    customData: fieldValues(
      'Values of the custom fields by field id; references are arrays of objects here, and are written as arrays of ids.',
    ),
    currentWorkflowScreenData,
    attachments: list('PostAttachmentData', 'The attachments; absent with `loadAttachments=false`.'),
    ...peopleFields,
    ...draftFields,
  }),
  GetCustomPostForCreateResponse: type('The form of a new post.', {
    contentData: ref('PostEditableContentData', 'Its starting values.'),
  }),
  GetCustomPostForEditResponse: type('The edit form of a post.', {
    contentData: ref('PostEditableContentData', 'What can be edited.'),
    occToken: token('Token to put into the path of the next edit.'),
    communityId: int64('Community to which the post belongs.'),
    customId: text('Number of the post within its community, as text.'),
    currentWorkflowState: ref('PostWorkflowDefinitionState', 'State of the post in the workflow.'),
    creatorUser: ref('User', 'Who wrote the post.'),
    creationTimestamp: time('When the post was created.'),
    lastModifyUser: ref('User', 'Who last edited the post.'),
    lastModifyTimestamp: time('When the post was last edited.'),
    lastOperationTimestamp: time('When something last happened to the post.'),
  }),
  GetCustomPostForCopyResponse: type('The copy form of a post.', {
    contentData: ref('PostEditableContentData', 'What the copy starts from.'),
    occToken: token('Token of the source, to put into the path of the copy.'),
  }),
};
