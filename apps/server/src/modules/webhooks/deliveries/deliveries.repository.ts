/** SQL of the messages of webhooks and their bodies. */
import type { WebhookDelivery, webhookDeliveryStates } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';

const DAY_MS = 86_400_000;
/** Rows deleted at once. */
const BATCH = 500;

/** A message with its last attempt. Times are epoch milliseconds. */
export interface DeliveryRow {
  id: number;
  messageId: string;
  event: string;
  seq: number | null;
  postId: number | null;
  state: (typeof webhookDeliveryStates)[number];
  attempts: number;
  createdAt: number;
  dueAt: number;
  attemptedAt: number | null;
  finishedAt: number | null;
  status: number | null;
  error: string | null;
  milliseconds: number | null;
}

/** Columns of {@link DeliveryRow}, of messages `d` and bodies `b`. */
export const deliveryColumns = `d.id, d.message_id AS "messageId", d.event, d.seq, b.post_id AS "postId", d.state, d.attempts,
  d.created_at AS "createdAt", d.due_at AS "dueAt", d.attempted_at AS "attemptedAt", d.finished_at AS "finishedAt",
  d.status, d.error, d.milliseconds`;
/** Messages `d` with their bodies `b`. */
export const deliveriesFrom =
  'webhook_deliveries d JOIN webhook_bodies b ON b.tenant_id = d.tenant_id AND b.id = d.body_id';

/** Reads a message with its body and the last answer. */
export async function readDelivery(
  db: TenantExecutor,
  webhookId: number,
  id: number,
): Promise<(DeliveryRow & { body: string; answer: string | null }) | undefined> {
  const [row] = await db.query<DeliveryRow & { body: string; answer: string | null }>(
    `SELECT ${deliveryColumns}, b.body, d.answer FROM ${deliveriesFrom}
      WHERE d.tenant_id = $1 AND d.webhook_id = $2 AND d.id = $3`,
    [db.tenantId, webhookId, id],
  );
  return row;
}

/** Presents a message without its contents. */
export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    messageId: row.messageId,
    event: row.event,
    number: row.seq ?? undefined,
    postId: row.postId ?? undefined,
    state: row.state,
    attempts: row.attempts,
    creationTimestamp: row.createdAt,
    nextAttemptTimestamp: row.state === 'waiting' ? row.dueAt : undefined,
    lastAttemptTimestamp: row.attemptedAt ?? undefined,
    endTimestamp: row.finishedAt ?? undefined,
    status: row.status ?? undefined,
    durationMs: row.milliseconds ?? undefined,
    error: row.error ?? undefined,
  };
}

/** A body to be stored. */
export interface NewBody {
  /** Null for a test, and for a post that no longer exists. */
  readonly postId: number | null;
  /** People whom it names. */
  readonly people: readonly number[];
  readonly body: string;
}

/** A message to be sent. */
export interface NewDelivery {
  readonly webhookId: number;
  /** Place of its body in the list of bodies. */
  readonly body: number;
  readonly messageId: string;
  readonly event: string;
  readonly seq: number | null;
}

/**
 * Stores messages with their bodies. A message that the webhook has had before is sent again with
 * the new body.
 * @returns the ids of the messages, in no order
 */
