/**
 * Queue of outgoing mail. Every statement that ends a mail removes its content, unless the mail may
 * be retried.
 */

import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb, TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { type SealedPlace, type Sealer, sealingKeyIdSql } from '@portico/platform/sealing';
import type { DueWork } from '../../../kernel/due-work.ts';
import type { LinkValues, MailLanguage, MailState, MailTemplate } from './mail-types.ts';

/** SQL: whether a mail still has its content. */
const HAS_CONTENT = 'sealed_content IS NOT NULL';
/** SQL: whether lists show a mail. */
export const IS_LISTED = `state <> 'discarded'`;
/** Maximum of mails per statement. */
const BATCH = 500;
/**
 * Time for which the content of a failed mail is kept for a retry, unless its link expires earlier.
 * Milliseconds.
 */
const RETRY_MS = 7 * 86_400_000;
/** Time for which a mail is listed after its end. Milliseconds. */
const LISTED_MS = 30 * 86_400_000;
const MINUTE_MS = 60_000;

interface MailRow {
  /** Part before the domain. */
  readonly messageId: string;
  readonly recipient: string;
  readonly template: MailTemplate;
  readonly language: MailLanguage;
  readonly content: LinkValues;
}

/** A mail to be queued. */
interface NewMailRow extends MailRow {
  readonly userId: number | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** @param now epoch milliseconds @returns the ids of the new mails, in the order given */
export async function insertMails(
  tx: TenantTx,
  sealer: Sealer,
  mails: readonly NewMailRow[],
  now: number,
): Promise<number[]> {
  if (mails.length === 0) return [];
  const ids = await takeIds(tx, 'outgoing_mails', mails.length);
  const sealed = mails.map(({ content, messageId }) =>
    sealer.seal(Buffer.from(JSON.stringify(content)), placeOfMail(tx.tenantId, messageId)),
  );
  await tx.send(
    `INSERT INTO outgoing_mails (tenant_id, id, message_id, recipient, template, language, user_id, sealed_content, expires_at,
       created_at, due_at)
     SELECT a.tenant_id, r.id, r.message_id, r.recipient, r.template, r.language, r.user_id, r.sealed, r.expires_at, $10, $10
       FROM tenant_versions a, unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bytea[],
         $9::timestamptz[]) AS r(id, message_id, recipient, template, language, user_id, sealed, expires_at)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      ids,
      mails.map(({ messageId }) => messageId),
      mails.map(({ recipient }) => recipient),
      mails.map(({ template }) => template),
      mails.map(({ language }) => language),
      mails.map(({ userId }) => userId),
      sealed,
      mails.map(({ expiresAt }) => new Date(expiresAt)),
      new Date(now),
    ],
  );
  return ids;
}

function placeOfMail(tenantId: number, messageId: string): SealedPlace {
  return { tenantId, table: 'outgoing_mails', column: 'sealed_content', row: messageId };
}

/** Mail that this node has to send. */
export interface ClaimedMail extends MailRow {
  readonly id: number;
  /** Including the current one. */
  readonly attempts: number;
  readonly createdAt: number;
}

/** Mails that are due. */
export const dueMails: DueWork = {
  waiting: `SELECT FROM outgoing_mails WHERE tenant_id = $1 AND state = 'waiting' AND due_at <= $2::timestamptz`,
};

/** Due time of the next mail. */
export const mailsDue: DueWork = {
  earliest: `SELECT min(due_at) FROM outgoing_mails WHERE tenant_id = $1 AND state = 'waiting'`,
};

export async function hasDueMail(db: TenantDb, now: number): Promise<boolean> {
  const rows = await db.query(
    `SELECT id FROM outgoing_mails WHERE tenant_id = $1 AND state = 'waiting' AND due_at <= $2 LIMIT 1`,
    [db.tenantId, new Date(now)],
  );
  return rows.length > 0;
}

/**
 * Claims the next due mail for one attempt. Until `now + leaseMs` no other node claims it;
 * afterwards it is due again, as after a crash.
 * @param limits.perMinute attempts of the tenant within a minute, by all nodes
 */
export async function claimMail(
  db: TenantDb,
  sealer: Sealer,
  now: number,
  limits: { readonly perMinute: number; readonly leaseMs: number },
): Promise<ClaimedMail | undefined> {
  return db.transaction(async (tx) => {
    // Only one node counts at a time: the count stays correct until the attempt is written.
    await tx.query('SELECT tenant_id FROM tenant_settings WHERE tenant_id = $1 FOR NO KEY UPDATE', [tx.tenantId]);
    const [recent] = await tx.query<{ attempts: number }>(
      'SELECT count(*) AS attempts FROM outgoing_mails WHERE tenant_id = $1 AND attempted_at > $2',
      [tx.tenantId, new Date(now - MINUTE_MS)],
    );
    if (recent!.attempts >= limits.perMinute) return undefined;
    const [due] = await tx.query<{ id: number }>(
      `SELECT id FROM outgoing_mails WHERE tenant_id = $1 AND state = 'waiting' AND due_at <= $2
        ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [tx.tenantId, new Date(now)],
    );
    if (!due) return undefined;
    const [mail] = await tx.query<Omit<ClaimedMail, 'content'> & { sealed: Buffer }>(
      `UPDATE outgoing_mails SET attempts = attempts + 1, attempted_at = $3, due_at = $4 WHERE tenant_id = $1 AND id = $2
       RETURNING id, message_id AS "messageId", recipient, template, language, attempts, created_at AS "createdAt",
         sealed_content AS sealed`,
      [tx.tenantId, due.id, new Date(now), new Date(now + limits.leaseMs)],
    );
    const { sealed, ...rest } = mail!;
    const content = sealer.open(sealed, placeOfMail(tx.tenantId, rest.messageId)).toString('utf8');
    return { ...rest, content: JSON.parse(content) as LinkValues };
  });
}

