// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { DriveAttachmentData, PostAttachmentData } from './attachments.generated.ts';
import type { PostComment } from './comments-tasks.generated.ts';
import type { ZonedDatetime, ZonedDatetimeInput } from './common.generated.ts';
import type { Hashtag, PostWorkflowDefinitionState, PostWorkflowDefinitionTransition, WorkflowDefinitionScreen } from './communities.generated.ts';
import type { Group, Tag } from './groups.generated.ts';
import type { PostCoverImage, PostDetail } from './posts.generated.ts';
import type { License, User } from './users.generated.ts';
import type { JsonValue } from './json.ts';

/** An attachment in a write: an existing one by `attachmentId`, an uploaded one by `contentRef`, or one in Google Drive. */
export interface InputPostAttachment {
  /** Where the bytes are. 1 = STORAGE, 2 = DRIVE. Default 1. */
  type?: number;
  /** Id of an attachment that exists. */
  attachmentId?: number;
  /** File name. */
  name?: string;
  /** Reference that the upload gave. */
  contentRef?: string;
  /** Attachment of another post to which this one refers. */
  referencedAttachmentId?: number;
  /** Hashtags of the attachment. */
  hashtagIds?: number[];
  /** The file in Google Drive, for type 2. */
  drive?: DriveAttachmentData;
}

/** A new post. */
export interface CreateCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601 (ruling 23). A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
  /** Attachments of the post. */
  attachments?: InputPostAttachment[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUserIds?: number[];
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** True makes the post an announcement, where the caller may. Must be sent. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object (ruling 25). */
  clientUid?: string;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
}

/** New content of a post; what is left out is emptied. */
export interface EditCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601 (ruling 23). A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
  /** Users who start to watch. */
  addWatcherUserIds?: number[];
  /** Users who stop watching. */
  removeWatcherUserIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
}

/** Content of the copy of a post; nothing is inherited. */
export interface CopyCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601 (ruling 23). A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
  /** Users who start to watch. */
  addWatcherUserIds?: number[];
  /** Users who stop watching. */
  removeWatcherUserIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
  /** True makes the post an announcement, where the caller may. */
  announcement?: boolean;
}

/** The post that was created. */
export interface CreatePostResponse {
  /** Id of the new post. */
  postId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The post. */
  postData?: PostDetail;
}

/** The post after the edit. */
export interface EditPostResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The post. */
  postData?: PostDetail;
}

/** The copy that was created. */
export interface CopyPostResponse {
  /** Id of the new post. */
  postId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The new post. */
  postData?: PostDetail;
}

/** New custom data of a post. */
export interface EditPostCustomDataRequest {
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601 (ruling 23). A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
  /** Not supported: must be empty or left out. */
  tables?: CreateEditPostTableRequest[];
}

/** A table of a post; not supported in this version. */
export interface CreateEditPostTableRequest {
  /** Id of the table. */
  id?: number;
  /** Identifier that the program chose. */
  clientUid?: string;
  /** Heading of the table. */
  title?: string;
  /** Content of the table. */
  data?: string;
}

/** Changes to the watchers of a post. */
export interface EditPostWatchersRequest {
  /** Users who start to watch. */
  addWatcherUserIds?: number[];
  /** Users who stop watching. */
  removeWatcherUserIds?: number[];
}

/** The post whose watchers were changed. */
export interface EditPostWatchersResponse {
  /** Id of the post. */
  postId?: number;
}

/** Changes to the attachments of a post. */
export interface EditPostAttachmentsRequest {
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
}

/** What became of the changes to the attachments. */
export interface EditPostAttachmentsResponse {
  /** Id of the post. */
  postId?: number;
  /** Attachments that were added. */
  addedAttachments?: PostAttachmentData[];
  /** Attachments that were changed. */
  updatedAttachments?: PostAttachmentData[];
  /** Attachments that were removed. */
  removedAttachmentIds?: number[];
}

