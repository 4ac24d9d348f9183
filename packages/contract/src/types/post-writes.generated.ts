// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { DriveAttachmentData, PostAttachmentData } from './attachments.generated.ts';
import type { ZonedDatetimeInput } from './common.generated.ts';
import type { PostDetail } from './posts.generated.ts';
import type { JsonValue } from './json.ts';

/** An attachment in a write: an existing one by `attachmentId`, an uploaded one by `contentRef`, or one in Google Drive. */
export interface InputPostAttachment {
  /** Where the bytes are. 1 = STORAGE, 2 = DRIVE. Default 1. */
  type?: 1 | 2;
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
  /** Whether readers may download the file. Left out: true for a new attachment, unchanged for one that is there. An attachment that refers to one that may not be downloaded may not be either. */
  downloadable?: boolean;
}

/** A new post. */
export interface CreateCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** True gives custom fields that `customData` does not name their default; an empty text there leaves a field empty, of whatever type. Left out, fields that are not named are empty. */
  applyDefaults?: boolean;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** Attachments of the post. */
  attachments?: InputPostAttachment[];
  /** Users who watch the post: they are notified, and see it also when it is private. */
  watcherUserIds?: number[];
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. Left out: what the community's definition says. */
  visibility?: 1 | 2;
  /** True makes the post an announcement, where the caller may; left out, it is none. */
  announcement?: boolean;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object. Left out or empty, none. */
  clientUid?: string;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
}

/** New content of a post; what is left out is emptied, but a description that the post has must be sent. */
export interface EditCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
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
  visibility?: 1 | 2;
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
}

/** Content of the copy of a post; what is left out is empty, but a description that the source has must be sent. */
export interface CopyCustomPostRequest {
  /** Title. */
  title?: string;
  /** The text: a Quill delta as a JSON string, or plain text with `descriptionFormat` 2. */
  description?: string;
  /** How `description` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  descriptionFormat?: 1 | 2;
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
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
  visibility?: 1 | 2;
  /** State in which the post begins, where the community lets authors choose. */
  workflowInitStateId?: number;
  /** True keeps the post back from publication. */
  draft?: boolean;
  /** When the post is to be published by itself. */
  scheduledPublication?: ZonedDatetimeInput;
  /** True makes the post an announcement, where the caller may; left out, it is none. */
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
  /** Values of the custom fields by field id; references are arrays of ids, dates epoch milliseconds or ISO 8601. A field that is left out is emptied, unless it is read-only or hidden. */
  customData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
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