/** Records that the server accepted the mail. */
export async function markSent(db: TenantDb, id: number, now: number): Promise<void> {
  await db.execute(
    `UPDATE outgoing_mails SET state = 'sent', sealed_content = NULL, error = NULL, finished_at = $3
      WHERE tenant_id = $1 AND id = $2 AND state NOT IN ('sent', 'discarded')`,
    [db.tenantId, id, new Date(now)],
  );
}

/**
 * Cancels all waiting mails. Their content is removed.
 * @param reason shown with each mail @returns their number
 */
export function cancelMails(
  tx: Pick<TenantExecutor, 'tenantId' | 'execute'>,
  now: Date,
  reason: string,
): Promise<number> {
  return tx.execute(
    `UPDATE outgoing_mails SET state = 'failed', sealed_content = NULL, error = $3, finished_at = $2
      WHERE tenant_id = $1 AND state = 'waiting'`,
    [tx.tenantId, now, reason],
  );
}

/**
 * Records a failed attempt, unless another node has claimed the mail since.
 * @param dueAt null: no further attempt
 */
export async function markFailed(
  db: TenantDb,
  mail: Pick<ClaimedMail, 'id' | 'attempts'>,
  error: string,
  { dueAt, now }: { readonly dueAt: number | null; readonly now: number },
): Promise<void> {
  await db.execute(
    `UPDATE outgoing_mails SET error = $4, due_at = coalesce($5, due_at),
            state = CASE WHEN $5::timestamptz IS NULL THEN 'failed' ELSE state END,
            finished_at = CASE WHEN $5::timestamptz IS NULL THEN $6::timestamptz END
      WHERE tenant_id = $1 AND id = $2 AND attempts = $3 AND state = 'waiting'`,
    [db.tenantId, mail.id, mail.attempts, error, dueAt === null ? null : new Date(dueAt), new Date(now)],
  );
}

/** Mail that ended without being sent. */
interface EndedMail {
  readonly id: number;
  readonly recipient: string;
  readonly template: MailTemplate;
}

/**
 * Gives up due mails whose link has expired or whose attempts are used up (the last attempt ended
 * without an outcome).
 */
