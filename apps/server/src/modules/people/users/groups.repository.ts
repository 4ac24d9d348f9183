/**
 * SQL of the tables of groups. Every change of members locks the group's row, so that its count
 * stays exact.
 */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { searchDocument, sortKeyWithTies } from '@portico/platform/text';
import { ownRightsSql } from '../../../kernel/access/index.ts';
import type { AdministrativeRight } from '../../../kernel/scope.ts';
import type { Writing } from './users.repository.ts';
import { type GroupViewRow, groupViewColumns } from './views.ts';

/** Editable fields of a group. */
export interface GroupFields {
  name: string;
  email: string | null;
  externalId: string | null;
  visible: boolean;
}

interface GroupRow extends GroupViewRow {
  modifiedBy: number | null;
  /** Administrative rights that its members hold by it. */
  rights: AdministrativeRight[];
}

/** Returns a group, also a deleted one; undefined if the tenant has no group with this id. */
export async function readGroup(db: TenantExecutor, groupId: number): Promise<GroupRow | undefined> {
  const [row] = await db.query<GroupRow>(
    `SELECT ${groupViewColumns('g')}, g.modified_by AS "modifiedBy", ${ownRightsSql('g')} AS rights
       FROM groups g WHERE g.tenant_id = $1 AND g.id = $2`,
    [db.tenantId, groupId],
  );
  return row;
}

/**
 * Name, e-mail address, their keys, external id and visibility, with time and author of the write.
 */
const valuesOf = ({ name, email, externalId, visible }: GroupFields, { now, by }: Writing) => [
  name,
  sortKeyWithTies(name),
  email,
  email === null ? null : sortKeyWithTies(email) || null,
  externalId,
  visible,
  new Date(now),
  by,
];

async function saveDocument(tx: TenantExecutor, groupId: number, group: GroupFields): Promise<void> {
  await tx.execute(
    `INSERT INTO group_search (tenant_id, group_id, doc) VALUES ($1, $2, $3)
     ON CONFLICT (tenant_id, group_id) DO UPDATE SET doc = excluded.doc`,
    [tx.tenantId, groupId, searchDocument([group.name, group.email ?? ''])],
  );
}

/** Further columns; a form has the rights alone. */
export interface GroupExtras {
  description?: string | null;
  systemAccount?: boolean;
  managesUsers?: boolean;
  managesWorkplace?: boolean;
}

/** Makes a group with its members, who must exist. @returns its id */
export async function insertGroup(
  writing: Writing,
  group: GroupFields & GroupExtras,
  memberIds: readonly number[],
): Promise<number> {
  const { tx } = writing;
  const [row] = await tx.create<{ id: number }>(
    'groups',
    `INSERT INTO groups (tenant_id, name, name_key, email, email_key, external_id, visible, created_at, modified_at, modified_by,
        description, system_account, manages_users, manages_workplace, members_count)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, 0) RETURNING id`,
    [
      tx.tenantId,
      ...valuesOf(group, writing),
      group.description ?? null,
      group.systemAccount ?? false,
      group.managesUsers ?? false,
      group.managesWorkplace ?? false,
    ],
  );
  await saveDocument(tx, row!.id, group);
  await changeMembers(writing, [{ groupId: row!.id, add: memberIds, remove: [] }], false);
  return row!.id;
}

/**
 * Updates a group if it is not deleted and its token matches.
 * @param rights rights to add and to remove; undefined: no change
 * @returns the new token, or undefined when the token was not the current one
 */
export async function updateGroup(
  writing: Writing,
  groupId: number,
  group: GroupFields,
  expected: number,
  rights: Partial<Pick<GroupExtras, 'managesUsers' | 'managesWorkplace'>>,
): Promise<number | undefined> {
  const { tx } = writing;
  const [row] = await tx.changeRows<{ version: number }>(
    'groups',
    [groupId],
    `UPDATE groups SET name = $3, name_key = $4, email = $5, email_key = $6, external_id = $7, visible = $8,
            modified_at = $9, modified_by = $10, version = version + 1,
            manages_users = coalesce($12, manages_users), manages_workplace = coalesce($13, manages_workplace)
      WHERE tenant_id = $1 AND id = $2 AND version = $11 AND deleted_at IS NULL RETURNING version`,
    [
      tx.tenantId,
      groupId,
      ...valuesOf(group, writing),
      expected,
      rights.managesUsers ?? null,
      rights.managesWorkplace ?? null,
    ],
  );
  if (row) await saveDocument(tx, groupId, group);
  return row?.version;
}

/** Changes to the members of one group: `remove` first, then `add`. */
export interface MemberChange {
  groupId: number;
  add: readonly number[];
  remove: readonly number[];
}

