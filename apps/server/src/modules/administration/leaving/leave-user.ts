/** Operation leaveUser: a person leaves, and a successor takes over. */
import { bulkLimits, type LeaveUserRequest, type LeaveUserResponse } from '@portico/contract';
import { requireRight, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import { runPartOf } from '../../../kernel/run-bulk.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type AccountState, leaveAccount, readAccountState } from '../../people/index.ts';
import { handOverPart, type PartResult } from './hand-over-posts.ts';
import { handOverRoles } from './hand-over-roles.ts';
import { countLeft, countPosts, type HandOver } from './leaving.repository.ts';
import { activeUser, type LeavingPlan, readLeaving } from './leaving-input.ts';

/** Result of the first transaction. */
interface Begun {
  state: AccountState;
  roles: number;
  leftTasks: number;
  leftValues: number;
}

/**
 * Hands over roles and ends the account in one transaction, then hands over posts in parts, each in
 * a separate transaction. Repeating the request continues an interrupted one.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError with every error of the request
 */
export async function leaveUser(scope: Scope, userId: number, body: LeaveUserRequest): Promise<LeaveUserResponse> {
  requireRight(scope.actor, 'manageUsers');
  await readAccountState(scope.db, userId);
  const end = performance.now() + bulkLimits.seconds * 1000;
  const plan = await readLeaving(scope, userId, body);
  const { state, roles, leftTasks, leftValues } = await runPartOf(scope)(0, null, (within) =>
    writeTransaction(within, 'access', (write) => begin(write, plan)),
  );
  const posts = await handOverPosts(scope, plan.successor?.handOver, end);
  return {
    userId,
    state,
    rolesCount: roles,
    tasksCount: posts.tasks,
    fieldPostsCount: posts.fieldPosts,
    leftTasksCount: leftTasks,
    leftFieldPostsCount: leftValues,
    notRunCount: posts.notRun,
  };
}

async function begin(write: WriteScope, { userId, end, successor }: LeavingPlan): Promise<Begun> {
  const begun = { roles: 0, leftTasks: 0, leftValues: 0 };
  if (successor) {
    const { handOver, roles } = successor;
    const left = await countLeft(write.tx, write.actor, handOver);
    await requireActive(write, handOver.to);
    begun.roles = await handOverRoles(write, roles, handOver);
    begun.leftTasks = left.tasks;
    begun.leftValues = left.values;
    const { communityIds, workspaceIds, everywhere } = roles;
    const fieldIds = [...new Set(handOver.fields.map(({ fieldId }) => fieldId))];
    const given = {
      successorUserId: handOver.to,
      tasks: handOver.tasks,
      fieldIds,
      communityIds,
      workspaceIds,
      everywhere,
    };
    await insertEntries(write.tx, write.tx.caller, [
      { action: 'modified', object: 'user', objectId: userId, after: given },
    ]);
  }
  return { ...begun, state: await leaveAccount(write, userId, end) };
}

/** @param end time after which no further part begins, as of `performance.now()` */
async function handOverPosts(
  scope: Scope,
  plan: HandOver | undefined,
  end: number,
): Promise<{ tasks: number; fieldPosts: number; notRun: number }> {
  const sum = { tasks: 0, fieldPosts: 0, notRun: 0 };
  if (!plan || !(plan.tasks || plan.fields.length > 0)) return sum;
  const runPart = runPartOf(scope);
  let before: Pick<PartResult, 'last' | 'queue'> = { last: 0, queue: [] };
  for (let index = 1; ; index++) {
    if (performance.now() > end) {
      sum.notRun = await countPosts(scope.db, scope.actor, plan, before.last);
      return sum;
    }
    const part = await runPart(index, null, (within) =>
      writeTransaction(within, 'none', async (write) => {
        requireRight(write.actor, 'manageUsers');
        await requireActive(write, plan.to);
        return handOverPart(write, plan, before);
      }),
    );
    sum.tasks += part.tasks;
    sum.fieldPosts += part.fieldPosts;
    if (part.done) return sum;
    before = part;
  }
}

/** @throws ValidationError if the successor was blocked or deleted meanwhile */
async function requireActive(write: WriteScope, userId: number): Promise<void> {
  if (!(await activeUser(write.tx, userId)))
    throw invalid('successorUserId', 'UNKNOWN_REFERENCE', 'The account of the successor is not active any more.');
}
