// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostComment } from './comments-tasks.generated.ts';
import type { PostWorkflowDefinitionState, PostWorkflowDefinitionTransition, WorkflowDefinitionScreen } from './communities.generated.ts';
import type { JsonValue } from './json.ts';

/** A new comment. */
export interface CreatePostCommentRequest {
  /** The comment: a Quill delta as a JSON string, or plain text with `commentFormat` 2. A comment needs a text or an attachment. */
  comment?: string;
  /** How `comment` is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  commentFormat?: 1 | 2;
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing object. Left out or empty, none. */
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
  /** State of the post. */
  currentWorkflowState?: PostWorkflowDefinitionState;
}

/** What a transition needs; `{}` when it has no screen. */
export interface ExecutePostWorkflowOperationRequest {
  /** Values of the screen fields by field id, in the same form as custom data. Fields that it leaves out are emptied, with `{}` all of them, except those that the caller may not write. Left out or null, the values stay as they are; what the screen requires must be among them. */
  screenData?: Record<string, JsonValue>;
  /** True gives fields of the screen that `screenData` does not name, and that hold no value yet, their default; an empty text there leaves a field empty. Left out, none is given. */
  applyDefaults?: boolean;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
  /** Token that the screen gave (`post-workflow-screen-data-for-edit`); a stale one is a 409. */
  screenOccToken?: number;
}

/** State of the post after the transition. */
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
  /** Values of the screen fields by field id, in the same form as custom data. Fields that it leaves out are emptied, with `{}` all of them, except those that the caller may not write. Left out or null it counts as `{}`. */
  screenData?: Record<string, JsonValue>;
  /** How every rich-text field in this body is written. 1 = DELTA, 2 = PLAIN_TEXT. Default 1. */
  deltaAreaFormat?: 1 | 2;
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
