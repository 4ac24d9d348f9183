/** SQL of reminders of tasks. */

import { ReminderRange, ReminderType, TaskState } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { ReminderInput } from './task-input.ts';

/** SQL of the interval between the due time of the reminder `r` and the expiration. */
const BEFORE = `(r.value * CASE WHEN r.range = ${ReminderRange.MINUTES} THEN interval '1 minute'
  WHEN r.range = ${ReminderRange.HOURS} THEN interval '1 hour' WHEN r.range = ${ReminderRange.DAYS} THEN interval '1 day' ELSE interval '7 days' END)`;

/** Adds the same reminders to each of the tasks. */
export async function insertReminders(
  write: WriteScope,
  taskIds: readonly number[],
  reminders: readonly ReminderInput[],
): Promise<void> {
  const rows = taskIds.flatMap((taskId) => reminders.map((reminder) => ({ ...reminder, taskId })));
  if (rows.length === 0) return;
  const ids = await takeIds(write.tx, 'task_reminders', rows.length);
  await write.tx.sendChange(
    'tasks',
    taskIds,
    `INSERT INTO task_reminders (tenant_id, id, task_id, value, range, types, due_at)
      SELECT t.tenant_id, r.id, t.id, r.value, r.range, r.types, t.expires_at - ${BEFORE}
        FROM tasks t JOIN jsonb_to_recordset($2::jsonb)
             AS r (id bigint, "taskId" bigint, value integer, range smallint, types smallint[]) ON r."taskId" = t.id
       WHERE t.tenant_id = $1`,
    [write.tx.tenantId, JSON.stringify(rows.map((row, index) => ({ ...row, id: ids[index] })))],
  );
}

/** Replaces the reminders of a task. */
export async function replaceReminders(
  write: WriteScope,
  taskId: number,
  reminders: readonly ReminderInput[],
): Promise<void> {
  await write.tx.sendChange('tasks', [taskId], 'DELETE FROM task_reminders WHERE tenant_id = $1 AND task_id = $2', [
    write.tx.tenantId,
    taskId,
  ]);
  await insertReminders(write, [taskId], reminders);
}

/**
 * Moves the reminders of a task with its expiration; reminders that are due later now are sent
 * again.
 */
export async function rescheduleReminders(write: WriteScope, taskId: number): Promise<void> {
  // Read first: on Citus an UPDATE takes ready values, since the difference of a time and an interval is not immutable.
  const moved = await write.tx.query<{ id: number; dueAt: number }>(
    `SELECT r.id, t.expires_at - ${BEFORE} AS "dueAt"
       FROM task_reminders r JOIN tasks t ON t.tenant_id = r.tenant_id AND t.id = r.task_id
      WHERE t.tenant_id = $1 AND r.tenant_id = $1 AND r.task_id = $2 AND r.due_at IS DISTINCT FROM t.expires_at - ${BEFORE}`,
    [write.tx.tenantId, taskId],
  );
  if (moved.length === 0) return;
  await write.tx.sendChange(
    'tasks',
    [taskId],
    `UPDATE task_reminders r SET due_at = n.due_at, sent_at = CASE WHEN n.due_at > $4 THEN NULL ELSE r.sent_at END
       FROM unnest($2::bigint[], $3::timestamptz[]) AS n (id, due_at)
      WHERE r.tenant_id = $1 AND r.id = n.id`,
    [write.tx.tenantId, moved.map(({ id }) => id), moved.map(({ dueAt }) => new Date(dueAt)), new Date(write.now)],
  );
}

/** A task whose assignee is due a reminder. */
interface DueReminder {
  taskId: number;
  postId: number;
  /** The user who created the task. */
  creatorId: number;
  /** When the task is due. Epoch milliseconds. */
  dueAt: number;
  /** The task is open, and the reminder is one of the portal. */
  wanted: boolean;
}

/** Schedule for reminders of tasks. */
export const remindersDue: DueWork = {
  earliest: 'SELECT min(due_at) FROM task_reminders WHERE tenant_id = $1 AND due_at IS NOT NULL AND sent_at IS NULL',
};

/**
 * Claims reminders that are due. No other node claims them before the transaction ends; afterwards
 * they count as sent.
 */
export async function takeDueReminders(tx: TenantTx, now: number, limit: number): Promise<DueReminder[]> {
  return tx.query<DueReminder>(
    `WITH due AS MATERIALIZED (
       SELECT r.id FROM task_reminders r
        WHERE r.tenant_id = $1 AND r.due_at <= $2 AND r.sent_at IS NULL ORDER BY r.due_at, r.id LIMIT $3
        FOR UPDATE SKIP LOCKED)
     UPDATE task_reminders r SET sent_at = $2 FROM due, tasks t
      WHERE r.tenant_id = $1 AND r.id = due.id AND t.tenant_id = $1 AND t.id = r.task_id
     RETURNING t.id AS "taskId", t.post_id AS "postId", t.creator_id AS "creatorId", t.expires_at AS "dueAt",
               t.deleted_at IS NULL AND t.state <> ${TaskState.CLOSED}
                 AND (r.types = '{}' OR ${ReminderType.NOTIFICATION} = ANY (r.types)) AS wanted`,
    [tx.tenantId, new Date(now), limit],
  );
}
