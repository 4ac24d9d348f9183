// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostAttachmentData } from './attachments.generated.ts';
import type { ZonedDatetime, ZonedDatetimeInput } from './common.generated.ts';
import type { Hashtag } from './communities.generated.ts';
import type { Group, Tag } from './groups.generated.ts';
import type { InputPostAttachment } from './post-writes.generated.ts';
import type { PostCoverImage } from './posts.generated.ts';
import type { License, User } from './users.generated.ts';

/** A new event. */
export interface CreateEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Reference of an uploaded picture that becomes the cover. */
  coverImageContentRef?: string;
  /** Attachments of the event. */
  attachments?: InputPostAttachment[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUserIds?: number[];
  /** Groups that watch the post. */
  watcherGroupIds?: number[];
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: 1 | 2;
  /** True makes the post an announcement, where the caller may; left out, it is none. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object. Left out or empty, none. */
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

/** New content of an event; `title` and `event` must be sent, what else is left out is emptied. */
export interface EditEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
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
  visibility?: 1 | 2;
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

/** Content of the copy of an event; `title` and `event` must be sent, what else is left out is empty. */
export interface CopyEventPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
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
  visibility?: 1 | 2;
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
  /** True makes the post an announcement, where the caller may; left out, it is none. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object. Left out or empty, none. */
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
  visibility?: 1 | 2;
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
  /** What became of the scheduled publication. 1 = SUCCESS, 2 = FAILED. */
  scheduledPublicationResult?: 1 | 2;
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
  type?: 1 | 2 | 3;
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
  /** When it ends; left out, it has no end. Of an all-day event its last day, which belongs to it. */
  endAt?: EventDatetime;
  /** IANA name of the time zone of both; left out, that of the author. An all-day event has none, and must not be sent one. A listed name, or an offset such as +02:00; older names are understood too. */
  timezone?: string;
  /** Whether it takes whole days: start and end are then dates without time, in all their forms. */
  allDay?: boolean;
  /** Where it is. */
  location?: string;
  /** How many people said yes; cannot be written. */
  participantsCount?: number;
  /** Whether the caller said yes; cannot be written. */
  participate?: boolean;
  /** The caller's answer; absent before one is given, and cannot be written. 1 = YES, 2 = MAYBE, 3 = NO. */
  participateTypeId?: 1 | 2 | 3;
  /** Who is invited. An edit or a copy that leaves it out keeps who is invited. */
  invitations?: EventPostInvitationsData;
}

/** A moment of an event. Writes need `localDatetime`. Of an all-day event all three are the date alone. */
export interface EventDatetime {
  /** ISO 8601 with the offset of the event's time zone; cannot be written. */
  zonedDatetime?: string;
  /** ISO 8601 without offset: what a clock in the event's time zone shows; of an all-day event a date such as 2026-12-31. */
  localDatetime?: string;
  /** ISO 8601 in UTC, such as 2026-12-31T17:00:00Z; cannot be written. */
  utcDatetime?: string;
}

/** Who is invited to an event. */
export interface EventPostInvitationsData {
  /** Invited users; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away. */
  users?: InvitationUser[];
  /** Invited groups; writes need `id`. An edit or a copy that leaves them out keeps them, an empty list takes them away. */
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
  /** Address of the photo, good without a token for as long as it is the photo; absent without one. */
  accountPhotoUrl?: string;
  /** True when the user was removed. */
  deleted?: boolean;
  /** True when the user may not sign in. */
  blocked?: boolean;
  /** Identifier of the user in another system. */
  externalId?: string;
  /** True when only administrators see the profile. */
  privateProfile?: boolean;
  /** Licences that are assigned to the user; left out where none is. */
  licences?: License[];
  /** Whether the user belongs to the group asked about, where one was. */
  checkGroupMemberResult?: boolean;
  /** Whether the user belongs to the area asked about, where one was. */
  checkAreaMemberResult?: boolean;
  /** Whether the user belongs to the business unit asked about, where one was. */
  checkBusinessUnitMemberResult?: boolean;
  /** When the user last used the portal. Epoch milliseconds, UTC. */
  lastAccessTimestamp?: number;
  /** In what capacity the invitation is; left out of a write, 0. 0 = GUEST, 2 = COLLABORATOR. */
  typeId?: 0 | 2;
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
  /** Whether the user asked about belongs to the group. False in the list of groups, also where nobody was asked about. */
  checkUserMemberResult?: boolean;
  /** In what capacity the invitation is; left out of a write, 0. 0 = GUEST, 2 = COLLABORATOR. */
  typeId?: 0 | 2;
}

/** The caller's answer to an event. */
export interface EditPostEventPartecipateRequest {
  /** The answer. 1 = YES, 2 = MAYBE, 3 = NO. */
  typeId?: 1 | 2 | 3;
  /** A note to the organiser: a Quill delta as a JSON string, or plain text. */
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
