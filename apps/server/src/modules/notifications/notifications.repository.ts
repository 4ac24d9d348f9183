/** SQL of notifications and of the preferences about them. */

import {
  excerptLength,
  type HistoryType,
  type MailFrequency,
  type MailOutcome,
  type MailReason,
  NotificationKind,
  type PushOutcome,
  type PushReason,
} from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { Parameters, WriteScope } from '../../kernel/access/index.ts';
import type { DueWork } from '../../kernel/due-work.ts';
import { fullNameSql } from '../../kernel/full-name.ts';
import { type PageRequest, readPage, type SortKey } from '../../kernel/paging/index.ts';
import type { AwaitingEvent } from '../records/index.ts';
import { queuePushes } from './queue-pushes.ts';

/** Retention of notifications. Milliseconds. */
export const RETENTION_MS = 90 * 86_400_000;
/** Maximum of rows inserted or deleted per statement. */
const BATCH = 5_000;
/** Limit up to which unread notifications are counted. */
const MOST_COUNTED = 1_000;

export interface NewNotification {
  kind: NotificationKind;
  userId: number;
  event: AwaitingEvent;
}

/**
 * Allocates ids for notifications. Locks until the transaction ends: readers that follow the ids
 * (`notifiedAfter`) would miss ids committed after higher ones.
 */
export async function takeNotificationIds(tx: TenantTx, count: number): Promise<number[]> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.notifications.' || $1, 0))`, [tx.tenantId]);
  return takeIds(tx, 'notifications', count);
}

/** @param now epoch milliseconds */
export async function insertNotifications(
  tx: TenantTx,
  notifications: readonly NewNotification[],
  now: number,
): Promise<void> {
  for (let from = 0; from < notifications.length; from += BATCH) {
    const batch = notifications.slice(from, from + BATCH);
    const ids = await takeNotificationIds(tx, batch.length);
    const rows = batch.map(({ kind, userId, event }, index) => ({
      id: ids[index],
      kind,
      userId,
      postId: event.postId,
      eventId: event.id,
      typeId: event.typeId,
      authorId: event.authorId,
      at: new Date(event.at).toISOString(),
      commentId: event.commentId,
      taskId: event.taskIds?.[0],
      transitionId: event.transitionId,
    }));
    await tx.send(
      `INSERT INTO notifications (tenant_id, id, user_id, kind, post_id, event_id, type_id, author_id, at, comment_id, task_id,
              transition_id, mail_state)
       SELECT a.tenant_id, n.id, n."userId", n.kind, n."postId", n."eventId", n."typeId", n."authorId", n.at, n."commentId",
              n."taskId", n."transitionId",
              CASE WHEN s.notification_mails AND n.at >= s.notification_mails_since THEN 'new' ELSE 'none' END
         FROM tenant_versions a JOIN tenant_settings s ON s.tenant_id = $1, jsonb_to_recordset($2::jsonb) AS n(id bigint, "userId" bigint, kind smallint,
              "postId" bigint, "eventId" bigint, "typeId" smallint, "authorId" bigint, at timestamptz, "commentId" bigint,
              "taskId" bigint, "transitionId" bigint)
        WHERE a.tenant_id = $1`,
      [tx.tenantId, JSON.stringify(rows)],
    );
    await queuePushes(tx, ids, now);
  }
}

/** Notification for its user. */
export interface NotificationRow {
  id: number;
  kind: NotificationKind;
  /** Null for a due task. */
  typeId: HistoryType | null;
  authorId: number;
  /** Epoch milliseconds. */
  at: number;
  /**
   * For a due task: its due date, and whether the date had passed; `overdue` is null for a reminder
   * that was set.
   */
  dueAt: number | null;
  overdue: boolean | null;
  postId: number;
  customNo: number;
  title: string | null;
  communityId: number;
  communityName: string;
  commentId: number | null;
  excerpt: string | null;
  taskId: number | null;
  taskTitle: string | null;
  transition: string | null;
  read: boolean;
  done: boolean;
  /** `none` or `new` without an outcome. */
  mailState: MailOutcome | 'none' | 'new';
  mailReason: MailReason | null;
  /** Epoch milliseconds. */
  mailAt: number | null;
  /** Null: nothing has ended. */
  pushState: PushOutcome | null;
  pushReason: PushReason | null;
  /** Epoch milliseconds. */
  pushAt: number | null;
  /** A message waits. */
  pushWaits: boolean;
}