/**
 * Adds and removes members of groups whose rows the transaction has locked, and updates their
 * counts.
 * @param raise whether the groups' tokens are raised
 */
export async function changeMembers(writing: Writing, changes: readonly MemberChange[], raise: boolean): Promise<void> {
  const { tx, now, by } = writing;
  const pairs = (of: 'add' | 'remove') => {
    const groupIds: number[] = [];
    const userIds: number[] = [];
    for (const change of changes) {
      for (const userId of new Set(change[of])) {
        groupIds.push(change.groupId);
        userIds.push(userId);
      }
    }
    return [tx.tenantId, groupIds, userIds];
  };
  const removed = await tx.changeRows<{ groupId: number }>(
    'groups',
    changes.map((change) => change.groupId),
    `DELETE FROM group_members m USING unnest($2::bigint[], $3::bigint[]) AS gone(group_id, user_id)
      WHERE m.tenant_id = $1 AND m.group_id = gone.group_id AND m.user_id = gone.user_id RETURNING m.group_id AS "groupId"`,
    pairs('remove'),
  );
  const added = await tx.changeRows<{ groupId: number }>(
    'groups',
    changes.map((change) => change.groupId),
    `INSERT INTO group_members AS x (tenant_id, group_id, user_id, added_by)
     SELECT a.tenant_id, come.group_id, come.user_id, $4
       FROM tenant_versions a, unnest($2::bigint[], $3::bigint[]) AS come(group_id, user_id) WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING RETURNING x.group_id AS "groupId"`,
    [...pairs('add'), by],
  );
  const deltas = new Map(changes.map((change) => [change.groupId, 0]));
  for (const { groupId } of removed) deltas.set(groupId, deltas.get(groupId)! - 1);
  for (const { groupId } of added) deltas.set(groupId, deltas.get(groupId)! + 1);
  await tx.sendChange(
    'groups',
    changes.map((change) => change.groupId),
    `UPDATE groups g SET members_count = g.members_count + d.delta, version = g.version + $4, modified_at = $5, modified_by = $6
       FROM unnest($2::bigint[], $3::integer[]) AS d(id, delta) WHERE g.tenant_id = $1 AND g.id = d.id`,
    [tx.tenantId, [...deltas.keys()], [...deltas.values()], raise ? 1 : 0, new Date(now), by],
  );
}

/**
 * Returns the members of groups who added themselves, by group.
 * @param most maximum per group, by ascending id
 */
export async function selfAddedMembers(
  db: TenantExecutor,
  groupIds: readonly number[],
  most: number,
): Promise<Map<number, number[]>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db.query<{ groupId: number; userIds: number[] }>(
    `SELECT g.id AS "groupId", ARRAY(SELECT m.user_id FROM group_members m
              WHERE m.tenant_id = $1 AND m.group_id = g.id AND m.added_by = m.user_id ORDER BY m.user_id LIMIT $3) AS "userIds"
       FROM unnest($2::bigint[]) AS g (id)`,
    [db.tenantId, groupIds, most],
  );
  return new Map(rows.map(({ groupId, userIds }) => [groupId, userIds]));
}

/** Ids of all members of a group. */
export async function memberIdsOf(tx: TenantExecutor, groupId: number): Promise<number[]> {
  const rows = await tx.query<{ userId: number }>(
    `SELECT user_id AS "userId" FROM group_members WHERE tenant_id = $1 AND group_id = $2`,
    [tx.tenantId, groupId],
  );
  return rows.map((row) => row.userId);
}

/** Returns which of some users are members of which of some groups. */
export function membershipsOf(
  tx: TenantExecutor,
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<{ groupId: number; userId: number }[]> {
  return tx.query(
    `SELECT group_id AS "groupId", user_id AS "userId" FROM group_members
      WHERE tenant_id = $1 AND group_id = ANY ($2::bigint[]) AND user_id = ANY ($3::bigint[])`,
    [tx.tenantId, groupIds, userIds],
  );
}

/** Group whose row the transaction has locked. */
export interface LockedGroup {
  version: number;
  systemAccount: boolean;
  /** Administrative rights that its members hold by it. */
  rights: AdministrativeRight[];
}

/**
 * Locks the groups that are not deleted, in the order of their ids.
 * @returns the locked groups by id, without unknown and deleted ones
 */
export async function lockGroups(tx: TenantExecutor, ids: readonly number[]): Promise<Map<number, LockedGroup>> {
  const rows = await tx.query<LockedGroup & { id: number }>(
    `SELECT id, version, system_account AS "systemAccount", ${ownRightsSql('groups')} AS rights FROM groups
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
