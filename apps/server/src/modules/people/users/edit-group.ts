import type { CreateGroupRequest, CreateGroupResponse, EditGroupRequest, EditGroupResponse } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import {
  keepingHolders,
  mustHoldRights,
  mustHoldRightsOfGroup,
  mustHoldRightsThatChange,
  mustNotGainRoles,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import {
  changeMembers,
  type GroupExtras,
  type GroupFields,
  insertGroup,
  lockGroups,
  memberIdsOf,
  readGroup,
  updateGroup,
} from './groups.repository.ts';
import { answering } from './map-database-errors.ts';
import { maxLengths, mustManageUsers, mustNotBeSystem, readEmail, readRights } from './people.policy.ts';
import { checkGroupTaken } from './uniqueness.ts';
import { fieldsOfRights, rightsGiven } from './user-fields.ts';
import { existingUsers } from './users.repository.ts';
import { presentGroup } from './views.ts';

/**
 * Reads a group's form. `name` is required; other omitted members are cleared, and `visible`
 * becomes false.
 */
function readGroupForm(input: CreateGroupRequest | EditGroupRequest, errors: FieldErrors): GroupFields {
  return {
    name: errors.required('name', input.name, maxLengths.name),
    email: readEmail('email', input.email, errors),
    externalId: errors.optional('externalId', input.externalId, maxLengths.externalId),
    visible: input.visible ?? false,
  };
}

/** Adds an error for each unknown or deleted member. */
async function checkMembers(write: WriteScope, memberIds: readonly number[], errors: FieldErrors): Promise<void> {
  const existing = await existingUsers(write.tx, memberIds);
  for (const [index, id] of memberIds.entries()) {
    if (!existing.has(id)) errors.add(`memberIds[${index}]`, 'UNKNOWN_REFERENCE', `There is no user ${id}.`, [id]);
  }
}

/**
 * Creates a group (operation createGroup).
 * @throws ValidationError with every error; PorticoError 403 without manageUsers, or without a
 * right that the group is to give
 */
export function createGroup(scope: Scope, input: CreateGroupRequest): Promise<CreateGroupResponse> {
  mustManageUsers(scope.actor);
  const memberIds = input.memberIds ?? [];
  return answering(() =>
    // Without members no user's access changes.
    writeTransaction(scope, memberIds.length > 0 ? 'access' : 'none', async (write) => {
      mustManageUsers(write.actor);
      const errors = new FieldErrors(write.missing);
      const group = readGroupForm(input, errors);
      const rights = readRights(input.adminCapabilities, errors) ?? [];
      await checkMembers(write, memberIds, errors);
      await checkGroupTaken(write.tx, group, null, errors);
      errors.throwIfAny();
      mustHoldRightsThatChange(write.actor, [], rights);
      const made = { ...group, ...fieldsOfRights(rights) };
      const groupId = await insertGroup({ tx: write.tx, now: write.now, by: write.actor.userId }, made, memberIds);
      const row = (await readGroup(write.tx, groupId))!;
      return { ...presentGroup(row, { allTags: true }), groupId, nextOccToken: row.version };
    }),
  );
}

/**
 * Edits a group (operation editGroup). If given, `memberIds` is the full list of members; if
 * omitted, the members stay. If `adminCapabilities` is omitted, the rights of the group stay.
 * @throws PorticoError 403 (also for rights that the caller lacks, for members of a group with such
 * a right, if no account with a working sign-in would hold a right any more, and for the caller if
 * the group gives a role that they lack), 404 (unknown or deleted), 409 with the author and time of
 * the last change; ValidationError
 */
export function editGroup(scope: Scope, groupId: number, input: EditGroupRequest): Promise<EditGroupResponse> {
  mustManageUsers(scope.actor);
  return answering(() =>
    writeTransaction(scope, 'access', async (write) => {
      mustManageUsers(write.actor);
      const current = (await lockGroups(write.tx, [groupId])).get(groupId);
      if (!current) throw notFound();
      mustNotBeSystem(current);
      const errors = new FieldErrors(write.missing);
      const group = readGroupForm(input, errors);
      const rights = readRights(input.adminCapabilities, errors);
      const before = input.memberIds ? await memberIdsOf(write.tx, groupId) : [];
      // A stale token is reported first, even if the address was taken or members were deleted meanwhile.
      const stale = input.occToken !== undefined && input.occToken !== current.version;
      if (!stale) await checkGroupTaken(write.tx, group, groupId, errors);
      if (input.memberIds && input.occToken === current.version) await checkMembers(write, input.memberIds, errors);
      errors.throwIfAny();
      const change = membershipChange(before, input.memberIds);
      if (change.add.length + change.remove.length > 0) await mustHoldRightsOfGroup(write, groupId);
      if (change.add.includes(write.actor.userId)) await mustNotGainRoles(write, groupId);
      const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
      if (rights) mustHoldRightsThatChange(write.actor, current.rights, rights);
      const update = async () => {
        const given = rights ? fieldsOfRights(rights) : {};
        const nextOccToken = await updateGroup(writing, groupId, group, input.occToken!, given);
        if (nextOccToken === undefined) throw await staleGroup(write, groupId);
        if (input.memberIds) await changeMembers(writing, [{ groupId, ...change }], false);
        return { nextOccToken };
      };
      return current.rights.length > 0 ? keepingHolders(write, update) : update();
    }),
  );
}

/**
 * Returns the members to add and to remove.
 * @param after the full list of members; undefined: no change
 */
function membershipChange(before: readonly number[], after: readonly number[] | undefined) {
  if (!after) return { add: [], remove: [] };
  const [had, wanted] = [new Set(before), new Set(after)];
  return { add: [...wanted].filter((id) => !had.has(id)), remove: before.filter((id) => !wanted.has(id)) };
}

async function staleGroup(write: WriteScope, groupId: number): Promise<Error> {
  const now = await readGroup(write.tx, groupId);
  return !now || now.deleted ? notFound() : staleToken(write.tx, { ...now, modifierId: now.modifiedBy });
}

/**
 * Deletes a group (operation deleteGroup): the access that it gave its members ends with their next
 * request.
 * @throws PorticoError 403 (also for system groups, for a group with a right that the caller lacks,
 * and if no account with a working sign-in would hold a right any more), 404 (unknown or already
 * deleted)
 */
export async function deleteGroup(scope: Scope, groupId: number): Promise<void> {
  mustManageUsers(scope.actor);
  await writeTransaction(scope, 'access', async (write) => {
    mustManageUsers(write.actor);
    const current = (await lockGroups(write.tx, [groupId])).get(groupId);
    if (!current) throw notFound();
    mustNotBeSystem(current);
    await mustHoldRightsOfGroup(write, groupId);
    const remove = () =>
      write.tx.change(
        'groups',
        [groupId],
        `UPDATE groups SET deleted_at = $3, modified_at = $3, modified_by = $4, version = version + 1
          WHERE tenant_id = $1 AND id = $2`,
        [write.tx.tenantId, groupId, new Date(write.now), write.actor.userId],
      );
    await (current.rights.length > 0 ? keepingHolders(write, remove) : remove());
  });
}

/** A label of a group. */
interface TagRecord {
  name: string;
  /** False hides the label from people other than administrators. Default true. */
  visible?: boolean;
  /** A removed label, which only administrators see. Default false. */
  deleted?: boolean;
}

/** New group without HTTP. */
type GroupRecord = Pick<GroupFields, 'name'> &
  Partial<GroupFields> &
  GroupExtras & { memberIds?: readonly number[]; tags?: readonly TagRecord[] };

/**
 * Creates a group; visible by default.
 * @param write of a transaction that raises access when the group has members
 * @returns the group's id
 * @throws ValidationError
 */
export async function createGroupRecord(write: WriteScope, record: GroupRecord): Promise<number> {
  const errors = new FieldErrors(write.missing);
  const form = {
    visible: true,
    ...record,
    email: record.email ?? undefined,
    externalId: record.externalId ?? undefined,
  };
  const group = readGroupForm(
    { name: form.name, email: form.email, externalId: form.externalId, visible: form.visible },
    errors,
  );
  const memberIds = record.memberIds ?? [];
  await checkMembers(write, memberIds, errors);
  errors.throwIfAny();
  mustHoldRights(write.actor, rightsGiven(record), 'The group to be made');
  const { description, systemAccount, managesUsers, managesWorkplace } = record;
  const extras: GroupExtras = { description, systemAccount, managesUsers, managesWorkplace };
  const groupId = await answering(() =>
    insertGroup({ tx: write.tx, now: write.now, by: write.actor.userId }, { ...group, ...extras }, memberIds),
  );
  if (record.tags) await setGroupTags(write, groupId, record.tags);
  return groupId;
}

/** Replaces the labels of a group. No operation of the interface writes them. */
async function setGroupTags(write: WriteScope, groupId: number, tags: readonly TagRecord[]): Promise<void> {
  await write.tx.sendChange('groups', [groupId], 'DELETE FROM group_tags WHERE tenant_id = $1 AND group_id = $2', [
    write.tx.tenantId,
    groupId,
  ]);
  const ids = await takeIds(write.tx, 'group_tags', tags.length);
  await write.tx.sendChange(
    'groups',
    [groupId],
    `INSERT INTO group_tags (tenant_id, id, group_id, name, visible, deleted)
     SELECT a.tenant_id, r.id, $2, r.name, coalesce(r.visible, true), coalesce(r.deleted, false)
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS r(id bigint, name text, visible boolean, deleted boolean)
      WHERE a.tenant_id = $1`,
    [write.tx.tenantId, groupId, JSON.stringify(tags.map((tag, index) => ({ ...tag, id: ids[index] })))],
  );
}
