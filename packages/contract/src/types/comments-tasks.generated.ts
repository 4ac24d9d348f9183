// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { PostAttachmentData, PostAttachmentVersion, PostCommentAttachment, TaskAttachmentData } from './attachments.generated.ts';
import type { ZonedDatetime, ZonedDatetimeInput } from './common.generated.ts';
import type { Community, Hashtag, PostWorkflowDefinitionState, PostWorkflowDefinitionTransition } from './communities.generated.ts';
import type { Group } from './groups.generated.ts';
import type { User } from './users.generated.ts';
import type { Workspace } from './workspaces.generated.ts';
import type { JsonValue } from './json.ts';

/** A comment on a post; a deleted one is a placeholder without text. */
export interface PostComment {
  /** Id of the comment. */
  id?: number;
  /** The comment as rich text: a Quill delta as a JSON string. */
  commentDelta?: string;
  /** The comment without formatting. */
  commentPlainText?: string;
  /** Identifier that the creating program chose. */
  clientUid?: string;
  /** Who wrote it. */
  creatorUser?: User;
  /** When it was written. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** People mentioned in it. */
  mentions?: User[];
  /** Its attachments. */
  attachments?: PostCommentAttachment[];
  /** True when it was deleted. */
  deleted?: boolean;
  /** The comment it answers, one level deep. */
  parentComment?: PostComment;
  /** How many people like it. */
  likesCount?: number;
  /** Whether the caller likes it. */
  likedByMe?: boolean;
  /** Whether the community has likes. */
  showLikeSection?: boolean;
  /** Whether the text runs from right to left. */
  rightAlignText?: boolean;
  /** What made the portal write it, when no person did. */
  customFieldInfo?: CustomFieldInfoComment;
  /** When it last moved in the stream of the post. Epoch milliseconds, UTC. */
  streamingTimestamp?: number;
  /** What the caller may do with it. */
  capabilities?: PostCommentCapabilities;
}

/** What the caller may do with a comment. */
export interface PostCommentCapabilities {
  /** May edit it. */
  canEdit?: boolean;
  /** May like it. */
  canEditLike?: boolean;
  /** May delete it. */
  canDelete?: boolean;
  /** May answer it. */
  canReply?: boolean;
}

/** What made the portal write a comment. */
export interface CustomFieldInfoComment {
  /** Event of the history that it represents. */
  activityHistoryEvent?: PostActivityHistoryEvent;
  /** Custom field whose change it reports. */
  postCustomFieldId?: number;
  /** Workflow screen field whose change it reports. */
  workflowScreenFieldId?: number;
  /** Field of an acknowledgement whose change it reports. */
  acknowledgeTaskScreenFieldId?: number;
  /** Field of a questionnaire whose change it reports. */
  postSurveyFieldId?: number;
}

/** Paging of the comments of a post. */
export interface ListPostCommentsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
}

