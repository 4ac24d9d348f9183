/** Writes of posts, events, comments' bodies and workflow. */
import {
  AttachmentType,
  EventAnswer,
  InvitationType,
  PostType,
  ScheduledPublicationResult,
  TextFormat,
} from '../codes/codes.ts';
import { listLimits } from '../limits.ts';
import {
  checked,
  code,
  count,
  type Fields,
  fieldValues,
  flag,
  ids,
  int64,
  list,
  orNull,
  ref,
  required,
  text,
  time,
  token,
  type,
  upload,
  zoneName,
} from './fields.ts';
import { groupFields } from './groups.ts';
import { visibility } from './posts.ts';
import { userFields } from './users.ts';

const title = text('Title.');
const description = text('The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2.');
const descriptionFormat = code(TextFormat, 'How `description` is written.', { default: 1 });
const deltaAreaFormat = code(TextFormat, 'How every rich-text field in this body is written.', { default: 1 });
const customData = fieldValues(
  'Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden.',
);
const screenData = fieldValues('Values of the screen fields by field id, in the same form as custom data.');
const writtenVisibility = {
  ...visibility,
  description: `${visibility.description} Left out: what the community's definition says.`,
};
const workflowInitStateId = int64('State in which the post begins, where the community lets authors choose.');
const draft = flag('True keeps the post back from publication.');
const scheduledPublication = ref('ZonedDatetimeInput', 'When the post is to be published by itself.');
const announcement = flag('True makes the post an announcement, where the caller may; left out, it is none.');
const clientUid = text(
  'Identifier that the creating program chooses; a repeat by the same author gives the existing object. Leave it out to have none.',
  { minLength: 1 },
);
const coverImageContentRef = upload('Reference of an uploaded picture that becomes the cover.');
const linkPreview = ref('LinkPreview', 'Preview of a web page that is shown with the post.');
const watcherUserIds = ids('Users who watch the post: they are notified, and see it also when it is private.');
const watcherGroupIds = ids('Groups that watch the post.');
const nextOccToken = token('Token for the next edit.');
const occToken = token('Token to put into the path of the next write.');
const pinned = flag('True shows the post at the head of the community. Null or left out leaves the pin as it is.');

const attachmentChanges: Fields = {
  addAttachments: list('InputPostAttachment', 'Attachments to add.', { maxItems: listLimits.attachments }),
  updateAttachments: list(
    'InputPostAttachment',
    'Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version.',
    { maxItems: listLimits.attachments },
  ),
  removeAttachmentIds: ids('Attachments to remove.', { maxItems: listLimits.attachments }),
};
const userWatcherChanges: Fields = {
  addWatcherUserIds: ids('Users who start to watch.'),
  removeWatcherUserIds: ids('Users who stop watching.'),
};
const groupWatcherChanges: Fields = {
  addWatcherGroupIds: ids('Groups that start to watch.'),
  removeWatcherGroupIds: ids('Groups that stop watching.'),
};
const customPostEdit: Fields = {
  title,
  description,
  descriptionFormat,
  customData,
  deltaAreaFormat,
  ...attachmentChanges,
  ...userWatcherChanges,
  visibility: writtenVisibility,
  workflowInitStateId,
  draft,
  scheduledPublication,
};
const eventPostEdit: Fields = {
  title,
  description,
  descriptionFormat,
  coverImageContentRef,
  ...attachmentChanges,
  ...userWatcherChanges,
  ...groupWatcherChanges,
  visibility: writtenVisibility,
  linkPreview,
  pinned,
  draft,
  scheduledPublication,
  event: required(ref('EventPostData', 'Time, place and invitations.')),
};

const invitationType = code(InvitationType, 'In what capacity the invitation is; left out of a write, 0.');
const coverImage = ref('PostCoverImage', 'Cover picture; absent when there is none.');
const eventContent = ref('EventPostEditableContentData', 'What can be edited.');

