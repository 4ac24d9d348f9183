/** Sends changes of the stream to a webhook again. */
import { type ReplayWebhookRequest, type ReplayWebhookResponse, webhookLimits } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { requireRight, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { readFeedState } from '../notifications/index.ts';
import { sequenceCommitted } from '../records/index.ts';
import { holdWebhook } from './edit-webhook.ts';

const DAY_MS = 86_400_000;
const s = sqlColumns('stream_state', 's');
const c = sqlColumns('changes', 'c');

/**
 * Returns the number of the first change that can be sent again: of the present generation, and no
 * older than the stream keeps.
 */
async function firstNumber(db: TenantExecutor, now: number): Promise<number> {
  const [row] = await db.query<{ first: number }>(
    `SELECT greatest(${s.generation_seq} + 1, coalesce((SELECT min(${c.seq}) FROM changes c
              WHERE c.tenant_id = $1 AND ${c.at} >= $2 AND ${c.seq} IS NOT NULL), ${s.last_seq} + 1)) AS first
       FROM stream_state s WHERE s.tenant_id = $1`,
    [db.tenantId, new Date(now - webhookLimits.days * DAY_MS)],
  );
  return row!.first;
}

async function setPosition(tx: TenantTx, id: number, position: number): Promise<void> {
  await tx.sendChange('webhooks', [id], 'UPDATE webhooks SET position = $3 WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    id,
    position,
  ]);
}

/**
 * Sends changes again from a number on (operation replayWebhook).
 * @throws PorticoError 403 (without manageUsers, or without a right of the account), 404;
 * ValidationError for changes that are gone, and for a number of another generation
 */
export async function replayWebhook(
  scope: Scope,
  webhookId: number,
  input: ReplayWebhookRequest,
): Promise<ReplayWebhookResponse> {
  requireRight(scope.actor, 'manageUsers');
  if (!scope.db.inTransaction) await sequenceCommitted(scope.db);
  return writeTransaction(scope, 'none', async (write) => {
    await holdWebhook(write, webhookId);
    new FieldErrors(write.missing).throwIfAny();
    const fromNumber = input.fromNumber!;
    const { generation, lastSeq } = (await readFeedState(write.tx))!;
    const first = await firstNumber(write.tx, write.now);
    const held = `Changes from ${first} on can be sent again (generation ${generation}); the last one is ${lastSeq}.`;
    if (input.generation !== undefined && input.generation !== generation)
      throw invalid('generation', 'INVALID_VALUE', held, [generation, first]);
    if (fromNumber < first || fromNumber > lastSeq + 1) throw invalid('fromNumber', 'INVALID_VALUE', held, [first]);
    await setPosition(write.tx, webhookId, fromNumber - 1);
    return { webhookId, fromNumber, toNumber: lastSeq };
  });
}
