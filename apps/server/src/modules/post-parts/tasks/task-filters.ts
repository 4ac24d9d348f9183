/** Filters and orders of lists of tasks (operation listTasks). `t` is the task, `p` its post. */
import { type ListTasksRequest, TaskPriority, TaskState, type taskRelations } from '@portico/contract';
import { clampedDate } from '@portico/platform/time';
import { communitiesWith, type Parameters } from '../../../kernel/access/index.ts';
import type { SortColumn } from '../../../kernel/paging/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { RESTORABLE_MS } from '../policy/restore-policy.ts';

/** Relation of the tasks of a list to the caller. */
export type TaskRelation = (typeof taskRelations)[number];

/**
 * Due time of a task; a task without an expiration comes last. The indexes of migration 0062 hold
 * the same expression.
 */
const DUE = `coalesce(t.expires_at, '9999-12-31 00:00:00+00'::timestamptz)`;
const OPEN = `t.state <> ${TaskState.CLOSED}`;
/** A task without priority counts as NORMAL. */
const PRIORITY = `coalesce(t.priority, ${TaskPriority.NORMAL})`;

/**
 * Returns the conditions that a body sets. An empty list filters nothing. @param now the time that
 * overdue tasks are past
 */
export function taskConditions(
  actor: Actor,
  body: ListTasksRequest,
  relation: TaskRelation,
  now: Date,
  parameters: Parameters,
): string[] {
  const where: string[] = [];
  const bigints = (values: readonly number[]) => `ANY (${parameters.add([...values])}::bigint[])`;
  const time = (epochMs: number) => `${parameters.add(clampedDate(epochMs))}::timestamptz`;
  const oneOf = (sql: string, codes: readonly number[] | undefined) => {
    if (codes && codes.length > 0) where.push(`${sql} = ANY (${parameters.add(codes)}::smallint[])`);
  };
  if (body.deleted === true) {
    const managed = bigints(communitiesWith(actor, 'manageTasks'));
    where.push(
      `t.deleted_at > ${time(now.getTime() - RESTORABLE_MS)} AND (p.community_id = ${managed}
        OR (t.creator_id = ${parameters.add(actor.userId)}::bigint AND t.modifier_id = ${parameters.add(actor.userId)}::bigint))`,
    );
  } else where.push('t.deleted_at IS NULL');
  if (relation === 'assigned') where.push(`t.assignee = ${bigints(actor.principals)}`);
  if (relation === 'created') where.push(`t.creator_id = ${parameters.add(actor.userId)}::bigint`);
  if (relation === 'watched') {
    where.push(
      `t.id IN (SELECT w.task_id FROM task_watchers w WHERE w.tenant_id = $1 AND w.principal = ${bigints(actor.principals)})`,
    );
  }
  if (body.postId !== undefined) where.push(`t.post_id = ${parameters.add(body.postId)}::bigint`);
  if (body.communityId !== undefined) {
    // `tasks_count > 0` is the condition of the index that finds the posts of a community with
    // tasks.
    const counted = body.deleted === true ? '' : ' AND p.tasks_count > 0';
    where.push(`p.community_id = ${parameters.add(body.communityId)}::bigint${counted}`);
  }
  // Ids below 1 belong to nobody; as principals they would name a group or user instead.
  const named = (ids: readonly number[] | undefined) => (ids ?? []).filter((id) => id > 0);
  if ((body.assigneeUserIds?.length ?? 0) + (body.assigneeGroupIds?.length ?? 0) > 0) {
    const assignees = [...named(body.assigneeUserIds), ...named(body.assigneeGroupIds).map((id) => -id)];
    where.push(`t.assignee = ${bigints(assignees)}`);
  }
  oneOf('t.state', body.states);
  oneOf(PRIORITY, body.priorities);
  oneOf('t.type', body.types);
  if (body.open !== undefined) where.push(body.open ? OPEN : `NOT (${OPEN})`);
  if (body.overdue === true) where.push(`${OPEN} AND ${DUE} < ${time(now.getTime())}`);
  if (body.overdue === false) where.push(`NOT (${OPEN} AND ${DUE} < ${time(now.getTime())})`);
  if (body.expirationFrom !== undefined) where.push(`t.expires_at >= ${time(body.expirationFrom)}`);
  if (body.expirationTo !== undefined) where.push(`t.expires_at < ${time(body.expirationTo)}`);
  return where;
}

const ORDERS: Readonly<Record<string, { sql: string; type: 'timestamptz' | 'smallint' }>> = {
  expiration: { sql: DUE, type: 'timestamptz' },
  creationTimestamp: { sql: 't.created_at', type: 'timestamptz' },
  lastModifyTimestamp: { sql: 't.modified_at', type: 'timestamptz' },
  priority: { sql: PRIORITY, type: 'smallint' },
};

/**
 * Orders by the value, then by id. @param orderBy one of `taskOrders` of the contract, ensured by
 * input validation
 */
export function taskOrder(orderBy: string | undefined, desc: boolean): readonly SortColumn[] {
  const { sql, type } = ORDERS[orderBy ?? 'expiration'] ?? ORDERS['expiration']!;
  return [
    { sql, desc, type },
    { sql: 't.id', desc, type: 'bigint' },
  ];
}
