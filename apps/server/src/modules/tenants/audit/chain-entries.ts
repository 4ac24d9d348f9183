/**
 * Chains the entries of the audit log in batches, after they were written, so that no writer waits.
 * The order is the one in which the job finds the entries: a transaction that commits late gets a
 * later position.
 */

import { isUniqueViolation } from '@portico/platform/db/pg-errors';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { CHAINED_UP_TO, type ChainHead, chainHash, HASHED_SQL, type HashedEntry, readHead } from './chained-entries.ts';

/** Number of entries that one transaction chains. */
const BATCH = 500;

/** SQL: entries without a position. */
const UNCHAINED = `FROM audit_entries e
      WHERE e.tenant_id = $1 AND e.id > ${CHAINED_UP_TO}
        AND NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = $1 AND l.entry_id = e.id)`;

/** Entries without a position. */
export const entriesDue: DueWork = { waiting: `SELECT ${UNCHAINED}` };

/** Counts the entries without a position. */
export async function countUnchained(db: TenantDb): Promise<number> {
  const [row] = await db.query<{ count: number }>(`SELECT count(*) AS count ${UNCHAINED}`, [db.tenantId]);
  return row!.count;
}

/** Chains the entries without a position. @returns the number of entries */
export async function chainEntries(db: TenantDb): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await chainBatch(db);
    total += count;
    if (count < BATCH) return total;
  }
}

async function chainBatch(db: TenantDb): Promise<number> {
  const entries = await db.query<HashedEntry>(`SELECT ${HASHED_SQL} ${UNCHAINED} ORDER BY e.id LIMIT ${BATCH}`, [
    db.tenantId,
  ]);
  if (entries.length === 0) return 0;
  let head: ChainHead = await readHead(db);
  const links = entries.map((entry) => {
    head = { position: head.position + 1, hash: chainHash(head, entry) };
    return { ...head, entryId: entry.id };
  });
  try {
    await db.execute(
      `INSERT INTO audit_links (tenant_id, position, entry_id, hash)
       SELECT a.tenant_id, r.position, r."entryId", r.hash
         FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(position bigint, "entryId" bigint, hash text)
        WHERE a.tenant_id = $1`,
      [db.tenantId, JSON.stringify(links)],
    );
  } catch (error) {
    // Another node has chained these positions or entries meanwhile: leave the whole batch to it.
    if (isUniqueViolation(error)) return 0;
    throw error;
  }
  return links.length;
}
