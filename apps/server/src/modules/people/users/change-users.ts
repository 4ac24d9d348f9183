/** Operation changeUsers: one change of many accounts, with an outcome for each. */
import type { ChangedUser, ChangeUsersRequest, ChangeUsersResponse } from '@portico/contract';
import {
  GAINS_ROLE,
  groupsBeyondRights,
  groupsGivingRoles,
  mustHoldRights,
  rightsOfUsers,
  THIS_ACCOUNT,
  tryKeepingHolders,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { refusalOf } from '../../../kernel/bulk.ts';
import { FieldErrors, forbidden, notFound } from '../../../kernel/errors.ts';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { mustNotBeOneself } from './block-user.ts';
import { changeMembers, type LockedGroup, lockGroups, membershipsOf } from './groups.repository.ts';
import { mustManageUsers, mustNotBeSystem } from './people.policy.ts';
import { type AccountState, endSessions, readAccounts, updateBlocked } from './users.repository.ts';

/** The change of each account, as the request says it. */
interface Change {
  /** Undefined keeps the state. */
  readonly blocked: boolean | undefined;
  readonly signOut: boolean;
  readonly join: readonly number[];
  readonly leave: readonly number[];
}

/** The part of the change that an account lacks. */
interface Step {
  readonly userId: number;
  /** Whether the account is blocked or unblocked. */
  readonly setsBlocked: boolean;
  readonly endsSessions: boolean;
  readonly join: readonly number[];
  readonly leave: readonly number[];
  /** Whether a right may lose its last holder by it. */
  readonly takesRights: boolean;
}

/**
 * Blocks, unblocks, signs out and regroups accounts, each as the operation on it alone would.
 * @throws ValidationError for no or repeated accounts, no change, and unknown groups; PorticoError
 * 403 without manageUsers, and for system groups and groups with a right that the caller lacks
 */
export function changeUsers(scope: Scope, body: ChangeUsersRequest): Promise<ChangeUsersResponse> {
  mustManageUsers(scope.actor);
  const { userIds, change } = readRequest(scope, body);
  const regroups = change.join.length + change.leave.length > 0;
  const raised = change.blocked !== undefined || regroups ? 'access' : 'none';
  return writeTransaction(scope, raised, async (write) => {
    mustManageUsers(write.actor);
    const groups = await groupsOfChange(write, change);
    const accounts = await readAccounts(write.tx, userIds);
    const { steps, refused } = await planSteps(write, userIds, { change, groups, accounts });
    const { tokens, kept } = await runSteps(write, change, steps);
    const changed = new Set(steps.map(({ userId }) => userId));
    const items = userIds.map((userId): ChangedUser => {
      const error = refused.get(userId) ?? kept.get(userId);
      if (error) return { userId, outcome: 'ERROR', error };
      const nextOccToken = tokens.get(userId) ?? accounts.get(userId)!.version;
      return { userId, outcome: changed.has(userId) ? 'OK' : 'UNCHANGED', nextOccToken };
    });
    const count = (wanted: ChangedUser['outcome']) => items.filter(({ outcome }) => outcome === wanted).length;
    return { items, okCount: count('OK'), unchangedCount: count('UNCHANGED'), errorCount: count('ERROR') };
  });
}

function readRequest(scope: Scope, body: ChangeUsersRequest): { userIds: readonly number[]; change: Change } {
  const { userIds = [], blocked, signOut = false, addGroupIds: join = [], deleteGroupIds: leave = [] } = body;
  const errors = new FieldErrors(scope.missing);
  addRepeats(errors, 'userIds', userIds);
  addRepeats(errors, 'addGroupIds', join);
  addRepeats(errors, 'deleteGroupIds', leave);
  for (const [index, id] of leave.entries()) {
    if (join.includes(id))
      errors.add(`deleteGroupIds[${index}]`, 'INVALID_VALUE', `Group ${id} is in addGroupIds, too.`, [id]);
  }
  if (blocked === undefined && !signOut && join.length + leave.length === 0)
    errors.add('blocked', 'REQUIRED_FIELD', 'Send blocked, signOut, addGroupIds or deleteGroupIds.');
  errors.throwIfAny();
  return { userIds, change: { blocked, signOut, join, leave } };
}

function addRepeats(errors: FieldErrors, field: string, ids: readonly number[]): void {
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) errors.add(`${field}[${index}]`, 'DUPLICATE_VALUE', `${id} is listed more than once.`);
  }
}

/** Locks the groups of a change. @throws ValidationError for unknown groups; PorticoError FORBIDDEN */
async function groupsOfChange(write: WriteScope, { join, leave }: Change): Promise<Map<number, LockedGroup>> {
  const groups = await lockGroups(write.tx, [...join, ...leave]);
  const errors = new FieldErrors();
  for (const [field, ids] of [['addGroupIds', join] as const, ['deleteGroupIds', leave] as const]) {
    for (const [index, id] of ids.entries()) {
      if (!groups.has(id)) errors.add(`${field}[${index}]`, 'UNKNOWN_REFERENCE', `There is no group ${id}.`, [id]);
    }
  }
  errors.throwIfAny();
  for (const group of groups.values()) mustNotBeSystem(group);
  const [beyond] = (await groupsBeyondRights(write, [...groups.keys()])).values();
  if (beyond !== undefined) throw forbidden(beyond);
  return groups;
}