/** The post that was deleted for good. */
export interface MarkPostAsErasableResponse {
  /** Id of the post. */
  postId?: number;
}

/** The post that was deleted. */
export interface DeletePostResponse {
  /** Id of the post. */
  postId?: number;
}

/** A new event. */
export interface CreateEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Reference of an uploaded picture that becomes the cover. */
  coverImageContentRef?: string;
  /** Attachments of the event. */
  attachments?: InputPostAttachment[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUserIds?: number[];
  /** Groups that watch the post. */
  watcherGroupIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** True makes the post an announcement, where the caller may. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object (ruling 25). */
  clientUid?: string;
  /** Preview of a web page that is shown with the post. */
  linkPreview?: LinkPreview;
  /** True shows the post at the head of the community. Null or left out leaves the pin as it is. */
  pinned?: boolean;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
  /** Time, place and invitations; `startAt` must be sent. */
  event?: EventPostData;
}

/** New content of an event; what is left out is emptied. */
export interface EditEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Reference of an uploaded picture that becomes the cover. */
  coverImageContentRef?: string;
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
  /** Users who start to watch. */
  addWatcherUserIds?: number[];
  /** Users who stop watching. */
  removeWatcherUserIds?: number[];
  /** Groups that start to watch. */
  addWatcherGroupIds?: number[];
  /** Groups that stop watching. */
  removeWatcherGroupIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** Preview of a web page that is shown with the post. */
  linkPreview?: LinkPreview;
  /** True shows the post at the head of the community. Null or left out leaves the pin as it is. */
  pinned?: boolean;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
  /** Time, place and invitations. */
  event?: EventPostData;
}

/** Content of the copy of an event; nothing is inherited. */
export interface CopyEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: number;
  /** Reference of an uploaded picture that becomes the cover. */
  coverImageContentRef?: string;
  /** Attachments to add. */
  addAttachments?: InputPostAttachment[];
  /** Attachments to change, by `attachmentId`; with a `contentRef` the content becomes a new version. */
  updateAttachments?: InputPostAttachment[];
  /** Attachments to remove. */
  removeAttachmentIds?: number[];
  /** Users who start to watch. */
  addWatcherUserIds?: number[];
  /** Users who stop watching. */
  removeWatcherUserIds?: number[];
  /** Groups that start to watch. */
  addWatcherGroupIds?: number[];
  /** Groups that stop watching. */
  removeWatcherGroupIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: number;
  /** Preview of a web page that is shown with the post. */
  linkPreview?: LinkPreview;
  /** True shows the post at the head of the community. Null or left out leaves the pin as it is. */
  pinned?: boolean;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
  /** Time, place and invitations. */
  event?: EventPostData;
  /** True makes the post an announcement, where the caller may. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object (ruling 25). */
  clientUid?: string;
}

/** What can be edited about an event. */
export interface EventPostEditableContentData {
  /** Title. */
  title?: string;
  /** The text as rich text: a Quill delta as a JSON string. */
  descriptionDelta?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** Reference of the cover picture in the storage. */
  coverImageContentRef?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: number;
  /** Whether the event is an announcement. */
  announcement?: boolean;
  /** The attachments; absent with `loadAttachments=false`. */
  attachments?: PostAttachmentData[];
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the event; the same as `watcherUsers`. */
  watchers?: User[];
  /** Users who watch the event. */
  watcherUsers?: User[];
  /** Groups that watch the event. */
  watcherGroups?: Group[];
  /** Hashtags of the event. */
  hashtags?: Hashtag[];
  /** Whether the event is pinned. */
  pinned?: boolean;
  /** True while the event is not published. */
  draft?: boolean;
  /** When the event is to be published by itself. */
  scheduledPublication?: ZonedDatetime;
  /** What became of the planned publication. 1 = SUCCESS, 2 = FAILED. */
  scheduledPublicationResult?: number;
  /** Time, place and invitations. */
  event?: EventPostData;
}

