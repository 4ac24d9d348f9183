// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { Hashtag } from './communities.generated.ts';
import type { BaseListPostsElement, PostBaseInfo } from './posts.generated.ts';
import type { User } from './users.generated.ts';

/** A file in Google Drive. */
export interface DriveAttachmentData {
  /** Id of the file in Google Drive. */
  driveId?: string;
  /** Media type that Google Drive reports. */
  mimeType?: string;
  /** Size in bytes. */
  size?: number;
  /** Address that opens the file in Google Drive. */
  webViewLink?: string;
  /** Address that downloads the file from Google Drive. */
  webContentLink?: string;
}

/** An attachment. */
export interface PostAttachmentData {
  /** Reference of the content in the storage. */
  contentRef?: string;
  /** Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text. */
  temporaryContentViewLink?: string;
  /** Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded. */
  temporaryContentDownloadLink?: string;
  /** Short-lived signed address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived signed address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived signed address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived signed address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type, found from the bytes. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
  /** Id of the attachment; the same for all its versions. */
  id?: number;
  /** File name. */
  name?: string;
  /** Who attached the file. */
  creatorUser?: User;
  /** When the file was attached. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the attachment. */
  lastModifyUser?: User;
  /** When the attachment was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Community of the post it belongs to. */
  communityId?: number;
  /** Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless. */
  downloadable?: boolean;
  /** Number of the version, from 1. */
  versionNumber?: number;
  /** Where the bytes are. 1 = STORAGE, 2 = DRIVE. */
  type?: 1 | 2;
  /** Hashtags of the attachment. */
  hashtags?: Hashtag[];
  /** Attachment to which this one refers, if it is a reference. */
  referencedId?: number;
  /** True when this is a reference to an attachment of another post. */
  reference?: boolean;
  /** The file in Google Drive, for type 2. */
  drive?: DriveAttachmentData;
}

/** One version of an attachment. */
export interface PostAttachmentVersion {
  /** Reference of the content in the storage. */
  contentRef?: string;
  /** Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text. */
  temporaryContentViewLink?: string;
  /** Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded. */
  temporaryContentDownloadLink?: string;
  /** Short-lived signed address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived signed address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived signed address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived signed address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type, found from the bytes. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
  /** Id of the attachment; the same for all its versions. */
  id?: number;
  /** File name. */
  name?: string;
  /** Who attached the file. */
  creatorUser?: User;
  /** When the file was attached. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the attachment. */
  lastModifyUser?: User;
  /** When the attachment was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Community of the post it belongs to. */
  communityId?: number;
  /** Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless. */
  downloadable?: boolean;
  /** Number of the version, from 1. */
  versionNumber?: number;
  /** The file in Google Drive, for type 2. */
  drive?: DriveAttachmentData;
}

/** An attachment of a comment. */
export interface PostCommentAttachment {
  /** Reference of the content in the storage. */
  contentRef?: string;
  /** Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text. */
  temporaryContentViewLink?: string;
  /** Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded. */
  temporaryContentDownloadLink?: string;
  /** Short-lived signed address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived signed address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived signed address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived signed address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type, found from the bytes. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
  /** Id of the attachment; the same for all its versions. */
  id?: number;
  /** File name. */
  name?: string;
  /** Who attached the file. */
  creatorUser?: User;
  /** When the file was attached. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the attachment. */
  lastModifyUser?: User;
  /** When the attachment was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Community of the post it belongs to. */
  communityId?: number;
  /** Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless. */
  downloadable?: boolean;
}

/** An attachment of a task. */
export interface TaskAttachmentData {
  /** Reference of the content in the storage. */
  contentRef?: string;
  /** Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text. */
  temporaryContentViewLink?: string;
  /** Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded. */
  temporaryContentDownloadLink?: string;
  /** Short-lived signed address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived signed address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived signed address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived signed address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type, found from the bytes. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
  /** Id of the attachment; the same for all its versions. */
  id?: number;
  /** File name. */
  name?: string;
  /** Who attached the file. */
  creatorUser?: User;
  /** When the file was attached. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the attachment. */
  lastModifyUser?: User;
  /** When the attachment was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Community of the post it belongs to. */
  communityId?: number;
  /** Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless. */
  downloadable?: boolean;
  /** What the caller may do with it. */
  capabilities?: TaskAttachmentCapabilities;
}

/** What the caller may do with an attachment of a task. */
export interface TaskAttachmentCapabilities {
  /** May change it. */
  canEdit?: boolean;
  /** May change its hashtags. */
  canEditHashtags?: boolean;
  /** May remove it. */
  canDelete?: boolean;
}