export const postWriteTypes = {
  InputPostAttachment: type(
    'An attachment in a write: an existing one by `attachmentId`, an uploaded one by `contentRef`, or one in Google Drive.',
    {
      type: code(AttachmentType, 'Where the bytes are.', { default: 1 }),
      attachmentId: int64('Id of an attachment that exists.'),
      name: text('File name.'),
      contentRef: upload('Reference that the upload gave.'),
      referencedAttachmentId: int64('Attachment of another post to which this one refers.'),
      hashtagIds: ids('Hashtags of the attachment.'),
      drive: ref('DriveAttachmentData', 'The file in Google Drive, for type 2.'),
      downloadable: flag(
        'Whether readers may download the file. Left out: true for a new attachment, unchanged for one that is there. An attachment that refers to one that may not be downloaded may not be either.',
      ),
    },
  ),
  CreateCustomPostRequest: type('A new post.', {
    title,
    description,
    descriptionFormat,
    customData,
    applyDefaults: flag(
      'True gives custom fields that `customData` does not name their default; an empty text there leaves a field empty, of whatever type. Left out, fields that are not named are empty.',
    ),
    deltaAreaFormat,
    attachments: list('InputPostAttachment', 'Attachments of the post.', { maxItems: listLimits.attachments }),
    watcherUserIds,
    workflowInitStateId,
    visibility: writtenVisibility,
    announcement,
    clientUid,
    draft,
    scheduledPublication,
  }),
  EditCustomPostRequest: type(
    'New content of a post; what is left out is emptied, but a description that the post has must be sent.',
    customPostEdit,
  ),
  CopyCustomPostRequest: type(
    'Content of the copy of a post; what is left out is empty, but a description that the source has must be sent.',
    {
      ...customPostEdit,
      announcement,
    },
  ),
  CreatePostResponse: type('The post that was created.', {
    postId: int64('Id of the new post.'),
    nextOccToken,
    postData: ref('PostDetail', 'The post.'),
  }),
  EditPostResponse: type('The post after the edit.', { nextOccToken, postData: ref('PostDetail', 'The post.') }),
  CopyPostResponse: type('The copy that was created.', {
    postId: int64('Id of the new post.'),
    nextOccToken,
    postData: ref('PostDetail', 'The new post.'),
  }),
  EditPostCustomDataRequest: type('New custom data of a post.', {
    customData,
    deltaAreaFormat,
    tables: list('CreateEditPostTableRequest', 'Not supported: must be empty or left out.'),
  }),
  CreateEditPostTableRequest: type('A table of a post; not supported in this version.', {
    id: int64('Id of the table.'),
    clientUid: text('Identifier that the program chose.'),
    title: text('Heading of the table.'),
    data: text('Content of the table.'),
  }),
  EditPostWatchersRequest: type('Changes to the watchers of a post.', userWatcherChanges),
  EditPostWatchersResponse: type('The post whose watchers were changed.', { postId: int64('Id of the post.') }),
  EditPostAttachmentsRequest: type('Changes to the attachments of a post.', attachmentChanges),
  EditPostAttachmentsResponse: type('What became of the changes to the attachments.', {
    postId: int64('Id of the post.'),
    addedAttachments: list('PostAttachmentData', 'Attachments that were added.'),
    updatedAttachments: list('PostAttachmentData', 'Attachments that were changed.'),
    removedAttachmentIds: ids('Attachments that were removed.'),
  }),
  MarkPostAsErasableResponse: type('The post that was deleted for good.', { postId: int64('Id of the post.') }),
  DeletePostResponse: type('The post that was deleted.', { postId: int64('Id of the post.') }),
};

