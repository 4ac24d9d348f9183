// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostAttachmentData } from './attachments.generated.ts';
import type { ZonedDatetime } from './common.generated.ts';
import type { Hashtag, PostWorkflowDefinitionState } from './communities.generated.ts';
import type { Group } from './groups.generated.ts';
import type { DraftPostData } from './posts.generated.ts';
import type { User } from './users.generated.ts';
import type { JsonValue } from './json.ts';

/** What can be edited about a post. */
export interface PostEditableContentData {
  /** Title. */
  title?: string;
  /** The text as rich text: a Quill delta as a JSON string. */
  descriptionDelta?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** Who sees the post. 1 = PRIVATE, 2 = PUBLIC. */
  visibility?: 1 | 2;
  /** Whether the post is an announcement. */
  announcement?: boolean;
  /** Values of the custom fields by field id; references are arrays of objects here, and are written as arrays of ids. */
  customData?: Record<string, JsonValue>;
  /** Values of the workflow screens by field id. */
  currentWorkflowScreenData?: Record<string, JsonValue>;
  /** The attachments; absent with `loadAttachments=false`. */
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
  /** True while the post is not published. */
  draft?: boolean;
  /** What counts when the draft is published. */
  draftData?: DraftPostData;
  /** When the post is to be published by itself; absent when it is not. */
  scheduledPublication?: ZonedDatetime;
  /** What became of the scheduled publication. 1 = SUCCESS, 2 = FAILED. */
  scheduledPublicationResult?: 1 | 2;
}

/** The form of a new post. */
export interface GetCustomPostForCreateResponse {
  /** Its starting values. */
  contentData?: PostEditableContentData;
}

/** The edit form of a post. */
export interface GetCustomPostForEditResponse {
  /** What can be edited. */
  contentData?: PostEditableContentData;
  /** Token to put into the path of the next edit. */
  occToken?: number;
  /** Community to which the post belongs. */
  communityId?: number;
  /** Number of the post within its community, as text. */
  customId?: string;
  /** State of the post in the workflow. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** Who wrote the post. */
  creatorUser?: User;
  /** When the post was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited the post. */
  lastModifyUser?: User;
  /** When the post was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When something last happened to the post. Epoch milliseconds, UTC. */
  lastOperationTimestamp?: number;
}

/** The copy form of a post. */
export interface GetCustomPostForCopyResponse {
  /** What the copy starts from. */
  contentData?: PostEditableContentData;
  /** Token of the source, to put into the path of the copy. */
  occToken?: number;
}
