/** SQL of webhooks and their secrets. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookEvent, WebhookForm, WebhookState } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { sealingKeyIdSql } from '@portico/platform/sealing';
import { Parameters } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { type PageRequest, readPage, type SortKey } from '../../kernel/paging/index.ts';
import { type LastChange, staleToken } from '../../kernel/stale-token.ts';
import { sqlColumns } from '../columns.ts';
import type { Signature } from './secrets.ts';

/** Reason for which the service stopped a webhook. */
export type StopReason = Extract<WebhookState, 'gone' | 'failing' | 'filterInvalid' | 'secretLost'>;

/** Filters of a list of posts. */
export interface WebhookFilter {
  readonly communityPostFilters?: object;
  readonly communityAttachmentFilters?: object;
}

/** Settings that an edit replaces. */
export interface WebhookSettings {
  name: string;
  events: readonly WebhookEvent[];
  communityIds: readonly number[];
  filter: WebhookFilter | null;
  contents: 'thin' | 'whole';
  /** Template of the messages of a chat; null: the default. */
  template: string | null;
  enabled: boolean;
}

/** A webhook with its settings and state. Times are epoch milliseconds. */
export interface WebhookRow extends WebhookSettings {
  id: number;
  uid: string;
  accountId: number;
  sealedAddress: Buffer | null;
  origin: string;
  form: WebhookForm;
  /** Chats get none. */
  signature: Signature | 'none';
  publicKey: string | null;
  stoppedFor: StopReason | null;
  accountActive: boolean;
  /** Number of the last change composed for it; null: as of the cursor of the tenant. */
  position: number | null;
  failingSince: number | null;
  /** Version of the access rules up to which lost posts were told, and the reach of the account then; null: none. */
  accessVersion: number | null;
  reach: string | null;
  secretCreatedAt: number | null;
  modifierId: number;
  version: number;
}

const a = sqlColumns('users', 'a');

const ACTIVE_ACCOUNT = `EXISTS (SELECT FROM users a WHERE a.tenant_id = $1 AND ${a.id} = w.account_id
    AND ${a.service_account} AND ${a.deleted_at} IS NULL AND NOT ${a.blocked})`;

/** SQL of a boolean: messages for the webhook `w` are composed and sent. `$1` is the tenant. */
export const activeSql = `(w.enabled AND w.stopped_for IS NULL AND ${ACTIVE_ACCOUNT})`;

const COLUMNS = `w.id, w.uid, w.account_id AS "accountId", w.name, w.sealed_address AS "sealedAddress",
  w.address_origin AS origin, w.form, w.signature, w.public_key AS "publicKey", w.events, w.community_ids AS "communityIds",
  w.filter, w.contents, w.template, w.enabled, w.stopped_for AS "stoppedFor", ${ACTIVE_ACCOUNT} AS "accountActive", w.position,
  w.failing_since AS "failingSince", w.access_version AS "accessVersion", w.reach, w.modifier_id AS "modifierId", w.version,
  (SELECT max(s.created_at) FROM webhook_secrets s
    WHERE s.tenant_id = $1 AND s.webhook_id = w.id) AS "secretCreatedAt"`;

/** Reads a webhook. @param lock holds it until the transaction ends @throws PorticoError 404 */
export async function readWebhook(db: TenantExecutor, id: number, lock = false): Promise<WebhookRow> {
  const [row] = await db.query<WebhookRow>(
    `SELECT ${COLUMNS} FROM webhooks w WHERE w.tenant_id = $1 AND w.id = $2${lock ? ' FOR NO KEY UPDATE OF w' : ''}`,
    [db.tenantId, id],
  );
  if (!row) throw notFound();
  return row;
}

/** Returns the state of a webhook. */
export function stateOf({ enabled, stoppedFor, accountActive }: Readonly<WebhookRow>): WebhookState {
  if (stoppedFor) return stoppedFor;
  if (!enabled) return 'paused';
  return accountActive ? 'active' : 'accountBlocked';
}

