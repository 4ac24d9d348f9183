/** Operation listTasks: tasks of posts that the caller sees. */
import type { ListTasksRequest, ListTasksResponse, TaskListElement } from '@portico/contract';
import { Parameters, seenPostSql } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { definitionOf } from '../common/definition-of.ts';
import { peopleBehind } from '../common/people.ts';
import { requirePost } from '../common/post-row.ts';
import { taskCapabilities } from '../policy/task-capabilities.ts';
import { type TaskRelation, taskConditions, taskOrder } from './task-filters.ts';
import { isOverdue, presentTaskInList, principalsOf } from './tasks.presenter.ts';
import { type ListedTaskRow, pageOfTasks } from './tasks.repository.ts';

/** Capabilities of a task do not depend on the values of its post. */
const NO_VALUES = { customData: {}, screenData: {} };

/**
 * Returns a page of tasks. @throws PorticoError NOT_FOUND for a post or community that is unknown
 * or hidden
 */
export async function listTasks(scope: Scope, body: ListTasksRequest): Promise<ListTasksResponse> {
  const { pageToken: _token, pageSize: _size, calculateTotalItemsCount: _total, ...filters } = body;
  const request = readPaging<SortKey>(scope, 'listTasks', body, filters);
  const relation = await readRelation(scope, body);
  const now = new Date(scope.clock.now());
  const order = taskOrder(body.orderBy, body.orderDesc ?? false);
  const parameters = new Parameters([scope.tenant.id]);
  const seen = seenPostSql('p', scope.actor, parameters);
  const where = [...taskConditions(scope.actor, body, relation, now, parameters), seen];
  const { rows, ...paging } = await pageOfTasks(scope.db, parameters, where, order, request);
  return { items: await present(scope, rows, now.getTime()), ...paging };
}

/**
 * Returns the relation of the tasks to the caller. Default: `any` where the body names a post, a
 * community or assignees, otherwise `assigned`.
 */
async function readRelation(scope: Scope, body: ListTasksRequest): Promise<TaskRelation> {
  const { relation, postId, communityId, assigneeUserIds = [], assigneeGroupIds = [] } = body;
  if (communityId !== undefined && !scope.actor.roles.has(communityId)) throw notFound();
  if (postId !== undefined) await requirePost(scope.db, scope.actor, postId);
  const named = postId !== undefined || communityId !== undefined;
  const ofPeople = assigneeUserIds.length + assigneeGroupIds.length > 0;
  return (relation as TaskRelation | undefined) ?? (named || ofPeople ? 'any' : 'assigned');
}

async function present(scope: Scope, rows: readonly ListedTaskRow[], now: number): Promise<TaskListElement[]> {
  const people = await peopleBehind(scope, scope.db, rows.flatMap(principalsOf));
  return Promise.all(
    rows.map(async (row) => {
      const definition = await definitionOf(scope, row.post.communityId);
      return presentTaskInList(row, people, {
        communityName: definition.community.name,
        overdue: isOverdue(row, now),
        capabilities: taskCapabilities(scope.actor, definition, { ...row.post, ...NO_VALUES }, row),
      });
    }),
  );
}
