/** Notifies people of tasks by the reminders that people have set. */
import { NotificationKind } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { readPeople } from '../../kernel/notified-people.ts';
import { takeDueReminders } from '../post-parts/index.ts';
import { type DueNotification, insertDueNotifications } from './due-tasks.repository.ts';
import { withoutUnwanted } from './without-unwanted.ts';

/** Reminders of one transaction. */
const BATCH = 200;

/**
 * Sends all due reminders.
 * @param now epoch milliseconds
 * @returns the number of created notifications
 */
export async function remindOfTasks(db: TenantDb, now: number): Promise<number> {
  let made = 0;
  for (;;) {
    const { reminders, notifications } = await db.transaction((tx) => remindBatch(tx, now));
    made += notifications;
    if (reminders < BATCH) return made;
  }
}

async function remindBatch(tx: TenantTx, now: number): Promise<{ reminders: number; notifications: number }> {
  const due = await takeDueReminders(tx, now, BATCH);
  const wanted = due.filter((one) => one.wanted);
  let notifications = 0;
  for (const [postId, ofPost] of Map.groupBy(wanted, (one) => one.postId)) {
    const people = await readPeople(tx, [postId], Number.MAX_SAFE_INTEGER, true);
    // Several due reminders of a task become one notification.
    const found = new Map<string, DueNotification & { kind: typeof NotificationKind.DUE }>();
    for (const { taskId, creatorId, dueAt } of ofPost) {
      for (const { userId, taskId: theirs } of people) {
        if (userId === null || theirs !== taskId) continue;
        const told = { taskId, postId, userId, creatorId, dueAt, overdue: null };
        found.set(`${userId} ${taskId}`, { ...told, kind: NotificationKind.DUE });
      }
    }
    notifications += await insertDueNotifications(tx, await withoutUnwanted(tx, postId, [...found.values()]), now);
  }
  return { reminders: due.length, notifications };
}
