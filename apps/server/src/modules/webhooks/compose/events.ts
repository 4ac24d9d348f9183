/** Events of webhooks: which of them a change of a post is for an account. */
import { HistoryType, StreamStatus, type WebhookEvent } from '@portico/contract';

/** Events by types of the history; other types have none of their own. */
const OF_HISTORY: Readonly<Partial<Record<number, WebhookEvent>>> = {
  [HistoryType.WORKFLOW_OPERATION]: 'post.transition.run',
  [HistoryType.SCREEN_DATA_MODIFIED]: 'post.screen.modified',
  [HistoryType.COMMENT_ADDED]: 'post.comment.added',
  [HistoryType.COMMENT_DELETED]: 'post.comment.deleted',
  [HistoryType.TASK_ASSIGNED]: 'post.task.assigned',
  [HistoryType.ATTACHMENT_ADDED]: 'post.attachment.changed',
  [HistoryType.ATTACHMENT_REMOVED]: 'post.attachment.changed',
  [HistoryType.ATTACHMENT_NEW_VERSION]: 'post.attachment.changed',
  [HistoryType.LIKE_ADDED]: 'post.like.changed',
  [HistoryType.LIKE_REMOVED]: 'post.like.changed',
};

const ABOUT_COMMENTS: readonly WebhookEvent[] = ['post.comment.added', 'post.comment.deleted'];

/**
 * Returns the events of a change, without repeats.
 * @param status of the change for the account
 * @param historyTypes types of the events that the write recorded in the history
 * @param seesComments whether the account sees comments of the post
 */
export function eventsOf(
  status: StreamStatus,
  historyTypes: readonly number[],
  seesComments: boolean,
): readonly WebhookEvent[] {
  if (status === StreamStatus.CREATED) return ['post.created'];
  if (status === StreamStatus.DELETED) return ['post.gone'];
  const events = new Set<WebhookEvent>(status === StreamStatus.MODIFIED ? ['post.modified'] : []);
  for (const type of historyTypes) {
    const event = OF_HISTORY[type];
    if (event && (seesComments || !ABOUT_COMMENTS.includes(event))) events.add(event);
  }
  return events.size > 0 ? [...events] : ['post.touched'];
}