/**
 * Returns SQL of the beginning of the text that a notification `n` is about: of its comment, else
 * of the post.
 * @param text SQL of the text of the post
 */
export const excerptSql = (text: string): string =>
  `left(CASE WHEN n.comment_id IS NULL THEN ${text}
     ELSE (SELECT k.plain FROM comments k WHERE k.tenant_id = $1 AND k.id = n.comment_id) END, ${excerptLength})`;

/** SQL of a boolean: the text that the notification `n` of a mention is about still mentions the user. */
export const mentionsStillSql = (userId: string): string =>
  `EXISTS (SELECT FROM post_mentions m WHERE m.tenant_id = $1 AND m.post_id = n.post_id
     AND m.comment_id = coalesce(n.comment_id, 0) AND m.user_id = ${userId})`;

/** The text of a mention that is gone is not about the user any more. */
const EXCERPT = `CASE WHEN n.kind <> ${NotificationKind.MENTION} OR ${mentionsStillSql('n.user_id')}
  THEN ${excerptSql(`CASE WHEN n.kind = ${NotificationKind.MENTION} THEN p.description_text END`)} END`;

const FROM = `notifications n
  JOIN posts p ON p.tenant_id = $1 AND p.id = n.post_id
  JOIN communities c ON c.tenant_id = $1 AND c.id = p.community_id
  LEFT JOIN workflow_transitions t ON t.tenant_id = $1 AND t.id = n.transition_id`;
/** Columns of a notification `n` about browsers. */
export const PUSH_COLUMNS = `n.push_state AS "pushState", n.push_reason AS "pushReason", n.push_at AS "pushAt",
            EXISTS (SELECT FROM push_messages b WHERE b.tenant_id = $1 AND b.notification_id = n.id) AS "pushWaits"`;
/** Columns of {@link NotificationRow}. */
const SELECT = `n.id, n.kind, n.type_id AS "typeId", n.author_id AS "authorId", n.at, n.post_id AS "postId",
            p.custom_no AS "customNo", p.title, p.community_id AS "communityId", c.name AS "communityName",
            n.comment_id AS "commentId", n.task_id AS "taskId", t.name AS transition,
            ${EXCERPT} AS excerpt,
            (SELECT k.title FROM tasks k WHERE k.tenant_id = $1 AND k.id = n.task_id AND k.deleted_at IS NULL) AS "taskTitle",
            n.due_at AS "dueAt", n.overdue,
            n.read_at IS NOT NULL AS read, n.done_at IS NOT NULL AS done, n.mail_state AS "mailState",
            n.mail_reason AS "mailReason",
            (SELECT coalesce(m.finished_at, m.due_at) FROM notification_mails m WHERE m.tenant_id = $1 AND m.id = n.mail_id)
              AS "mailAt",
            ${PUSH_COLUMNS}`;
const OF_USER = ['n.tenant_id = $1', 'n.user_id = $2'];

/**
 * Returns a page of notifications of the user `$2`, the newest first.
 * @param where conditions on `n`, `p` and `c`
 */
export async function pageOfNotifications(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
  page: PageRequest<SortKey>,
) {
  return readPage<NotificationRow>(
    db,
    page,
    {
      select: SELECT,
      from: FROM,
      where: [...OF_USER, ...where],
      order: [{ sql: 'n.id', desc: true, type: 'bigint' }],
    },
    parameters,
  );
}

/**
 * Returns the notifications of a mail that the user `$2` can see and has not read, the oldest first.
 * @param where conditions of visibility on `n`, `p` and `c`
 */
