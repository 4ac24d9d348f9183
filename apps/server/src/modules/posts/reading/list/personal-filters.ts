/**
 * Filters about the caller: posts that wait for, mention or are followed by the caller
 * (docs/decisions/lists.md).
 */
import { type AcknowledgeTaskFilter, Following, TaskType } from '@portico/contract';
import type { Actor } from '../../../../kernel/scope.ts';
import { sqlColumns } from '../../../columns.ts';
import { type CommunityDefinition, workflowInUse } from '../../../communities/index.ts';
import { dependsOnValues, runnableSteps, statesOf, stepsSql } from '../../../post-parts/index.ts';
import { type Condition, condition, LIVE_POSTS, lookUpEach, rowCondition, type Statement } from './statement.ts';

const following = sqlColumns('following', 'g');

const OPEN = 'x.deleted_at IS NULL AND x.closed_at IS NULL';

/**
 * The caller follows the post: by choice, else by a watch of their own (not of a group), or as its
 * author.
 */
export function followedBy(actor: Actor): Condition {
  const watched = rowCondition('watched', 'post_watchers', (w, sql) => `${w}.principal = ${sql.bigint(actor.userId)}`);
  const followed = rowCondition(
    'followed',
    'post_user_state',
    (s, sql) => `${s}.user_id = ${sql.bigint(actor.userId)} AND ${s}.follows`,
  );
  const chosen = rowCondition(
    'chosen',
    'following',
    (g, sql) => `${g}.user_id = ${sql.bigint(actor.userId)} AND ${g}.following = ${Following.FOLLOWED}`,
    { narrow: (g) => `${g}.post_id IS NOT NULL` },
  );
  return condition(
    {
      key: 'followedByMe',
      personal: true,
      byId: true,
      test: (sql) => `coalesce((SELECT ${following.following} = ${Following.FOLLOWED} FROM following g
        WHERE g.tenant_id = $1 AND ${following.post_id} = p.id AND ${following.user_id} = ${sql.bigint(actor.userId)}),
        ${watched.test(sql)} OR ${followed.test(sql)})`,
      candidates: (sql) =>
        `${watched.candidates?.(sql)} UNION ALL ${followed.candidates?.(sql)} UNION ALL ${chosen.candidates?.(sql)}`,
    },
    true,
  );
}

/** The caller is mentioned in the post or, where they see comments, in its comments. */
export function mentions(actor: Actor, inComments: boolean): Condition {
  return rowCondition(
    inComments ? 'mentioned' : 'mentionedInPost',
    'post_mentions',
    (m, sql) => `${m}.user_id = ${sql.bigint(actor.userId)}${inComments ? '' : ` AND ${m}.comment_id = 0`}`,
    { personal: true },
  );
}

/** The caller or one of their groups has an open task of the type (or of any). */
function openTask(key: string, actor: Actor, type?: number): Condition {
  return rowCondition(
    key,
    'tasks',
    (t, sql) =>
      `${OPEN} AND ${t}.assignee = ANY (${sql.bigints(actor.principals)})${type === undefined ? '' : ` AND ${t}.type = ${type}`}`,
    // All tasks of the post, which are few, and not all of the caller's.
    { personal: true, probe: (t) => `${t}.deleted_at IS NULL` },
  );
}

/** The caller or one of their groups has an open standard task, overdue or not. */
export function standardTaskOf(actor: Actor): Condition {
  return openTask('toManageStandardTasks', actor, TaskType.STANDARD);
}

/** The caller may run a transition on the post now. */
export function transitionOpenTo(actor: Actor, definition: CommunityDefinition): Condition {
  const { any, own } = runnableSteps(actor, definition.id, workflowInUse(definition));
  const open = (steps: typeof any, sql: Statement) => stepsSql('p', steps, actor, (value) => sql.add(value));
  return condition(
    {
      key: 'toManageProcesses',
      ownCommunity: true,
      personal: true,
      test: (sql) =>
        `(NOT p.draft AND (${open(any, sql)} OR (p.creator_id = ${sql.bigint(actor.userId)} AND ${open(own, sql)})))`,
      candidates: (sql) => {
        const inAny = lookUpEach(
          { values: () => sql.bigints(statesOf(any)), equals: (value) => `x.state_id = ${value}` },
          sql,
          (filter) => `${LIVE_POSTS} AND ${filter}`,
        );
        const mine = `${LIVE_POSTS} AND x.creator_id = ${sql.bigint(actor.userId)} AND x.state_id = ANY (${sql.bigints(statesOf(own))})`;
        return `${inAny} UNION ALL ${mine}`;
      },
    },
    dependsOnValues([...any, ...own]),
  );
}

/**
 * Something waits for the caller: a transition, an open task of theirs or of one of their groups,
 * an acknowledgement.
 */
export function toManage(actor: Actor, definition: CommunityDefinition): Condition {
  const transition = transitionOpenTo(actor, definition);
  const task = openTask('task', actor);
  // Tasks are few: candidates are restricted to the community here, so that a total need not read their rows.
  const tasks = (sql: Statement) =>
    `SELECT t.post_id FROM (${task.candidates?.(sql)}) t WHERE EXISTS (${LIVE_POSTS} AND x.id = t.post_id OFFSET 0)`;
  return condition(
    {
      key: 'toManage',
      ownCommunity: true,
      personal: true,
      test: (sql) => `(${transition.test(sql)} OR ${task.test(sql)})`,
      candidates: (sql) => `${transition.candidates?.(sql)} UNION ALL ${tasks(sql)}`,
    },
    !transition.exact,
  );
}

/** A request to acknowledge the post, acknowledged or open, to the caller or to any user. */
export function acknowledgement(actor: Actor, filter: AcknowledgeTaskFilter): Condition | undefined {
  const { confirmed, assignedToMe } = filter;
  if (confirmed === undefined && assignedToMe !== true) return undefined;
  const where = (t: string, sql: Statement) =>
    [
      `${t}.deleted_at IS NULL AND ${t}.type = ${TaskType.ACKNOWLEDGE}`,
      ...(confirmed === undefined ? [] : [`${t}.closed_at IS ${confirmed ? 'NOT NULL' : 'NULL'}`]),
      ...(assignedToMe ? [`${t}.assignee = ANY (${sql.bigints(actor.principals)})`] : []),
    ].join(' AND ');
  return rowCondition(JSON.stringify(['acknowledgeTask', confirmed, assignedToMe]), 'tasks', where, { personal: true });
}