/** The form of a new event. */
export interface GetEventPostForCreateResponse {
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
  /** Its starting values. */
  contentData?: EventPostEditableContentData;
}

/** The edit form of an event. */
export interface GetEventPostForEditResponse {
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
  /** Token to put into the path of the next write. */
  occToken?: number;
  /** Community to which the event belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: number;
  /** Who wrote the event. */
  creatorUser?: User;
  /** When the event was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the event. */
  lastModifyUser?: User;
  /** When the event was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the event. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
  /** Preview of a web page that is shown with the post. */
  linkPreview?: LinkPreview;
  /** What can be edited. */
  contentData?: EventPostEditableContentData;
}

/** The copy form of an event. */
export interface GetEventPostForCopyResponse {
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
  /** Token of the source, to put into the path of the copy. */
  occToken?: number;
  /** What the copy starts from. */
  contentData?: EventPostEditableContentData;
}

/** Time, place and invitations of an event. */
export interface EventPostData {
  /** When it begins; must be sent. */
  startAt?: EventDatetime;
  /** When it ends; left out, it has no end. */
  endAt?: EventDatetime;
  /** IANA name of the time zone of both; left out, that of the author. */
  timezone?: string;
  /** Whether it takes whole days. */
  allDay?: boolean;
  /** Where it is. */
  location?: string;
  /** How many people said yes; cannot be written. */
  participantsCount?: number;
  /** Whether the caller said yes; cannot be written. */
  participate?: boolean;
  /** The caller's answer; absent before one is given, and cannot be written. 1 = YES, 2 = MAYBE, 3 = NO. */
  participateTypeId?: number;
  /** Who is invited. */
  invitations?: EventPostInvitationsData;
}

/** A moment of an event. Writes need `localDatetime`. */
export interface EventDatetime {
  /** ISO 8601 with the offset of the event's time zone; cannot be written. */
  zonedDatetime?: string;
  /** ISO 8601 without offset: what a clock in the event's time zone shows. */
  localDatetime?: string;
  /** ISO 8601 in UTC; cannot be written. */
  utcDatetime?: string;
}

/** Who is invited to an event. */
export interface EventPostInvitationsData {
  /** Invited users; writes need `id` and `typeId`. */
  users?: InvitationUser[];
  /** Invited groups; writes need `id` and `typeId`. */
  groups?: InvitationGroup[];
  /** Whether the invited are told about edits of the event. */
  sendEditPostNotifications?: boolean;
}

/** An invited user. */
export interface InvitationUser {
  /** Id of the user. */
  id?: number;
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** Line below the name, such as a job title. */
  caption?: string;
  /** Address at which colleagues reach the user. */
  contactEmail?: string;
  /** Google account linked for signing in. */
  googleAccountId?: string;
  /** Microsoft account linked for signing in. */
  microsoftAccountId?: string;
  /** SPID identity linked for signing in. */
  spidAccountId?: string;
  /** True for an account of a program rather than of a person. */
  serviceAccount?: boolean;
  /** True for an account the portal itself acts under. */
  systemAccount?: boolean;
  /** True when domain-wide delegation is active for the user. */
  activeDWD?: boolean;
  /** Absolute address of the photo; absent when there is none. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences the user holds. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
  /** In what capacity the invitation is. 0 = GUEST, 2 = COLLABORATOR. */
  typeId?: number;
}

/** An invited group. */
export interface InvitationGroup {
  /** Id of the group. */
  id?: number;
  /** Name of the group. */
  name?: string;
  /** Address that reaches the group. */
  email?: string;
  /** What the group is for. */
  description?: string;
  /** When the group was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When the group was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** True when people can mention the group; false for one that only administrators use. */
  visible?: boolean;
  /** True for a group that the portal itself keeps. */
  systemAccount?: boolean;
  /** True when the group was removed. */
  deleted?: boolean;
  /** Identifier of the group in another system. */
  externalId?: string;
  /** Version of the group, to be sent with an edit. */
  occToken?: number;
  /** How many users belong to the group. */
  membersCount?: number;
  /** Labels that administrators gave the group. */
  tags?: Tag[];
  /** Whether the user asked about belongs to the group, where one was. */
  checkUserMemberResult?: boolean;
  /** In what capacity the invitation is. 0 = GUEST, 2 = COLLABORATOR. */
  typeId?: number;
}