/** Filters, order and paging of the attachments of a post. */
export interface ListPostAttachmentsByPostIdRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Where the bytes are. 1 = STORAGE, 2 = DRIVE. Default [1]. */
  types?: (1 | 2)[];
  /** What they belong to. 1 = POST, 2 = TASK, 3 = COMMENT, 4 = POST_FILE_PICKER, 5 = SCREEN_FILE_PICKER. Default [1,4,5]. */
  entityTypes?: (1 | 2 | 3 | 4 | 5)[];
  /** Only these media types, such as `application/pdf`; `image/*` is understood. */
  mimeTypes?: string[];
  /** Only this family: `multimedia` is pictures, video and audio. One of: multimedia, other. */
  mimeTypeCategory?: 'multimedia' | 'other';
  /** Only files of this file-picker field of posts. */
  postFilePickerFieldId?: number;
  /** Only files of this file-picker field of workflow screens. */
  wfScreenFilePickerFieldId?: number;
  /** Accepted and without effect. */
  language?: string;
  /** True: only files whose text can be extracted. */
  aiSupportedFilter?: boolean;
  /** What to order by. One of: name, mimeType, size, creatorUserId, creationTimestamp, entityType. Default `creationTimestamp`. */
  orderBy?: 'name' | 'mimeType' | 'size' | 'creatorUserId' | 'creationTimestamp' | 'entityType';
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** An attachment in the list of a post. */
export interface ListPostAttachmentsElement {
  /** Reference of the content in the storage. */
  contentRef?: string;
  /** Short-lived signed address that shows the file; of a file in Google Drive, where it opens. A file that may not be downloaded has one only where a viewer shows its type: pictures, PDF, audio, video, text. */
  temporaryContentViewLink?: string;
  /** Short-lived signed address that downloads the file; of a file in Google Drive, its address there. Absent for a stored file that may not be downloaded. */
  temporaryContentDownloadLink?: string;
  /** Short-lived signed address of a small still picture. */
  temporaryContentPreviewImageLink?: string;
  /** Short-lived signed address of a small moving picture. */
  temporaryContentPreviewImageAnimatedLink?: string;
  /** Short-lived signed address of a large still picture. */
  temporaryContentPreviewImageHiResLink?: string;
  /** Short-lived signed address of a large moving picture. */
  temporaryContentPreviewImageHiResAnimatedLink?: string;
  /** Media type, found from the bytes. */
  contentMimeType?: string;
  /** Changes when the content does. */
  etag?: string;
  /** MD5 of the content: 32 lower-case hexadecimal characters. */
  md5Hash?: string;
  /** Size in bytes. */
  size?: number;
  /** Id of the attachment; the same for all its versions. */
  id?: number;
  /** File name. */
  name?: string;
  /** Who attached the file. */
  creatorUser?: User;
  /** When the file was attached. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last changed the attachment. */
  lastModifyUser?: User;
  /** When the attachment was last changed. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** Community of the post it belongs to. */
  communityId?: number;
  /** Whether readers may download the file; false for files in Google Drive, which keep both links nevertheless. */
  downloadable?: boolean;
  /** Number of the version, from 1. */
  versionNumber?: number;
  /** Where the bytes are. 1 = STORAGE, 2 = DRIVE. */
  type?: 1 | 2;
  /** Hashtags of the attachment. */
  hashtags?: Hashtag[];
  /** Attachment to which this one refers, if it is a reference. */
  referencedId?: number;
  /** True when this is a reference to an attachment of another post. */
  reference?: boolean;
  /** The file in Google Drive, for type 2. */
  drive?: DriveAttachmentData;
  /** The post. */
  post?: BaseListPostsElement;
  /** What it belongs to. 1 = POST, 2 = TASK, 3 = COMMENT, 4 = POST_FILE_PICKER, 5 = SCREEN_FILE_PICKER. */
  attachmentEntityType?: 1 | 2 | 3 | 4 | 5;
  /** Comment that it belongs to, if it belongs to one. */
  commentId?: number;
  /** Task that it belongs to, if it belongs to one. */
  taskId?: number;
}

/** A page of attachments. The counts are those of the whole post. */
export interface ListPostAttachmentsResponse {
  /** The elements of this page. */
  items?: ListPostAttachmentsElement[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
  /** Whether the caller may add attachments. */
  canAddAttachment?: boolean;
  /** How many pictures the post has. */
  imageAttachmentsCount?: number;
  /** How many videos the post has. */
  videoAttachmentsCount?: number;
  /** How many sound files the post has. */
  audioAttachmentsCount?: number;
  /** How many other files the post has. */
  documentsAttachmentsCount?: number;
}

/** An attachment and its post. */
export interface GetPostAttachmentDetailResponse {
  /** The attachment. */
  attachmentData?: PostAttachmentData;
  /** The post it belongs to. */
  post?: PostBaseInfo;
}

/** Where to send a file, and by what name to call it afterwards. */
export interface GetTemporaryImageUploadUrlBaseResponse {
  /** Reference to put into posts, comments and tasks; 64 hexadecimal digits. */
  contentRef?: string;
  /** Absolute address that takes the file by multipart POST. */
  uploadUrl?: string;
  /** Form fields to send before the part `file`, all of them as they are. */
  uploadMultipartRequestBodyParams?: Record<string, string>;
  /** Short-lived signed address from which the file can be read once it is there. */
  temporaryDownloadUrl?: string;
}