export function readMailedNotifications(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
  mailId: number,
): Promise<(NotificationRow & { author: string })[]> {
  return readToldNotifications(db, parameters, [`n.mail_id = ${parameters.add(mailId)}::bigint`, ...where]);
}

/**
 * Returns the given notifications that the user `$2` can see and has not read, the oldest first.
 * @param where conditions of visibility on `n`, `p` and `c`
 */
export function readShownNotifications(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
  ids: readonly number[],
): Promise<(NotificationRow & { author: string })[]> {
  return readToldNotifications(db, parameters, [`n.id = ANY (${parameters.add(ids)}::bigint[])`, ...where]);
}

function readToldNotifications(
  db: TenantExecutor,
  parameters: Parameters,
  where: readonly string[],
): Promise<(NotificationRow & { author: string })[]> {
  const conditions = [...where, ...OF_USER, 'n.read_at IS NULL AND n.done_at IS NULL'];
  return db.query(
    `SELECT ${SELECT}, ${fullNameSql('w')} AS author
       FROM ${FROM} LEFT JOIN users w ON w.tenant_id = $1 AND w.id = n.author_id
      WHERE ${conditions.join(' AND ')} ORDER BY n.id`,
    parameters.values,
  );
}

/**
 * Counts unread notifications, up to {@link MOST_COUNTED}.
 * @param where conditions on `n`, `p` and `c`
 */
export function countUnread(db: TenantExecutor, parameters: Parameters, where: readonly string[]): Promise<number> {
  const unread = [...OF_USER, ...where, 'n.read_at IS NULL AND n.done_at IS NULL'].join(' AND ');
  return countRows(
    db,
    `(SELECT n.id FROM ${FROM} WHERE ${unread} LIMIT ${parameters.add(MOST_COUNTED)}) found`,
    parameters.values,
  );
}

/**
 * Returns the users with notifications after an id, and the last id.
 * @param after undefined: returns only the last id
 */
export async function notifiedAfter(
  db: TenantExecutor,
  after: number | undefined,
): Promise<{ last: number; userIds: number[] }> {
  if (after === undefined) {
    const [row] = await db.query<{ last: number }>(
      'SELECT coalesce(max(id), 0) AS last FROM notifications WHERE tenant_id = $1',
      [db.tenantId],
    );
    return { last: row!.last, userIds: [] };
  }
  const rows = await db.query<{ id: number; userId: number }>(
    `SELECT id, user_id AS "userId" FROM notifications WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT ${BATCH}`,
    [db.tenantId, after],
  );
  return { last: rows.at(-1)?.id ?? after, userIds: [...new Set(rows.map(({ userId }) => userId))] };
}

/** Marks to set: notifications by id, or all up to an id; as read, as done, or no longer so. */
interface Marks {
  ids: readonly number[] | undefined;
  untilId: number | undefined;
  read: boolean | undefined;
  done: boolean | undefined;
}

/** Marks notifications of the caller. @returns the number of changed ones */
export async function updateMarks(write: WriteScope, { ids, untilId, read, done }: Marks): Promise<number> {
  const rows = await write.tx.changeRows<{ id: number }>(
    'notifications',
    ({ id }) => id,
    `UPDATE notifications SET read_at = CASE WHEN $5 THEN coalesce(read_at, $7) WHEN NOT $5 THEN NULL ELSE read_at END,
            done_at = CASE WHEN $6 THEN coalesce(done_at, $7) WHEN NOT $6 THEN NULL ELSE done_at END
      WHERE tenant_id = $1 AND user_id = $2 AND ($3::bigint[] IS NULL OR id = ANY ($3::bigint[]))
        AND ($4::bigint IS NULL OR id <= $4)
        AND ((read_at IS NOT NULL) <> coalesce($5, read_at IS NOT NULL) OR (done_at IS NOT NULL) <> coalesce($6, done_at IS NOT NULL))
      RETURNING id`,
    [
      write.tx.tenantId,
      write.actor.userId,
      ids ?? null,
      untilId ?? null,
      read ?? (done === true ? true : null),
      done ?? null,
      new Date(write.now),
    ],
  );
  return rows.length;
}

