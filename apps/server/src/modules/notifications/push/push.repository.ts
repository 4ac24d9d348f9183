/** SQL of browsers that show notifications, and of the messages to them. */
import { PushOutcome, PushReason } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import { sealingKeyIdSql } from '@portico/platform/sealing';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';
import { LONGEST_PUSH_MS, PUSH_WANTED } from '../queue-pushes.ts';

const p = sqlColumns('posts', 'p');
const u = sqlColumns('users', 'u');
const users = sqlColumns('users');
const w = sqlColumns('user_sessions', 'w');

/** Due time of the next message. */
export const pushesDue: DueWork = { earliest: 'SELECT min(due_at) FROM push_messages WHERE tenant_id = $1' };

/** Join with the owner `u` of the subscription `s`, whose sign-ins have not ended since it was stored. */
const OF_SIGNED_IN = `JOIN users u ON u.tenant_id = s.tenant_id AND ${u.id} = s.user_id
     AND s.session_version = ${u.session_version}`;

/** A message that this node has to send. */
export interface ClaimedPush {
  readonly id: number;
  readonly subscriptionId: number;
  readonly service: string;
  readonly userId: number;
  readonly notificationId: number;
  /** Including the current one. */
  readonly attempts: number;
  /** Why the notification is not to be shown any more; null: it is chosen, unread, and of the owner of the browser. */
  readonly reason: PushReason | null;
}

/** Services and subscriptions that get nothing now, since enough is under way. */
interface Busy {
  readonly services: readonly string[];
  readonly subscriptionIds: readonly number[];
}

/**
 * Claims due messages for one attempt each. Until `now + leaseMs` no other node claims them;
 * afterwards they are due again, as after a crash.
 */
export function claimPushes(
  db: TenantDb,
  most: number,
  busy: Busy,
  now: number,
  leaseMs: number,
): Promise<ClaimedPush[]> {
  return db.query<ClaimedPush>(
    `WITH due AS MATERIALIZED (
       SELECT m.id FROM push_messages m
        WHERE m.tenant_id = $1 AND m.due_at <= $2 AND m.service <> ALL ($3::text[])
          AND m.subscription_id <> ALL ($4::bigint[])
        ORDER BY m.due_at, m.id LIMIT $5 FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE push_messages m SET attempts = m.attempts + 1, due_at = $6
        WHERE m.tenant_id = $1 AND m.id IN (SELECT due.id FROM due)
       RETURNING m.id, m.subscription_id, m.notification_id, m.service, m.attempts, m.created_at)
     SELECT c.id, c.subscription_id AS "subscriptionId", c.service, s.user_id AS "userId",
            c.notification_id AS "notificationId", c.attempts,
            CASE
              WHEN c.created_at <= $7 THEN '${PushReason.NOT_TAKEN}'
              WHEN NOT EXISTS (SELECT ${u.id} FROM users u WHERE u.tenant_id = $1 AND ${u.id} = s.user_id
                AND ${u.session_version} = s.session_version AND ${u.deleted_at} IS NULL AND NOT ${u.blocked}
                AND NOT ${u.service_account} AND NOT ${u.system_account}) THEN '${PushReason.NO_RECIPIENT}'
              ELSE (SELECT CASE
                  WHEN n.user_id <> s.user_id THEN '${PushReason.NO_BROWSER}'
                  WHEN n.read_at IS NOT NULL OR n.done_at IS NOT NULL THEN '${PushReason.READ}'
                  WHEN NOT ${PUSH_WANTED} THEN '${PushReason.NEVER}' END
                FROM notifications n JOIN posts p ON p.tenant_id = $1 AND ${p.id} = n.post_id
                WHERE n.tenant_id = $1 AND n.id = c.notification_id) END AS reason
       FROM claimed c JOIN push_subscriptions s ON s.tenant_id = $1 AND s.id = c.subscription_id
      ORDER BY c.notification_id`,
    [
      db.tenantId,
      new Date(now),
      busy.services,
      busy.subscriptionIds,
      most,
      new Date(now + leaseMs),
      new Date(now - LONGEST_PUSH_MS),
    ],
  );
}

/** Gives back messages that were claimed and not sent. */
export async function releasePushes(db: TenantDb, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(
    `UPDATE push_messages SET attempts = attempts - 1, due_at = $3
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND attempts > 0`,
    [db.tenantId, ids, new Date(now)],
  );
}

/** Result of a message. */
interface Ended {
  readonly outcome: PushOutcome;
  readonly reason?: PushReason | undefined;
}

