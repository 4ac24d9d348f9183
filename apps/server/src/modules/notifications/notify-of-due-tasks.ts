/**
 * Notifies people of open tasks that are assigned to them or to a group of theirs: on the day
 * before the due date, and when they are overdue.
 */
import { NotificationKind } from '@portico/contract';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { formatZoned, resolveZoned } from '@portico/platform/time';
import {
  DUE_TASKS_BATCH,
  type DueTask,
  insertDueNotifications,
  readDueTasks,
  readNextDueDate,
} from './due-tasks.repository.ts';
import { withoutUnwanted } from './without-unwanted.ts';

/** Time of the notification, on the day before in the person's time zone. */
const MORNING = '08:00:00';
const DAY_MS = 86_400_000;
/**
 * Longest time from the morning of the day before to the end of the day, plus an hour for a clock
 * change.
 */
const LONGEST_NOTICE_MS = 41 * 3_600_000;

/**
 * Creates the notifications that are due; skips tasks that became due more than a day ago.
 * @param now epoch milliseconds
 * @returns the number of created notifications
 */
export async function notifyOfDueTasks(db: TenantDb, now: number): Promise<number> {
  const times = { from: now - DAY_MS, now, to: now + LONGEST_NOTICE_MS };
  let made = 0;
  let after: DueTask | undefined;
  for (;;) {
    // Rows of people who are not due yet or have switched notifications off are found again each
    // time; the next batch starts after them.
    const found = await readDueTasks(db, times, after);
    const due = found.filter((task) => isDue(task, now));
    if (due.length > 0) made += await db.transaction((tx) => insertWanted(tx, due, now));
    if (found.length < DUE_TASKS_BATCH) return made;
    after = found.at(-1);
  }
}

/**
 * Returns the time of the next notification, once due ones are created: the next morning before a
 * task is due, or the time at which a task becomes overdue.
 * @param now epoch milliseconds
 * @returns epoch milliseconds; undefined: no open task is due later
 */
export async function nextDueTask(db: TenantDb, now: number): Promise<number | undefined> {
  const times = { from: now, now, to: now + LONGEST_NOTICE_MS };
  const moments = [await readNextDueDate(db, now)];
  const beyond = await readNextDueDate(db, times.to);
  // The time zones of the recipients are not known yet.
  if (beyond !== undefined) moments.push(beyond - LONGEST_NOTICE_MS);
  let after: DueTask | undefined;
  do {
    const found = await readDueTasks(db, times, after);
    for (const { dueAt, timezone, createdAt } of found) {
      const morning = morningBefore(dueAt, timezone);
      if (morning > now && createdAt < morning) moments.push(morning);
    }
    after = found.length < DUE_TASKS_BATCH ? undefined : found.at(-1);
  } while (after);
  const known = moments.filter((moment) => moment !== undefined);
  return known.length > 0 ? known.reduce((earliest, moment) => Math.min(earliest, moment)) : undefined;
}

/**
 * Returns whether a person is notified of a task now: not if the task was created after the time of
 * the notification.
 */
function isDue({ dueAt, overdue, createdAt, timezone }: DueTask, now: number): boolean {
  const at = overdue ? dueAt : morningBefore(dueAt, timezone);
  return at <= now && createdAt < at;
}

/** Returns the morning of the day before in a time zone. Epoch milliseconds. */
function morningBefore(dueAt: number, timezone: string): number {
  const day = formatZoned(dueAt, timezone).localDatetime.slice(0, 10);
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
  return resolveZoned({ datetime: `${before}T${MORNING}`, timezone }).epochMs;
}

async function insertWanted(tx: TenantTx, due: readonly DueTask[], now: number): Promise<number> {
  let made = 0;
  for (const [postId, ofPost] of Map.groupBy(due, (task) => task.postId)) {
    const told = ofPost.map((task) => ({ ...task, kind: NotificationKind.DUE }));
    made += await insertDueNotifications(tx, await withoutUnwanted(tx, postId, told), now);
  }
  return made;
}
