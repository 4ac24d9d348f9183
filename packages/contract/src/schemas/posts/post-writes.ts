/** Writes of posts, events, comments' bodies and workflow. */
import {
  AttachmentType,
  EventAnswer,
  InvitationType,
  PostType,
  ScheduledPublicationResult,
  TextFormat,
} from '../../codes/codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { groupFields } from '../groups/groups.ts';
import { userFields } from '../users/users.ts';
import { visibility } from './posts.ts';

const title = t.text('Title.');
const description = t.text('The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2.');
const descriptionFormat = t.code(TextFormat, 'Format of `description`.', { default: 1 });
const deltaAreaFormat = t.code(TextFormat, 'Format of all rich-text fields in this body.', { default: 1 });
const customData = t.fieldValues(
  'Values of the custom fields by field id; references are arrays of ids, dates epoch ' +
    'milliseconds or ISO 8601. An omitted field is emptied, unless it is read-only or hidden.',
);
const screenData =
  'Values of the screen fields by field id, in the same form as custom data. Omitted fields ' +
  'are emptied, with `{}` all fields, except fields that the caller may not write.';
const writtenVisibility = {
  ...visibility,
  description: `${visibility.description} Default: the visibility in the community's definition.`,
};
const workflowInitStateId = t.int64('State in which the post begins, where the community lets authors choose.');
const draft = t.flag('True keeps the post back from publication.');
const scheduledPublication = t.ref('ZonedDatetimeInput', 'Time of the scheduled publication.');
const announcement = t.flag(
  'True makes the post an announcement, if the caller may do this. Default: no announcement.',
);
const clientUid = t.text(
  'Identifier that the creating program chooses; a repeat by the same author returns the ' +
    'existing object. If omitted or empty, none.',
);
const coverImageContentRef = t.upload('Reference of an uploaded picture that becomes the cover.');
const linkPreview = t.ref('LinkPreview', 'Preview of a web page that is shown with the post.');
const watcherUserIds = t.ids('Users who watch the post: they are notified, and see it also when it is private.');
const watcherGroupIds = t.ids('Groups that watch the post.');
const nextOccToken = t.token('Token for the next edit.');
const occToken = t.token('Token to put into the path of the next write.');
const pinned = t.flag('True shows the post at the head of the community. Null or omitted keeps the pin unchanged.');

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
  event: t.requiredByRule(t.ref('EventPostData', 'Time, place and invitations.')),
};

const invitationType = t.code(InvitationType, 'Kind of the invitation. Default of a write: 0.');
const coverImage = t.ref('PostCoverImage', 'Cover picture; absent when there is none.');
const eventContent = t.ref('EventPostEditableContentData', 'The editable properties.');