/** Due time of the removal of old notifications. */
export const oldNotificationsDue: DueWork = {
  earliest: 'SELECT min(at) FROM notifications WHERE tenant_id = $1',
  afterMs: ({ settings: { notificationRetentionDays: days } }) => (days === null ? RETENTION_MS : days * 86_400_000),
};

/**
 * Deletes notifications after their retention.
 * @param now epoch milliseconds
 * @param days retention of the tenant; null: 90
 */
export async function forgetNotifications(db: TenantDb, now: number, days: number | null): Promise<void> {
  const before = new Date(now - (days === null ? RETENTION_MS : days * 86_400_000));
  for (;;) {
    const deleted = await db.execute(
      `DELETE FROM notifications WHERE tenant_id = $1 AND id IN (
         SELECT id FROM notifications WHERE tenant_id = $1 AND at < $2 ORDER BY at LIMIT ${BATCH})`,
      [db.tenantId, before],
    );
    if (deleted < BATCH) return;
  }
}

/** Preference of a user. */
export interface PreferenceRow {
  /** 0 for all communities. */
  communityId: number;
  kind: NotificationKind;
  /** Null: not chosen. */
  enabled: boolean | null;
  mail: MailFrequency | null;
  push: boolean | null;
}

export function readPreferences(db: TenantExecutor, userId: number): Promise<PreferenceRow[]> {
  return db.query<PreferenceRow>(
    `SELECT community_id AS "communityId", kind, enabled, mail, push FROM notification_preferences
      WHERE tenant_id = $1 AND user_id = $2 ORDER BY community_id, kind`,
    [db.tenantId, userId],
  );
}

/**
 * Returns the preferences of users that apply to a post: preferences for its community and for all
 * communities (`everywhere`).
 */
export function readPreferencesOf(
  tx: TenantExecutor,
  postId: number,
  userIds: readonly number[],
): Promise<{ userId: number; kind: NotificationKind; everywhere: boolean; enabled: boolean | null }[]> {
  return tx.query(
    `SELECT o.user_id AS "userId", o.kind, o.community_id = 0 AS everywhere, o.enabled
       FROM notification_preferences o
      WHERE o.tenant_id = $1 AND o.user_id = ANY ($3::bigint[])
        AND (o.community_id = 0
             OR o.community_id = (SELECT p.community_id FROM posts p WHERE p.tenant_id = $1 AND p.id = $2))`,
    [tx.tenantId, postId, [...new Set(userIds)]],
  );
}

/** Stores preferences of the caller; keeps members that are null. */
export async function writePreferences(write: WriteScope, entries: readonly PreferenceRow[]): Promise<void> {
  if (entries.length === 0) return;
  const ids = await takeIds(write.tx, 'notification_preferences', entries.length);
  await write.tx.changeRows<{ id: number }>(
    'notification_preferences',
    ({ id }) => id,
    `INSERT INTO notification_preferences AS o (tenant_id, id, user_id, community_id, kind, enabled, mail, push)
     SELECT a.tenant_id, e.id, $2::bigint, e."communityId", e.kind, e.enabled, e.mail, e.push
       FROM tenant_versions a,
            jsonb_to_recordset($3::jsonb) AS e(id bigint, "communityId" bigint, kind smallint, enabled boolean, mail text,
              push boolean)
      WHERE a.tenant_id = $1 ORDER BY e."communityId", e.kind
     ON CONFLICT (tenant_id, user_id, community_id, kind) DO UPDATE
       SET enabled = coalesce(excluded.enabled, o.enabled), mail = coalesce(excluded.mail, o.mail),
           push = coalesce(excluded.push, o.push)
     RETURNING o.id`,
    [
      write.tx.tenantId,
      write.actor.userId,
      JSON.stringify(entries.map((entry, index) => ({ ...entry, id: ids[index] }))),
    ],
  );
}
