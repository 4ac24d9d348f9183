/**
 * Numbers committed change rows densely per tenant. A follower's position is such a number, so a
 * transaction that commits late must never get a number below an issued position: only rows of
 * transactions that began before every running one are numbered, in the order of their
 * transactions. Positions survive dump, restore and a move between machines, which transaction ids
 * do not: rows that came from another node of a cluster (Citus) were all committed before the move
 * ended, and before everything that is written on this node.
 */

import { retrying } from '@portico/platform/db/retrying';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { sqlColumns } from '../../columns.ts';

const changes = sqlColumns('changes');
const c = sqlColumns('changes', 'c');
const streamState = sqlColumns('stream_state');

/** Rows numbered per transaction: write transactions change at most 500 rows. */
const BATCH = 400;

/** Schedule for changes that have no number yet. */
export const changesDue: DueWork = { waiting: `SELECT FROM changes WHERE tenant_id = $1 AND ${changes.seq} IS NULL` };

/** Numbers the changes that can be numbered. @returns the number of rows */
export async function sequenceChanges(db: TenantDb): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await retrying(() => sequenceBatch(db));
    total += count;
    if (count < BATCH) return total;
  }
}

/**
 * Maximum time in milliseconds for which a reader waits for changes committed before its request.
 */
const PATIENCE_MS = 250;
const PAUSE_MS = 10;

/**
 * Numbers the changes committed before the call, so that a client that writes and then reads the
 * stream finds its write. Rows of a finished transaction wait for older transactions that still
 * run, usually for a moment. After a quarter of a second the response is sent without these rows;
 * the next round returns them.
 */
export async function sequenceCommitted(db: TenantDb): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let pending = await lookForPending(db);
  const newest = pending.newest;
  while (newest !== null) {
    if (pending.ready) await sequenceChanges(db);
    pending = await lookForPending(db);
    if (pending.oldest === null || pending.oldest > newest || performance.now() > deadline) return;
    if (!pending.ready) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

interface Pending {
  /** Whether any rows can be numbered now. */
  ready: boolean;
  /** The committed rows without a number: the lowest and the highest id. */
  oldest: number | null;
  newest: number | null;
}

/** SQL of whether a change row `c` came with its tenant from another node. */
export const fromOtherNodeSql = 'c.node <> portico_node(c.tenant_id)';

/** SQL of whether a change row `c` can be numbered. */
const READY = `(${fromOtherNodeSql} OR c.xid < pg_snapshot_xmin(pg_current_snapshot()))`;

async function lookForPending(db: TenantDb): Promise<Pending> {
  const [pending] = await db.query<Pending>(
    `SELECT EXISTS (SELECT FROM changes c WHERE c.tenant_id = $1 AND ${c.seq} IS NULL AND ${READY}) AS ready,
            (SELECT min(id) FROM changes WHERE tenant_id = $1 AND seq IS NULL) AS oldest,
            (SELECT max(id) FROM changes WHERE tenant_id = $1 AND seq IS NULL) AS newest`,
    [db.tenantId],
  );
  return pending as Pending;
}

async function sequenceBatch(db: TenantDb): Promise<number> {
  if (!(await lookForPending(db)).ready) return 0;
  return db.transaction(async (tx) => {
    // Locks the numbering of the tenant; the statement after the lock sees the numbers of the run
    // before.
    const [state] = await tx.query<{ lastSeq: number }>(
      `SELECT ${streamState.last_seq} AS "lastSeq" FROM stream_state WHERE tenant_id = $1 FOR UPDATE`,
      [tx.tenantId],
    );
    // A separate SELECT: in a cluster that distributes tenants, an UPDATE would use the snapshot of
    // another node.
    const ready = await tx.query<{ id: number }>(
      `SELECT ${c.id} FROM changes c WHERE c.tenant_id = $1 AND ${c.seq} IS NULL AND ${READY}
        ORDER BY ${fromOtherNodeSql} DESC, ${c.xid}, ${c.id} LIMIT ${BATCH}`,
      [tx.tenantId],
    );
    if (!state || ready.length === 0) return 0;
    await tx.send(
      `UPDATE changes c SET seq = $2::bigint + numbered.place
         FROM unnest($3::bigint[]) WITH ORDINALITY AS numbered (id, place) WHERE c.tenant_id = $1 AND c.id = numbered.id`,
      [tx.tenantId, state.lastSeq, ready.map((row) => row.id)],
    );
    await tx.send('UPDATE stream_state SET last_seq = last_seq + $2 WHERE tenant_id = $1', [tx.tenantId, ready.length]);
    return ready.length;
  });
}

/** Milliseconds for which change rows, and tokens with them, are kept. */
export const STREAM_RETENTION_MS = 30 * 24 * 3_600_000;
/** Milliseconds for which rows outlive the last token that may refer to them. */
const GRACE_MS = 24 * 3_600_000;

/**
 * Returns the time since which valid tokens need change rows and their dependent rows. Epoch
 * milliseconds.
 */
export function streamCutoff(now: number): number {
  return now - STREAM_RETENTION_MS - GRACE_MS;
}

/** Schedule for deleting change rows. */
export const oldChangesDue: DueWork = {
  earliest: `SELECT min(${changes.at}) FROM changes WHERE tenant_id = $1`,
  afterMs: () => STREAM_RETENTION_MS + GRACE_MS,
};

/** Deletes change rows that no valid token refers to. @returns rows deleted */
export async function forgetChanges(db: TenantDb, now: number): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await db.execute(
      `DELETE FROM changes WHERE tenant_id = $1 AND ${changes.id} IN (
         SELECT ${changes.id} FROM changes WHERE tenant_id = $1 AND ${changes.at} < $2 AND ${changes.seq} IS NOT NULL ORDER BY ${changes.at} LIMIT ${BATCH})`,
      [db.tenantId, new Date(streamCutoff(now))],
    );
    total += count;
    if (count < BATCH) return total;
  }
}