export async function giveUpMails(db: TenantDb, now: number, maxAttempts: number): Promise<EndedMail[]> {
  return db.query<EndedMail>(
    `WITH due AS MATERIALIZED (
       SELECT m.id FROM outgoing_mails m WHERE m.tenant_id = $1 AND m.state = 'waiting' AND m.due_at <= $2
          AND (m.expires_at <= $2 OR m.attempts >= $3) ORDER BY m.due_at, m.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     UPDATE outgoing_mails SET state = 'failed', finished_at = $2,
            content = CASE WHEN expires_at > $2 THEN content END,
            sealed_content = CASE WHEN expires_at > $2 THEN sealed_content END,
            error = left(CASE WHEN expires_at <= $2 THEN 'The link expired before the mail was sent.'
                              ELSE 'The last attempt ended without an answer.' END || coalesce(' ' || error, ''), 400)
      WHERE tenant_id = $1 AND id IN (SELECT due.id FROM due)
     RETURNING id, recipient, template`,
    [db.tenantId, new Date(now), maxAttempts],
  );
}

/** Ends due mails as not sent, when no mail server is configured. */
export async function markUnsent(db: TenantDb, now: number): Promise<EndedMail[]> {
  return db.query<EndedMail>(
    `WITH due AS MATERIALIZED (
       SELECT m.id FROM outgoing_mails m WHERE m.tenant_id = $1 AND m.state = 'waiting' AND m.due_at <= $2
        ORDER BY m.due_at, m.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
     UPDATE outgoing_mails SET state = 'unsent', sealed_content = NULL, finished_at = $2
      WHERE tenant_id = $1 AND id IN (SELECT due.id FROM due)
     RETURNING id, recipient, template`,
    [db.tenantId, new Date(now)],
  );
}

/** Due time of the removal of ended mails. */
export const endedMailsDue: DueWork = {
  earliest: 'SELECT min(finished_at) FROM outgoing_mails WHERE tenant_id = $1',
  afterMs: () => LISTED_MS,
};

/** Due time of the expiry of links in failed mails. */
export const expiredMailsDue: DueWork = {
  earliest: `SELECT min(expires_at) FROM outgoing_mails WHERE tenant_id = $1 AND state = 'failed' AND ${HAS_CONTENT}`,
};

/** Due time at which failed mails can no longer be retried. */
export const failedMailsDue: DueWork = {
  earliest: `SELECT min(finished_at) FROM outgoing_mails WHERE tenant_id = $1 AND state = 'failed' AND ${HAS_CONTENT}`,
  afterMs: () => RETRY_MS,
};

/** Removes the content of failed mails that can no longer be retried, and mails that ended long ago. */
export async function forgetMails(db: TenantDb, now: number): Promise<void> {
  await db.execute(
    `UPDATE outgoing_mails SET sealed_content = NULL
      WHERE tenant_id = $1 AND state = 'failed' AND ${HAS_CONTENT} AND (expires_at <= $2 OR finished_at <= $3)`,
    [db.tenantId, new Date(now), new Date(now - RETRY_MS)],
  );
  await db.execute('DELETE FROM outgoing_mails WHERE tenant_id = $1 AND finished_at <= $2', [
    db.tenantId,
    new Date(now - LISTED_MS),
  ]);
}

/** Gives up mails whose content none of these keys decrypts. @returns their number */
export async function forgetUnreadableMails(db: TenantDb, now: number, keyIds: readonly string[]): Promise<number> {
  return db.execute(
    `UPDATE outgoing_mails SET sealed_content = NULL, state = 'failed', finished_at = coalesce(finished_at, $2),
            error = 'The key that encrypted the link is lost.'
      WHERE tenant_id = $1 AND sealed_content IS NOT NULL AND ${sealingKeyIdSql('sealed_content')} <> ALL ($3::text[])`,
    [db.tenantId, new Date(now), keyIds],
  );
}

/** Mail without its content, for operators and administrators. */
export interface MailReport {
  readonly id: number;
  /** Account of the recipient; null on mails of an earlier version. */
  readonly userId: number | null;
  readonly recipient: string;
  readonly template: MailTemplate;
  readonly state: MailState;
  readonly attempts: number;
  /** Epoch milliseconds, like the other times. */
  readonly createdAt: number;
  /** Time of the next attempt; null: none. */
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
  readonly error: string | null;
  /** Whether a failed mail can be retried. */
  readonly retryable: boolean;
}

