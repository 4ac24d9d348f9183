/**
 * Deletes old entries of the audit log. Only the owner of the database may do this, not the
 * service.
 */
import type pg from 'pg';
import { removeEntries } from '../../../kernel/audit/index.ts';
import type { ChainHead } from './chained-entries.ts';

/** Number of entries that one statement deletes. */
const BATCH = 5_000;

/**
 * Deletes the beginning of the chain up to the first entry that is not older. Keeps the hash there
 * as a checkpoint, from which the rest is verified. Entries that are not chained yet stay.
 * @param owner outside a transaction
 * @returns the number of deleted entries and the checkpoint; undefined when no entry is that old
 */
export async function pruneEntries(
  owner: pg.ClientBase,
  tenantId: number,
  olderThan: Date,
): Promise<{ removed: number; checkpoint: ChainHead } | undefined> {
  await owner.query('BEGIN');
  try {
    await owner.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    const { rows } = await owner.query<{ position: string; hash: string }>(
      `SELECT l.position, l.hash FROM audit_links l
        WHERE l.tenant_id = $1
          AND l.position < coalesce((SELECT min(y.position) FROM audit_links y
                 JOIN audit_entries e ON e.tenant_id = y.tenant_id AND e.id = y.entry_id
                WHERE y.tenant_id = $1 AND e.tenant_id = $1 AND e.at >= $2), 9223372036854775807)
        ORDER BY l.position DESC LIMIT 1`,
      [tenantId, olderThan],
    );
    const last = rows[0];
    let removed = 0;
    if (last) {
      await owner.query('INSERT INTO audit_checkpoints (tenant_id, position, hash) VALUES ($1, $2, $3)', [
        tenantId,
        last.position,
        last.hash,
      ]);
      for (;;) {
        const gone = await owner.query<{ entryId: string }>(
          `DELETE FROM audit_links WHERE tenant_id = $1 AND position IN (
             SELECT position FROM audit_links WHERE tenant_id = $1 AND position <= $2 ORDER BY position LIMIT ${BATCH})
           RETURNING entry_id AS "entryId"`,
          [tenantId, last.position],
        );
        const ids = gone.rows.map((row) => row.entryId);
        await removeEntries((text, values) => owner.query(text, [...values]), tenantId, ids);
        removed += ids.length;
        if (ids.length < BATCH) break;
      }
    }
    await owner.query('COMMIT');
    return last && { removed, checkpoint: { position: Number(last.position), hash: last.hash } };
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  }
}
