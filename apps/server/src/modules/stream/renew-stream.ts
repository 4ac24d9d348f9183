/** What a restored or moved database needs before followers of its change stream come back. */
import type { TenantDb } from '../../platform/db/tenant-db.ts';

/**
 * Makes every position that followers hold void, so that they begin afresh: they may have seen changes that the backup
 * does not hold. Changes without a number get a transaction of this cluster, whose numbers may be lower than theirs; they
 * would wait for ever otherwise. Both come from SELECTs, so that a distributed database evaluates them where the rows are.
 * @returns the new generation
 */
export async function renewStream(db: TenantDb): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(
      `UPDATE changes c SET xid = s.xid
         FROM (SELECT t.tenant_id, pg_current_xact_id() AS xid FROM stream_state t WHERE t.tenant_id = $1) s
        WHERE c.tenant_id = $1 AND c.tenant_id = s.tenant_id AND c.seq IS NULL`,
      [db.tenantId],
    );
    const [state] = await tx.query<{ generation: number }>(
      'UPDATE stream_state SET generation = generation + 1 WHERE tenant_id = $1 RETURNING generation',
      [db.tenantId],
    );
    if (!state) throw new Error(`the tenant ${db.tenantId} has no stream state`);
    return state.generation;
  });
}
