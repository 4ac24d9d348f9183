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
import * as t from './fields.ts';
import { groupFields } from './groups.ts';
import { visibility } from './posts.ts';
import { userFields } from './users.ts';

const title = t.text('Title.');
const description = t.text('The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2.');
const descriptionFormat = t.code(TextFormat, 'How `description` is written.', { default: 1 });
const deltaAreaFormat = t.code(TextFormat, 'How every rich-text field in this body is written.', { default: 1 });
const customData = t.fieldValues(
  'Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden.',
);
const screenData =
  'Values of the screen fields by field id, in the same form as custom data. Fields that it leaves out are emptied, with `{}` all of them, except those that the caller may not write.';
const writtenVisibility = {
  ...visibility,
  description: `${visibility.description} Left out: what the community's definition says.`,
};
const workflowInitStateId = t.int64('State in which the post begins, where the community lets authors choose.');
const draft = t.flag('True keeps the post back from publication.');
const scheduledPublication = t.ref('ZonedDatetimeInput', 'When the post is to be published by itself.');
const announcement = t.flag('True makes the post an announcement, where the caller may; left out, it is none.');
const clientUid = t.text(
  'Identifier that the creating program chooses; a repeat by the same author gives the existing object. Left out or empty, none.',
);
const coverImageContentRef = t.upload('Reference of an uploaded picture that becomes the cover.');
const linkPreview = t.ref('LinkPreview', 'Preview of a web page that is shown with the post.');
const watcherUserIds = t.ids('Users who watch the post: they are notified, and see it also when it is private.');
const watcherGroupIds = t.ids('Groups that watch the post.');
const nextOccToken = t.token('Token for the next edit.');
const occToken = t.token('Token to put into the path of the next write.');
const pinned = t.flag('True shows the post at the head of the community. Null or left out leaves the pin as it is.');