/** A page of comments, the newest first. */
export interface ListPostCommentsResponse {
  /** The elements of this page. */
  items?: PostComment[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Filters, direction and paging of the history of a post. */
export interface ListPostHistoryEventsRequest {
  /** `nextPageToken` of the page before, unchanged; left out for the first page. */
  pageToken?: string;
  /** How many items a page holds at most: at least 1; more than 500 is cut to 500. Default 20. */
  pageSize?: number;
  /** Asks for `totalItemsCount`, which costs a count. Default false. */
  calculateTotalItemsCount?: boolean;
  /** Whether events of the post itself come. Default true. */
  retrievePostEvents?: boolean;
  /** Whether events of the workflow (kinds 6 and 17) come. Default true. */
  retrieveWorkflowEvents?: boolean;
  /** Direction of the order: true runs from the highest to the lowest. Default true. */
  orderDesc?: boolean;
}

/** A page of the history of a post. */
export interface ListPostHistoryEventsResponse {
  /** The elements of this page. */
  items?: PostActivityHistoryEvent[];
  /** Token of the next page; absent on the last one. */
  nextPageToken?: string;
  /** How many elements all pages hold together; present only when it was asked for. */
  totalItemsCount?: number;
}

/** Something that happened to a post. */
export interface PostActivityHistoryEvent {
  /** Id of the event. */
  id?: number;
  /** When it happened. Epoch milliseconds, UTC. */
  timestamp?: number;
  /** Kind of event. 1 = POST_CREATED, 2 = POST_MODIFIED, 3 = COMMENT_ADDED, 4 = MENTIONED_IN_POST, 5 = MENTIONED_IN_COMMENT, 6 = WORKFLOW_OPERATION, 7 = LIKE_ADDED, 8 = LIKE_REMOVED, 9 = WORKSPACE_CREATED, 10 = WORKSPACE_MODIFIED, 11 = ATTACHMENT_ADDED, 12 = ATTACHMENT_REMOVED, 13 = ATTACHMENT_NEW_VERSION, 14 = POST_COPIED, 15 = POST_DELETED, 16 = COMMENT_DELETED, 17 = SCREEN_DATA_MODIFIED, 21 = TASK_ASSIGNED, 22 = MENTIONED_IN_TASK, 29 = MENTIONED_IN_TASK_COMMENT. */
  typeId?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 21 | 22 | 29;
  /** Name of the kind of event. */
  typeDescription?: string;
  /** Workspace in which it happened. */
  workspace?: Workspace;
  /** Community in which it happened. */
  community?: Community;
  /** The post. */
  postId?: number;
  /** Number of the post within its community, as text. */
  postCustomId?: string;
  /** Title of the post now. */
  postCurrentTitle?: string;
  /** Title before the edit; only with kind 2. */
  postBeforeUpdateTitle?: string;
  /** Title after the write; only with kinds 1 and 2. */
  postAfterUpdateTitle?: string;
  /** Who was mentioned or got the task; only with kinds 4, 5, 21, 22 and 29. */
  targetUser?: User;
  /** Transition that was run. */
  postWorkflowOperationDetail?: PostWorkflowDefinitionTransition;
  /** Values of the screen at that time, by field id. */
  workflowScreenData?: Record<string, JsonValue>;
  /** Screen fields whose value changed. */
  updatedWorkflowScreenFieldIds?: number[];
  /** Attachment concerned. */
  attachment?: PostAttachmentData;
  /** Version of the attachment concerned. */
  attachmentVersion?: PostAttachmentVersion;
  /** Comment concerned. */
  comment?: PostComment;
  /** Tasks concerned, at most 100 of them. */
  tasks?: Task[];
  /** How many attachments were added. */
  addedAttachmentsCount?: number;
  /** How many attachments were removed. */
  removedAttachmentsCount?: number;
  /** How many attachments were changed. */
  updatedAttachmentsCount?: number;
  /** How many attachments got a new version. */
  versionedAttachmentsCount?: number;
  /** A note that was left with it. */
  notes?: string;
  /** Who did it. */
  authorUser?: User;
}

/** A task in short. */
export interface Task {
  /** Id of the task. */
  id?: number;
  /** Title. */
  title?: string;
  /** The text without formatting. */
  description?: string;
  /** When it is due. */
  expiration?: ZonedDatetime;
  /** Kind of task. 1 = STANDARD, 2 = ACKNOWLEDGE, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** State of the task. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  state?: 1 | 2 | 3;
  /** True when it was deleted. */
  deleted?: boolean;
}

/** A step of a task. */
export interface SubTask {
  /** Id of the step; edits make new ones. */
  id?: number;
  /** What is to be done. */
  description?: string;
  /** State of the step; never 0. 1 = TO_DO, 2 = DONE. */
  state?: 1 | 2;
}

/** A reminder of a task. */
export interface TaskReminder {
  /** Id of the reminder. */
  id?: number;
  /** How long before the due time, in the unit of `range`. */
  value?: number;
  /** Unit of `value`. 1 = MINUTES, 2 = HOURS, 3 = DAYS, 4 = WEEKS. */
  range?: 1 | 2 | 3 | 4;
  /** Ways in which people are reminded. 1 = NOTIFICATION, 2 = EMAIL. */
  types?: (1 | 2)[];
}

/** What the caller may do with a task. */
export interface TaskCapabilities {
  /** May read it. */
  canViewDetail?: boolean;
  /** May edit it. */
  canModify?: boolean;
  /** May change its state. */
  canUpdateState?: boolean;
  /** May copy it. */
  canCopy?: boolean;
  /** May delete it. */
  canDelete?: boolean;
  /** May comment on it. */
  canAddComment?: boolean;
  /** May add and remove attachments. */
  canEditAttachments?: boolean;
  /** May change the reminders. */
  canEditReminders?: boolean;
}

/** A task in full. */
export interface GetTaskDetailResponse {
  /** Id of the task. */
  id?: number;
  /** Post to which it belongs. */
  postId?: number;
  /** Title. */
  title?: string;
  /** When it is due. */
  expiration?: ZonedDatetime;
  /** How urgent it is. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priority?: 1 | 2 | 3 | 4;
  /** State of the task. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  state?: 1 | 2 | 3;
  /** The user who is to do it, if it is one. */
  assigneeUser?: User;
  /** The group that is to do it, if it is one. */
  assigneeGroup?: Group;
  /** When people are reminded of it. */
  reminders?: TaskReminder[];
  /** Its steps, in order. */
  subTasks?: SubTask[];
  /** Who created it. */
  creatorUser?: User;
  /** When it was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited it. */
  lastModifyUser?: User;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When it was last handed in for review. Epoch milliseconds, UTC. */
  lastReviewTimestamp?: number;
  /** Who last handed it in for review. */
  lastReviewUser?: User;
  /** When it was closed. Epoch milliseconds, UTC. */
  closingTimestamp?: number;
  /** Who closed it. */
  closingUser?: User;
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the task. */
  watcherUsers?: User[];
  /** Groups that watch the task. */
  watcherGroups?: Group[];
  /** Hashtags of the task. */
  hashtags?: Hashtag[];
  /** Token to put into the path of the next edit. */
  occToken?: number;
  /** Kind of task. 1 = STANDARD, 2 = ACKNOWLEDGE, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** How many attachments it has. */
  attachmentsCount?: number;
  /** The text as rich text: a Quill delta as a JSON string. */
  descriptionDelta?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** State of the task's post in its workflow. */
  currentWorkflowState?: PostWorkflowDefinitionState;
  /** When it was first handed in for review. Epoch milliseconds, UTC. */
  firstReviewTimestamp?: number;
  /** From creation to the first review, in milliseconds. */
  timeToReview?: number;
  /** From creation to closing, in milliseconds. */
  timeToClosed?: number;
  /** Answers to a questionnaire, by the id of the question as text. */
  surveyData?: Record<string, Record<string, JsonValue>>;
  /** Remarks on the answers, by the id of the question as text. */
  surveyDataCommentsInfo?: Record<string, SurveyDataCommentsInfo>;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** A task in full, as writes answer with it. */
export interface TaskDetail {
  /** Id of the task. */
  id?: number;
  /** Post to which it belongs. */
  postId?: number;
  /** Title. */
  title?: string;
  /** When it is due. */
  expiration?: ZonedDatetime;
  /** How urgent it is. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priority?: 1 | 2 | 3 | 4;
  /** State of the task. 1 = TO_DO, 2 = IN_REVIEW, 3 = CLOSED. */
  state?: 1 | 2 | 3;
  /** The user who is to do it, if it is one. */
  assigneeUser?: User;
  /** The group that is to do it, if it is one. */
  assigneeGroup?: Group;
  /** When people are reminded of it. */
  reminders?: TaskReminder[];
  /** Its steps, in order. */
  subTasks?: SubTask[];
  /** Who created it. */
  creatorUser?: User;
  /** When it was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Who last edited it. */
  lastModifyUser?: User;
  /** When it was last edited. Epoch milliseconds, UTC. */
  lastModifyTimestamp?: number;
  /** When it was last handed in for review. Epoch milliseconds, UTC. */
  lastReviewTimestamp?: number;
  /** Who last handed it in for review. */
  lastReviewUser?: User;
  /** When it was closed. Epoch milliseconds, UTC. */
  closingTimestamp?: number;
  /** Who closed it. */
  closingUser?: User;
  /** People mentioned in the text. */
  mentions?: User[];
  /** Users who watch the task. */
  watcherUsers?: User[];
  /** Groups that watch the task. */
  watcherGroups?: Group[];
  /** Hashtags of the task. */
  hashtags?: Hashtag[];
  /** Token to put into the path of the next edit. */
  occToken?: number;
  /** Kind of task. 1 = STANDARD, 2 = ACKNOWLEDGE, 3 = SURVEY. */
  type?: 1 | 2 | 3;
  /** How many attachments it has. */
  attachmentsCount?: number;
  /** The text as rich text: a Quill delta as a JSON string. */
  description?: string;
  /** Its attachments. */
  attachments?: TaskAttachmentData[];
  /** True when it was deleted. */
  deleted?: boolean;
}

/** Remarks on one answer of a questionnaire. */
export interface SurveyDataCommentsInfo {
  /** Whether the answer is what was expected. */
  compliant?: boolean;
  /** How many remarks there are. */
  commentsCount?: number;
}

/** A new task. */
export interface CreateTaskRequest {
  /** Title; must not be empty. */
  title?: string;
  /** The text as a Quill delta; it counts when both forms are sent. */
  descriptionDelta?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** When it is due; must be sent. */
  expiration?: ZonedDatetimeInput;
  /** How urgent it is; left out, NORMAL. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priority?: 1 | 2 | 3 | 4;
  /** Its steps, in order; each needs a state. */
  subTasks?: SubTask[];
  /** The user who is to do it; this or `assigneeGroupId` must be sent. */
  assigneeUserId?: number;
  /** The group that is to do it; this or `assigneeUserId` must be sent. */
  assigneeGroupId?: number;
  /** Attachments of the task. */
  attachments?: InputTaskAttachment[];
  /** Users who watch the task. */
  watcherUserIds?: number[];
  /** Groups that watch the task. */
  watcherGroupIds?: number[];
  /** Identifier that the creating program chooses; a repeat by the same author gives the existing task. Left out or empty, none. */
  clientUid?: string;
}

/** The task that was created. */
export interface CreateTaskResponse {
  /** Id of the new task. */
  taskId?: number;
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The task. */
  taskData?: TaskDetail;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** New content of a task; what is left out is emptied. */
export interface EditTaskRequest {
  /** Title. */
  title?: string;
  /** The text as a Quill delta; it counts when both forms are sent. */
  descriptionDelta?: string;
  /** The text without formatting. */
  descriptionPlainText?: string;
  /** When it is due; must be sent. */
  expiration?: ZonedDatetimeInput;
  /** How urgent it is; left out, NORMAL. 1 = LOW, 2 = NORMAL, 3 = HIGH, 4 = URGENT. */
  priority?: 1 | 2 | 3 | 4;
  /** Its steps, in order; each needs a state. */
  subTasks?: SubTask[];
  /** The user who is to do it; this or `assigneeGroupId` must be sent. */
  assigneeUserId?: number;
  /** The group that is to do it; this or `assigneeUserId` must be sent. */
  assigneeGroupId?: number;
  /** Attachments to add. */
  addAttachments?: InputTaskAttachment[];
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
}

/** The task after the edit. */
export interface EditTaskResponse {
  /** Token for the next edit. */
  nextOccToken?: number;
  /** The task. */
  taskData?: TaskDetail;
  /** What the caller may do with it. */
  capabilities?: TaskCapabilities;
}

/** The post whose task was deleted. */
export interface DeleteTaskResponse {
  /** Id of the post. */
  postId?: number;
}

/** An attachment of a task in a write. */
export interface InputTaskAttachment {
  /** Id of an attachment that exists. */
  attachmentId?: number;
  /** File name. */
  name?: string;
  /** Reference that the upload gave. */
  contentRef?: string;
}
