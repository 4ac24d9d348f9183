/**
 * Whom a dry run would have told of what, from the history rows of its transaction: people whom an event names, and those
 * who watch the post or are invited to it, as far as they could read of it (docs/decisions/people.md). Nobody is told
 * of what
 * they do themselves, nor of a draft. Who is in a group is for those who manage users (docs/decisions/people.md):
 * others are told of the
 * group.
 */
import { type DryRunNotification, HistoryType, RoleId } from '@portico/contract';
import type { TenantTx } from '../../platform/db/tenant-db.ts';
import { effectiveRolesSql, holds, openToRoleSql, seesCommentsSql } from '../access/index.ts';
import { historyTypeNames } from '../history-types.ts';
import type { Actor } from '../scope.ts';

/** Maximum length of the list; a group may have thousands of members. */
const MOST_LISTED = 100;

/** One history row that the transaction wrote. */
export interface WrittenEvent {
  typeId: HistoryType;
  postId: number;
  title: string | null;
  targetUserId: number | null;
  transitionId: number | null;
  transition: string | null;
  taskIds: number[] | null;
}

/** The id of the last event that there is. */
export async function readLastEvent(tx: TenantTx): Promise<number> {
  const [last] = await tx.query<{ id: number }>(
    'SELECT coalesce(max(id), 0) AS id FROM history_events WHERE tenant_id = $1',
    [tx.tenantId],
  );
  return last?.id ?? 0;
}

/**
 * The events that this transaction wrote about posts; no other transaction writes any, since the verbs lock the posts.
 * @param since id of the last event before the verb
 */
export function readWrittenEvents(tx: TenantTx, postIds: readonly number[], since: number): Promise<WrittenEvent[]> {
  return tx.query<WrittenEvent>(
    `SELECT h.type_id AS "typeId", h.post_id AS "postId", p.title, h.target_user_id AS "targetUserId",
            h.transition_id AS "transitionId", t.name AS transition, h.task_ids AS "taskIds"
       FROM history_events h
       JOIN posts p ON p.tenant_id = h.tenant_id AND p.id = h.post_id
       LEFT JOIN workflow_transitions t ON t.tenant_id = h.tenant_id AND t.id = h.transition_id
      WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.id > $3
      ORDER BY h.id`,
    [tx.tenantId, postIds, since],
  );
}

interface Follower {
  postId: number;
  /** Null for a group whose members are not listed. */
  userId: number | null;
  groupId: number | null;
  reason: string;
  /** Set when the notification is about one task. */
  taskId: number | null;
  seesComments: boolean;
}

/** Principals to be notified, by the strongest reason first; `$2` are posts, `$3` the last event before the verb. */
const REASONS = `
  SELECT t.post_id, t.assignee AS principal, 1 AS rank, 'is assigned the task' AS reason, t.id AS task_id
    FROM tasks t WHERE t.tenant_id = $1 AND t.post_id = ANY ($2::bigint[]) AND t.deleted_at IS NULL
  UNION ALL
  SELECT i.post_id, i.principal, 2, 'is invited to the event', NULL
    FROM event_invitations i WHERE i.tenant_id = $1 AND i.post_id = ANY ($2::bigint[])
  UNION ALL
  SELECT w.post_id, w.principal, 3, 'watches the post', NULL
    FROM post_watchers w WHERE w.tenant_id = $1 AND w.post_id = ANY ($2::bigint[])
  UNION ALL
  SELECT h.post_id, h.target_user_id, 0, 'is named', NULL
    FROM history_events h WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.target_user_id IS NOT NULL
     AND h.id > $3`;

const ROLES = effectiveRolesSql('$1', 'person.principals');

/**
 * People behind the principals who can read the post: not deleted, not blocked, with a role and, of a private post, a grant.
 * @param unfold whether groups are taken for their members; else they are left out
 */
function readPeople(tx: TenantTx, postIds: readonly number[], since: number, unfold: boolean): Promise<Follower[]> {
  return tx.query<Follower>(
    `WITH reasons AS MATERIALIZED (${REASONS}),
     followers AS MATERIALIZED (
       SELECT f.post_id, f.principal AS user_id, f.rank, f.task_id, f.reason FROM reasons f WHERE f.principal > 0
       UNION
       SELECT f.post_id, m.user_id, f.rank, f.task_id, f.reason || ' as a member of the group ' || g.name
         FROM reasons f
         JOIN groups g ON g.tenant_id = $1 AND g.id = -f.principal AND g.deleted_at IS NULL
         JOIN group_members m ON m.tenant_id = $1 AND m.group_id = g.id
        WHERE $4 AND f.principal < 0)
     SELECT f.post_id AS "postId", f.user_id AS "userId", NULL AS "groupId", f.task_id AS "taskId", f.reason,
            ${seesCommentsSql('c', `role.role_id <= ${RoleId.CONTRIBUTOR}`)} AS "seesComments"
       FROM followers f
       JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id AND u.deleted_at IS NULL AND NOT u.blocked
       JOIN posts p ON p.tenant_id = $1 AND p.id = f.post_id AND NOT p.draft
       JOIN communities c ON c.tenant_id = $1 AND c.id = p.community_id
      CROSS JOIN LATERAL (
        SELECT ARRAY[f.user_id] || coalesce(array_agg(-o.group_id), '{}') AS principals
          FROM group_members o JOIN groups og ON og.tenant_id = $1 AND og.id = o.group_id AND og.deleted_at IS NULL
         WHERE o.tenant_id = $1 AND o.user_id = f.user_id) person
      CROSS JOIN LATERAL (SELECT role_id FROM (${ROLES}) r WHERE r.community_id = p.community_id) role
      WHERE ${openToRoleSql('p', '$1', 'person.principals', `role.role_id = ${RoleId.MANAGER}`)}
      ORDER BY f.post_id, f.user_id, f.rank`,
    [tx.tenantId, postIds, since, unfold],
  );
}

