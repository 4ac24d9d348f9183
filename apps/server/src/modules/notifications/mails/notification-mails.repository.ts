/** SQL of mails of notifications, and of the outcome of each notification. */
import { randomUUID } from 'node:crypto';
import { type MailFrequency, MailReason, type NotificationKind, notificationMailLimits } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';
import { BUNDLE_MS } from './frequencies.ts';

const p = sqlColumns('posts', 'p');

/** Maximum of notifications per statement. */
export const BATCH = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Time for which a mail is kept after its end. Milliseconds. */
const KEPT_MS = 30 * DAY_MS;

/** Notifications that no mail has been planned for. */
export const newMailsWaiting: DueWork = {
  waiting: `SELECT FROM notifications WHERE tenant_id = $1 AND mail_state = 'new' AND $2::timestamptz IS NOT NULL`,
};

/** Due time of the next mail of notifications. */
export const notificationMailsDue: DueWork = {
  earliest: `SELECT min(due_at) FROM notification_mails WHERE tenant_id = $1 AND state = 'waiting'`,
};

/** Due time of the removal of mails that ended. */
export const endedNotificationMailsDue: DueWork = {
  earliest: 'SELECT min(finished_at) FROM notification_mails WHERE tenant_id = $1',
  afterMs: () => KEPT_MS,
};

/** Notification that no mail has been planned for. */
export interface UnplannedNotification {
  readonly id: number;
  readonly userId: number;
  readonly postId: number;
  readonly kind: NotificationKind;
  readonly read: boolean;
  /** Choices of the person; null: none. */
  readonly here: MailFrequency | null;
  readonly everywhere: MailFrequency | null;
}

/** SQL of the choices for the notification `n` of a post `p`. */
const CHOICES = `
  (SELECT o.mail FROM notification_preferences o WHERE o.tenant_id = $1 AND o.user_id = n.user_id
      AND o.kind = n.kind AND o.community_id = ${p.community_id}) AS here,
  (SELECT o.mail FROM notification_preferences o WHERE o.tenant_id = $1 AND o.user_id = n.user_id
      AND o.kind = n.kind AND o.community_id = 0) AS everywhere`;

/** Locks and returns up to {@link BATCH} notifications without a plan; skips rows that other nodes hold. */
export function takeUnplanned(tx: TenantTx): Promise<UnplannedNotification[]> {
  return tx.query<UnplannedNotification>(
    `WITH taken AS MATERIALIZED (
       SELECT id FROM notifications WHERE tenant_id = $1 AND mail_state = 'new'
        ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     SELECT n.id, n.user_id AS "userId", n.post_id AS "postId", n.kind,
            n.read_at IS NOT NULL OR n.done_at IS NOT NULL AS read, ${CHOICES}
       FROM notifications n JOIN posts p ON p.tenant_id = $1 AND ${p.id} = n.post_id
      WHERE n.tenant_id = $1 AND n.id IN (SELECT taken.id FROM taken) ORDER BY n.id`,
    [tx.tenantId],
  );
}

/** Returns the notifications of a mail with the choices of their person. */
export function readMailChoices(
  db: TenantDb,
  mailId: number,
): Promise<(UnplannedNotification & { communityId: number })[]> {
  return db.query(
    `SELECT n.id, n.user_id AS "userId", n.post_id AS "postId", n.kind, ${p.community_id} AS "communityId",
            n.read_at IS NOT NULL OR n.done_at IS NOT NULL AS read, ${CHOICES}
       FROM notifications n JOIN posts p ON p.tenant_id = $1 AND ${p.id} = n.post_id
      WHERE n.tenant_id = $1 AND n.mail_id = $2 AND n.mail_state = 'bundled' ORDER BY n.id`,
    [db.tenantId, mailId],
  );
}

