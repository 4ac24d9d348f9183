// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostAttachmentData } from './attachments.generated.ts';
import type { ZonedDatetime } from './common.generated.ts';
import type { Hashtag, PostWorkflowDefinitionState, PostWorkflowDefinitionTransition } from './communities.generated.ts';
import type { EventOfPost, PostOwnState } from './extensions.generated.ts';
import type { Group } from './groups.generated.ts';
import type { ListUsersResponse, User } from './users.generated.ts';
import type { JsonValue } from './json.ts';

/** A post in a list. */
export interface BaseListPostsElement {
  /** Id of the post. */
  id?: number;
  /** Community to which it belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** The text as rich text: a Quill delta, the bare array of operations as a JSON string. */
  descriptionDelta?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** True when the post is an announcement. */
  announcement?: boolean;
  /** Time and place, of an event. */
  event?: EventOfPost;
  /** State of the post in the workflow; absent without one. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** Values of the custom fields by field id; references are arrays of objects. */
  customData?: Record<string, JsonValue>;
  /** Who wrote the post. */
  creatorUser?: User;
  /** When the post was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the post. */
  lastModifyUser?: User;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the post: edit, comment, transition, task, attachment. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
  /** Name of the workflow state. */
  workflowStateDescription?: string;
  /** Colour of the workflow state, as `#` and six hexadecimal digits. */
  workflowStateColor?: string;
  /** First picture, else first file of the post; only with `loadMainAttachment`. */
  mainAttachment?: PostAttachmentData;
  /** How many users and groups watch the post. */
  watchersCount?: number;
  /** How many attachments the post has. */
  attachmentsCount?: number;
  /** How many of the attachments are pictures. */
  imageAttachmentsCount?: number;
  /** How many of the attachments are videos. */
  videoAttachmentsCount?: number;
  /** How many comments the post has. */
  commentsCount?: number;
  /** How often the post was opened; writing it counts as once. */
  viewsCount?: number;
  /** How many different people opened the post; its author is one of them. */
  viewedByUsersCount?: number;
  /** How many tasks the post has. */
  tasksCount?: number;
  /** How many of the tasks are ordinary ones (type 1). */
  totalStandardTasksCount?: number;
  /** Whether the community has likes. */
  showLikeSection?: boolean;
  /** How many people like the post. */
  likesCount?: number;
  /** Whether the caller likes the post. */
  likedByMe?: boolean;
  /** Whether the caller follows the post: as they chose, else as its author, or as one of its watchers. */
  followedByMe?: boolean;
  /** Whether the caller has opened the post. */
  viewedByMe?: boolean;
  /** What the caller may do with the post; only with `loadCapabilities`. */
  capabilities?: GetPostCapabilitiesResponse;
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
}

