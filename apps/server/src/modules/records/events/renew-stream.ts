/**
 * State of a tenant's change stream: created with the tenant, renewed after a restore or a move.
 */
import type { TenantDb, TenantExecutor } from '@portico/platform/db/tenant-db';

/** Starts the change stream of a new tenant. */
export async function insertStreamState(db: Pick<TenantExecutor, 'tenantId' | 'execute'>): Promise<void> {
  await db.execute('INSERT INTO stream_state (tenant_id) VALUES ($1)', [db.tenantId]);
}

/**
 * Invalidates every position that followers hold, so that they start afresh: they may have seen
 * changes that the backup does not contain. Changes without a number get a transaction of this
 * cluster, whose numbers may be lower than the old ones; otherwise they would wait for ever. They
 * are few: the changes between commit and numbering at the time of the backup.
 * @returns the new generation
 */
export async function renewStream(db: TenantDb): Promise<number> {
  return db.transaction(async (tx) => {
    // A separate SELECT: in a cluster that distributes tenants, an UPDATE would return the
    // transaction of another node.
    const [now] = await tx.query<{ xid: string }>(
      'SELECT pg_current_xact_id()::text AS xid FROM stream_state WHERE tenant_id = $1',
      [db.tenantId],
    );
    await tx.send('UPDATE changes SET xid = $2::xid8 WHERE tenant_id = $1 AND seq IS NULL', [db.tenantId, now?.xid]);
    const [state] = await tx.query<{ generation: number }>(
      'UPDATE stream_state SET generation = generation + 1, generation_seq = last_seq WHERE tenant_id = $1 RETURNING generation',
      [db.tenantId],
    );
    if (!state) throw new Error(`the tenant ${db.tenantId} has no stream state`);
    return state.generation;
  });
}

/**
 * SQL that marks changes without a number as another node's, after they were copied to another
 * server: all of them were committed before everything that is written there. Followers continue
 * from their positions.
 */
export const adoptChangesSql = 'UPDATE changes SET node = -1 WHERE seq IS NULL';

/** SQL that voids the positions of the followers of all tenants, for an owner that sees all rows. */
export const renewStreamsSql = 'UPDATE stream_state SET generation = generation + 1, generation_seq = last_seq';