/** The caller's answer to an event. */
export interface EditPostEventPartecipateRequest {
  /** The answer. 1 = YES, 2 = MAYBE, 3 = NO. */
  typeId?: number;
  /** A note to the organiser. */
  notes?: string;
}

/** The preview of a web page. */
export interface LinkPreview {
  /** Title of the page. */
  title?: string;
  /** Address of its picture. */
  image?: string;
  /** Address of the page. */
  url?: string;
  /** True when the author chose not to show the preview. */
  hidden?: boolean;
}

/** A new comment. */
export interface CreatePostCommentRequest {
  /** The comment: a Quill delta as a JSON string, or plain text with `commentFormat` 2. */
  comment?: string;
  /** How `comment` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  commentFormat?: number;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object (ruling 25). */
  clientUid?: string;
  /** Attachments of the comment. */
  attachments?: InputPostCommentAttachment[];
  /** Comment that this one answers. */
  parentCommentId?: number;
}

/** The comment that was created. */
export interface CreatePostCommentResponse {
  /** The comment. */
  comment?: PostComment;
}

/** An attachment of a comment in a write. */
export interface InputPostCommentAttachment {
  /** Id of an attachment that exists. */
  attachmentId?: number;
  /** File name. */
  name?: string;
  /** Reference that the upload gave. */
  contentRef?: string;
}

/** A workflow screen with its values. */
export interface GetPostWorkflowScreenDataForEditResponse {
  /** Present values by field id; references are arrays of objects here, and are written as arrays of ids. */
  screenData?: Record<string, JsonValue>;
  /** Token that all transitions and screens of the post share. */
  screenOccToken?: number;
  /** The fields of the screen. */
  screen?: WorkflowDefinitionScreen;
  /** Where the post stands. */
  currentWorkflowState?: PostWorkflowDefinitionState;
}

/** What a transition needs; `{}` when it has no screen. */
export interface ExecutePostWorkflowOperationRequest {
  /** Values of the screen fields by field id, in the same form as custom data. */
  screenData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
  /** Token that the screen gave; a stale one is a 409. */
  screenOccToken?: number;
}

/** Where the post stands after the transition. */
export interface ExecutePostWorkflowOperationResponse {
  /** The new state. */
  newCurrentState?: PostWorkflowDefinitionState;
  /** Values of the workflow screens by field id. */
  newScreenData?: Record<string, JsonValue>;
  /** Transitions that the caller may run next. */
  newCurrentWorkflowPermittedOperations?: PostWorkflowDefinitionTransition[];
  /** Whether the caller may edit the screen of the new state. */
  newCanEditWorkflowScreenData?: boolean;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  newLastModifyTimestamp?: number;
  /** Whether the transition also changed the post itself, so that it is worth reading again. */
  postDataHasChanged?: boolean;
}

/** New values of the screen of the present state. */
export interface EditPostWorkflowScreenDataRequest {
  /** Values of the screen fields by field id, in the same form as custom data. */
  screenData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: number;
}

/** The screen after the edit. */
export interface EditPostWorkflowScreenDataResponse {
  /** Screen token for the next write. */
  nextScreenOccToken?: number;
  /** Values of the workflow screens by field id. */
  newScreenData?: Record<string, JsonValue>;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  newLastModifyTimestamp?: number;
  /** Whether the edit also changed the post itself, so that it is worth reading again. */
  postDataHasChanged?: boolean;
}
