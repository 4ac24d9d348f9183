import {
  type EditMultipleGroupsMembersRequest,
  type EditMultipleGroupsMembersResponse,
  type Group,
  maximumBulkIds,
  type RefusedGroupMembers,
} from '@portico/contract';
import {
  GAINS_ROLE,
  groupsBeyondRights,
  groupsGivingRoles,
  tryKeepingHolders,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { FieldErrors, listedErrors, MAX_FIELD_ERRORS, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { changeMembers, type LockedGroup, lockGroups, type MemberChange } from './groups.repository.ts';
import { KEPT_BY_PORTAL, mustManageUsers } from './people.policy.ts';
import { existingUsers } from './users.repository.ts';
import { loadGroupViews } from './views.ts';

/**
 * Adds and removes members of many groups (operation editGroupMembers; docs/decisions/writes.md).
 * Each group is changed or refused separately; the status is 200 in either case. The result lists
 * the groups:
 * - `successGroups`: changed groups, with their new tokens;
 * - `concurrencyErrorGroups`: groups left unchanged because the token is stale;
 * - `refusedGroups`: groups left unchanged for other reasons, which it names. The token is missing;
 *   the group is unknown, deleted or a system group; it holds a right that the caller lacks; one of
 *   its rights would have no holder left with a working sign-in; it would give the caller a role
 *   that they lack; or an id in `addUserIds` is unknown or deleted.
 *
 * A user in both `deleteUserIds` and `addUserIds` is a member afterwards. Removing a user without
 * membership is no error.
 * @throws PorticoError 403 without manageUsers; ValidationError for an element without id, a group
 * named twice, or more than 1,000 groups
 */
export async function editGroupMembers(
  scope: Scope,
  input: EditMultipleGroupsMembersRequest,
): Promise<EditMultipleGroupsMembersResponse> {
  mustManageUsers(scope.actor);
  const changes = input.groupMembers ?? [];
  const errors = new FieldErrors(scope.missing);
  if (changes.length > maximumBulkIds) {
    errors.add('groupMembers', 'TOO_MANY_ITEMS', `Send at most ${maximumBulkIds} groups.`, [maximumBulkIds]);
  }
  const seen = new Set<number>();
  for (const [index, { id }] of changes.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) errors.add(`groupMembers[${index}].id`, 'INVALID_VALUE', 'The group is listed more than once.');
    else seen.add(id);
  }
  errors.throwIfAny();

  return writeTransaction(scope, 'access', async (write) => {
    mustManageUsers(write.actor);
    const groups = await lockGroups(write.tx, [...seen]);
    const existing = await existingUsers(write.tx, [...new Set(changes.flatMap((change) => change.addUserIds ?? []))]);
    const beyond = await groupsBeyondRights(write, [...groups.keys()]);
    const oneself = changes.filter(({ addUserIds }) => addUserIds?.includes(write.actor.userId)).map(({ id }) => id!);
    const givingRoles = await groupsGivingRoles(write, oneself);
    const taken: MemberChange[] = [];
    const stale: number[] = [];
    const refused = new Refusals();
    for (const [index, change] of changes.entries()) {
      const [id, add] = [change.id!, change.addUserIds ?? []];
      const group = groups.get(id);
      if (group && !group.systemAccount && change.occToken !== undefined && change.occToken !== group.version) {
        stale.push(id);
        continue;
      }
      const errors = new FieldErrors();
      const field = `groupMembers[${index}]`;
      const reason = group?.systemAccount
        ? KEPT_BY_PORTAL
        : (beyond.get(id) ?? (givingRoles.has(id) ? GAINS_ROLE : null));
      if (!group) errors.add(`${field}.id`, 'UNKNOWN_REFERENCE', 'There is no such group.', [id]);
      else if (reason !== null) errors.add(`${field}.id`, 'FORBIDDEN', reason);
      else {
        if (change.occToken === undefined)
          errors.add(`${field}.occToken`, 'REQUIRED_FIELD', 'Send the occToken that the form gave.');
        for (const [at, userId] of add.entries()) {
          if (!existing.has(userId))
            errors.add(`${field}.addUserIds[${at}]`, 'UNKNOWN_REFERENCE', `There is no user ${userId}.`, [userId]);
        }
      }
      if (errors.length > 0) refused.add(id, errors);
      else taken.push({ groupId: id, add, remove: change.deleteUserIds ?? [] });
    }
    const kept = await changeKeepingHolders(write, groups, taken);
    for (const [index, { id }] of changes.entries()) {
      const reason = kept.get(id!);
      if (reason === undefined) continue;
      const errors = new FieldErrors();
      errors.add(`groupMembers[${index}].deleteUserIds`, 'FORBIDDEN', reason);
      refused.add(id!, errors);
    }
    const takenIds = taken.map((change) => change.groupId).filter((id) => !kept.has(id));
    const views = await loadGroupViews(write.tx, [...takenIds, ...stale], { allTags: true });
    const shown = (ids: readonly number[]): Group[] => ids.flatMap((id) => views.get(id) ?? []);
    return { successGroups: shown(takenIds), concurrencyErrorGroups: shown(stale), refusedGroups: refused.groups };
  });
}

/**
 * Changes the members of groups, except groups whose change would leave a right without a holder.
 * @param groups by id, locked
 * @returns the unchanged groups, with the reasons
 */
async function changeKeepingHolders(
  write: WriteScope,
  groups: ReadonlyMap<number, LockedGroup>,
  changes: readonly MemberChange[],
): Promise<Map<number, string>> {
  const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
  const takesRights = ({ groupId, remove }: MemberChange) =>
    remove.length > 0 && (groups.get(groupId)?.rights.length ?? 0) > 0;
  const plain = changes.filter((change) => !takesRights(change));
  if (plain.length > 0) await changeMembers(writing, plain, true);
  const kept = new Map<number, string>();
  for (const change of changes.filter(takesRights)) {
    const reason = await tryKeepingHolders(write, () => changeMembers(writing, [change], true));
    if (reason !== undefined) kept.set(change.groupId, reason);
  }
  return kept;
}

/** Groups that are left as they are, with the reasons: all, until so many are listed that each further group has its first only. */
class Refusals {
  readonly groups: RefusedGroupMembers[] = [];
  #listed = 0;

  add(groupId: number, { list }: FieldErrors): void {
    const shown = this.#listed < MAX_FIELD_ERRORS ? list : list.slice(0, 1);
    const errors = listedErrors(new ValidationError(shown)) ?? [];
    this.#listed += errors.length;
    this.groups.push({ groupId, validationErrors: { list: errors } });
  }
}

/**
 * Adds a user to groups and removes them from others, inside a write that raises access. Skips
 * deleted groups and system groups. Keeps a membership, and records that in the audit log, if
 * without it no account with a working sign-in would hold a right of the group.
 */
export async function setMemberships(
  write: WriteScope,
  userId: number,
  { join, leave }: { join: readonly number[]; leave: readonly number[] },
): Promise<void> {
  const groups = await lockGroups(write.tx, [...join, ...leave]);
  const changes = [...groups].flatMap(([groupId, { systemAccount }]) =>
    systemAccount
      ? []
      : [
          {
            groupId,
            add: join.includes(groupId) ? [userId] : [],
            remove: leave.includes(groupId) ? [userId] : [],
          },
        ],
  );
  const kept = await changeKeepingHolders(write, groups, changes);
  await insertEntries(
    write.tx,
    write.tx.caller,
    [...kept].map(([groupId, reason]) => ({
      action: 'modified' as const,
      object: 'group',
      objectId: groupId,
      after: { keptMember: userId, reason },
    })),
  );
}
