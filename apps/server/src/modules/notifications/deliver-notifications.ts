/** Creates notifications from events of the history, after the writes that recorded them. */
import { HistoryType, NotificationKind } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { type Follower, isTold, readPeople } from '../../kernel/notified-people.ts';
import { type AwaitingEvent, takeAwaitingEvents } from '../records/index.ts';
import { insertNotifications, type NewNotification, RETENTION_MS } from './notifications.repository.ts';
import { withoutUnwanted } from './without-unwanted.ts';

/** Events per transaction. */
const BATCH = 200;

/**
 * Notifies people of all waiting events; skips events older than the retention of notifications.
 * @param now epoch milliseconds
 * @returns the number of created notifications
 */
export async function deliverNotifications(db: TenantDb, now: number): Promise<number> {
  let made = 0;
  for (;;) {
    const { events, notifications } = await db.transaction((tx) => deliverBatch(tx, now));
    made += notifications;
    if (events < BATCH) return made;
  }
}

async function deliverBatch(tx: TenantTx, now: number): Promise<{ events: number; notifications: number }> {
  const events = await takeAwaitingEvents(tx, BATCH);
  const recent = events.filter((event) => event.at > now - RETENTION_MS);
  let notifications = 0;
  // Post by post: a group that watches a post may have thousands of members.
  for (const [postId, ofPost] of Map.groupBy(recent, (event) => event.postId)) {
    const announced = ofPost.some((event) => event.announces);
    const followers = await readPeople(tx, [postId], Math.min(...ofPost.map((event) => event.id)) - 1, true, announced);
    const wanted = await withoutUnwanted(tx, postId, notificationsOf(ofPost, followers));
    await insertNotifications(tx, wanted, now);
    notifications += wanted.length;
  }
  return { events: events.length, notifications };
}

/** Kinds, from the most specific reason for a notification to the least specific. */
const STRONGEST_FIRST: readonly NotificationKind[] = [
  NotificationKind.MENTION,
  NotificationKind.ASSIGNMENT,
  NotificationKind.REPLY,
  NotificationKind.ANNOUNCEMENT,
  NotificationKind.STEP,
  NotificationKind.FOLLOW,
];

/**
 * Returns one notification per person and write, of the most specific kind; authors are not
 * notified of their own writes.
 */
function notificationsOf(events: readonly AwaitingEvent[], followers: readonly Follower[]): NewNotification[] {
  const strongest = new Map<string, NewNotification>();
  for (const event of events) {
    for (const follower of followers) {
      if (follower.userId === null || follower.userId === event.authorId || !isTold(event, follower)) continue;
      const kind = kindOf(event, follower);
      const key = `${follower.userId} ${event.authorId} ${event.at}`;
      const present = strongest.get(key);
      if (present && STRONGEST_FIRST.indexOf(present.kind) <= STRONGEST_FIRST.indexOf(kind)) continue;
      strongest.set(key, { kind, userId: follower.userId, event });
    }
  }
  return [...strongest.values()];
}

/** Returns the kind of the notification of an event for a follower of its post. */
export function kindOf(event: Omit<AwaitingEvent, 'authorId'>, follower: Follower): NotificationKind {
  // Other followers of the post are notified that a task was assigned.
  const given = event.targetUserId !== null || follower.taskId !== null;
  if (event.typeId === HistoryType.TASK_ASSIGNED && given) return NotificationKind.ASSIGNMENT;
  if (event.targetUserId !== null) return NotificationKind.MENTION;
  if (follower.commentId !== null) return NotificationKind.REPLY;
  if (event.announces) return NotificationKind.ANNOUNCEMENT;
  return event.typeId === HistoryType.WORKFLOW_OPERATION ? NotificationKind.STEP : NotificationKind.FOLLOW;
}