/** Assignments of what became of the notifications `n` of the messages `ended`; one that was sent stays so. */
const TOLD = `UPDATE notifications n SET push_state = $3, push_reason = $4, push_at = $5
  WHERE n.tenant_id = $1 AND n.id IN (SELECT e.notification_id FROM ended e)
    AND n.push_state IS DISTINCT FROM '${PushOutcome.SENT}'`;

/** Ends messages, and records what became of their notifications. */
export async function endPushes(
  db: TenantDb,
  ids: readonly number[],
  { outcome, reason }: Ended,
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(
    `WITH ended AS (DELETE FROM push_messages WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) RETURNING notification_id)
     ${TOLD}`,
    [db.tenantId, ids, outcome, reason ?? null, new Date(now)],
  );
}

/** Puts all messages to a browser off, after an attempt failed. */
export async function postponePushes(db: TenantDb, subscriptionId: number, dueAt: number): Promise<void> {
  await db.execute(
    'UPDATE push_messages SET due_at = greatest(due_at, $3) WHERE tenant_id = $1 AND subscription_id = $2',
    [db.tenantId, subscriptionId, new Date(dueAt)],
  );
}

/** Records that the push service took a message. */
export async function noteSent(db: TenantDb, subscriptionId: number, now: number): Promise<void> {
  await db.execute('UPDATE push_subscriptions SET sent_at = $3 WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    subscriptionId,
    new Date(now),
  ]);
}

/** A subscription as it is stored. */
interface SealedSubscription {
  readonly id: number;
  readonly sealed: Buffer;
}

/** Returns the subscription of a browser; undefined if it was deleted. */
export async function readSubscription(db: TenantDb, id: number): Promise<SealedSubscription | undefined> {
  const [row] = await db.query<SealedSubscription>(
    'SELECT s.id, s.sealed_subscription AS sealed FROM push_subscriptions s WHERE s.tenant_id = $1 AND s.id = $2',
    [db.tenantId, id],
  );
  return row;
}

/** Deletes a browser that its push service does not know any more, with its messages. */
export async function forgetSubscription(db: TenantDb, id: number, now: number): Promise<void> {
  await db.execute(
    `WITH ended AS (DELETE FROM push_messages WHERE tenant_id = $1 AND subscription_id = $2 RETURNING notification_id)
     ${TOLD}`,
    [db.tenantId, id, PushOutcome.FAILED, PushReason.BROWSER_GONE, new Date(now)],
  );
  await db.execute('DELETE FROM push_subscriptions WHERE tenant_id = $1 AND id = $2', [db.tenantId, id]);
}

/** @returns whether a person has a browser that shows notifications */
export async function hasBrowser(db: TenantExecutor, userId: number): Promise<boolean> {
  const rows = await db.query(
    `SELECT s.id FROM push_subscriptions s ${OF_SIGNED_IN} WHERE s.tenant_id = $1 AND s.user_id = $2 LIMIT 1`,
    [db.tenantId, userId],
  );
  return rows.length > 0;
}

/** A browser of a person. Times are epoch milliseconds. */
interface SubscriptionRow {
  readonly id: number;
  readonly service: string;
  readonly sessionId: number | null;
  readonly userAgent: string | null;
  readonly createdAt: number;
  readonly sentAt: number | null;
}

/** Returns the browsers of a person, the newest first. */
export function subscriptionsOf(db: TenantExecutor, userId: number): Promise<SubscriptionRow[]> {
  return db.query<SubscriptionRow>(
    `SELECT s.id, s.service, s.session_id AS "sessionId", ${w.user_agent} AS "userAgent", s.created_at AS "createdAt",
            s.sent_at AS "sentAt"
       FROM push_subscriptions s ${OF_SIGNED_IN}
       LEFT JOIN user_sessions w ON w.tenant_id = s.tenant_id AND ${w.id} = s.session_id
      WHERE s.tenant_id = $1 AND s.user_id = $2 ORDER BY s.created_at DESC, s.id DESC`,
    [db.tenantId, userId],
  );
}

/** Subscription to store. */
interface NewSubscription {
  /** SHA-256 of the address. */
  readonly hash: Buffer;
  readonly service: string;
  /** Encrypts the subscription for a row. */
  seal(id: number): Buffer;
}

/**
 * Stores a subscription of the caller, in the place of one with the same address.
 * @returns its id
 */
