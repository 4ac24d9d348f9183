/**
 * History rows: the activity of a post as people read it (operation getPostActivityHistoryEvents;
 * docs/decisions/writes.md).
 */

import { HistoryType } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { NOTIFIED_TYPES } from '../../../kernel/notified-people.ts';

/** Fields that only some kinds of event have; the `details` of a history row. */
export interface HistoryDetails {
  /** Title before the change (type 2) and after it (types 1 and 2). */
  titleBefore?: string;
  titleAfter?: string;
  /** Parts of the post that changed: `title`, `description`, `customData`, `visibility`, `draft`, `schedule`, `event` … */
  changedParts?: string[];
  /** Ids of the post's custom fields with changed values. */
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
  /** Type 14: the new copy. */
  copyPostId?: number;
  /**
   * Former community of a post that has moved (type 2), with its number and state there, its tokens
   * after the move, and the workflow of both communities.
   */
  movedFrom?: {
    communityId: number;
    customNo: number;
    stateId: number | null;
    version: number;
    screenVersion: number;
    workflowId?: number;
  };
}

/** A history row. */
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

/** Returns the event of a change of a post that keeps its title. */
export function postModified(
  { id, communityId, title }: { id: number; communityId: number; title: string | null },
  changedParts: string[],
  details: HistoryDetails = {},
): HistoryEvent {
  const titles = title === null ? {} : { titleBefore: title, titleAfter: title };
  return {
    typeId: HistoryType.POST_MODIFIED,
    postId: id,
    communityId,
    details: { ...titles, changedParts, ...details },
  };
}

const COLUMNS = `post_id, community_id, workspace_id, type_id, at, author_id, target_user_id, transition_id, comment_id,
    attachment_id, attachment_version, task_ids, details, awaits_notification`;

/** For a single row, whose id comes from the default. */
const INSERT_ONE = `INSERT INTO history_events (tenant_id, ${COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

const INSERT_MANY = `INSERT INTO history_events (tenant_id, id, ${COLUMNS})
  SELECT a.tenant_id, e.id, e."postId", e."communityId", e."workspaceId", e."typeId", coalesce(e.at, $2), coalesce(e."authorId", $3),
         e."targetUserId", e."transitionId", e."commentId", e."attachmentId", e."attachmentVersion", e."taskIds",
         coalesce(e.details, '{}'), e."awaitsNotification"
    FROM tenant_versions a, jsonb_to_recordset($4::jsonb) AS e(id bigint, at timestamptz, "authorId" bigint, "postId" bigint,
         "communityId" bigint, "workspaceId" bigint, "typeId" smallint, "targetUserId" bigint, "transitionId" bigint,
         "commentId" bigint, "attachmentId" bigint, "attachmentVersion" integer, "taskIds" bigint[], details jsonb,
         "awaitsNotification" boolean)
   WHERE a.tenant_id = $1`;

/**
 * Returns whether people are notified of an event: it is about a post, of a kind that concerns
 * others, and not imported with an earlier time.
 */
function awaitsNotification(event: HistoryEvent, { now, silent }: Pick<WriteScope, 'now' | 'silent'>): boolean {
  return !silent && event.postId !== undefined && (event.at ?? now) === now && NOTIFIED_TYPES.has(event.typeId);
}

/** Returns an event as the statement takes it: times as ISO text. */
function rowOf(event: HistoryEvent, write: Pick<WriteScope, 'now' | 'silent'>, id: number | undefined): object {
  const at = event.at === undefined ? {} : { at: new Date(event.at).toISOString() };
  return { ...event, ...at, id, awaitsNotification: awaitsNotification(event, write) };
}

/** Types of events recorded by transactions under way, by post, until the change row of the post takes them. */
const recorded = new WeakMap<TenantTx, Map<number, Set<HistoryType>>>();

function noteRecorded(tx: TenantTx, events: readonly HistoryEvent[]): void {
  const byPost = recorded.get(tx) ?? new Map<number, Set<HistoryType>>();
  recorded.set(tx, byPost);
  for (const { postId, typeId } of events) {
    if (postId !== undefined) byPost.set(postId, (byPost.get(postId) ?? new Set()).add(typeId));
  }
}

/** Returns the types of the events of a post that the transaction has recorded since the last call. */
export function takeRecordedTypes(tx: TenantTx, postId: number): HistoryType[] {
  const byPost = recorded.get(tx);
  const types = [...(byPost?.get(postId) ?? [])];
  byPost?.delete(postId);
  return types;
}

/**
 * Writes history rows, in one statement for one row and in two for several.
 * @param events one event, or several in reading order
 * @param ids of the rows, where the caller has reserved them with others
 */
export async function recordHistory(
  write: WriteScope,
  events: HistoryEvent | readonly HistoryEvent[],
  ids?: readonly number[],
): Promise<void> {
  const list: readonly HistoryEvent[] = Array.isArray(events) ? events : [events as HistoryEvent];
  const [first] = list;
  if (!first) return;
  noteRecorded(write.tx, list);
  if (list.length === 1 && !ids) return insertOne(write, first);
  const rowIds = ids ?? (await takeIds(write.tx, 'history_events', list.length));
  await write.tx.send(INSERT_MANY, [
    write.tx.tenantId,
    new Date(write.now),
    write.actor.userId,
    JSON.stringify(list.map((event, index) => rowOf(event, write, rowIds[index]))),
  ]);
}

async function insertOne(write: WriteScope, event: HistoryEvent): Promise<void> {
  const { tx, now, actor } = write;
  await tx.send(INSERT_ONE, [
    tx.tenantId,
    event.postId ?? null,
    event.communityId ?? null,
    event.workspaceId ?? null,
    event.typeId,
    new Date(event.at ?? now),
    event.authorId ?? actor.userId,
    event.targetUserId ?? null,
    event.transitionId ?? null,
    event.commentId ?? null,
    event.attachmentId ?? null,
    event.attachmentVersion ?? null,
    event.taskIds ?? null,
    JSON.stringify(event.details ?? {}),
    awaitsNotification(event, write),
  ]);
}
