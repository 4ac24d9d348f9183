/**
 * Finds the people whom a history event concerns: people whom it names, whose comment it answers,
 * who follow or watch the post or are invited to it, if they can read the event's subject
 * (docs/decisions/people.md). Dry runs report these people; the notifications job notifies them.
 */
import { Following, HistoryType } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import {
  givenRolesSql,
  hasPermissionSql,
  knownGroupSql,
  Parameters,
  readersSql,
  seesCommentsSql,
} from './access/index.ts';
import type { Actor } from './scope.ts';

/** Kinds of event that people are notified of. */
export const NOTIFIED_TYPES: ReadonlySet<HistoryType> = new Set([
  HistoryType.POST_CREATED,
  HistoryType.POST_MODIFIED,
  HistoryType.COMMENT_ADDED,
  HistoryType.MENTIONED_IN_POST,
  HistoryType.MENTIONED_IN_COMMENT,
  HistoryType.WORKFLOW_OPERATION,
  HistoryType.ATTACHMENT_ADDED,
  HistoryType.ATTACHMENT_NEW_VERSION,
  HistoryType.SCREEN_DATA_MODIFIED,
  HistoryType.TASK_ASSIGNED,
  HistoryType.MENTIONED_IN_TASK,
  HistoryType.MENTIONED_IN_TASK_COMMENT,
]);

/** Properties of an event that decide whom it concerns. */
export interface ConcerningEvent {
  typeId: HistoryType;
  postId: number;
  targetUserId: number | null;
  commentId: number | null;
  taskIds: number[] | null;
  /** The event made the post an announcement: everybody able to read it is notified. */
  announces?: boolean;
}

/** A person, or a group whose members are not listed, that events of a post may concern. */
export interface Follower {
  postId: number;
  /** Null for a group whose members are not listed. */
  userId: number | null;
  groupId: number | null;
  reason: string;
  /** Set when the notification is about one task. */
  taskId: number | null;
  /** Set when the notification is about one comment: that answers the person's own. */
  commentId: number | null;
  seesComments: boolean;
}

/** Reason of people whom an event names. */
const NAMED = 'is named';
/** Reason for the readers of an announcement. */
const ANNOUNCED = 'can read it';

/**
 * Principals to be notified, by the strongest reason first; `$2` are posts, `$3` the last event
 * before the new events.
 */
const REASONS = `
  SELECT t.post_id, t.assignee AS principal, 1 AS rank, 'is assigned the task' AS reason, t.id AS task_id,
         NULL::bigint AS comment_id
    FROM tasks t WHERE t.tenant_id = $1 AND t.post_id = ANY ($2::bigint[]) AND t.deleted_at IS NULL
  UNION ALL
  SELECT i.post_id, i.principal, 2, 'is invited to the event', NULL, NULL
    FROM event_invitations i WHERE i.tenant_id = $1 AND i.post_id = ANY ($2::bigint[])
  UNION ALL
  SELECT w.post_id, w.principal, 3, 'watches the post', NULL, NULL
    FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = ANY ($2::bigint[])
  UNION ALL
  SELECT h.post_id, h.target_user_id, 0, '${NAMED}', NULL, NULL
    FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.target_user_id IS NOT NULL
     AND h.id > $3
  UNION ALL
  SELECT h.post_id, answered.creator_id, 0, 'wrote the comment that is answered', NULL, c.id
    FROM history_events h
    JOIN comments c ON c.tenant_id = $1 AND c.id = h.comment_id
    JOIN comments answered ON answered.tenant_id = $1 AND answered.id = c.parent_id AND answered.deleted_at IS NULL
   WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.type_id = ${HistoryType.COMMENT_ADDED} AND h.id > $3
  UNION ALL
  SELECT s.post_id, s.user_id, 4, 'follows the post', NULL, NULL
    FROM post_user_state s WHERE s.tenant_id = $1 AND s.post_id = ANY ($2::bigint[]) AND s.follows
  UNION ALL
  SELECT g.post_id, g.user_id, 4, 'follows the post', NULL, NULL
    FROM following g WHERE g.tenant_id = $1 AND g.post_id = ANY ($2::bigint[]) AND g.following = ${Following.FOLLOWED}
  UNION ALL
  SELECT p.id, g.user_id, 5, 'follows the community', NULL, NULL
    FROM posts p JOIN following g ON g.tenant_id = $1 AND g.community_id = p.community_id AND g.post_id IS NULL
     AND g.following = ${Following.FOLLOWED}
   WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[])`;

/** Everybody with a role in the community of an announcement. */
const READERS = `
  UNION ALL
  SELECT p.id, given.principal, 6, '${ANNOUNCED}', NULL, NULL
    FROM posts p CROSS JOIN LATERAL (${givenRolesSql({ communities: 'ARRAY[p.community_id]' })}) given
   WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND p.announcement AND given.role_id IS NOT NULL`;

/**
 * SQL of a boolean: the person's settings allow a notification for the reason `f`. The setting for
 * the post overrides the setting for its community; tasks are always notified.
 */