export async function writeSubscription(write: WriteScope, { hash, service, seal }: NewSubscription): Promise<number> {
  const { tx, actor, sessionId, sessionVersion } = write;
  const [present] = await tx.query<{ id: number }>(
    'SELECT id FROM push_subscriptions WHERE tenant_id = $1 AND address_hash = $2 FOR UPDATE',
    [tx.tenantId, hash],
  );
  const [id] = present ? [present.id] : await takeIds(tx, 'push_subscriptions', 1);
  const [user] = await tx.query<{ sessionVersion: number }>(
    `SELECT ${users.session_version} AS "sessionVersion" FROM users WHERE tenant_id = $1 AND ${users.id} = $2`,
    [tx.tenantId, actor.userId],
  );
  await tx.beginChange('push_subscriptions', present ? [present.id] : []);
  const [row] = await tx.create<{ id: number }>(
    'push_subscriptions',
    `INSERT INTO push_subscriptions AS o
       (tenant_id, id, user_id, session_id, session_version, address_hash, service, sealed_subscription, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT ON CONSTRAINT push_subscriptions__address DO UPDATE
       SET user_id = excluded.user_id, session_id = excluded.session_id, session_version = excluded.session_version,
           service = excluded.service, created_at = excluded.created_at, sent_at = NULL,
           sealed_subscription = CASE WHEN o.id = excluded.id THEN excluded.sealed_subscription ELSE o.sealed_subscription END
     RETURNING id`,
    [
      tx.tenantId,
      id,
      actor.userId,
      sessionId ?? null,
      sessionVersion ?? user!.sessionVersion,
      hash,
      service,
      seal(id!),
      new Date(write.now),
    ],
  );
  return row!.id;
}

/** Counts the browsers of the caller without one address. */
export async function countOtherSubscriptions(write: WriteScope, hash: Buffer): Promise<number> {
  const [row] = await write.tx.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM push_subscriptions s ${OF_SIGNED_IN}
      WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.address_hash <> $3`,
    [write.tx.tenantId, write.actor.userId, hash],
  );
  return row!.count;
}

/** @returns whether the caller had the subscription */
export async function deleteSubscription({ tx, actor }: WriteScope, id: number): Promise<boolean> {
  const rows = await tx.change(
    'push_subscriptions',
    [id],
    'DELETE FROM push_subscriptions WHERE tenant_id = $1 AND user_id = $2 AND id = $3',
    [tx.tenantId, actor.userId, id],
  );
  return rows === 1;
}

/** Deletes browsers of sign-ins that have ended. */
export async function forgetSubscriptions(db: TenantExecutor): Promise<void> {
  await db.execute(
    `DELETE FROM push_subscriptions s USING users u
      WHERE s.tenant_id = $1 AND u.tenant_id = $1 AND u.id = s.user_id AND s.session_version <> u.session_version`,
    [db.tenantId],
  );
}

/** The keys of the tenant. */
interface StoredPushKey {
  readonly publicKey: string;
  readonly sealed: Buffer;
}

export async function readPushKey(db: TenantExecutor): Promise<StoredPushKey | undefined> {
  const [row] = await db.query<StoredPushKey>(
    'SELECT public_key AS "publicKey", sealed_private_key AS sealed FROM push_keys WHERE tenant_id = $1',
    [db.tenantId],
  );
  return row;
}

/** Stores the keys of the tenant, unless it has some. */
export async function insertPushKey(db: TenantExecutor, { publicKey, sealed }: StoredPushKey): Promise<void> {
  await db.execute(
    `INSERT INTO push_keys (tenant_id, public_key, sealed_private_key, created_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (tenant_id) DO NOTHING`,
    [db.tenantId, publicKey, sealed],
  );
}

/**
 * Deletes browsers whose subscription no configured key opens; all of them with the keys of the
 * tenant if these cannot be opened, since browsers accept messages of these alone.
 * @returns the number of deleted browsers
 */
export async function forgetUnreadableSubscriptions(db: TenantExecutor, keyIds: readonly string[]): Promise<number> {
  const lost = (column: string) => `${sealingKeyIdSql(column)} <> ALL ($2::text[])`;
  const rows = await db.query(
    `DELETE FROM push_subscriptions s WHERE s.tenant_id = $1 AND (${lost('s.sealed_subscription')}
        OR EXISTS (SELECT FROM push_keys k WHERE k.tenant_id = $1 AND ${lost('k.sealed_private_key')})) RETURNING s.id`,
    [db.tenantId, keyIds],
  );
  await db.execute(`DELETE FROM push_keys k WHERE k.tenant_id = $1 AND ${lost('k.sealed_private_key')}`, [
    db.tenantId,
    keyIds,
  ]);
  return rows.length;
}
