/** The state of a tenant's change stream: begun with the tenant, renewed after a restore or a move. */
import type { TenantDb, TenantExecutor } from '../../../platform/db/tenant-db.ts';

/** Starts the change stream of a new tenant. */
export async function insertStreamState(db: Pick<TenantExecutor, 'tenantId' | 'execute'>): Promise<void> {
  await db.execute('INSERT INTO stream_state (tenant_id) VALUES ($1)', [db.tenantId]);
}

/**
 * Makes every position that followers hold void, so that they start afresh: they may have seen changes that the backup
 * does not hold. Changes without a number get a transaction of this cluster, whose numbers may be lower than theirs; they
 * would wait for ever otherwise. They are few: what the backup caught between a commit and its numbering.
 * @returns the new generation
 */
export async function renewStream(db: TenantDb): Promise<number> {
  return db.transaction(async (tx) => {
    // A SELECT of its own: in a cluster that distributes tenants, an UPDATE would ask another node for its transaction.
    const [now] = await tx.query<{ xid: string }>(
      'SELECT pg_current_xact_id()::text AS xid FROM stream_state WHERE tenant_id = $1',
      [db.tenantId],
    );
    await tx.execute('UPDATE changes SET xid = $2::xid8 WHERE tenant_id = $1 AND seq IS NULL', [db.tenantId, now?.xid]);
    const [state] = await tx.query<{ generation: number }>(
      'UPDATE stream_state SET generation = generation + 1 WHERE tenant_id = $1 RETURNING generation',
      [db.tenantId],
    );
    if (!state) throw new Error(`the tenant ${db.tenantId} has no stream state`);
    return state.generation;
  });
}

/**
 * SQL: says of changes without a number that they are of another node, after they were copied to another server: all of them were
 * committed before everything that is written there. Followers go on where they are.
 */
export const adoptChangesSql = 'UPDATE changes SET node = -1 WHERE seq IS NULL';