const WANTED = `(f.rank = 1 OR CASE coalesce(
    (SELECT g.following FROM following g WHERE g.tenant_id = $1 AND g.post_id = f.post_id AND g.user_id = f.user_id),
    (SELECT g.following FROM following g WHERE g.tenant_id = $1 AND g.user_id = f.user_id AND g.community_id = p.community_id
        AND g.post_id IS NULL AND g.following = ${Following.MUTED}))
  WHEN ${Following.MUTED} THEN false WHEN ${Following.NONE} THEN f.rank = 0 ELSE true END)`;

const READER = readersSql('f.user_id', 'p');

/**
 * Returns the readers of the post behind the principals: not deleted, not blocked, with a role and,
 * for a private post, a grant.
 * @param since id of the last event before the new events
 * @param unfold whether groups are replaced by their members; otherwise groups are left out
 * @param announced whether the posts are announced: to everybody able to read them
 */
export function readPeople(
  tx: TenantExecutor,
  postIds: readonly number[],
  since: number,
  unfold: boolean,
  announced = false,
): Promise<Follower[]> {
  return tx.query<Follower>(
    `WITH reasons AS MATERIALIZED (${REASONS}${announced ? READERS : ''}),
     followers AS MATERIALIZED (
       SELECT f.post_id, f.principal AS user_id, f.rank, f.task_id, f.comment_id, f.reason FROM reasons f WHERE f.principal > 0
       UNION
       SELECT f.post_id, m.user_id, f.rank, f.task_id, f.comment_id, f.reason || ' as a member of the group ' || g.name
         FROM reasons f
         JOIN groups g ON g.tenant_id = $1 AND g.id = -f.principal AND g.deleted_at IS NULL
         JOIN group_members m ON m.tenant_id = $1 AND m.group_id = g.id
        WHERE $4 AND f.principal < 0)
     SELECT f.post_id AS "postId", f.user_id AS "userId", NULL AS "groupId", f.task_id AS "taskId", f.comment_id AS "commentId", f.reason,
            ${seesCommentsSql('c', hasPermissionSql('role.permissions', 'comment'))} AS "seesComments"
       FROM followers f
       JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id AND u.deleted_at IS NULL AND NOT u.blocked
       JOIN posts p ON p.tenant_id = $1 AND p.id = f.post_id AND NOT p.draft
       JOIN communities c ON c.tenant_id = $1 AND c.id = p.community_id
      ${READER.joins}
      WHERE ${READER.where}
        AND ${WANTED}
      ORDER BY f.post_id, f.user_id, f.rank`,
    [tx.tenantId, postIds, since, unfold],
  );
}

/**
 * Returns the groups among the principals, with any members: an entry that depended on members
 * would reveal them.
 * @param actor reader of the report: groups that they do not know are not named
 */
export function readGroups(
  tx: TenantTx,
  postIds: readonly number[],
  since: number,
  actor: Pick<Actor, 'rights' | 'groupIds'>,
): Promise<Follower[]> {
  const parameters = new Parameters([tx.tenantId, postIds, since]);
  const known = knownGroupSql('g', actor, parameters);
  return tx.query<Follower>(
    `SELECT DISTINCT f.post_id AS "postId", NULL AS "userId", g.id AS "groupId", f.rank, f.task_id AS "taskId", f.comment_id AS "commentId",
            CASE WHEN ${known} THEN 'of the group ' || g.name ELSE 'of a group that you cannot see' END || ' who can read it: the group ' || f.reason AS reason, true AS "seesComments"
       FROM (${REASONS}) f
       JOIN posts p ON p.tenant_id = $1 AND p.id = f.post_id AND NOT p.draft
       JOIN groups g ON g.tenant_id = $1 AND g.id = -f.principal AND g.deleted_at IS NULL
      ORDER BY f.post_id, g.id, f.rank`,
    parameters.values,
  );
}

const OF_COMMENTS: ReadonlySet<HistoryType> = new Set([
  HistoryType.COMMENT_ADDED,
  HistoryType.MENTIONED_IN_COMMENT,
  HistoryType.COMMENT_DELETED,
]);

function concerns(event: ConcerningEvent, { taskId, commentId, reason }: Follower): boolean {
  if (reason === NAMED) return false;
  if (commentId !== null) return event.commentId === commentId;
  return taskId === null || (event.typeId === HistoryType.TASK_ASSIGNED && (event.taskIds ?? []).includes(taskId));
}

/**
 * Whether a follower of the post is notified of an event. An event that names somebody is for them
 * alone; a task is given to its assignee, who gets no other notification.
 */
export function isTold(event: ConcerningEvent, follower: Follower): boolean {
  if (follower.postId !== event.postId) return false;
  if (OF_COMMENTS.has(event.typeId) && !follower.seesComments) return false;
  if (follower.reason.startsWith(ANNOUNCED)) return event.announces === true;
  if (event.targetUserId === null) return concerns(event, follower);
  if (follower.userId !== event.targetUserId) return false;
  return follower.reason === NAMED || (follower.taskId !== null && concerns(event, follower));
}
