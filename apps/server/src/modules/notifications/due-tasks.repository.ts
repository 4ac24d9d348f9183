/** SQL of the notifications of tasks that are due. */
import { NotificationKind, TaskState } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { takeNotificationIds } from './notifications.repository.ts';
import { queuePushes } from './queue-pushes.ts';

/** People and tasks per query. */
export const DUE_TASKS_BATCH = 5_000;

/**
 * Open task and a person to whom it is assigned, directly or as a member of a group. Times are
 * epoch milliseconds.
 */
export interface DueNotification {
  taskId: number;
  postId: number;
  userId: number;
  creatorId: number;
  dueAt: number;
  /** Null for a reminder that a person set: there may be several reminders for one date. */
  overdue: boolean | null;
}

/** Task that is due without a reminder set by a person. */
export interface DueTask extends DueNotification {
  createdAt: number;
  overdue: boolean;
  /** Time zone of the person, else of the tenant. */
  timezone: string;
}

/**
 * Returns tasks that are due between two moments, with the people not yet notified of that date:
 * one batch, ordered by task id and user id. The notification stays hidden from people without
 * access to the post.
 * @param after last row of the previous batch
 */
export function readDueTasks(
  db: TenantExecutor,
  { from, now, to }: { from: number; now: number; to: number },
  after: { taskId: number; userId: number } = { taskId: 0, userId: 0 },
): Promise<DueTask[]> {
  return db.query<DueTask>(
    `WITH due AS MATERIALIZED (
       SELECT t.id, t.post_id, t.assignee, t.creator_id, t.created_at, t.expires_at, t.expires_at <= $3 AS overdue
         FROM tasks t
        WHERE t.tenant_id = $1 AND t.deleted_at IS NULL AND t.state <> ${TaskState.CLOSED}
          AND coalesce(t.expires_at, '9999-12-31 00:00:00+00'::timestamptz) > $2
          AND coalesce(t.expires_at, '9999-12-31 00:00:00+00'::timestamptz) <= $4
          AND t.id >= $5),
     told AS (
       SELECT d.*, d.assignee AS user_id FROM due d WHERE d.assignee > 0
       UNION ALL
       SELECT d.*, m.user_id FROM due d
         JOIN groups g ON g.tenant_id = $1 AND g.id = -d.assignee AND g.deleted_at IS NULL
         JOIN group_members m ON m.tenant_id = $1 AND m.group_id = g.id
        WHERE d.assignee < 0)
     SELECT d.id AS "taskId", d.post_id AS "postId", u.id AS "userId", d.creator_id AS "creatorId",
            d.created_at AS "createdAt", d.expires_at AS "dueAt", d.overdue,
            coalesce(u.timezone, s.default_timezone) AS timezone
       FROM told d
       JOIN users u ON u.tenant_id = $1 AND u.id = d.user_id AND u.deleted_at IS NULL AND NOT u.blocked
       JOIN posts p ON p.tenant_id = $1 AND p.id = d.post_id AND p.live
       JOIN tenant_settings s ON s.tenant_id = $1
      WHERE (d.id, u.id) > ($5, $6) AND NOT EXISTS (
        SELECT FROM notifications n WHERE n.tenant_id = $1 AND n.user_id = u.id AND n.task_id = d.id
           AND n.due_at = d.expires_at AND n.overdue = d.overdue)
      ORDER BY d.id, u.id LIMIT ${DUE_TASKS_BATCH}`,
    [db.tenantId, new Date(from), new Date(now), new Date(to), after.taskId, after.userId],
  );
}

/** Returns the due date of the next open task after a moment. Epoch milliseconds. */
export async function readNextDueDate(db: TenantExecutor, after: number): Promise<number | undefined> {
  const [task] = await db.query<{ at: number }>(
    `SELECT t.expires_at AS at FROM tasks t
      WHERE t.tenant_id = $1 AND t.deleted_at IS NULL AND t.state <> ${TaskState.CLOSED} AND t.expires_at IS NOT NULL
        AND coalesce(t.expires_at, '9999-12-31 00:00:00+00'::timestamptz) > $2
      ORDER BY coalesce(t.expires_at, '9999-12-31 00:00:00+00'::timestamptz) LIMIT 1`,
    [db.tenantId, new Date(after)],
  );
  return task?.at;
}

/**
 * Inserts notifications of due tasks; skips notifications that another node has inserted.
 * @returns the number of new ones
 */
export async function insertDueNotifications(
  tx: TenantTx,
  due: readonly DueNotification[],
  now: number,
): Promise<number> {
  if (due.length === 0) return 0;
  const ids = await takeNotificationIds(tx, due.length);
  const rows = due.map((task, index) => ({ ...task, id: ids[index], dueAt: new Date(task.dueAt).toISOString() }));
  const inserted = await tx.execute(
    `INSERT INTO notifications (tenant_id, id, user_id, kind, post_id, author_id, at, task_id, due_at, overdue, mail_state)
     SELECT a.tenant_id, n.id, n."userId", ${NotificationKind.DUE}, n."postId", n."creatorId", now(), n."taskId", n."dueAt", n.overdue,
            CASE WHEN s.notification_mails THEN 'new' ELSE 'none' END
       FROM tenant_versions a JOIN tenant_settings s ON s.tenant_id = $1, jsonb_to_recordset($2::jsonb) AS n(id bigint, "userId" bigint, "postId" bigint,
            "creatorId" bigint, "taskId" bigint, "dueAt" timestamptz, overdue boolean)
      WHERE a.tenant_id = $1
     ON CONFLICT (tenant_id, user_id, task_id, due_at, overdue) WHERE due_at IS NOT NULL DO NOTHING`,
    [tx.tenantId, JSON.stringify(rows)],
  );
  await queuePushes(tx, ids, now);
  return inserted;
}