/** Columns of {@link MailReport}; `$2` is the present. */
export const mailReportColumns = `id, user_id AS "userId", recipient, template, state, attempts, created_at AS "createdAt", finished_at AS "finishedAt", error,
  CASE WHEN state = 'waiting' THEN due_at END AS "dueAt", state = 'failed' AND ${HAS_CONTENT} AND expires_at > $2 AS retryable`;

/** Lists the newest mails first, at most `limit`. @param state restricts the list */
export async function listMails(
  db: TenantDb,
  { now, state, limit }: { readonly now: number; readonly state: MailState | undefined; readonly limit: number },
): Promise<MailReport[]> {
  return db.query<MailReport>(
    `SELECT ${mailReportColumns} FROM outgoing_mails
      WHERE tenant_id = $1 AND ${IS_LISTED} AND ($3::text IS NULL OR state = $3) ORDER BY id DESC LIMIT $4`,
    [db.tenantId, new Date(now), state ?? null, limit],
  );
}

/**
 * Queues failed mails again, with all attempts.
 * @param ids undefined: all mails that can be retried
 * @returns the ids of the queued mails
 */
export async function retryMails(
  db: TenantExecutor,
  now: number,
  ids: readonly number[] | undefined,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `UPDATE outgoing_mails SET state = 'waiting', attempts = 0, retries = retries + 1, due_at = $2, finished_at = NULL
      WHERE tenant_id = $1 AND state = 'failed' AND ${HAS_CONTENT} AND expires_at > $2
        AND ($3::bigint[] IS NULL OR id = ANY ($3)) RETURNING id`,
    [db.tenantId, new Date(now), ids ?? null],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Returns a mail; undefined if the tenant has no mail with this id. */
export async function readMail(db: TenantExecutor, id: number, now: number): Promise<MailReport | undefined> {
  const [mail] = await db.query<MailReport>(
    `SELECT ${mailReportColumns} FROM outgoing_mails WHERE tenant_id = $1 AND id = $3 AND ${IS_LISTED}`,
    [db.tenantId, new Date(now), id],
  );
  return mail;
}

/**
 * Removes a mail from the list. The row of a test message stays without its content until
 * {@link forgetMails} deletes it, since the limit of test messages counts rows.
 * @returns false when the mail no longer exists
 */
export async function removeMail(tx: TenantTx, { id, template }: MailReport, now: number): Promise<boolean> {
  const sql =
    template === 'test'
      ? `UPDATE outgoing_mails SET state = 'discarded', sealed_content = NULL, error = NULL, finished_at = $3
          WHERE tenant_id = $1 AND id = $2 AND ${IS_LISTED}`
      : 'DELETE FROM outgoing_mails WHERE tenant_id = $1 AND id = $2 AND $3::timestamptz IS NOT NULL';
  return (await tx.execute(sql, [tx.tenantId, id, new Date(now)])) === 1;
}

/** Numbers of a tenant's mails that failed or are waiting. */
interface MailFigures {
  readonly waiting: number;
  readonly failed: number;
  readonly unsent: number;
}

export async function readMailFigures(db: TenantDb): Promise<MailFigures> {
  const [row] = await db.query<MailFigures>(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'failed') AS failed,
            count(*) FILTER (WHERE state = 'unsent') AS unsent FROM outgoing_mails WHERE tenant_id = $1`,
    [db.tenantId],
  );
  return row!;
}

/**
 * Deletes the mails to a person, waiting and finished ones.
 * @param addresses current addresses, which identify mails without an account
 */
export async function removeMailsTo(tx: TenantTx, userId: number, addresses: readonly string[]): Promise<void> {
  await tx.send(
    'DELETE FROM outgoing_mails WHERE tenant_id = $1 AND (user_id = $2 OR lower(recipient) = ANY ($3::text[]))',
    [tx.tenantId, userId, addresses.map((address) => address.toLowerCase())],
  );
}