/** Mail to be planned. */
export interface MailPlan {
  readonly userId: number;
  /** Null for the digest. */
  readonly postId: number | null;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * Creates mails, or joins those that wait for their first attempt; a mail is due at the earlier
 * time.
 * @param plans at most one for each person and post
 * @returns ids of the mails, by `USER POST` (post 0 for the digest)
 */
export async function openMails(tx: TenantTx, plans: readonly MailPlan[], now: number): Promise<Map<string, number>> {
  if (plans.length === 0) return new Map();
  const ids = await takeIds(tx, 'notification_mails', plans.length);
  const rows = plans.map(({ userId, postId, dueAt }, index) => ({
    id: ids[index],
    messageId: randomUUID(),
    userId,
    postId,
    dueAt: new Date(dueAt).toISOString(),
  }));
  const mails = await tx.query<{ id: number; userId: number; postId: number | null }>(
    `INSERT INTO notification_mails AS m (tenant_id, id, user_id, post_id, message_id, created_at, due_at)
     SELECT a.tenant_id, r.id, r."userId", r."postId", r."messageId", $3, r."dueAt"
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb)
            AS r(id bigint, "userId" bigint, "postId" bigint, "messageId" text, "dueAt" timestamptz)
      WHERE a.tenant_id = $1 ORDER BY r."userId", r."postId"
     ON CONFLICT (tenant_id, user_id, coalesce(post_id, 0)) WHERE state = 'waiting' AND attempts = 0
     DO UPDATE SET due_at = least(m.due_at, excluded.due_at)
     RETURNING m.id, m.user_id AS "userId", m.post_id AS "postId"`,
    [tx.tenantId, JSON.stringify(rows), new Date(now)],
  );
  return new Map(mails.map(({ id, userId, postId }) => [`${userId} ${postId ?? 0}`, id]));
}

/** Outcome of a notification. */
export interface NotificationOutcome {
  readonly id: number;
  readonly state: 'bundled' | 'sent' | 'held' | 'failed';
  readonly reason?: MailReason | undefined;
  readonly mailId?: number | undefined;
}

/** Records outcomes; an outcome without a mail keeps the mail. */
export async function writeOutcomes(tx: TenantTx, outcomes: readonly NotificationOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx.send(
    `UPDATE notifications n
        SET mail_state = o.state, mail_reason = o.reason, mail_id = coalesce(o."mailId", n.mail_id)
       FROM jsonb_to_recordset($2::jsonb) AS o(id bigint, state text, reason text, "mailId" bigint)
      WHERE n.tenant_id = $1 AND n.id = o.id`,
    [tx.tenantId, JSON.stringify(outcomes)],
  );
}

/** Mail that this node sends. */
export interface ClaimedNotificationMail {
  readonly id: number;
  readonly userId: number;
  readonly postId: number | null;
  readonly messageId: string;
  /** Including the current one. */
  readonly attempts: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Mail that is due, with what limits it. */
interface DueMail extends ClaimedNotificationMail {
  /** Last attempt of another mail to the person about the post. Epoch milliseconds; null: none lately. */
  readonly lastOfPost: number | null;
  /** Mails about posts to the person within 24 hours. */
  readonly ofDay: number;
}

export async function hasDueNotificationMail(db: TenantDb, now: number): Promise<boolean> {
  const rows = await db.query(
    `SELECT id FROM notification_mails WHERE tenant_id = $1 AND state = 'waiting' AND due_at <= $2 LIMIT 1`,
    [db.tenantId, new Date(now)],
  );
  return rows.length > 0;
}

/**
 * Returns the number of attempts left in this minute. Locks, so that only one node counts at a
 * time: the count stays correct until its attempts are written.
 */
export async function attemptsLeft(tx: TenantTx, now: number, perMinute: number): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.notification-mails.' || $1, 0))`, [
    tx.tenantId,
  ]);
  const [recent] = await tx.query<{ attempts: number }>(
    'SELECT count(*) AS attempts FROM notification_mails WHERE tenant_id = $1 AND attempted_at > $2',
    [tx.tenantId, new Date(now - MINUTE_MS)],
  );
  return Math.max(perMinute - recent!.attempts, 0);
}

/** Locks and returns due mails, the earliest first. */
export function lockDueMails(tx: TenantTx, now: number, most: number): Promise<DueMail[]> {
  return tx.query<DueMail>(
    `WITH due AS MATERIALIZED (
       SELECT id FROM notification_mails WHERE tenant_id = $1 AND state = 'waiting' AND due_at <= $2
        ORDER BY due_at, id LIMIT $5 FOR UPDATE SKIP LOCKED)
     SELECT m.id, m.user_id AS "userId", m.post_id AS "postId", m.message_id AS "messageId", m.attempts,
            m.created_at AS "createdAt",
            (SELECT max(o.attempted_at) FROM notification_mails o WHERE o.tenant_id = $1 AND o.user_id = m.user_id
                AND o.post_id = m.post_id AND o.id <> m.id AND o.attempted_at > $3) AS "lastOfPost",
            (SELECT count(*) FROM notification_mails o WHERE o.tenant_id = $1 AND o.user_id = m.user_id
                AND o.post_id IS NOT NULL AND o.id <> m.id AND o.attempted_at > $4) AS "ofDay"
       FROM notification_mails m WHERE m.tenant_id = $1 AND m.id IN (SELECT due.id FROM due) ORDER BY m.due_at, m.id`,
    [tx.tenantId, new Date(now), new Date(now - BUNDLE_MS), new Date(now - DAY_MS), most],
  );
}

