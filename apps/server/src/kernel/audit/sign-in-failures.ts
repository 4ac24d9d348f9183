/**
 * Failed sign-ins. They are counted by account, address and minute, and each count becomes one entry of the log when
 * its minute is over: further attempts within the minute add no rows.
 */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../due-work.ts';
import { insertEntries } from './entries.ts';

const MINUTE_MS = 60_000;
/** Rows that one transaction moves at most. */
const BATCH = 400;

/**
 * Counts a failure.
 * @param userId the account; undefined where the sent name belongs to no account
 * @param address of the client: an IPv4 address or the network of an IPv6 address
 * @param now epoch milliseconds
 */
export async function countSignInFailure(
  db: TenantDb,
  userId: number | undefined,
  address: string,
  now: number,
): Promise<void> {
  await db.execute(
    `INSERT INTO sign_in_failures AS f (tenant_id, minute, user_id, address, operation, count) VALUES ($1, $2, $3, $4, $5, 1)
     ON CONFLICT (tenant_id, minute, user_id, address, operation) DO UPDATE SET count = f.count + 1`,
    [db.tenantId, new Date(now - (now % MINUTE_MS)), userId ?? 0, address, db.caller.origin?.operation ?? ''],
  );
}

/** When counts of failed sign-ins become entries. */
export const signInFailuresDue: DueWork = {
  earliest: 'SELECT min(minute) FROM sign_in_failures WHERE tenant_id = $1',
  afterMs: () => MINUTE_MS,
};

/** Moves the counts of minutes that are over into the log. @param now epoch milliseconds @returns how many */
export async function moveSignInFailures(db: TenantDb, now: number): Promise<number> {
  const over = new Date(now - MINUTE_MS);
  const [waiting] = await db.query(`SELECT FROM sign_in_failures WHERE tenant_id = $1 AND minute <= $2 LIMIT 1`, [
    db.tenantId,
    over,
  ]);
  if (!waiting) return 0;
  return db.transaction(async (tx) => {
    const failures = await tx.query<{
      minute: number;
      userId: number;
      address: string;
      operation: string;
      count: number;
    }>(
      `DELETE FROM sign_in_failures WHERE tenant_id = $1 AND (minute, user_id, address, operation) IN (
         SELECT minute, user_id, address, operation FROM sign_in_failures WHERE tenant_id = $1 AND minute <= $2
          ORDER BY minute, user_id, address, operation LIMIT ${BATCH})
       RETURNING minute, user_id AS "userId", address, operation, count`,
      [tx.tenantId, over],
    );
    for (const { minute, userId, address, operation, count } of failures)
      await insertEntries(tx, { origin: { address, ...(operation !== '' && { operation }) } }, [
        { action: 'signInFailed', object: 'user', objectId: userId === 0 ? null : userId, at: minute, count },
      ]);
    return failures.length;
  });
}
