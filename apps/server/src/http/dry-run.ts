/** What a dry run would have done: what its statements touched, and what its transaction holds before it is rolled back. */
import type { DryRun, DryRunChange } from '@portico/contract';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import type { Scope } from '../platform/scope.ts';

const CHANGE_ACTIONS: Readonly<Record<number, string>> = { 1: 'created', 2: 'modified', 3: 'modified', 4: 'deleted' };

/** Tables whose rows are objects to a client, and the path parameter that names one. Posts come from their change rows. */
const ENTITIES: Readonly<Record<string, { entity: string; param?: string }>> = {
  users: { entity: 'user', param: 'userId' },
  groups: { entity: 'group', param: 'groupId' },
  group_members: { entity: 'groupMember' },
  catalogs: { entity: 'catalog', param: 'catalogId' },
  catalog_entries: { entity: 'catalogEntry', param: 'entryId' },
  workspaces: { entity: 'workspace', param: 'workspaceId' },
  workspace_members: { entity: 'workspaceMember' },
  comments: { entity: 'comment' },
  tasks: { entity: 'task', param: 'taskId' },
  attachments: { entity: 'attachment' },
  event_answers: { entity: 'eventAnswer' },
  post_watchers: { entity: 'watcher' },
};

const WRITING =
  /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+([a-z_]+)(?:\s+(?:AS\s+)?(?!SET\b)[a-z]+)?(?:\s+SET\s+deleted_at\b)?/gi;

/** Watches a transaction for what it writes to. */
export class WriteObserver {
  readonly #touched = new Map<string, { table: string; action: string }>();

  /** The same transaction, watched. */
  watch(tx: TenantTx): TenantTx {
    return {
      ...tx,
      query: async <R>(text: string, values?: readonly unknown[]) => {
        const rows = await tx.query<R>(text, values);
        if (rows.length > 0) this.#note(text);
        return rows;
      },
      execute: async (text, values) => {
        const count = await tx.execute(text, values);
        if (count > 0) this.#note(text);
        return count;
      },
    };
  }

  #note(text: string): void {
    for (const [whole, verb, name] of text.matchAll(WRITING)) {
      const table = (name as string).toLowerCase();
      if (!(table in ENTITIES)) continue;
      const action = /^insert/i.test(verb as string)
        ? 'created'
        : /^delete/i.test(verb as string) || /deleted_at$/i.test(whole)
          ? 'deleted'
          : 'modified';
      this.#touched.set(`${table} ${action}`, { table, action });
    }
  }

  /** @param params path parameters: they name what is modified or deleted */
  changes(params: Readonly<Record<string, unknown>>): DryRunChange[] {
    return [...this.#touched.values()].map(({ table, action }) => {
      const { entity, param } = ENTITIES[table]!;
      const id = param === undefined || action === 'created' ? undefined : Number(params[param]);
      return { entity, ...(id !== undefined && Number.isSafeInteger(id) && { id }), action };
    });
  }
}

interface EventRow {
  typeId: number;
  targetUserId: number | null;
  transitionId: number | null;
}

/**
 * Reads the change rows and history of the running transaction.
 * @returns the objects that would change, who would be told, and what the workflow would do
 */
export async function readDryRun(
  scope: Scope,
  tx: TenantTx,
  observer: WriteObserver,
  params: Readonly<Record<string, unknown>>,
): Promise<DryRun> {
  const posts = await tx.query<{ kind: number; postId: number }>(
    `SELECT DISTINCT ON (post_id) kind, post_id AS "postId" FROM changes
      WHERE tenant_id = $1 AND seq IS NULL AND xid = pg_current_xact_id_if_assigned() ORDER BY post_id, (kind = 3), id`,
    [tx.tenantId],
  );
  const postIds = posts.map((change) => change.postId);
  // Verbs write in subtransactions, whose ids follow that of the transaction; nobody else writes history of these posts
  // meanwhile, since the verbs hold them.
  const events = await tx.query<EventRow>(
    `SELECT h.type_id AS "typeId", h.target_user_id AS "targetUserId", h.transition_id AS "transitionId"
       FROM history_events h
      WHERE h.tenant_id = $1 AND h.post_id = ANY ($2::bigint[])
        AND age(h.xmin) <= age(pg_current_xact_id()::xid)
      ORDER BY h.id`,
    [tx.tenantId, postIds],
  );
  const watchers = await tx.query<{ userId: number }>(
    `SELECT DISTINCT coalesce(m.user_id, w.principal) AS "userId" FROM post_watchers w
       LEFT JOIN group_members m ON m.tenant_id = w.tenant_id AND m.group_id = -w.principal
      WHERE w.tenant_id = $1 AND w.post_id = ANY ($2::bigint[]) AND (w.principal > 0 OR m.user_id IS NOT NULL) ORDER BY 1`,
    [tx.tenantId, postIds],
  );
  const transitionId = events.find((event) => event.transitionId !== null)?.transitionId;
  const workflow = transitionId ? await readTransition(tx, transitionId) : undefined;
  return {
    changes: [
      ...posts.map((change) => ({
        entity: 'post',
        id: change.postId,
        action: CHANGE_ACTIONS[change.kind] ?? 'modified',
      })),
      ...observer.changes(params),
    ],
    notifications: events.flatMap((event) => {
      const told = event.targetUserId === null ? watchers.map((watcher) => watcher.userId) : [event.targetUserId];
      return told.filter((userId) => userId !== scope.actor.userId).map((userId) => ({ userId, typeId: event.typeId }));
    }),
    ...(workflow && { workflow }),
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