/** Events. */
export const eventTypes = {
  CreateEventPostRequest: type('A new event.', {
    title,
    description,
    descriptionFormat,
    coverImageContentRef,
    attachments: list('InputPostAttachment', 'Attachments of the event.', { maxItems: listLimits.attachments }),
    watcherUserIds,
    watcherGroupIds,
    visibility: writtenVisibility,
    announcement,
    clientUid,
    linkPreview,
    pinned,
    draft,
    scheduledPublication,
    event: required(ref('EventPostData', 'Time, place and invitations; `startAt` must be sent.')),
  }),
  EditEventPostRequest: type(
    'New content of an event; `title` and `event` must be sent, what else is left out is emptied.',
    eventPostEdit,
  ),
  CopyEventPostRequest: type(
    'Content of the copy of an event; `title` and `event` must be sent, what else is left out is empty.',
    {
      ...eventPostEdit,
      announcement,
      clientUid,
    },
  ),
  EventPostEditableContentData: type('What can be edited about an event.', {
    title,
    descriptionDelta: text('The text as rich text: a Quill delta as a JSON string.'),
    descriptionPlainText: text('The text without formatting.'),
    coverImageContentRef: text('Reference of the cover picture in the storage.'),
    visibility,
    announcement: flag('Whether the event is an announcement.'),
    attachments: list('PostAttachmentData', 'The attachments; absent with `loadAttachments=false`.'),
    mentions: list('User', 'People mentioned in the text.'),
    watchers: list('User', 'Users who watch the event; the same as `watcherUsers`.'),
    watcherUsers: list('User', 'Users who watch the event.'),
    watcherGroups: list('Group', 'Groups that watch the event.'),
    hashtags: list('Hashtag', 'Hashtags of the event.'),
    pinned: flag('Whether the event is pinned.'),
    draft: flag('True while the event is not published.'),
    scheduledPublication: ref('ZonedDatetime', 'When the event is to be published by itself.'),
    scheduledPublicationResult: code(ScheduledPublicationResult, 'What became of the scheduled publication.'),
    event: ref('EventPostData', 'Time, place and invitations.'),
  }),
  GetEventPostForCreateResponse: type('The form of a new event.', {
    coverImage,
    contentData: ref('EventPostEditableContentData', 'Its starting values.'),
  }),
  GetEventPostForEditResponse: type('The edit form of an event.', {
    coverImage,
    occToken,
    communityId: int64('Community to which the event belongs.'),
    customId: text('Number of the post within its community, as text.'),
    type: code(PostType, 'Kind of post.'),
    creatorUser: ref('User', 'Who wrote the event.'),
    creationTimestamp: time('When the event was created.'),
    lastModifyUser: ref('User', 'Who last edited the event.'),
    lastModifyTimestamp: time('When the event was last edited.'),
    lastOperationTimestamp: time('When something last happened to the event.'),
    linkPreview,
    contentData: eventContent,
  }),
  GetEventPostForCopyResponse: type('The copy form of an event.', {
    coverImage,
    occToken: token('Token of the source, to put into the path of the copy.'),
    contentData: ref('EventPostEditableContentData', 'What the copy starts from.'),
  }),
  EventPostData: type('Time, place and invitations of an event.', {
    startAt: required(ref('EventDatetime', 'When it begins; must be sent.')),
    endAt: ref(
      'EventDatetime',
      'When it ends; left out, it has no end. Of an all-day event its last day, which belongs to it.',
    ),
    timezone: zoneName(
      'IANA name of the time zone of both; left out, that of the author. An all-day event has none, and must not be sent one.',
    ),
    allDay: flag('Whether it takes whole days: start and end are then dates without time, in all their forms.'),
    location: text('Where it is.'),
    participantsCount: count('How many people said yes; cannot be written.'),
    participate: flag('Whether the caller said yes; cannot be written.'),
    participateTypeId: code(EventAnswer, "The caller's answer; absent before one is given, and cannot be written."),
    invitations: ref(
      'EventPostInvitationsData',
      'Who is invited. An edit or a copy that leaves it out keeps who is invited.',
    ),
  }),
  EventDatetime: type(
    'A moment of an event. Writes need `localDatetime`. Of an all-day event all three are the date alone.',
    {
      zonedDatetime: text("ISO 8601 with the offset of the event's time zone; cannot be written."),
      localDatetime: text(
        "ISO 8601 without offset: what a clock in the event's time zone shows; of an all-day event a date such as 2026-12-31.",
      ),
      utcDatetime: text('ISO 8601 in UTC, such as 2026-12-31T17:00:00Z; cannot be written.'),
    },
  ),
  EventPostInvitationsData: type('Who is invited to an event.', {
    users: list(
      'InvitationUser',
      'Invited users; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away.',
    ),
    groups: list(
      'InvitationGroup',
      'Invited groups; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away.',
    ),
    sendEditPostNotifications: flag('Whether the invited are told about edits of the event.'),
  }),
  InvitationUser: type('An invited user.', { ...userFields, id: required(userFields.id!), typeId: invitationType }),
  InvitationGroup: type('An invited group.', { ...groupFields, id: required(groupFields.id!), typeId: invitationType }),
  EditPostEventPartecipateRequest: type("The caller's answer to an event.", {
    typeId: required(code(EventAnswer, 'The answer.')),
    notes: text('A note to the organiser: a Quill delta as a JSON string, or plain text.'),
  }),
  LinkPreview: type('The preview of a web page.', {
    title: text('Title of the page.'),
    image: checked(text('Address of its picture.'), { format: 'uri' }),
    url: required(checked(text('Address of the page.'), { format: 'uri' })),
    hidden: flag('True when the author chose not to show the preview.'),
  }),
};

/** Editing a part of a post. */
const patchContent: Fields = {
  title: orNull(title),
  description: orNull(description),
  descriptionFormat,
  customData: orNull(
    fieldValues(
      'New values of custom fields by field id, in the form of an edit; null as a value empties the field. Fields that are left out stay as they are. Null instead of the map empties every field that can be written.',
    ),
  ),
  deltaAreaFormat,
  watcherUserIds: orNull(
    ids('All users who watch the post from now on: the others stop. Null or an empty list leaves none.'),
  ),
  watcherGroupIds: orNull(
    ids('All groups that watch the post from now on: the others stop. Null or an empty list leaves none.'),
  ),
  visibility: { ...visibility, description: `${visibility.description} It cannot be emptied.` },
  workflowInitStateId: int64(
    'State in which a draft begins, where the community lets authors choose. It cannot be emptied.',
  ),
  draft: flag('True keeps the post back from publication. It cannot be emptied.'),
  scheduledPublication: orNull(
    ref('ZonedDatetimeInput', 'When the post is to be published by itself. Null cancels that.'),
  ),
};

