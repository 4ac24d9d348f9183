import {
  ACTIVE_STATUS_TOO,
  type GetGroupForEditResponse,
  GroupStatus,
  groupOrders,
  type ListSystemGroupsRequest,
  type ListSystemGroupsResponse,
} from '@portico/contract';
import { Parameters } from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import { nullable, readPage, readPaging, type SortColumn, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { readGroup } from './groups.repository.ts';
import { loadMembers } from './list-users.ts';
import { mustManageUsers } from './people.policy.ts';
import { groupCapabilityColumns, groupNames, holdersSql, nameSearchSql } from './user-filters.ts';
import { type GroupViewRow, groupViewColumns, presentGroup } from './views.ts';

const w = sqlColumns('workspace_members', 'w');

const nameColumns = (desc: boolean): SortColumn[] => [
  { sql: 'g.name_key', desc, type: 'text' },
  { sql: 'g.id', desc, type: 'bigint' },
];

const orders: Readonly<Record<(typeof groupOrders)[number], (desc: boolean) => SortColumn[]>> = {
  name: nameColumns,
  email: (desc) => [...nullable('g.email_key', 'text', desc), ...nameColumns(desc)],
};

/**
 * Lists groups (operation listSystemGroups); deleted ones only on request. The filter
 * `adminCapabilities` selects groups that give all of these rights; `workspaceIds` selects members
 * of one of these workspaces; `roleIds` groups that were given one of these roles.
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listGroups(scope: Scope, input: ListSystemGroupsRequest): Promise<ListSystemGroupsResponse> {
  mustManageUsers(scope.actor);
  const { pageToken, pageSize, calculateTotalItemsCount, orderTypeId, orderDesc, ...filters } = input;
  const order = (orderTypeId ?? 'name') as keyof typeof orders;
  if (!Object.hasOwn(orders, order)) {
    throw invalid('orderTypeId', 'UNKNOWN_ORDER', `One of: ${groupOrders.join(', ')}.`, groupOrders);
  }
  const page = readPaging<SortKey>(scope, 'listSystemGroups', { pageToken, pageSize, calculateTotalItemsCount }, [
    filters,
    order,
    orderDesc ?? true,
  ]);
  const parameters = new Parameters([scope.tenant.id]);
  const { rows, ...paging } = await readPage<GroupViewRow>(
    scope.db,
    page,
    {
      select: groupViewColumns('g'),
      from: 'groups g',
      where: ['g.tenant_id = $1', ...groupFilterSql(filters, parameters)],
      order: orders[order](orderDesc ?? true),
    },
    parameters,
  );
  return {
    // The filter leaves groups to which the user does not belong; without the filter it is false as well.
    items: rows.map((row) => ({ ...presentGroup(row, { allTags: true }), checkUserMemberResult: false })),
    ...paging,
  };
}

function groupFilterSql(filters: ListSystemGroupsRequest, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const statuses = filters.statusFilter ?? [];
  const known: number[] = [ACTIVE_STATUS_TOO, ...Object.values(GroupStatus)];
  for (const [index, status] of statuses.entries()) {
    if (!known.includes(status))
      throw invalid(`statusFilter[${index}]`, 'INVALID_VALUE', `One of: ${known.join(', ')}.`, known);
  }
  const active = statuses.length === 0 || statuses.includes(GroupStatus.ACTIVE) || statuses.includes(ACTIVE_STATUS_TOO);
  const deleted = statuses.includes(GroupStatus.DELETED);
  if (active !== deleted) conditions.push(`g.deleted_at IS ${deleted ? 'NOT ' : ''}NULL`);
  conditions.push(...nameSearchSql(groupNames, filters.fullTextFilter, parameters));
  if (filters.workspaceIds?.length) {
    conditions.push(`g.id IN (SELECT -${w.principal} FROM workspace_members w
      WHERE w.tenant_id = $1 AND ${w.principal} < 0 AND ${w.workspace_id} = ANY (${parameters.add(filters.workspaceIds)}::bigint[]))`);
  }
  if (filters.roleIds?.length)
    conditions.push(`g.id IN (SELECT -h.principal FROM (${holdersSql(filters.roleIds, parameters)}) h)`);
  if (filters.excludeGroupByMemberUserId !== undefined) {
    conditions.push(`NOT EXISTS (SELECT FROM group_members m WHERE m.tenant_id = $1 AND m.group_id = g.id
      AND m.user_id = ${parameters.add(filters.excludeGroupByMemberUserId)}::bigint)`);
  }
  for (const column of groupCapabilityColumns(filters.adminCapabilities)) conditions.push(`g.${column}`);
  return conditions;
}

/**
 * A group's form (operation getGroupForEdit): the group with all its members and its token.
 * @throws PorticoError 403 without manageUsers, 404 for a group that is unknown or deleted
 */
export async function getGroupForEdit(scope: Scope, groupId: number): Promise<GetGroupForEditResponse> {
  mustManageUsers(scope.actor);
  const group = await readGroup(scope.db, groupId);
  if (!group || group.deleted) throw notFound();
  const { rights: adminCapabilities } = group;
  return { ...presentGroup(group, { allTags: true }), adminCapabilities, members: await loadMembers(scope, groupId) };
}
