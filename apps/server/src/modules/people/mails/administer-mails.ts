/**
 * Outgoing mail for administrators: waiting mails, failed mails with the reason, and mails that
 * were not sent because no mail server is configured.
 */
import type { ListMailsRequest, ListMailsResponse, Mail } from '@portico/contract';
import {
  mustHoldRightsOfUser,
  Parameters,
  requireRight,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import { readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  IS_LISTED,
  type MailReport,
  mailReportColumns,
  readMail,
  removeMail,
  retryMails,
} from './outgoing-mails.repository.ts';

/**
 * Lists mails, the newest first (operation listMails).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listOutgoingMails(scope: Scope, input: ListMailsRequest): Promise<ListMailsResponse> {
  requireRight(scope.actor, 'manageUsers');
  const { pageToken, pageSize, calculateTotalItemsCount, ...filters } = input;
  const page = readPaging<SortKey>(scope, 'listMails', { pageToken, pageSize, calculateTotalItemsCount }, [filters]);
  const parameters = new Parameters([scope.tenant.id, new Date(scope.clock.now())]);
  // Current time, needed for the column that tells whether a mail can be sent again.
  const where = ['tenant_id = $1', '$2::timestamptz IS NOT NULL', IS_LISTED];
  if (filters.states?.length) where.push(`state = ANY (${parameters.add(filters.states)}::text[])`);
  if (filters.userIds?.length) where.push(`user_id = ANY (${parameters.add(filters.userIds)}::bigint[])`);
  const order = [{ sql: 'id', desc: true, type: 'bigint' }] as const;
  const { rows, ...paging } = await readPage<MailReport>(
    scope.db,
    page,
    { select: mailReportColumns, from: 'outgoing_mails', where, order },
    parameters,
  );
  return { items: rows.map(presentMail), ...paging };
}

function presentMail(mail: MailReport): Mail {
  const { id, userId, recipient, template, state, attempts, createdAt, dueAt, finishedAt, error, retryable } = mail;
  return {
    id,
    userId: userId ?? undefined,
    recipient,
    template,
    state,
    attempts,
    creationTimestamp: createdAt,
    nextAttemptTimestamp: dueAt ?? undefined,
    endTimestamp: finishedAt ?? undefined,
    error: error ?? undefined,
    canRetry: retryable,
  };
}

/**
 * Queues a failed mail again (operation retryMail).
 * @throws PorticoError 403 without manageUsers or a right that the person holds, 404;
 * ValidationError if it cannot be sent again
 */
export function retryMail(scope: Scope, mailId: number): Promise<void> {
  return changeMail(scope, mailId, async (write) => {
    if ((await retryMails(write.tx, write.now, [mailId])).length > 0) return;
    throw invalid(
      'mailId',
      'INVALID_VALUE',
      'This mail cannot be sent again: it did not fail, or its link has expired. Have a new link sent.',
    );
  });
}

/**
 * Removes a mail from the list (operation discardMail).
 * @throws PorticoError 403 without manageUsers or a right that the person holds, 404
 */
export function discardMail(scope: Scope, mailId: number): Promise<void> {
  return changeMail(scope, mailId, async ({ tx, now }, mail) => {
    if (!(await removeMail(tx, mail, now))) throw notFound();
  });
}

async function changeMail(
  scope: Scope,
  mailId: number,
  change: (write: WriteScope, mail: MailReport) => Promise<void>,
): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    requireRight(write.actor, 'manageUsers');
    const mail = await readMail(write.tx, mailId, write.now);
    if (!mail) throw notFound();
    const people = mail.userId === null ? [] : [mail.userId];
    for (const userId of people) await mustHoldRightsOfUser(write, userId);
    await write.tx.beginChange('users', people);
    await change(write, mail);
  });
}
