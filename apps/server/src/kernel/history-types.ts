/** Kinds of event in the history of a post. */
import { HistoryType } from '@portico/contract';

/** Names of the kinds of event, in English. */
export const historyTypeNames: Readonly<Record<HistoryType, string>> = {
  [HistoryType.POST_CREATED]: 'Post created',
  [HistoryType.POST_MODIFIED]: 'Post modified',
  [HistoryType.COMMENT_ADDED]: 'Comment added',
  [HistoryType.MENTIONED_IN_POST]: 'Mentioned in the post',
  [HistoryType.MENTIONED_IN_COMMENT]: 'Mentioned in a comment',
  [HistoryType.WORKFLOW_OPERATION]: 'Workflow operation run',
  [HistoryType.LIKE_ADDED]: 'Like added',
  [HistoryType.LIKE_REMOVED]: 'Like removed',
  [HistoryType.WORKSPACE_CREATED]: 'Workspace created',
  [HistoryType.WORKSPACE_MODIFIED]: 'Workspace modified',
  [HistoryType.ATTACHMENT_ADDED]: 'Attachment added',
  [HistoryType.ATTACHMENT_REMOVED]: 'Attachment removed',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'New version of an attachment',
  [HistoryType.POST_COPIED]: 'Post copied',
  [HistoryType.POST_DELETED]: 'Post deleted',
  [HistoryType.COMMENT_DELETED]: 'Comment deleted',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'Workflow screen modified',
  [HistoryType.TASK_ASSIGNED]: 'Task assigned',
  [HistoryType.MENTIONED_IN_TASK]: 'Mentioned in a task',
  [HistoryType.MENTIONED_IN_TASK_COMMENT]: 'Mentioned in a comment of a task',
};