const attachmentChanges: t.Fields = {
  addAttachments: t.list('InputPostAttachment', 'Attachments to add.', { maxItems: listLimits.attachments }),
  updateAttachments: t.list(
    'InputPostAttachment',
    'Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version.',
    { maxItems: listLimits.attachments },
  ),
  removeAttachmentIds: t.ids('Attachments to remove.', { maxItems: listLimits.attachments }),
};
const userWatcherChanges: t.Fields = {
  addWatcherUserIds: t.ids('Users who start to watch.'),
  removeWatcherUserIds: t.ids('Users who stop watching.'),
};
const groupWatcherChanges: t.Fields = {
  addWatcherGroupIds: t.ids('Groups that start to watch.'),
  removeWatcherGroupIds: t.ids('Groups that stop watching.'),
};
const customPostEdit: t.Fields = {
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
const eventPostEdit: t.Fields = {
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
  event: t.required(t.ref('EventPostData', 'Time, place and invitations.')),
};

const invitationType = t.code(InvitationType, 'In what capacity the invitation is; left out of a write, 0.');
const coverImage = t.ref('PostCoverImage', 'Cover picture; absent when there is none.');
const eventContent = t.ref('EventPostEditableContentData', 'What can be edited.');

export const postWriteTypes = {
  InputPostAttachment: t.type(
    'An attachment in a write: an existing one by `attachmentId`, an uploaded one by `contentRef`, or one in Google Drive.',
    {
      type: t.code(AttachmentType, 'Where the bytes are.', { default: 1 }),
      attachmentId: t.int64('Id of an attachment that exists.'),
      name: t.text('File name.'),
      contentRef: t.upload('Reference that the upload gave.'),
      referencedAttachmentId: t.int64('Attachment of another post to which this one refers.'),
      hashtagIds: t.ids('Hashtags of the attachment.'),
      drive: t.ref('DriveAttachmentData', 'The file in Google Drive, for type 2.'),
      downloadable: t.flag(
        'Whether readers may download the file. Left out: true for a new attachment, unchanged for one that is there. An attachment that refers to one that may not be downloaded may not be either.',
      ),
    },
  ),
  CreateCustomPostRequest: t.type('A new post.', {
    title,
    description,
    descriptionFormat,
    customData,
    applyDefaults: t.flag(
      'True gives custom fields that `customData` does not name their default; an empty text there leaves a field empty, of whatever type. Left out, fields that are not named are empty.',
    ),
    deltaAreaFormat,
    attachments: t.list('InputPostAttachment', 'Attachments of the post.', { maxItems: listLimits.attachments }),
    watcherUserIds,
    workflowInitStateId,
    visibility: writtenVisibility,
    announcement,
    clientUid,
    draft,
    scheduledPublication,
  }),
  EditCustomPostRequest: t.type(
    'New content of a post; what is left out is emptied, but a description that the post has must be sent.',
    customPostEdit,
  ),
  CopyCustomPostRequest: t.type(
    'Content of the copy of a post; what is left out is empty, but a description that the source has must be sent.',
    {
      ...customPostEdit,
      announcement,
    },
  ),
  CreatePostResponse: t.type('The post that was created.', {
    postId: t.int64('Id of the new post.'),
    nextOccToken,
    postData: t.ref('PostDetail', 'The post.'),
  }),
  EditPostResponse: t.type('The post after the edit.', { nextOccToken, postData: t.ref('PostDetail', 'The post.') }),
  CopyPostResponse: t.type('The copy that was created.', {
    postId: t.int64('Id of the new post.'),
    nextOccToken,
    postData: t.ref('PostDetail', 'The new post.'),
  }),
  EditPostCustomDataRequest: t.type('New custom data of a post.', {
    customData,
    deltaAreaFormat,
    tables: t.list('CreateEditPostTableRequest', 'Not supported: must be empty or left out.'),
  }),
  CreateEditPostTableRequest: t.type('A table of a post; not supported in this version.', {
    id: t.int64('Id of the table.'),
    clientUid: t.text('Identifier that the program chose.'),
    title: t.text('Heading of the table.'),
    data: t.text('Content of the table.'),
  }),
  EditPostWatchersRequest: t.type('Changes to the watchers of a post.', userWatcherChanges),
  EditPostWatchersResponse: t.type('The post whose watchers were changed.', { postId: t.int64('Id of the post.') }),
  EditPostAttachmentsRequest: t.type('Changes to the attachments of a post.', attachmentChanges),
  EditPostAttachmentsResponse: t.type('What became of the changes to the attachments.', {
    postId: t.int64('Id of the post.'),
    addedAttachments: t.list('PostAttachmentData', 'Attachments that were added.'),
    updatedAttachments: t.list('PostAttachmentData', 'Attachments that were changed.'),
    removedAttachmentIds: t.ids('Attachments that were removed.'),
  }),
  MarkPostAsErasableResponse: t.type('The post that was deleted for good.', { postId: t.int64('Id of the post.') }),
  DeletePostResponse: t.type('The post that was deleted.', { postId: t.int64('Id of the post.') }),
};

/** Events. */
export const eventTypes = {
  CreateEventPostRequest: t.type('A new event.', {
    title,
    description,
    descriptionFormat,
    coverImageContentRef,
    attachments: t.list('InputPostAttachment', 'Attachments of the event.', { maxItems: listLimits.attachments }),
    watcherUserIds,
    watcherGroupIds,
    visibility: writtenVisibility,
    announcement,
    clientUid,
    linkPreview,
    pinned,
    draft,
    scheduledPublication,
    event: t.required(t.ref('EventPostData', 'Time, place and invitations; `startAt` must be sent.')),
  }),
  EditEventPostRequest: t.type(
    'New content of an event; `title` and `event` must be sent, what else is left out is emptied.',
    eventPostEdit,
  ),
  CopyEventPostRequest: t.type(
    'Content of the copy of an event; `title` and `event` must be sent, what else is left out is empty.',
    {
      ...eventPostEdit,
      announcement,
      clientUid,
    },
  ),
  EventPostEditableContentData: t.type('What can be edited about an event.', {
    title,
    descriptionDelta: t.text('The text as rich text: a Quill delta as a JSON string.'),
    descriptionPlainText: t.text('The text without formatting.'),
    coverImageContentRef: t.text('Reference of the cover picture in the storage.'),
    visibility,
    announcement: t.flag('Whether the event is an announcement.'),
    attachments: t.list('PostAttachmentData', 'The attachments; absent with `loadAttachments=false`.'),
    mentions: t.list('User', 'People mentioned in the text.'),
    watchers: t.list('User', 'Users who watch the event; the same as `watcherUsers`.'),
    watcherUsers: t.list('User', 'Users who watch the event.'),
    watcherGroups: t.list('Group', 'Groups that watch the event.'),
    hashtags: t.list('Hashtag', 'Hashtags of the event.'),
    pinned: t.flag('Whether the event is pinned.'),
    draft: t.flag('True while the event is not published.'),
    scheduledPublication: t.ref('ZonedDatetime', 'When the event is to be published by itself.'),
    scheduledPublicationResult: t.code(ScheduledPublicationResult, 'What became of the scheduled publication.'),
    event: t.ref('EventPostData', 'Time, place and invitations.'),
  }),
  GetEventPostForCreateResponse: t.type('The form of a new event.', {
    coverImage,
    contentData: t.ref('EventPostEditableContentData', 'Its starting values.'),
  }),
  GetEventPostForEditResponse: t.type('The edit form of an event.', {
    coverImage,
    occToken,
    communityId: t.int64('Community to which the event belongs.'),
    customId: t.text('Number of the post within its community, as text.'),
    type: t.code(PostType, 'Kind of post.'),
    creatorUser: t.ref('User', 'Who wrote the event.'),
    creationTimestamp: t.time('When the event was created.'),
    lastModifyUser: t.ref('User', 'Who last edited the event.'),
    lastModifyTimestamp: t.time('When the event was last edited.'),
    lastOperationTimestamp: t.time('When something last happened to the event.'),
    linkPreview,
    contentData: eventContent,
  }),
  GetEventPostForCopyResponse: t.type('The copy form of an event.', {
    coverImage,
    occToken: t.token('Token of the source, to put into the path of the copy.'),
    contentData: t.ref('EventPostEditableContentData', 'What the copy starts from.'),
  }),
  EventPostData: t.type('Time, place and invitations of an event.', {
    startAt: t.required(t.ref('EventDatetime', 'When it begins; must be sent.')),
    endAt: t.ref(
      'EventDatetime',
      'When it ends; left out, it has no end. Of an all-day event its last day, which belongs to it.',
    ),
    timezone: t.zoneName(
      'IANA name of the time zone of both; left out, that of the author. An all-day event has none, and must not be sent one.',
    ),
    allDay: t.flag('Whether it takes whole days: start and end are then dates without time, in all their forms.'),
    location: t.text('Where it is.'),
    participantsCount: t.count('How many people said yes; cannot be written.'),
    participate: t.flag('Whether the caller said yes; cannot be written.'),
    participateTypeId: t.code(EventAnswer, "The caller's answer; absent before one is given, and cannot be written."),
    invitations: t.ref(
      'EventPostInvitationsData',
      'Who is invited. An edit or a copy that leaves it out keeps who is invited.',
    ),
  }),
  EventDatetime: t.type(
    'A moment of an event. Writes need `localDatetime`. Of an all-day event all three are the date alone.',
    {
      zonedDatetime: t.text("ISO 8601 with the offset of the event's time zone; cannot be written."),
      localDatetime: t.text(
        "ISO 8601 without offset: what a clock in the event's time zone shows; of an all-day event a date such as 2026-12-31.",
      ),
      utcDatetime: t.text('ISO 8601 in UTC, such as 2026-12-31T17:00:00Z; cannot be written.'),
    },
  ),
  EventPostInvitationsData: t.type('Who is invited to an event.', {
    users: t.list(
      'InvitationUser',
      'Invited users; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away.',
    ),
    groups: t.list(
      'InvitationGroup',
      'Invited groups; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away.',
    ),
    sendEditPostNotifications: t.flag('Whether the invited are told about edits of the event.'),
  }),
  InvitationUser: t.type('An invited user.', { ...userFields, id: t.required(userFields.id!), typeId: invitationType }),
  InvitationGroup: t.type('An invited group.', {
    ...groupFields,
    id: t.required(groupFields.id!),
    typeId: invitationType,
  }),
  EditPostEventPartecipateRequest: t.type("The caller's answer to an event.", {
    typeId: t.required(t.code(EventAnswer, 'The answer.')),
    notes: t.text('A note to the organiser: a Quill delta as a JSON string, or plain text.'),
  }),
  LinkPreview: t.type('The preview of a web page.', {
    title: t.text('Title of the page.'),
    image: t.checked(t.text('Address of its picture.'), { format: 'uri' }),
    url: t.required(t.checked(t.text('Address of the page.'), { format: 'uri' })),
    hidden: t.flag('True when the author chose not to show the preview.'),
  }),
};

/** Editing a part of a post. */
const patchContent: t.Fields = {
  title: t.orNull(title),
  description: t.orNull(description),
  descriptionFormat,
  customData: t.orNull(
    t.fieldValues(
      'New values of custom fields by field id, in the form of an edit; null as a value empties the field. Fields that are left out stay as they are. Null instead of the map empties every field that can be written.',
    ),
  ),
  deltaAreaFormat,
  watcherUserIds: t.orNull(
    t.ids('All users who watch the post from now on: the others stop. Null or an empty list leaves none.'),
  ),
  watcherGroupIds: t.orNull(
    t.ids('All groups that watch the post from now on: the others stop. Null or an empty list leaves none.'),
  ),
  visibility: { ...visibility, description: `${visibility.description} It cannot be emptied.` },
  workflowInitStateId: t.int64(
    'State in which a draft begins, where the community lets authors choose. It cannot be emptied.',
  ),
  draft: t.flag('True keeps the post back from publication. It cannot be emptied.'),
  scheduledPublication: t.orNull(
    t.ref('ZonedDatetimeInput', 'When the post is to be published by itself. Null cancels that.'),
  ),
};

export const postPatchTypes = {
  PatchPostRequest: t.type('What is to change of a post; what is left out stays as it is, null empties it.', {
    occToken: t.token('Token of the post as it was read. It may come in the header `If-Match` instead.'),
    ...patchContent,
    ...attachmentChanges,
  }),
  FieldMappingForm: t.type('What becomes of the value of a field of a post that moves.', {
    fromId: t.required(t.int64('Id of a field of the post, or of a screen of its workflow.')),
    toId: t.int64(
      'Id of a field of the same type in the other community: of posts for a value of the post, of screens for one of a screen. Left out, the value is lost.',
    ),
  }),
  MovePostRequest: t.type('Where a post moves to.', {
    communityId: t.required(t.int64('Id of the other community.')),
    stateId: t.int64('Id of the state in which it is there. Left out: the state of the same name.'),
    fieldMapping: t.list(
      'FieldMappingForm',
      'What becomes of values that no field of the other community takes by itself.',
      {
        maxItems: listLimits.items,
      },
    ),
    occToken: t.required(t.token('Token of the post; a stale one is a 409.')),
  }),
  PostPatch: t.type(
    'What is to change of each of many posts; what is left out stays as it is, null empties it.',
    patchContent,
  ),
};

/** Writing comments, reading and writing workflow screens. */
export const commentWorkflowTypes = {
  CreatePostCommentRequest: t.type('A new comment.', {
    comment: t.text(
      'The comment: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A comment needs a text or an attachment.',
    ),
    commentFormat: t.code(TextFormat, 'How `comment` is written.', { default: 1 }),
    clientUid,
    attachments: t.list('InputPostCommentAttachment', 'Attachments of the comment.', {
      maxItems: listLimits.attachments,
    }),
    parentCommentId: t.int64('Comment that this one answers.'),
  }),
  CreatePostCommentResponse: t.type('The comment that was created.', { comment: t.ref('PostComment', 'The comment.') }),
  InputPostCommentAttachment: t.type('An attachment of a comment in a write.', {
    attachmentId: t.int64('Id of an attachment that exists.'),
    name: t.text('File name.'),
    contentRef: t.upload('Reference that the upload gave.'),
  }),
  GetPostWorkflowScreenDataForEditResponse: t.type('A workflow screen with its values.', {
    screenData: t.fieldValues(
      'Present values by field id; references are arrays of objects here, and are written as arrays of ids.',
    ),
    screenOccToken: t.token('Token that all transitions and screens of the post share.'),
    screen: t.ref('WorkflowDefinitionScreen', 'The fields of the screen.'),
    currentWorkflowState: t.ref('PostWorkflowDefinitionState', 'State of the post.'),
  }),
  ExecutePostWorkflowOperationRequest: t.type('What a transition needs; `{}` when it has no screen.', {
    screenData: t.fieldValues(
      `${screenData} Left out or null, the values stay as they are; what the screen requires must be among them.`,
    ),
    applyDefaults: t.flag(
      'True gives fields of the screen that `screenData` does not name, and that hold no value yet, their default; an empty text there leaves a field empty. Left out, none is given.',
    ),
    deltaAreaFormat,
    screenOccToken: t.token('Token that the screen gave (`post-workflow-screen-data-for-edit`); a stale one is a 409.'),
  }),
  ExecutePostWorkflowOperationResponse: t.type('State of the post after the transition.', {
    newCurrentState: t.ref('PostWorkflowDefinitionState', 'The new state.'),
    newScreenData: t.fieldValues('Values of the workflow screens by field id.'),
    newCurrentWorkflowPermittedOperations: t.list(
      'PostWorkflowDefinitionTransition',
      'Transitions that the caller may run next.',
    ),
    newCanEditWorkflowScreenData: t.flag('Whether the caller may edit the screen of the new state.'),
    newLastModifyTimestamp: t.time('When the post was last edited.'),
    postDataHasChanged: t.flag(
      'Whether the transition also changed the post itself, so that it is worth reading again.',
    ),
  }),
  EditPostWorkflowScreenDataRequest: t.type('New values of the screen of the present state.', {
    screenData: t.fieldValues(`${screenData} Left out or null it counts as \`{}\`.`),
    deltaAreaFormat,
  }),
  EditPostWorkflowScreenDataResponse: t.type('The screen after the edit.', {
    nextScreenOccToken: t.token('Screen token for the next write.'),
    newScreenData: t.fieldValues('Values of the workflow screens by field id.'),
    newLastModifyTimestamp: t.time('When the post was last edited.'),
    postDataHasChanged: t.flag('Whether the edit also changed the post itself, so that it is worth reading again.'),
  }),
};