export const postPatchTypes = {
  PatchPostRequest: type('What is to change of a post; what is left out stays as it is, null empties it.', {
    occToken: token('Token of the post as it was read. It may come in the header `If-Match` instead.'),
    ...patchContent,
    ...attachmentChanges,
  }),
  FieldMappingForm: type('What becomes of the value of a field of a post that moves.', {
    fromId: required(int64('Id of a field of the post, or of a screen of its workflow.')),
    toId: int64(
      'Id of a field of the same type in the other community: of posts for a value of the post, of screens for one of a screen. Left out, the value is lost.',
    ),
  }),
  MovePostRequest: type('Where a post moves to.', {
    communityId: required(int64('Id of the other community.')),
    stateId: int64('Id of the state in which it is there. Left out: the state of the same name.'),
    fieldMapping: list(
      'FieldMappingForm',
      'What becomes of values that no field of the other community takes by itself.',
      {
        maxItems: listLimits.items,
      },
    ),
    occToken: required(token('Token of the post; a stale one is a 409.')),
  }),
  PostPatch: type(
    'What is to change of each of many posts; what is left out stays as it is, null empties it.',
    patchContent,
  ),
};

/** Writing comments, reading and writing workflow screens. */
export const commentWorkflowTypes = {
  CreatePostCommentRequest: type('A new comment.', {
    comment: text(
      'The comment: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A comment needs a text or an attachment.',
    ),
    commentFormat: code(TextFormat, 'How `comment` is written.', { default: 1 }),
    clientUid,
    attachments: list('InputPostCommentAttachment', 'Attachments of the comment.', {
      maxItems: listLimits.attachments,
    }),
    parentCommentId: int64('Comment that this one answers.'),
  }),
  CreatePostCommentResponse: type('The comment that was created.', { comment: ref('PostComment', 'The comment.') }),
  InputPostCommentAttachment: type('An attachment of a comment in a write.', {
    attachmentId: int64('Id of an attachment that exists.'),
    name: text('File name.'),
    contentRef: upload('Reference that the upload gave.'),
  }),
  GetPostWorkflowScreenDataForEditResponse: type('A workflow screen with its values.', {
    screenData: fieldValues(
      'Present values by field id; references are arrays of objects here, and are written as arrays of ids.',
    ),
    screenOccToken: token('Token that all transitions and screens of the post share.'),
    screen: ref('WorkflowDefinitionScreen', 'The fields of the screen.'),
    currentWorkflowState: ref('PostWorkflowDefinitionState', 'State of the post.'),
  }),
  ExecutePostWorkflowOperationRequest: type('What a transition needs; `{}` when it has no screen.', {
    screenData,
    applyDefaults: flag(
      'True gives fields of the screen that `screenData` does not name, and that hold no value yet, their default; an empty text there leaves a field empty. Left out, none is given.',
    ),
    deltaAreaFormat,
    screenOccToken: token('Token that the screen gave; a stale one is a 409.'),
  }),
  ExecutePostWorkflowOperationResponse: type('State of the post after the transition.', {
    newCurrentState: ref('PostWorkflowDefinitionState', 'The new state.'),
    newScreenData: fieldValues('Values of the workflow screens by field id.'),
    newCurrentWorkflowPermittedOperations: list(
      'PostWorkflowDefinitionTransition',
      'Transitions that the caller may run next.',
    ),
    newCanEditWorkflowScreenData: flag('Whether the caller may edit the screen of the new state.'),
    newLastModifyTimestamp: time('When the post was last edited.'),
    postDataHasChanged: flag('Whether the transition also changed the post itself, so that it is worth reading again.'),
  }),
  EditPostWorkflowScreenDataRequest: type('New values of the screen of the present state.', {
    screenData,
    deltaAreaFormat,
  }),
  EditPostWorkflowScreenDataResponse: type('The screen after the edit.', {
    nextScreenOccToken: token('Screen token for the next write.'),
    newScreenData: fieldValues('Values of the workflow screens by field id.'),
    newLastModifyTimestamp: time('When the post was last edited.'),
    postDataHasChanged: flag('Whether the edit also changed the post itself, so that it is worth reading again.'),
  }),
};
