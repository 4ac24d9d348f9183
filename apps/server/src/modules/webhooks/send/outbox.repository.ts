/** SQL of messages that are being sent. */

import type { WebhookForm } from '@portico/contract';
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { Signature } from '../secrets.ts';
import { activeSql, type StopReason } from '../webhooks.repository.ts';

const SENDABLE = (now: string) => `${activeSql} AND (w.held_until IS NULL OR w.held_until <= ${now})`;

/** Messages that are due. */
export const dueDeliveries: DueWork = {
  waiting: `SELECT FROM webhooks w WHERE w.tenant_id = $1 AND ${SENDABLE('$2::timestamptz')} AND EXISTS (
    SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.state = 'waiting'
       AND d.due_at <= $2::timestamptz)`,
};

/** Due time of the next message. */
export const deliveriesDue: DueWork = {
  earliest: `SELECT min(greatest(w.held_until, n.due_at)) FROM webhooks w CROSS JOIN LATERAL (
    SELECT d.due_at FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id AND d.state = 'waiting'
     ORDER BY d.due_at LIMIT 1) n WHERE w.tenant_id = $1 AND ${activeSql}`,
};

/** A webhook with due messages. */
export interface DueWebhook {
  readonly id: number;
  readonly sealedAddress: Buffer;
  readonly form: WebhookForm;
  /** Chats get none. */
  readonly signature: Signature | 'none';
  readonly failing: boolean;
  /** Secrets that sign, the newest first. */
  readonly secrets: readonly { readonly id: string; readonly sealed: string }[];
}

/** Returns the webhooks with due messages. @param now epoch milliseconds */
export function dueWebhooks(db: TenantDb, now: number): Promise<DueWebhook[]> {
  return db.query<DueWebhook>(
    `SELECT w.id, w.sealed_address AS "sealedAddress", w.form, w.signature, w.failing_since IS NOT NULL AS failing,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.sealed_secret, 'hex'))
                      ORDER BY s.expires_at DESC NULLS FIRST, s.created_at DESC, s.id), '[]')
               FROM webhook_secrets s WHERE s.tenant_id = $1 AND s.webhook_id = w.id
                AND (s.expires_at IS NULL OR s.expires_at > $2)) AS secrets
       FROM webhooks w WHERE w.tenant_id = $1 AND w.sealed_address IS NOT NULL AND ${SENDABLE('$2::timestamptz')}
        AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id
          AND d.state = 'waiting' AND d.due_at <= $2) ORDER BY w.id`,
    [db.tenantId, new Date(now)],
  );
}

/**
 * Reserves chats for one message of this node. Until `now + intervalMs` nothing else is sent to them.
 * @returns ids of the reserved chats
 */
export async function reserveChats(
  db: TenantDb,
  ids: readonly number[],
  now: number,
  intervalMs: number,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<{ id: number }>(
    `UPDATE webhooks SET held_until = $4 WHERE tenant_id = $1 AND id = ANY ($2::bigint[])
        AND (held_until IS NULL OR held_until <= $3) RETURNING id`,
    [db.tenantId, ids, new Date(now), new Date(now + intervalMs)],
  );
  return rows.map(({ id }) => id);
}

/** A message that this node has to send. */
export interface ClaimedDelivery {
  readonly id: number;
  readonly webhookId: number;
  readonly messageId: string;
  readonly body: string;
  /** Including the current one. */
  readonly attempts: number;
}

/**
 * Claims due messages for one attempt each. Until `now + leaseMs` no other node claims them;
 * afterwards they are due again, as after a crash.
 * @param slots how many messages of each webhook
 */
export async function claimDeliveries(
  db: TenantDb,
  slots: ReadonlyMap<number, number>,
  now: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  if (slots.size === 0) return [];
  return db.query<ClaimedDelivery>(
    `WITH due AS MATERIALIZED (
       SELECT d.id FROM unnest($2::bigint[], $3::int[]) AS w(id, slots) CROSS JOIN LATERAL (
         SELECT x.id FROM webhook_deliveries x WHERE x.tenant_id = $1 AND x.webhook_id = w.id AND x.state = 'waiting'
            AND x.due_at <= $4 ORDER BY x.due_at, x.id LIMIT w.slots FOR UPDATE SKIP LOCKED) d)
     UPDATE webhook_deliveries d SET attempts = d.attempts + 1, attempted_at = $4, due_at = $5
       FROM webhook_bodies b
      WHERE d.tenant_id = $1 AND d.id IN (SELECT due.id FROM due) AND b.tenant_id = d.tenant_id AND b.id = d.body_id
     RETURNING d.id, d.webhook_id AS "webhookId", d.message_id AS "messageId", b.body, d.attempts`,
    [db.tenantId, [...slots.keys()], [...slots.values()], new Date(now), new Date(now + leaseMs)],
  );
}

/** Outcome of an attempt. */
export interface Outcome {
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** Begin of the body of the answer. */
  readonly answer: string | undefined;
  readonly error: string | undefined;
  readonly milliseconds: number;
}

