import type { SendTestMailResponse } from '@portico/contract';
import { inTransaction } from '@portico/platform/db/retrying';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { requireRight, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { enqueueMails } from './enqueue-mail.ts';

/** Test messages of one account within {@link WINDOW_MS}. */
export const MOST_TEST_MAILS = 5;
const WINDOW_MS = 3_600_000;
/** Time after which the message is not sent any more. Milliseconds. */
const EXPIRY_MS = 24 * 3_600_000;

interface Recipient {
  readonly name: string;
  readonly address: string | null;
  readonly language: string | null;
}

/**
 * Queues a mail to the caller's contact address (operation sendTestMail).
 * @throws PorticoError 403 without manageUsers; RATE_LIMITED (429)
 * @throws ValidationError for an account without an address
 */
export function sendTestMail(scope: Scope): Promise<SendTestMailResponse> {
  return inTransaction(scope.db, async (tx) => {
    // Before the write holds the caller's row, which two writes at once could not both change.
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.test-mails.' || $1 || '.' || $2, 0))`, [
      tx.tenantId,
      scope.actor.userId,
    ]);
    return writeTransaction({ ...scope, db: tx }, 'none', queue);
  });
}

async function queue(write: WriteScope): Promise<SendTestMailResponse> {
  requireRight(write.actor, 'manageUsers');
  const { tx, now, ownAddress, settings, actor } = write;
  const { name, address, language } = await readRecipient(tx, actor.userId);
  if (address === null)
    throw invalid('contactEmail', 'REQUIRED_FIELD', 'Your account has no contact address to send a message to.');
  if (ownAddress === null)
    throw invalid('contactEmail', 'INVALID_VALUE', 'The tenant has no host name that the message could lead to.');
  await mustSendFew(tx, actor.userId, now);
  await tx.beginChange('users', [actor.userId]);
  const values = { name, link: `${ownAddress}/portal/`, expiry: now + EXPIRY_MS };
  const to = { to: address, userId: actor.userId, language: language ?? settings.defaultLanguage };
  const [mailId] = await enqueueMails(write, [{ ...to, template: 'test', values }]);
  return { mailId: mailId as number, recipient: address };
}

async function readRecipient(tx: TenantTx, userId: number): Promise<Recipient> {
  const [recipient] = await tx.query<Recipient>(
    `SELECT ${fullNameSql('u')} AS name, u.language,
            CASE WHEN NOT u.service_account AND NOT u.system_account THEN u.contact_email END AS address
       FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
    [tx.tenantId, userId],
  );
  return recipient as Recipient;
}

/** @throws PorticoError RATE_LIMITED (429) with the seconds to wait in Retry-After */
async function mustSendFew(tx: TenantTx, userId: number, now: number): Promise<void> {
  const sent = await tx.query<{ createdAt: number }>(
    `SELECT created_at AS "createdAt" FROM outgoing_mails
      WHERE tenant_id = $1 AND user_id = $2 AND template = 'test' AND created_at > $3 ORDER BY created_at DESC LIMIT $4`,
    [tx.tenantId, userId, new Date(now - WINDOW_MS), MOST_TEST_MAILS],
  );
  if (sent.length < MOST_TEST_MAILS) return;
  const seconds = Math.max(1, Math.ceil((sent.at(-1)!.createdAt + WINDOW_MS - now) / 1000));
  throw new PorticoError('RATE_LIMITED', {
    message: `Too many test messages. Retry in ${seconds} seconds.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