/** Webhook in lists. */
interface ListedWebhook extends WebhookRow {
  creatorId: number;
  waiting: number;
  /** Of the newest message that was tried. */
  attemptedAt: number | null;
}

/** Lists webhooks by id. @param most count of waiting messages of each at which counting ends */
export async function listWebhookRows(db: TenantExecutor, page: PageRequest<SortKey>, most: number) {
  return readPage<ListedWebhook>(
    db,
    page,
    {
      select: `${COLUMNS}, w.creator_id AS "creatorId",
            (SELECT count(*) FROM (SELECT FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id
               AND d.state = 'waiting' LIMIT ${most}) c) AS waiting,
            (SELECT d.attempted_at FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = w.id
               AND d.attempted_at IS NOT NULL ORDER BY d.id DESC LIMIT 1) AS "attemptedAt"`,
      from: 'webhooks w',
      where: ['w.tenant_id = $1'],
      order: [{ sql: 'w.id', desc: false, type: 'bigint' }],
    },
    new Parameters([db.tenantId]),
  );
}

/** Returns all webhooks, by id. */
export function allWebhooks(db: TenantExecutor): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(`SELECT ${COLUMNS} FROM webhooks w WHERE w.tenant_id = $1 ORDER BY w.id`, [db.tenantId]);
}

/** Returns the number of webhooks of the tenant. */
export function countWebhooks(db: TenantExecutor): Promise<number> {
  return countRows(db, 'webhooks w WHERE w.tenant_id = $1', [db.tenantId]);
}

interface Writing {
  readonly tx: TenantTx;
  readonly now: number;
  readonly by: number;
}

/** A webhook to be created. */
interface NewWebhook extends WebhookSettings {
  readonly accountId: number;
  readonly form: WebhookForm;
  readonly signature: Signature | 'none';
  readonly origin: string;
  readonly position: number;
}

/** @param seal encrypts the address for the id of the new webhook @returns the id */
export async function insertWebhook(
  { tx, now, by }: Writing,
  webhook: NewWebhook,
  seal: (id: number) => Buffer,
): Promise<number> {
  const [id] = (await takeIds(tx, 'webhooks', 1)) as [number];
  await tx.createAs(
    'webhooks',
    [id],
    `INSERT INTO webhooks (tenant_id, id, uid, account_id, sealed_address, address_origin, signature, position, form, name, events,
        community_ids, filter, contents, template, enabled, creator_id, created_at, modifier_id, modified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $17, $18)`,
    [
      tx.tenantId,
      id,
      randomBytes(9).toString('base64url').replaceAll(/[-_]/g, 'x'),
      webhook.accountId,
      seal(id),
      webhook.origin,
      webhook.signature,
      webhook.position,
      webhook.form,
      ...valuesOf(webhook),
      by,
      new Date(now),
    ],
  );
  return id;
}

function valuesOf(settings: WebhookSettings): unknown[] {
  const { name, events, communityIds, filter, contents, template, enabled } = settings;
  return [name, events, communityIds, filter && JSON.stringify(filter), contents, template, enabled];
}

/**
 * Updates a webhook if its token matches, and starts it again where the service had stopped it.
 * @param address undefined keeps the address
 * @returns the next token
 * @throws PorticoError 404, 409
 */
export async function updateWebhook(
  { tx, now, by }: Writing,
  id: number,
  settings: WebhookSettings,
  address: { sealed: Buffer; origin: string } | undefined,
  expected: number,
): Promise<number> {
  const [row] = await tx.changeRows<{ version: number }>(
    'webhooks',
    [id],
    `UPDATE webhooks SET name = $4, events = $5, community_ids = $6, filter = $7, contents = $8, template = $9, enabled = $10,
            sealed_address = coalesce($11, sealed_address), address_origin = coalesce($12, address_origin),
            stopped_for = CASE WHEN $10 THEN NULL ELSE stopped_for END, failing_since = NULL, told_at = NULL,
            held_until = CASE WHEN form = 'standard' THEN NULL ELSE held_until END, modified_at = $13, modifier_id = $14,
            version = version + 1
      WHERE tenant_id = $1 AND id = $2 AND version = $3 RETURNING version`,
    [
      tx.tenantId,
      id,
      expected,
      ...valuesOf(settings),
      address?.sealed ?? null,
      address?.origin ?? null,
      new Date(now),
      by,
    ],
  );
  if (row) return row.version;
  const [current] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modifier_id AS "modifierId" FROM webhooks WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, id],
  );
  throw current ? await staleToken(tx, current) : notFound();
}