/**
 * Records an attempt of the messages of one request, as one. A message that another node has
 * claimed since, or that was made due again, keeps its state.
 * @param next state of the messages, and time of the next attempt where they wait
 */
export async function recordAttempts(
  db: TenantExecutor,
  deliveries: readonly ClaimedDelivery[],
  { status, answer, error, milliseconds }: Outcome,
  next: { readonly state: 'sent' | 'failed' | 'waiting'; readonly dueAt?: number | undefined; readonly now: number },
): Promise<void> {
  const ended = next.state === 'waiting' ? null : new Date(next.now);
  await db.execute(
    `UPDATE webhook_deliveries SET state = $4, due_at = coalesce($5, due_at), finished_at = $6, status = $7, answer = $8,
            error = left($9, 400), milliseconds = $10
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND state = 'waiting'
        AND (id, attempts) IN (SELECT * FROM unnest($2::bigint[], $3::int[]))`,
    [
      db.tenantId,
      deliveries.map(({ id }) => id),
      deliveries.map(({ attempts }) => attempts),
      next.state,
      next.dueAt === undefined ? null : new Date(next.dueAt),
      ended,
      status ?? null,
      answer ?? null,
      error ?? null,
      milliseconds,
    ],
  );
}

/** Gives back messages that were claimed and not sent. */
export async function releaseDeliveries(db: TenantDb, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(
    `UPDATE webhook_deliveries SET attempts = attempts - 1, due_at = $3
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND state = 'waiting' AND attempts > 0`,
    [db.tenantId, ids, new Date(now)],
  );
}

/** Notes that a message arrived, where messages before failed. */
export async function noteArrival(db: TenantDb, webhookId: number): Promise<void> {
  await db.execute(
    `UPDATE webhooks SET failing_since = NULL, told_at = NULL,
            held_until = CASE WHEN form = 'standard' THEN NULL ELSE held_until END
      WHERE tenant_id = $1 AND id = $2 AND failing_since IS NOT NULL`,
    [db.tenantId, webhookId],
  );
}

/**
 * Notes a failed attempt.
 * @param holdMs time for which it gets no message; 0: none
 */
export async function noteFailure(db: TenantDb, webhookId: number, now: number, holdMs: number): Promise<void> {
  await db.execute(
    `UPDATE webhooks SET failing_since = coalesce(failing_since, $3), held_until = greatest(held_until, $4)
      WHERE tenant_id = $1 AND id = $2`,
    [db.tenantId, webhookId, new Date(now), holdMs > 0 ? new Date(now + holdMs) : null],
  );
}

/**
 * Stops a webhook, unless it is stopped.
 * @param failingMs stops it only if every attempt has failed for so long
 */
export async function stopWebhook(
  db: TenantDb,
  webhookId: number,
  reason: StopReason,
  now: number,
  failingMs = 0,
): Promise<void> {
  await db.execute(
    `UPDATE webhooks SET stopped_for = $3, stopped_at = $4, told_at = NULL
      WHERE tenant_id = $1 AND id = $2 AND stopped_for IS NULL AND coalesce(failing_since, $4) <= $5`,
    [db.tenantId, webhookId, reason, new Date(now), new Date(now - failingMs)],
  );
}

/** A webhook whose owner is to be told that it fails or was stopped. */
interface UntoldWebhook {
  readonly id: number;
  readonly name: string;
  readonly ownerId: number;
  readonly stoppedFor: StopReason | null;
}

/** Time for which attempts fail until the owner is told. Milliseconds. */
const TOLD_AFTER_MS = 3_600_000;

/** Schedule for telling owners. */
export const ownersDue: DueWork = {
  earliest: 'SELECT min(failing_since) FROM webhooks WHERE tenant_id = $1 AND told_at IS NULL AND stopped_for IS NULL',
  afterMs: () => TOLD_AFTER_MS,
};

const UNTOLD = 'told_at IS NULL AND (stopped_for IS NOT NULL OR failing_since <= $2)';

/** Returns whether owners are to be told. @param now epoch milliseconds */
export async function hasUntold(db: TenantDb, now: number): Promise<boolean> {
  const rows = await db.query(`SELECT FROM webhooks WHERE tenant_id = $1 AND ${UNTOLD} LIMIT 1`, [
    db.tenantId,
    new Date(now - TOLD_AFTER_MS),
  ]);
  return rows.length > 0;
}

/** Notes that the owners of failing and stopped webhooks are told. @returns the webhooks */
export function takeUntold(db: TenantExecutor, now: number): Promise<UntoldWebhook[]> {
  return db.query<UntoldWebhook>(
    `UPDATE webhooks SET told_at = $3 WHERE tenant_id = $1 AND ${UNTOLD}
     RETURNING id, name, modifier_id AS "ownerId", stopped_for AS "stoppedFor"`,
    [db.tenantId, new Date(now - TOLD_AFTER_MS), new Date(now)],
  );
}
