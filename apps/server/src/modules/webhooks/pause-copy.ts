/** Pauses the webhooks of an imported copy, whose receivers the first tenant goes on to tell. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../columns.ts';

const s = sqlColumns('stream_state', 's');

/** Outcome of a pause. */
interface PausedWebhooks {
  /** Ids of the webhooks that were enabled. */
  readonly paused: readonly number[];
  /** Number of cancelled messages. */
  readonly cancelled: number;
}

/**
 * Pauses all webhooks of a tenant, and cancels their waiting messages. Once enabled, a webhook gets
 * the changes from now on. Owners are not told of failures that the first tenant had.
 * @param db within a transaction @param reason shown with each cancelled message
 */
export async function pauseWebhooks(
  db: Pick<TenantExecutor, 'tenantId' | 'query' | 'execute'>,
  now: Date,
  reason: string,
): Promise<PausedWebhooks> {
  const enabled = await db.query<{ id: string }>(
    'SELECT id FROM webhooks WHERE tenant_id = $1 AND enabled ORDER BY id FOR UPDATE',
    [db.tenantId],
  );
  await db.execute(
    `UPDATE webhooks w SET enabled = false, failing_since = NULL, told_at = coalesce(told_at, $2), version = version + 1,
            position = greatest(w.position, (SELECT ${s.last_seq} FROM stream_state s WHERE s.tenant_id = $1))
      WHERE w.tenant_id = $1`,
    [db.tenantId, now],
  );
  const cancelled = await db.execute(
    `UPDATE webhook_deliveries SET state = 'failed', error = $3, finished_at = $2 WHERE tenant_id = $1 AND state = 'waiting'`,
    [db.tenantId, now, reason],
  );
  return { paused: enabled.map(({ id }) => Number(id)), cancelled };
}
