/**
 * History rows: what people read about the life of a post (operation getPostActivityHistoryEvents;
 * docs/decisions/writes.md).
 */
import type { HistoryType } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';

/** What only some kinds of event have; the `details` of a history row. */
export interface HistoryDetails {
  /** Title before the change (type 2) and after it (types 1 and 2). */
  titleBefore?: string;
  titleAfter?: string;
  /** Parts of the post that changed: `title`, `description`, `customData`, `visibility`, `draft`, `schedule`, `event` … */
  changedParts?: string[];
  /** Ids of the post's custom fields whose values changed. */
  changedFieldIds?: number[];
  /** Screen values after a workflow operation or an edit of the screen (types 6 and 17), in the stored form. */
  screenData?: Record<string, unknown>;
  /** Ids of the screen fields that changed (types 6 and 17). */
  screenFieldIds?: number[];
  addedAttachmentsCount?: number;
  removedAttachmentsCount?: number;
  updatedAttachmentsCount?: number;
  versionedAttachmentsCount?: number;
  notes?: string;
  /** Type 14: the copy that was made. */
  copyPostId?: number;
}

/** One history row. */
export interface HistoryEvent {
  /** Epoch milliseconds; default: the time of the write. */
  at?: number;
  /** Default: the acting user. */
  authorId?: number;
  typeId: HistoryType;
  postId?: number;
  communityId?: number;
  workspaceId?: number;
  targetUserId?: number;
  transitionId?: number;
  commentId?: number;
  attachmentId?: number;
  attachmentVersion?: number;
  taskIds?: readonly number[];
  details?: HistoryDetails;
}

const INSERT = `INSERT INTO history_events (tenant_id, post_id, community_id, workspace_id, type_id, at, author_id,
    target_user_id, transition_id, comment_id, attachment_id, attachment_version, task_ids, details)
  SELECT $1, e."postId", e."communityId", e."workspaceId", e."typeId", coalesce(e.at, $2), coalesce(e."authorId", $3), e."targetUserId", e."transitionId",
         e."commentId", e."attachmentId", e."attachmentVersion", e."taskIds", coalesce(e.details, '{}')
    FROM jsonb_to_recordset($4::jsonb) AS e(at timestamptz, "authorId" bigint, "postId" bigint, "communityId" bigint, "workspaceId" bigint,
         "typeId" smallint, "targetUserId" bigint, "transitionId" bigint, "commentId" bigint, "attachmentId" bigint,
         "attachmentVersion" integer, "taskIds" bigint[], details jsonb)`;

/** Times go into the statement as ISO text. */
function timed(event: HistoryEvent): object {
  return event.at === undefined ? event : { ...event, at: new Date(event.at).toISOString() };
}

/**
 * Writes history rows, in one statement.
 * @param events one event or several, in the order in which they are to be read
 */
export async function recordHistory(write: WriteScope, events: HistoryEvent | readonly HistoryEvent[]): Promise<void> {
  const list: readonly HistoryEvent[] = Array.isArray(events) ? events : [events as HistoryEvent];
  if (list.length === 0) return;
  await write.tx.execute(INSERT, [
    write.tx.tenantId,
    new Date(write.now),
    write.actor.userId,
    JSON.stringify(list.map(timed)),
  ]);
}