/** Deletes a webhook with its secrets and messages. */
export async function deleteWebhookRow(tx: TenantTx, id: number): Promise<void> {
  await tx.beginChange('webhooks', [id]);
  await tx.send(
    `DELETE FROM webhook_bodies b WHERE b.tenant_id = $1
        AND b.id IN (SELECT d.body_id FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = $2)
        AND NOT EXISTS (SELECT FROM webhook_deliveries o WHERE o.tenant_id = $1 AND o.body_id = b.id AND o.webhook_id <> $2)`,
    [tx.tenantId, id],
  );
  await tx.sendChange('webhooks', [id], 'DELETE FROM webhook_secrets WHERE tenant_id = $1 AND webhook_id = $2', [
    tx.tenantId,
    id,
  ]);
  await tx.sendChange('webhooks', [id], 'DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2', [tx.tenantId, id]);
}

/**
 * Adds a secret; the others of the webhook expire.
 * @param expiry of the others, in epoch milliseconds; secrets that expire earlier keep their time
 */
export async function addSecret(
  { tx, now }: Omit<Writing, 'by'>,
  webhookId: number,
  seal: (id: string) => Buffer,
  expiry: number,
): Promise<void> {
  const id = randomUUID();
  await tx.sendChange(
    'webhooks',
    [webhookId],
    'DELETE FROM webhook_secrets WHERE tenant_id = $1 AND webhook_id = $2 AND (expires_at <= $3 OR $4 <= $3)',
    [tx.tenantId, webhookId, new Date(now), new Date(expiry)],
  );
  await tx.sendChange(
    'webhooks',
    [webhookId],
    `UPDATE webhook_secrets SET expires_at = least(expires_at, $3) WHERE tenant_id = $1 AND webhook_id = $2`,
    [tx.tenantId, webhookId, new Date(expiry)],
  );
  await tx.sendChange(
    'webhooks',
    [webhookId],
    `INSERT INTO webhook_secrets (tenant_id, id, webhook_id, sealed_secret, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [tx.tenantId, id, webhookId, seal(id), new Date(now)],
  );
}

/** Stores the public key of the newest secret. */
export async function setPublicKey(tx: TenantTx, webhookId: number, publicKey: string): Promise<void> {
  await tx.sendChange('webhooks', [webhookId], 'UPDATE webhooks SET public_key = $3 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    webhookId,
    publicKey,
  ]);
}

/**
 * Stops webhooks and removes their addresses or secrets that none of these keys decrypts.
 * @returns their number
 */
export async function forgetUnreadableWebhooks(db: TenantExecutor, keyIds: readonly string[]): Promise<number> {
  const lost = (column: string) => `${sealingKeyIdSql(column)} <> ALL ($2::text[])`;
  const stopped = await db.query<{ id: number }>(
    `UPDATE webhooks w SET stopped_for = 'secretLost', version = version + 1,
            sealed_address = CASE WHEN ${lost('w.sealed_address')} THEN NULL ELSE w.sealed_address END
      WHERE w.tenant_id = $1 AND (${lost('w.sealed_address')} OR EXISTS (SELECT FROM webhook_secrets s
        WHERE s.tenant_id = $1 AND s.webhook_id = w.id AND ${lost('s.sealed_secret')})) RETURNING w.id`,
    [db.tenantId, keyIds],
  );
  await db.execute(`DELETE FROM webhook_secrets s WHERE s.tenant_id = $1 AND ${lost('s.sealed_secret')}`, [
    db.tenantId,
    keyIds,
  ]);
  return stopped.length;
}