/** A page of posts. */
export interface PagedListPostsResponse {
  /** The elements of this page. */
  items?: BaseListPostsElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** A post in the global stream; a DELETED one has only ids, `status` and `deleted`. */
export interface BasePostsStreamChunkElement {
  /** Id of the post. */
  id?: number;
  /** Community to which it belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** The text as rich text: a Quill delta, the bare array of operations as a JSON string. */
  descriptionDelta?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** True when the post is an announcement. */
  announcement?: boolean;
  /** Time and place, of an event. */
  event?: EventOfPost;
  /** State of the post in the workflow; absent without one. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** Values of the custom fields by field id; references are arrays of objects. */
  customData?: Record<string, JsonValue>;
  /** Who wrote the post. */
  creatorUser?: User;
  /** When the post was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the post. */
  lastModifyUser?: User;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the post: edit, comment, transition, task, attachment. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
  /** Name of the workflow state. */
  workflowStateDescription?: string;
  /** Colour of the workflow state, as `#` and six hexadecimal digits. */
  workflowStateColor?: string;
  /** First picture, else first file of the post; only with `loadMainAttachment`. */
  mainAttachment?: PostAttachmentData;
  /** How many users and groups watch the post. */
  watchersCount?: number;
  /** How many attachments the post has. */
  attachmentsCount?: number;
  /** How many of the attachments are pictures. */
  imageAttachmentsCount?: number;
  /** How many of the attachments are videos. */
  videoAttachmentsCount?: number;
  /** How many comments the post has. */
  commentsCount?: number;
  /** How often the post was opened; writing it counts as once. */
  viewsCount?: number;
  /** How many different people opened the post; its author is one of them. */
  viewedByUsersCount?: number;
  /** How many tasks the post has. */
  tasksCount?: number;
  /** How many of the tasks are ordinary ones (type 1). */
  totalStandardTasksCount?: number;
  /** Whether the community has likes. */
  showLikeSection?: boolean;
  /** How many people like the post. */
  likesCount?: number;
  /** Whether the caller likes the post. */
  likedByMe?: boolean;
  /** Whether the caller follows the post: as they chose, else as its author, or as one of its watchers. */
  followedByMe?: boolean;
  /** Whether the caller has opened the post. */
  viewedByMe?: boolean;
  /** What the caller may do with the post; only with `loadCapabilities`. */
  capabilities?: GetPostCapabilitiesResponse;
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
  /** What happened since the sync token. One of: CREATED, MODIFIED, TOUCHED, DELETED. */
  status?: 'CREATED' | 'MODIFIED' | 'TOUCHED' | 'DELETED';
  /** True when the post is gone for the caller. */
  deleted?: boolean;
}

/** A page of the global stream. */
export interface GlobalPostsStreamResponse {
  /** Each changed post once, the latest change first. */
  items?: BasePostsStreamChunkElement[];
  /** Where the next round begins; keep it when `nextPageToken` is absent. */
  nextSyncToken?: string;
  /** Present while the round continues: send it with the same `syncToken`. */
  nextPageToken?: string;
}

/** A post in full. */
export interface GetPostDetailResponse {
  /** Id of the post. */
  id?: number;
  /** Community to which it belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** The text as rich text: a Quill delta, the bare array of operations as a JSON string. */
  descriptionDelta?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** True when the post is an announcement. */
  announcement?: boolean;
  /** Time and place, of an event. */
  event?: EventOfPost;
  /** State of the post in the workflow; absent without one. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** Values of the custom fields by field id; references are arrays of objects. */
  customData?: Record<string, JsonValue>;
  /** Who wrote the post. */
  creatorUser?: User;
  /** When the post was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the post. */
  lastModifyUser?: User;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the post: edit, comment, transition, task, attachment. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
  /** Values of the workflow screens by field id. */
  currentWorkflowScreenData?: Record<string, JsonValue>;
  /** First picture, else first file of the post; only with `loadMainAttachment`. */
  mainAttachment?: PostAttachmentData;
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the post; the same as `watcherUsers`. */
  watchers?: User[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUsers?: User[];
  /** Groups that watch the post. */
  watcherGroups?: Group[];
  /** Hashtags of the post. */
  hashtags?: Hashtag[];
  /** People mentioned in the comments. */
  commentMentions?: ListUsersResponse;
  /** How many attachments the post has. */
  attachmentsCount?: number;
  /** How many of the attachments are pictures. */
  imageAttachmentsCount?: number;
  /** How many of the attachments are videos. */
  videoAttachmentsCount?: number;
  /** How many comments the post has. */
  commentsCount?: number;
  /** How often the post was opened; writing it counts as once. */
  viewsCount?: number;
  /** How many different people opened the post; its author is one of them. */
  viewedByUsersCount?: number;
  /** How many tasks the post has. */
  tasksCount?: number;
  /** How many of the tasks are ordinary ones (type 1). */
  totalStandardTasksCount?: number;
  /** Whether the community has likes. */
  showLikeSection?: boolean;
  /** How many people like the post. */
  likesCount?: number;
  /** Whether the caller likes the post. */
  likedByMe?: boolean;
  /** Whether the caller follows the post: as they chose, else as its author, or as one of its watchers. */
  followedByMe?: boolean;
  /** True while the post is not published. */
  draft?: boolean;
  /** When the post became visible to others: its creation, or the publication of the draft that it was. Absent for a draft. Epoch milliseconds, UTC. */
  publicationTimestamp?: number;
  /** What the post is to the caller. */
  myState?: PostOwnState;
}

/** A post in full, as writes answer with it. */
export interface PostDetail {
  /** Id of the post. */
  id?: number;
  /** Community to which it belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** The text as rich text: a Quill delta, the bare array of operations as a JSON string. */
  descriptionDelta?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** True when the post is an announcement. */
  announcement?: boolean;
  /** Time and place, of an event. */
  event?: EventOfPost;
  /** State of the post in the workflow; absent without one. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** Values of the custom fields by field id; references are arrays of objects. */
  customData?: Record<string, JsonValue>;
  /** Who wrote the post. */
  creatorUser?: User;
  /** When the post was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the post. */
  lastModifyUser?: User;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the post: edit, comment, transition, task, attachment. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
  /** Values of the workflow screens by field id. */
  currentWorkflowScreenData?: Record<string, JsonValue>;
  /** The attachments. */
  attachments?: PostAttachmentData[];
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the post; the same as `watcherUsers`. */
  watchers?: User[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUsers?: User[];
  /** Groups that watch the post. */
  watcherGroups?: Group[];
  /** Hashtags of the post. */
  hashtags?: Hashtag[];
  /** How many attachments the post has. */
  attachmentsCount?: number;
  /** How many of the attachments are pictures. */
  imageAttachmentsCount?: number;
  /** How many of the attachments are videos. */
  videoAttachmentsCount?: number;
  /** How many comments the post has. */
  commentsCount?: number;
  /** How often the post was opened; writing it counts as once. */
  viewsCount?: number;
  /** How many different people opened the post; its author is one of them. */
  viewedByUsersCount?: number;
  /** How many tasks the post has. */
  tasksCount?: number;
  /** How many of the tasks are ordinary ones (type 1). */
  totalStandardTasksCount?: number;
  /** Whether the community has likes. */
  showLikeSection?: boolean;
  /** How many people like the post. */
  likesCount?: number;
  /** Whether the caller likes the post. */
  likedByMe?: boolean;
  /** Whether the caller follows the post: as they chose, else as its author, or as one of its watchers. */
  followedByMe?: boolean;
  /** Cover picture; absent when there is none. */
  coverImage?: PostCoverImage;
  /** True while the post is not published. */
  draft?: boolean;
  /** What counts when the draft is published. */
  draftData?: DraftPostData;
  /** When the post is to be published by itself; absent when it is not. */
  scheduledPublication?: ZonedDatetime;
  /** What became of the scheduled publication. 1 = SUCCESS, 2 = FAILED. */
  scheduledPublicationResult?: 1 | 2;
}

/** The base data of a post, beside one of its attachments. */
export interface PostBaseInfo {
  /** Id of the post. */
  id?: number;
  /** Community to which it belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** Kind of post. 1 = CUSTOM, 2 = EVENT, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** Kind of questionnaire; absent for other posts. 1 = SURVEY, 2 = MISSION. */
  surveyType?: 1 | 2;
  /** Title. */
  title?: string;
  /** Identifier that the creating program chose. */
  clientUid?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** True when the post is an announcement. */
  announcement?: boolean;
  /** Who wrote the post. */
  creatorUser?: User;
  /** State of the post in the workflow. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** True when the post was deleted. */
  deleted?: boolean;
  /** Version of the post. */
  occToken?: number;
}

/** The cover picture of a post. */
export interface PostCoverImage {
  /** Reference of the picture in the storage. */
  contentRef?: string;
  /** Short-lived address that shows the picture. */
  temporaryContentViewLink?: string;
  /** Short-lived address that downloads the picture. */
  temporaryContentDownloadLink?: string;
  /** Short-lived address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type of the picture. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
}

/** What counts when a draft is published. */
export interface DraftPostData {
  /** State in which the post will begin. */
  workflowInitState?: PostWorkflowDefinitionState;
}

/** What the caller may do with a post. Exactly what the writes accept. */
export interface GetPostCapabilitiesResponse {
  /** May read the post. */
  canViewDetail?: boolean;
  /** May edit the post. */
  canModify?: boolean;
  /** May copy the post. */
  canCopy?: boolean;
  /** May delete the post. */
  canDelete?: boolean;
  /** May read the comments. */
  canViewComment?: boolean;
  /** May comment. */
  canAddComment?: boolean;
  /** Which comments the caller may edit. 0 = NONE, 1 = OWN, 2 = ALL. */
  canEditComment?: 0 | 1 | 2;
  /** Which comments the caller may delete. 0 = NONE, 1 = OWN, 2 = ALL. */
  canDeleteComment?: 0 | 1 | 2;
  /** May like the post. */
  canEditLike?: boolean;
  /** May follow the post. */
  canEditFollow?: boolean;
  /** May add, replace and remove attachments. */
  canEditAttachments?: boolean;
  /** May make the post private or public. */
  canEditVisibility?: boolean;
  /** May create tasks on the post. */
  canCreateTask?: boolean;
  /** Transitions the caller may run now. */
  workflowPermittedOperations?: PostWorkflowDefinitionTransition[];
  /** May edit the screen of the present state. */
  canEditWorkflowScreenData?: boolean;
  /** May pin the post. */
  canPin?: boolean;
  /** May make the post an announcement. */
  canAnnounce?: boolean;
  /** May ask people to acknowledge the post. */
  canRequestAcknowledgements?: boolean;
  /** Is asked to acknowledge the post and has not done so. */
  canAcknowledge?: boolean;
}

/** Ids to be checked. */
export interface CheckVisibilityRequest {
  /** The ids, at most 1,000. */
  ids?: number[];
}

/** Which of the ids are visible. */
export interface CheckVisibilityResponse {
  /** The visible ones, in the order of the request. */
  ids?: number[];
}

/** Which of the posts are visible. */
export interface CheckVisibilityWithCommentsResponse {
  /** The visible ones, in the order of the request. */
  posts?: CheckVisibilityWithCommentsResponseElement[];
}

/** A post that the caller sees. */
export interface CheckVisibilityWithCommentsResponseElement {
  /** Id of the post. */
  id?: number;
  /** Whether the caller sees its comments too. */
  canViewComments?: boolean;
}
