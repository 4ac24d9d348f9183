/** What a dry run would have done, read from the transaction before it is rolled back. */
import type { DryRun } from '@portico/contract';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import type { Scope } from '../platform/scope.ts';

const ACTIONS: Readonly<Record<number, string>> = { 1: 'created', 2: 'modified', 3: 'modified', 4: 'deleted' };

interface EventRow {
  typeId: number;
  postId: number | null;
  targetUserId: number | null;
  transitionId: number | null;
  details: Record<string, unknown>;
}

/**
 * Reads the change rows and history of the running transaction.
 * @returns the objects that would change, who would be told, and what the workflow would do
 */
export async function readDryRun(scope: Scope, tx: TenantTx): Promise<DryRun> {
  const changes = await tx.query<{ kind: number; postId: number }>(
    `SELECT kind, post_id AS "postId" FROM changes
      WHERE tenant_id = $1 AND seq IS NULL AND xid = pg_current_xact_id() ORDER BY id`,
    [tx.tenantId],
  );
  const events = await tx.query<EventRow>(
    `SELECT h.type_id AS "typeId", h.post_id AS "postId", h.target_user_id AS "targetUserId",
            h.transition_id AS "transitionId", h.details
       FROM history_events h
      WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[]) AND h.xmin::text = (pg_current_xact_id()::text::bigint % 4294967296)::text
      ORDER BY h.id`,
    [tx.tenantId, changes.map((change) => change.postId)],
  );
  const watchers = await tx.query<{ userId: number }>(
    `SELECT DISTINCT coalesce(m.user_id, w.principal) AS "userId" FROM post_watchers w
       LEFT JOIN group_members m ON m.tenant_id = w.tenant_id AND m.group_id = -w.principal
      WHERE w.tenant_id = $1 AND w.post_id = ANY ($2::bigint[]) AND (w.principal > 0 OR m.user_id IS NOT NULL) ORDER BY 1`,
    [tx.tenantId, changes.map((change) => change.postId)],
  );
  const transition = events.find((event) => event.transitionId !== null)?.transitionId;
  return {
    changes: changes.map((change) => ({
      entity: 'post',
      id: change.postId,
      action: ACTIONS[change.kind] ?? 'modified',
    })),
    notifications: events.flatMap((event) => {
      const told = event.targetUserId === null ? watchers.map((watcher) => watcher.userId) : [event.targetUserId];
      return told.filter((userId) => userId !== scope.actor.userId).map((userId) => ({ userId, typeId: event.typeId }));
    }),
    ...(transition !== null && transition !== undefined && { workflow: await readTransition(tx, transition) }),
  };
}

async function readTransition(tx: TenantTx, transitionId: number): Promise<DryRun['workflow']> {
  const [row] = await tx.query<{
    id: number;
    name: string;
    fromId: number;
    fromName: string;
    toId: number;
    toName: string;
  }>(
    `SELECT t.id, t.name, f.id AS "fromId", f.name AS "fromName", s.id AS "toId", s.name AS "toName"
       FROM workflow_transitions t
       JOIN workflow_states f ON f.tenant_id = t.tenant_id AND f.id = t.from_state_id
       JOIN workflow_states s ON s.tenant_id = t.tenant_id AND s.id = t.to_state_id
      WHERE t.tenant_id = $1 AND t.id = $2`,
    [tx.tenantId, transitionId],
  );
  return (
    row && {
      fromState: { id: row.fromId, name: row.fromName },
      toState: { id: row.toId, name: row.toName },
      operation: { id: row.id, name: row.name },
    }
  );
}
