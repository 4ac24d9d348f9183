/**
 * Lists the notifications that a write would have sent, from the history rows of the dry run's
 * transaction (notified-people.ts). People are not notified of their own actions, nor of drafts.
 * Only callers who manage users see the members of a group (docs/decisions/people.md); the report
 * names the group to all others.
 */
import { type DryRunNotification, HistoryType } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { holds } from '../access/index.ts';
import { historyTypeNames } from '../history-types.ts';
import { type ConcerningEvent, isTold, readGroups, readPeople } from '../notified-people.ts';
import type { Actor } from '../scope.ts';

/** Maximum length of the list; a group may have thousands of members. */
const MOST_LISTED = 100;

/** A history row that the transaction wrote. */
export interface WrittenEvent extends ConcerningEvent {
  title: string | null;
  transitionId: number | null;
  transition: string | null;
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
            h.transition_id AS "transitionId", t.name AS transition, h.task_ids AS "taskIds",
            h.comment_id AS "commentId"
       FROM history_events h
       JOIN posts p ON p.tenant_id = h.tenant_id AND p.id = h.post_id
       LEFT JOIN workflow_transitions t ON t.tenant_id = h.tenant_id AND t.id = h.transition_id
      WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.id > $3
      ORDER BY h.id`,
    [tx.tenantId, postIds, since],
  );
}

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
  actor: Pick<Actor, 'userId' | 'rights' | 'groupIds'>,
): Promise<DryRunNotification[]> {
  if (events.length === 0) return [];
  const postIds = [...new Set(events.map((event) => event.postId))];
  const followers = await readPeople(tx, postIds, since, holds(actor, 'manageUsers'));
  if (!holds(actor, 'manageUsers')) followers.push(...(await readGroups(tx, postIds, since, actor)));
  const seen = new Set<string>();
  const messages: DryRunNotification[] = [];
  for (const event of events) {
    for (const follower of followers) {
      const { postId, userId, groupId, reason } = follower;
      if (userId === actor.userId || !isTold(event, follower)) continue;
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

const NAMED: Readonly<Partial<Record<HistoryType, string>>> = {
  [HistoryType.TASK_ASSIGNED]: 'is assigned the task',
  [HistoryType.MENTIONED_IN_POST]: 'is mentioned in the post',
  [HistoryType.MENTIONED_IN_COMMENT]: 'is mentioned in the comment',
  [HistoryType.MENTIONED_IN_TASK]: 'is mentioned in the task',
  [HistoryType.MENTIONED_IN_TASK_COMMENT]: 'is mentioned in a comment of the task',
};

/** Returns the event and its post: `Workflow operation run (Approve): “Holiday”`. */
function told(event: WrittenEvent): string {
  const what = historyTypeNames[event.typeId];
  const step = event.transition === null ? '' : ` (${event.transition})`;
  return `${what}${step}: ${event.title ? `“${event.title}”` : 'a post without a title'}`;
}