export async function insertDeliveries(
  tx: TenantTx,
  bodies: readonly NewBody[],
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<number[]> {
  if (deliveries.length === 0) return [];
  const bodyIds = await takeIds(tx, 'webhook_bodies', bodies.length);
  const ids = await takeIds(tx, 'webhook_deliveries', deliveries.length);
  await tx.send(
    `INSERT INTO webhook_bodies (tenant_id, id, post_id, people, body, created_at)
     SELECT v.tenant_id, b.id, b."postId", b.people, b.body, $3
       FROM tenant_versions v, jsonb_to_recordset($2::jsonb) AS b(id bigint, "postId" bigint, people bigint[], body text)
      WHERE v.tenant_id = $1`,
    [tx.tenantId, JSON.stringify(bodies.map((body, index) => ({ ...body, id: bodyIds[index] }))), new Date(now)],
  );
  const rows = await tx.query<{ id: number }>(
    `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, body_id, message_id, event, seq, created_at, due_at)
     SELECT v.tenant_id, d.id, d."webhookId", d."bodyId", d."messageId", d.event, d.seq, $3, $3
       FROM tenant_versions v, jsonb_to_recordset($2::jsonb) AS d(id bigint, "webhookId" bigint, "bodyId" bigint,
         "messageId" text, event text, seq bigint)
      WHERE v.tenant_id = $1 ORDER BY d.id
     ON CONFLICT (tenant_id, webhook_id, message_id) DO UPDATE
        SET body_id = EXCLUDED.body_id, state = 'waiting', attempts = 0, due_at = EXCLUDED.due_at, finished_at = NULL
     RETURNING id`,
    [
      tx.tenantId,
      JSON.stringify(
        deliveries.map(({ body, ...delivery }, index) => ({ ...delivery, bodyId: bodyIds[body], id: ids[index] })),
      ),
      new Date(now),
    ],
  );
  return rows.map(({ id }) => id);
}

/** Makes a message due again, with all attempts. @returns its id for receivers; undefined if it does not exist */
export async function makeDue(tx: TenantTx, webhookId: number, id: number, now: number): Promise<string | undefined> {
  const [row] = await tx.query<{ messageId: string }>(
    `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, due_at = $4, finished_at = NULL
      WHERE tenant_id = $1 AND webhook_id = $2 AND id = $3 RETURNING message_id AS "messageId"`,
    [tx.tenantId, webhookId, id, new Date(now)],
  );
  return row?.messageId;
}

/** Schedule for deleting messages. */
export const oldDeliveriesDue: DueWork = {
  earliest: 'SELECT min(created_at) FROM webhook_bodies WHERE tenant_id = $1',
  afterMs: () => 30 * DAY_MS,
};

/**
 * Deletes messages that are too old or too many.
 * @param limits.days time for which they are kept @param limits.deliveries ended messages of a webhook that are kept
 */
export async function forgetDeliveries(
  db: TenantDb,
  now: number,
  limits: { readonly days: number; readonly deliveries: number },
): Promise<void> {
  const tooOld = `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND created_at < $2 LIMIT ${BATCH}`;
  const tooMany = `SELECT d.id FROM webhooks w CROSS JOIN LATERAL (
      SELECT x.id FROM webhook_deliveries x WHERE x.tenant_id = $1 AND x.webhook_id = w.id AND x.state <> 'waiting'
       ORDER BY x.id DESC OFFSET $2::int LIMIT ${BATCH}) d WHERE w.tenant_id = $1`;
  const removals: [string, unknown][] = [
    [tooOld, new Date(now - limits.days * DAY_MS)],
    [tooMany, limits.deliveries],
  ];
  for (const [ids, limit] of removals)
    await repeat(() =>
      db.execute(`DELETE FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY (ARRAY(${ids}))`, [
        db.tenantId,
        limit,
      ]),
    );
  // Bodies are stored with their messages, in one transaction.
  const unused = `SELECT b.id FROM webhook_bodies b WHERE b.tenant_id = $1
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.body_id = b.id) LIMIT ${BATCH}`;
  await repeat(() =>
    db.execute(`DELETE FROM webhook_bodies WHERE tenant_id = $1 AND id = ANY (ARRAY(${unused}))`, [db.tenantId]),
  );
}

async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) >= BATCH);
}

/**
 * Reads bodies that name a person, for the erasure of the person.
 * @returns at most `limit` bodies
 */
export function bodiesNaming(tx: TenantTx, userId: number, limit: number): Promise<{ id: number; body: string }[]> {
  return tx.query<{ id: number; body: string }>(
    'SELECT id, body FROM webhook_bodies WHERE tenant_id = $1 AND $2 = ANY (people) ORDER BY id LIMIT $3 FOR UPDATE',
    [tx.tenantId, userId, limit],
  );
}

/** Replaces a body by one that names nobody. */
export async function replaceBody(tx: TenantTx, id: number, body: string): Promise<void> {
  await tx.send(`UPDATE webhook_bodies SET body = $3, people = '{}' WHERE tenant_id = $1 AND id = $2`, [
    tx.tenantId,
    id,
    body,
  ]);
}
