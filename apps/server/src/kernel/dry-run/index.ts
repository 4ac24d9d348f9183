/**
 * Runs a verb as a dry run: in full within a transaction, which is read and then rolled back. The
 * report lists the objects that would be created, changed or deleted, with their fields; the people
 * who would be notified; and the effects of the workflow.
 */
import type { DryRun, Operation } from '@portico/contract';
import type { Recorder, TenantTx } from '@portico/platform/db/tenant-db';
import type { Scope } from '../scope.ts';
import { columnOf, type Tables } from '../tables/registry.ts';
import { versionSql } from '../tenant-versions.ts';
import { AccessWatch, compareAccess } from './access-changes.ts';
import { compareImages, readWritten } from './images.ts';
import { notificationsOf, readLastEvent, readWrittenEvents, type WrittenEvent } from './notifications.ts';

export { AccessWatch, compareAccess };

/** Result of a dry run. */
interface DryOutcome {
  /** The answer of the verb. */
  answer: unknown;
  report: DryRun;
}

/**
 * Runs a verb and undoes it. The transaction is to be rolled back afterwards, too.
 * @param operation of the verb
 * @param params path parameters: the post they name, or that of the task, is held until the report is made, so that
 *   no other transaction's writes get into it. Users, groups, catalogs and workspaces are not locked between the two readings: a
 *   simultaneous write of somebody else may show as a change of this one
 * @throws what the verb throws
 */
export async function runDry(
  tables: Tables,
  scope: Scope,
  tx: TenantTx,
  operation: Operation,
  params: Readonly<Record<string, unknown>>,
  work: (scope: Scope) => Promise<unknown>,
): Promise<DryOutcome> {
  await lockPost(tx, params);
  const lastEvent = await readLastEvent(tx);
  await tx.query('SAVEPOINT dry_run');
  const written = new Map<string, Set<number>>();
  const record = (table: string, ids: readonly number[]) => {
    const described = tables.get(table);
    if (described?.entity === undefined && described?.audit === undefined)
      throw new Error(`The rows of ${table} are no objects.`);
    written.set(table, new Set([...(written.get(table) ?? []), ...ids]));
  };
  const watch = new AccessWatch(tx);
  const noted = (to: 'changed' | 'created') => (table: string, ids: readonly number[]) => {
    record(table, ids);
    watch[to](table, ids);
  };
  const ledger: Recorder = {
    changing: async (table, ids) => {
      record(table, ids);
      await watch.changing(table, ids);
    },
    changed: noted('changed'),
    created: noted('created'),
  };
  const answer = await work({ ...scope, db: tx.recordedIn(ledger) });
  const postIds = [...(written.get('posts') ?? [])].sort((a, b) => a - b);
  const events = await readWrittenEvents(tx, postIds, lastEvent);
  const notifications = await notificationsOf(tx, events, lastEvent, scope.actor);
  const after = await readWritten(tx, tables, written);
  const raised = watch.touched && (watch.hasNewPeople || (await accessVersion(tx)) !== scope.actor.accessVersion);
  const rightsAfter = raised ? await watch.read(tx) : undefined;
  await tx.query('ROLLBACK TO SAVEPOINT dry_run');
  const before = await readWritten(tx, tables, written);
  const accessChanges = raised ? await compareAccess(tx, scope.actor, await watch.read(tx), rightsAfter) : [];
  const stateColumn = columnOf(tables, 'posts', 'currentWorkflowState');
  const stateOf = (images: typeof before) => {
    const [post] = [...(images.get('posts')?.values() ?? [])];
    return (post?.row[stateColumn] as number | null | undefined) ?? null;
  };
  const workflow = await readWorkflow(tx, events, stateOf(before), stateOf(after));
  const changes = [...compareImages(tables, before, after), ...(operation.createsFile ? [CREATED_FILE] : [])];
  return {
    answer,
    report: {
      changes,
      notifications,
      ...(workflow && { workflow }),
      ...(accessChanges.length > 0 && { accessChanges }),
    },
  };
}

async function accessVersion(tx: TenantTx): Promise<number | undefined> {
  const [row] = await tx.query<{ version: number }>(
    `SELECT ${versionSql('access_version')} AS version FROM tenant_versions v WHERE v.tenant_id = $1`,
    [tx.tenantId],
  );
  return row?.version;
}

async function lockPost(tx: TenantTx, params: Readonly<Record<string, unknown>>): Promise<void> {
  const { postId, taskId, commentId } = params;
  if (postId === undefined && taskId === undefined && commentId === undefined) return;
  // Versions first, as every write takes them.
  await tx.query('SELECT FROM tenant_versions WHERE tenant_id = $1 FOR SHARE', [tx.tenantId]);
  await tx.query(
    `SELECT FROM posts WHERE tenant_id = $1 AND id = coalesce($2::bigint,
       (SELECT post_id FROM tasks WHERE tenant_id = $1 AND id = $3::bigint),
       (SELECT post_id FROM comments WHERE tenant_id = $1 AND id = $4::bigint)) FOR UPDATE`,
    [tx.tenantId, idOf(postId), idOf(taskId), idOf(commentId)],
  );
}

/** An id as the path has it: text that was found to be a whole number, in any notation. */
function idOf(value: unknown): number | null {
  const id = value === undefined ? Number.NaN : Number(value);
  return Number.isSafeInteger(id) ? id : null;
}

/** A file has no id; the answer holds its content reference. */
const CREATED_FILE = { entity: 'file', action: 'created', fields: ['contentRef'] };

/** The transition that would be run and the states on both sides of it; of a new post, the state it would begin in. */
async function readWorkflow(
  tx: TenantTx,
  events: readonly WrittenEvent[],
  before: number | null,
  after: number | null,
): Promise<DryRun['workflow'] | undefined> {
  const run = events.find((event) => event.transitionId !== null);
  if (!run && before === after) return undefined;
  const states = await tx.query<{ id: number; name: string; initState: boolean; terminal: boolean }>(
    `SELECT id, name, initial AS "initState", terminal FROM workflow_states WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    [tx.tenantId, [before, after].filter((id) => id !== null)],
  );
  const [fromState, toState] = [before, after].map((id) => states.find((state) => state.id === id));
  return {
    ...(fromState && { fromState }),
    ...(toState && { toState }),
    ...(run && { operation: { id: run.transitionId!, ...(run.transition !== null && { name: run.transition }) } }),
  };
}