/** Starts an attempt; until the lease ends no other node claims the mails. */
export async function beginAttempts(tx: TenantTx, ids: readonly number[], now: number, leaseMs: number): Promise<void> {
  await tx.send(
    `UPDATE notification_mails SET attempts = attempts + 1, attempted_at = $3, due_at = $4
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    [tx.tenantId, ids, new Date(now), new Date(now + leaseMs)],
  );
}

/** Postpones a mail. @param dueAt epoch milliseconds */
export async function postponeMail(tx: TenantTx, id: number, dueAt: number): Promise<void> {
  await tx.send('UPDATE notification_mails SET due_at = $3 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    id,
    new Date(dueAt),
  ]);
}

/** Moves the notifications of a mail to the person's digest, because of the limit of a day. */
export async function moveToDigest(tx: TenantTx, mailId: number, digestId: number): Promise<void> {
  await tx.send(
    `UPDATE notifications SET mail_id = $3, mail_reason = '${MailReason.DAILY_LIMIT}'
      WHERE tenant_id = $1 AND mail_id = $2 AND mail_state = 'bundled'`,
    [tx.tenantId, mailId, digestId],
  );
  await tx.send('DELETE FROM notification_mails WHERE tenant_id = $1 AND id = $2', [tx.tenantId, mailId]);
}

/** End of a mail. */
interface MailEnd {
  readonly state: 'sent' | 'held' | 'failed';
  readonly recipient?: string | undefined;
  readonly reason?: MailReason | undefined;
  readonly error?: string | undefined;
}

/** Ends a mail that has not ended. */
export async function endMail(tx: TenantTx, id: number, now: number, end: MailEnd): Promise<void> {
  await tx.send(
    `UPDATE notification_mails SET state = $3, recipient = $4, reason = $5, error = $6, finished_at = $7
      WHERE tenant_id = $1 AND id = $2 AND state = 'waiting'`,
    [tx.tenantId, id, end.state, end.recipient ?? null, end.reason ?? null, end.error ?? null, new Date(now)],
  );
}

/** Records a failed attempt that is tried again, unless another node has claimed the mail since. */
export async function retryMailLater(
  db: TenantDb,
  { id, attempts }: Pick<ClaimedNotificationMail, 'id' | 'attempts'>,
  error: string,
  dueAt: number,
): Promise<void> {
  await db.execute(
    `UPDATE notification_mails SET error = $4, due_at = $5
      WHERE tenant_id = $1 AND id = $2 AND attempts = $3 AND state = 'waiting'`,
    [db.tenantId, id, attempts, error, new Date(dueAt)],
  );
}

/** Holds all waiting mails and notifications that no mail has been sent for. @returns number of mails */
export async function holdWaitingMails(tx: Pick<TenantExecutor, 'tenantId' | 'execute'>, now: Date): Promise<number> {
  await tx.execute(
    `UPDATE notifications SET mail_state = 'held', mail_reason = '${MailReason.TENANT_OFF}'
      WHERE tenant_id = $1 AND mail_state IN ('new', 'bundled')`,
    [tx.tenantId],
  );
  return tx.execute(
    `UPDATE notification_mails SET state = 'held', reason = '${MailReason.TENANT_OFF}', finished_at = $2
      WHERE tenant_id = $1 AND state = 'waiting'`,
    [tx.tenantId, now],
  );
}

/** Removes mails that ended long ago. */
export async function forgetNotificationMails(db: TenantDb, now: number): Promise<void> {
  await db.execute('DELETE FROM notification_mails WHERE tenant_id = $1 AND finished_at <= $2', [
    db.tenantId,
    new Date(now - KEPT_MS),
  ]);
}

/** Most mails within a day. */
export const PER_DAY = notificationMailLimits.perDay;