interface Known {
  readonly change: Change;
  readonly groups: ReadonlyMap<number, LockedGroup>;
  readonly accounts: ReadonlyMap<number, AccountState>;
}

/** Finds the step of each account, and the accounts that the caller must not change so. */
async function planSteps(write: WriteScope, userIds: readonly number[], { change, groups, accounts }: Known) {
  const rights = await rightsOfUsers(write.tx, userIds);
  const members = new Map(userIds.map((userId) => [userId, new Set<number>()]));
  for (const { groupId, userId } of await membershipsOf(write.tx, [...groups.keys()], userIds))
    members.get(userId)!.add(groupId);
  const gainsRole = userIds.includes(write.actor.userId) && (await groupsGivingRoles(write, change.join)).size > 0;
  const steps: Step[] = [];
  const refused = new Map<number, ReturnType<typeof refusalOf>>();
  for (const userId of userIds) {
    const held = rights.get(userId) ?? [];
    try {
      const account = requireChangeable(write, userId, change, accounts.get(userId), held);
      if (gainsRole && userId === write.actor.userId) throw forbidden(GAINS_ROLE);
      const step = stepOf(userId, change, account, members.get(userId)!);
      if (!step) continue;
      const takesRights =
        held.length > 0 &&
        ((step.setsBlocked && change.blocked === true) || step.leave.some((id) => groups.get(id)!.rights.length > 0));
      steps.push({ ...step, takesRights });
    } catch (error) {
      refused.set(userId, refusalOf(error));
    }
  }
  return { steps, refused };
}

/** @throws PorticoError as the operations on the account alone do: 404, 403 */
function requireChangeable(
  write: WriteScope,
  userId: number,
  { blocked, signOut }: Change,
  account: AccountState | undefined,
  held: readonly AdministrativeRight[],
): AccountState {
  if (!account) throw notFound();
  // Memberships are a matter of the group; its rights were checked.
  if (blocked === undefined && !signOut) return account;
  mustNotBeSystem(account);
  mustHoldRights(write.actor, held, THIS_ACCOUNT);
  if (blocked === true) mustNotBeOneself(write, userId);
  return account;
}

/** Returns the part of the change that an account lacks; undefined where it lacks none. */
function stepOf(
  userId: number,
  { blocked, signOut, join, leave }: Change,
  account: AccountState,
  member: ReadonlySet<number>,
): Omit<Step, 'takesRights'> | undefined {
  const step = {
    userId,
    setsBlocked: blocked !== undefined && blocked !== account.blocked,
    endsSessions: signOut,
    join: join.filter((id) => !member.has(id)),
    leave: leave.filter((id) => member.has(id)),
  };
  const idle = !step.setsBlocked && !signOut && step.join.length + step.leave.length === 0;
  return idle ? undefined : step;
}

/**
 * Runs steps. Steps that may take a right from its last holder are tried together, and one by one
 * where that is refused.
 * @returns the new tokens of accounts, and the refusals, by id
 */
async function runSteps(write: WriteScope, change: Change, steps: readonly Step[]) {
  const tokens = new Map<number, number>();
  const kept = new Map<number, ReturnType<typeof refusalOf>>();
  const run = async (some: readonly Step[]) => {
    for (const [id, token] of await applySteps(write, change, some)) tokens.set(id, token);
  };
  await run(steps.filter(({ takesRights }) => !takesRights));
  const risky = steps.filter(({ takesRights }) => takesRights);
  if (risky.length === 0) return { tokens, kept };
  const together = await tryKeepingHolders(write, () => run(risky));
  if (together === undefined) return { tokens, kept };
  for (const step of risky) {
    const reason = risky.length === 1 ? together : await tryKeepingHolders(write, () => run([step]));
    if (reason !== undefined) kept.set(step.userId, refusalOf(forbidden(reason)));
  }
  return { tokens, kept };
}

/** Writes steps in a fixed number of statements. @returns the new tokens of accounts, by id */
async function applySteps(write: WriteScope, { blocked, join, leave }: Change, steps: readonly Step[]) {
  const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
  const idsOf = (some: readonly Step[]) => some.map(({ userId }) => userId);
  const changing = steps.filter(({ setsBlocked }) => setsBlocked);
  const tokens =
    changing.length > 0 ? await updateBlocked(writing, idsOf(changing), blocked === true) : new Map<number, number>();
  const leaving = steps.filter(({ endsSessions: ends, setsBlocked }) => ends && !(setsBlocked && blocked));
  if (leaving.length > 0) await endSessions(write.tx, idsOf(leaving));
  const members = [...join, ...leave].map((groupId) => ({
    groupId,
    add: idsOf(steps.filter((step) => step.join.includes(groupId))),
    remove: idsOf(steps.filter((step) => step.leave.includes(groupId))),
  }));
  const regrouped = members.filter(({ add, remove }) => add.length + remove.length > 0);
  if (regrouped.length > 0) await changeMembers(writing, regrouped, true);
  return tokens;
}