export const postWriteTypes = {
  InputPostAttachment: t.type(
    'An attachment in a write: an existing one by `attachmentId`, an uploaded one by `contentRef`, or one in Google Drive.',
    {
      type: t.code(AttachmentType, 'Storage of the content.', { default: 1 }),
      attachmentId: t.int64('Id of an attachment that exists.'),
      name: t.text('File name.'),
      contentRef: t.upload('Reference that the upload gave.'),
      referencedAttachmentId: t.int64('Attachment of another post to which this one refers.'),
      hashtagIds: t.ids('Hashtags of the attachment.'),
      drive: t.ref('DriveAttachmentData', 'The file in Google Drive, for type 2.'),
      downloadable: t.flag(
        'Whether readers may download the file. Default: true for a new attachment, unchanged ' +
          'for an existing attachment. An attachment that refers to an attachment without ' +
          'download cannot be downloaded either.',
      ),
    },
  ),
  CreateCustomPostRequest: t.type('A new post.', {
    title,
    description,
    descriptionFormat,
    customData,
    applyDefaults: t.flag(
      'True sets the default of custom fields that `customData` does not name; an empty text ' +
        'there leaves a field empty, of whatever type. If omitted, fields that are not named are ' +
        'empty.',
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
    'New content of a post; omitted fields are emptied, but an existing description must be sent.',
    customPostEdit,
  ),
  CopyCustomPostRequest: t.type(
    'Content of the copy of a post; omitted fields are empty, but an existing description of the source must be sent.',
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
    tables: t.list('CreateEditPostTableRequest', 'Not supported: must be empty or omitted.'),
  }),
  CreateEditPostTableRequest: t.type('A table of a post; not supported in this version.', {
    id: t.int64('Id of the table.'),
    clientUid: t.text('Identifier that the program chose.'),
    title: t.text('Heading of the table.'),
    data: t.text('Content of the table.'),
  }),
  EditPostWatchersRequest: t.type('Changes to the watchers of a post.', userWatcherChanges),
  EditPostWatchersResponse: t.type('The post of the watchers.', { postId: t.int64('Id of the post.') }),
  EditPostAttachmentsRequest: t.type('Changes to the attachments of a post.', {
    ...attachmentChanges,
    restoreAttachmentIds: t.ids('Removed attachments to attach again, each with its versions.', {
      maxItems: listLimits.attachments,
    }),
  }),
  EditPostAttachmentsResponse: t.type('Outcome of the changes to the attachments.', {
    postId: t.int64('Id of the post.'),
    addedAttachments: t.list('PostAttachmentData', 'Attachments that were added or attached again.'),
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
    event: t.requiredByRule(t.ref('EventPostData', 'Time, place and invitations; `startAt` must be sent.')),
  }),
  EditEventPostRequest: t.type(
    'New content of an event; `title` and `event` must be sent, other omitted fields are emptied.',
    eventPostEdit,
  ),
  CopyEventPostRequest: t.type(
    'Content of the copy of an event; `title` and `event` must be sent, other omitted fields are empty.',
    {
      ...eventPostEdit,
      announcement,
      clientUid,
    },
  ),
  EventPostEditableContentData: t.type('Editable content of an event.', {
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
    scheduledPublication: t.ref('ZonedDatetime', 'Time of the scheduled publication.'),
    scheduledPublicationResult: t.code(ScheduledPublicationResult, 'Outcome of the scheduled publication.'),
    event: t.ref('EventPostData', 'Time, place and invitations.'),
  }),
  GetEventPostForCreateResponse: t.type('The form of a new event.', {
    coverImage,
    contentData: t.ref('EventPostEditableContentData', 'Initial values.'),
  }),
  GetEventPostForEditResponse: t.type('The edit form of an event.', {
    coverImage,
    occToken,
    communityId: t.int64('Community to which the event belongs.'),
    customId: t.text('Number of the post within its community, as text.'),
    type: t.code(PostType, 'Kind of post.'),
    creatorUser: t.ref('User', 'User who wrote the event.'),
    creationTimestamp: t.time('Time at which the event was created.'),
    lastModifyUser: t.ref('User', 'User who last edited the event.'),
    lastModifyTimestamp: t.time('Time at which the event was last edited.'),
    lastOperationTimestamp: t.time('Time of the last event on it.'),
    linkPreview,
    contentData: eventContent,
  }),
  GetEventPostForCopyResponse: t.type('The copy form of an event.', {
    coverImage,
    occToken: t.token('Token of the source, to put into the path of the copy.'),
    contentData: t.ref('EventPostEditableContentData', 'Initial content of the copy.'),
  }),
  EventPostData: t.type('Time, place and invitations of an event.', {
    startAt: t.requiredByRule(t.ref('EventDatetime', 'Start of the event; required.')),
    endAt: t.ref(
      'EventDatetime',
      'End of the event. If omitted, it has no end. For an all-day event its last day, inclusive.',
    ),
    timezone: t.zoneName(
      'IANA name of the time zone of start and end. Default: the zone of the author. An ' +
        'all-day event has none and rejects one.',
    ),
    allDay: t.flag('Whether it is an all-day event: start and end are then dates without time, in all their forms.'),
    location: t.text('Place.'),
    participantsCount: t.count('Number of people who said yes; cannot be written.'),
    participate: t.flag('Whether the caller said yes; cannot be written.'),
    participateTypeId: t.code(EventAnswer, "The caller's answer; absent before an answer, and cannot be written."),
    invitations: t.ref(
      'EventPostInvitationsData',
      'The invitations. An edit or a copy without this field keeps the invitations.',
    ),
  }),
  EventDatetime: t.type(
    'A moment of an event. Writes require `localDatetime`. For an all-day event all three contain only the date.',
    {
      zonedDatetime: t.text("ISO 8601 with the offset of the event's time zone; cannot be written."),
      localDatetime: t.text(
        "ISO 8601 without offset: local time in the event's time zone; for an all-day event a date such as 2026-12-31.",
      ),
      utcDatetime: t.text('ISO 8601 in UTC, such as 2026-12-31T17:00:00Z; cannot be written.'),
    },
  ),
  EventPostInvitationsData: t.type('Invitations to an event.', {
    users: t.list(
      'InvitationUser',
      'Invited users; writes require `id`. An edit or a copy without them keeps them, an empty list removes them.',
    ),
    groups: t.list(
      'InvitationGroup',
      'Invited groups; writes require `id`. An edit or a copy without them keeps them, an empty list removes them.',
    ),
    sendEditPostNotifications: t.flag('Whether invited people are notified of edits of the event.'),
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
    url: t.requiredByRule(t.checked(t.text('Address of the page.'), { format: 'uri' })),
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
      'New values of custom fields by field id, in the form of an edit; null as a value ' +
        'empties the field. Omitted fields stay unchanged. Null instead of the map empties every ' +
        'field that can be written.',
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
  scheduledPublication: t.orNull(t.ref('ZonedDatetimeInput', 'Time of the scheduled publication. Null cancels it.')),
};

export const postPatchTypes = {
  PatchPostRequest: t.type('Changes to a post; omitted fields stay unchanged, null empties a field.', {
    occToken: t.token('Token of the post as it was read. The header `If-Match` can be sent instead.'),
    ...patchContent,
    ...attachmentChanges,
  }),
  FieldMappingForm: t.type('Treatment of the value of a field when a post moves.', {
    fromId: t.requiredByRule(t.int64('Id of a field of the post, or of a screen of its workflow.')),
    toId: t.int64(
      'Id of a field of the same type in the other community: a field of posts for a value of ' +
        'the post, a field of screens for a value of a screen. If omitted, the value is lost.',
    ),
  }),
  MovePostRequest: t.type('Target of a move.', {
    communityId: t.required(t.int64('Id of the other community.')),
    stateId: t.int64('Id of the state of the post there. Default: the state of the same name.'),
    fieldMapping: t.list('FieldMappingForm', 'Treatment of values that match no field of the other community.', {
      maxItems: listLimits.items,
    }),
    occToken: t.required(t.token('Token of the post; a stale token returns 409.'), 'Send the token of the post.'),
  }),
  PostPatch: t.type(
    'Changes to each of many posts; omitted fields stay unchanged, null empties a field.',
    patchContent,
  ),
};

/** Writing comments, reading and writing workflow screens. */
export const commentWorkflowTypes = {
  CreatePostCommentRequest: t.type('A new comment.', {
    comment: t.text(
      'The comment: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A ' +
        'comment requires a text or an attachment.',
    ),
    commentFormat: t.code(TextFormat, 'Format of `comment`.', { default: 1 }),
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
  ExecutePostWorkflowOperationRequest: t.type('Input of a transition; `{}` if it has no screen.', {
    screenData: t.fieldValues(
      `${screenData} If omitted or null, the values stay unchanged; they must include the ` +
        'values that the screen requires.',
    ),
    applyDefaults: t.flag(
      'True sets the default of fields of the screen that `screenData` does not name and that ' +
        'hold no value yet; an empty text there leaves a field empty. If omitted, no defaults ' +
        'are set.',
    ),
    deltaAreaFormat,
    screenOccToken: t.token(
      'Token that the screen returned (`post-workflow-screen-data-for-edit`); a stale token ' + 'returns 409.',
    ),
  }),
  ExecutePostWorkflowOperationResponse: t.type('State of the post after the transition.', {
    newCurrentState: t.ref('PostWorkflowDefinitionState', 'The new state.'),
    newScreenData: t.fieldValues('Values of the workflow screens by field id.'),
    newCurrentWorkflowPermittedOperations: t.list(
      'PostWorkflowDefinitionTransition',
      'Transitions that the caller may run next.',
    ),
    newCanEditWorkflowScreenData: t.flag('Whether the caller may edit the screen of the new state.'),
    newLastModifyTimestamp: t.time('Time at which the post was last edited.'),
    postDataHasChanged: t.flag(
      'Whether the transition also changed the post itself, so that it is worth reading again.',
    ),
  }),
  EditPostWorkflowScreenDataRequest: t.type('New values of the screen of the present state.', {
    screenData: t.fieldValues(`${screenData} If omitted or null, it counts as \`{}\`.`),
    deltaAreaFormat,
  }),
  EditPostWorkflowScreenDataResponse: t.type('The screen after the edit.', {
    nextScreenOccToken: t.token('Screen token for the next write.'),
    newScreenData: t.fieldValues('Values of the workflow screens by field id.'),
    newLastModifyTimestamp: t.time('Time at which the post was last edited.'),
    postDataHasChanged: t.flag('Whether the edit also changed the post itself, so that it is worth reading again.'),
  }),
};