/** The groups among the principals, whatever their members: an entry that came and went with members would tell of them. */
function readGroups(tx: TenantTx, postIds: readonly number[], since: number): Promise<Follower[]> {
  return tx.query<Follower>(
    `SELECT DISTINCT f.post_id AS "postId", NULL AS "userId", g.id AS "groupId", f.rank, f.task_id AS "taskId",
            'of the group ' || g.name || ' who can read it: the group ' || f.reason AS reason, true AS "seesComments"
       FROM (${REASONS}) f
       JOIN posts p ON p.tenant_id = $1 AND p.id = f.post_id AND NOT p.draft
       JOIN groups g ON g.tenant_id = $1 AND g.id = -f.principal AND g.deleted_at IS NULL
      ORDER BY f.post_id, g.id, f.rank`,
    [tx.tenantId, postIds, since],
  );
}

const OF_COMMENTS: ReadonlySet<HistoryType> = new Set([
  HistoryType.COMMENT_ADDED,
  HistoryType.MENTIONED_IN_COMMENT,
  HistoryType.COMMENT_DELETED,
]);

/**
 * @param since id of the last event before the verb
 * @param actor the caller: never notified; sees members of groups if they manage users
 * @returns one message per person (or group) and kind of event, by event, then people before groups, by id; of more than
 *   {@link MOST_LISTED} a last one says how many are left out
 */
export async function notificationsOf(
  tx: TenantTx,
  events: readonly WrittenEvent[],
  since: number,
  actor: Pick<Actor, 'userId' | 'rights'>,
): Promise<DryRunNotification[]> {
  if (events.length === 0) return [];
  const postIds = [...new Set(events.map((event) => event.postId))];
  const followers = await readPeople(tx, postIds, since, holds(actor, 'manageUsers'));
  if (!holds(actor, 'manageUsers')) followers.push(...(await readGroups(tx, postIds, since)));
  const seen = new Set<string>();
  const messages: DryRunNotification[] = [];
  for (const event of events) {
    for (const { postId, userId, groupId, reason, taskId, seesComments } of followers) {
      if (postId !== event.postId || userId === actor.userId) continue;
      if (OF_COMMENTS.has(event.typeId) && !seesComments) continue;
      // An event that names somebody is for them alone; a task is given to its assignee, who gets no other notification.
      if (event.targetUserId !== null ? userId !== event.targetUserId : !concerns(event, taskId, reason)) continue;
      const key = `${event.typeId} ${postId} ${userId} ${groupId}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > MOST_LISTED) continue;
      const why = event.targetUserId === null ? reason : (NAMED[event.typeId] ?? 'is named');
      messages.push(
        userId === null
          ? { typeId: event.typeId, description: `${told(event)}. Told to those ${why}.` }
          : { userId, typeId: event.typeId, description: `${told(event)}. Told because the user ${why}.` },
      );
    }
  }
  const more = seen.size - messages.length;
  return more > 0 ? [...messages, { description: `${more} more would be told, who are not listed.` }] : messages;
}

function concerns(event: WrittenEvent, taskId: number | null, reason: string): boolean {
  if (reason === 'is named') return false;
  return taskId === null || (event.typeId === HistoryType.TASK_ASSIGNED && (event.taskIds ?? []).includes(taskId));
}

const NAMED: Readonly<Partial<Record<HistoryType, string>>> = {
  [HistoryType.TASK_ASSIGNED]: 'is assigned the task',
  [HistoryType.MENTIONED_IN_POST]: 'is mentioned in the post',
  [HistoryType.MENTIONED_IN_COMMENT]: 'is mentioned in the comment',
  [HistoryType.MENTIONED_IN_TASK]: 'is mentioned in the task',
  [HistoryType.MENTIONED_IN_TASK_COMMENT]: 'is mentioned in a comment of the task',
};

/** What happened, to which post: `Workflow operation run (Approve): “Holiday”`. */
function told(event: WrittenEvent): string {
  const what = historyTypeNames[event.typeId];
  const step = event.transition === null ? '' : ` (${event.transition})`;
  return `${what}${step}: ${event.title ? `“${event.title}”` : 'a post without a title'}`;
}
