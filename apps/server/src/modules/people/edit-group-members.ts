import {
  type EditMultipleGroupsMembersRequest,
  type EditMultipleGroupsMembersResponse,
  type Group,
  maximumBulkIds,
} from '@portico/contract';
import { groupsBeyondRights, groupsGivingRoles, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { changeMembers, lockGroups, type MemberChange } from './groups.repository.ts';
import { FieldErrors, mustManageUsers } from './people.policy.ts';
import { existingUsers } from './users.repository.ts';
import { loadGroupViews } from './views.ts';

/**
 * Adds and removes members of many groups (operation editGroupMembers; docs/decisions/writes.md). Each group is taken
 * or refused by
 * itself, and the status is 200 in either case:
 * - changed, with its new token: `successGroups`;
 * - unchanged because its token is stale or missing: `concurrencyErrorGroups`;
 * - unchanged because the group is unknown, deleted or the portal's own, it holds a right that the caller lacks, it would give
 *   the caller a role that they lack, or one of `addUserIds` is unknown or deleted: in neither list.
 * A user in both `deleteUserIds` and `addUserIds` is a member afterwards; who was no member is removed without a word.
 * @throws PorticoError 403 without manageUsers; ValidationError for an element without id, a group named twice, or more
 *   than 1,000 groups
 */
export async function editGroupMembers(
  scope: Scope,
  input: EditMultipleGroupsMembersRequest,
): Promise<EditMultipleGroupsMembersResponse> {
  mustManageUsers(scope.actor);
  const changes = input.groupMembers ?? [];
  const errors = new FieldErrors();
  if (changes.length > maximumBulkIds) {
    errors.add('groupMembers', 'TOO_MANY_ITEMS', `Send at most ${maximumBulkIds} groups.`, [maximumBulkIds]);
  }
  const seen = new Set<number>();
  for (const [index, { id }] of changes.entries()) {
    if (id === undefined) errors.add(`groupMembers[${index}].id`, 'REQUIRED_FIELD');
    else if (seen.has(id))
      errors.add(`groupMembers[${index}].id`, 'INVALID_VALUE', 'The group is listed more than once.');
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
    for (const change of changes) {
      const group = groups.get(change.id!);
      if (!group || group.systemAccount) continue;
      const add = change.addUserIds ?? [];
      if (group.version !== change.occToken) stale.push(change.id!);
      else if (!beyond.has(change.id!) && !givingRoles.has(change.id!) && add.every((id) => existing.has(id)))
        taken.push({ groupId: change.id!, add, remove: change.deleteUserIds ?? [] });
    }
    if (taken.length > 0) await changeMembers({ tx: write.tx, now: write.now, by: write.actor.userId }, taken, true);
    const takenIds = taken.map((change) => change.groupId);
    const views = await loadGroupViews(write.tx, [...takenIds, ...stale], { allTags: true });
    const shown = (ids: readonly number[]): Group[] => ids.flatMap((id) => views.get(id) ?? []);
    return { successGroups: shown(takenIds), concurrencyErrorGroups: shown(stale) };
  });
}

/**
 * Lets a user join and leave groups, inside a write that raises access; groups that are deleted or the portal's own stay as they are.
 */
export async function setMemberships(
  { tx, now, actor }: WriteScope,
  userId: number,
  { join, leave }: { join: readonly number[]; leave: readonly number[] },
): Promise<void> {
  const groups = await lockGroups(tx, [...join, ...leave]);
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
  if (changes.length > 0) await changeMembers({ tx, now, by: actor.userId }, changes, true);
}
