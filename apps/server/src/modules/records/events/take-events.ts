/** History events that await notification. */

import { HistoryType } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { ConcerningEvent } from '../../../kernel/notified-people.ts';
import { sqlColumns } from '../../columns.ts';

const historyEvents = sqlColumns('history_events');
const h = sqlColumns('history_events', 'h');
const p = sqlColumns('posts', 'p');

/** An event of which nobody has been notified. */
export interface AwaitingEvent extends ConcerningEvent {
  id: number;
  authorId: number;
  /** Epoch milliseconds. */
  at: number;
  transitionId: number | null;
}

/** Schedule for events that await notification. */
export const eventsDue: DueWork = {
  waiting: `SELECT FROM history_events WHERE tenant_id = $1 AND ${historyEvents.awaits_notification}`,
};

/**
 * Claims the oldest events that await notification. No other node claims them before the
 * transaction ends; afterwards they no longer await notification.
 */
export async function takeAwaitingEvents(tx: TenantTx, limit: number): Promise<AwaitingEvent[]> {
  const events = await tx.query<AwaitingEvent>(
    `SELECT id, post_id AS "postId", type_id AS "typeId", at, author_id AS "authorId", target_user_id AS "targetUserId",
            transition_id AS "transitionId", comment_id AS "commentId", task_ids AS "taskIds",
            (type_id = ${HistoryType.POST_CREATED} OR details->'changedParts' ? 'announcement')
              AND EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.id} = ${h.post_id} AND ${p.announcement}) AS announces
       FROM history_events h WHERE tenant_id = $1 AND awaits_notification
      ORDER BY id LIMIT $2 FOR UPDATE OF h SKIP LOCKED`,
    [tx.tenantId, limit],
  );
  if (events.length > 0) {
    await tx.send(
      'UPDATE history_events SET awaits_notification = false WHERE tenant_id = $1 AND id = ANY ($2::bigint[])',
      [tx.tenantId, events.map((event) => event.id)],
    );
  }
  return events;
}
