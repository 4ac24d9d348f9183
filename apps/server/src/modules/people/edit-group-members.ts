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
  type WriteScope,
  writeTransaction,
} from '../../kernel/access/index.ts';
import { listedErrors, MAX_FIELD_ERRORS, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { changeMembers, lockGroups, type MemberChange } from './groups.repository.ts';
import { FieldErrors, KEPT_BY_PORTAL, mustManageUsers } from './people.policy.ts';
import { existingUsers } from './users.repository.ts';
import { loadGroupViews } from './views.ts';

/**
 * Adds and removes members of many groups (operation editGroupMembers; docs/decisions/writes.md). Each group is taken
 * or refused by
 * itself, and the status is 200 in either case:
 * - changed, with its new token: `successGroups`;
 * - unchanged because its token is stale: `concurrencyErrorGroups`;
 * - unchanged because its token is missing, the group is unknown, deleted or the portal's own, it holds a right that the
 *   caller lacks, it would give the caller a role that they lack, or one of `addUserIds` is unknown or deleted:
 *   `refusedGroups`, with the reasons.
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
      if (errors.list.length > 0) refused.add(id, errors);
      else taken.push({ groupId: id, add, remove: change.deleteUserIds ?? [] });
    }
    if (taken.length > 0) await changeMembers({ tx: write.tx, now: write.now, by: write.actor.userId }, taken, true);
    const takenIds = taken.map((change) => change.groupId);
    const views = await loadGroupViews(write.tx, [...takenIds, ...stale], { allTags: true });
    const shown = (ids: readonly number[]): Group[] => ids.flatMap((id) => views.get(id) ?? []);
    return { successGroups: shown(takenIds), concurrencyErrorGroups: shown(stale), refusedGroups: refused.groups };
  });
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
