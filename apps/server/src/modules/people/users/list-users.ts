import {
  type ListGroupMembersRequest,
  type ListGroupMembersResponse,
  type ListSystemUsersRequest,
  type ListSystemUsersResponse,
  type User,
  type UserOrder,
  userOrders,
} from '@portico/contract';
import { mapInTurns } from '@portico/platform/turns';
import { Parameters } from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import {
  nullable,
  orderBySql,
  readPage,
  readPaging,
  type SortColumn,
  type SortKey,
} from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { readGroup } from './groups.repository.ts';
import { loadListedAccess } from './listed-access.ts';
import { loadLookAlikes } from './look-alikes.ts';
import { mustManageUsers } from './people.policy.ts';
import { presentListUser } from './people.presenter.ts';
import { loadProfileRelations, profileContext } from './profile.ts';
import { userFilterSql } from './user-filters.ts';
import { type UserRow, userRowColumns, userRowJoins } from './users.repository.ts';
import { presentUser, type UserViewRow, userViewColumns } from './views.ts';

/** A text that is empty instead of NULL: last in both directions. */
export function emptyLast(sql: string, desc: boolean): SortColumn[] {
  return [
    { sql: `(${sql} = '')`, desc: false, type: 'boolean' },
    { sql, desc, type: 'text' },
  ];
}

/** Last name, first name, id. Last names are never empty. */
function nameColumns(desc: boolean): SortColumn[] {
  return [{ sql: 'u.last_key', desc, type: 'text' }, ...emptyLast('u.first_key', desc), idColumn(desc)];
}

const idColumn = (desc: boolean): SortColumn => ({ sql: 'u.id', desc, type: 'bigint' });

/**
 * Columns of each published order (docs/decisions/lists.md). Times are whole milliseconds, the
 * precision of a page key.
 */
const orders: Readonly<Record<UserOrder, (desc: boolean) => SortColumn[]>> = {
  lastName: nameColumns,
  firstName: (desc) => [...emptyLast('u.first_key', desc), { sql: 'u.last_key', desc, type: 'text' }, idColumn(desc)],
  contactEmail: (desc) => [...nullable('u.email_key', 'text', desc), ...nameColumns(desc)],
  externalId: (desc) => [...nullable('u.external_key', 'text', desc), ...nameColumns(desc)],
  role: (desc) => [...nullable('u.role_key', 'text', desc), ...nameColumns(desc)],
  place: (desc) => [...nullable('u.place_key', 'text', desc), ...nameColumns(desc)],
  businessUnit: (desc) => [...nullable('unit.name_key', 'text', desc), ...nameColumns(desc)],
  area: (desc) => [...nullable('area.name_key', 'text', desc), ...nameColumns(desc)],
  creationTimestamp: (desc) => [
    { sql: `date_trunc('milliseconds', u.created_at)`, desc, type: 'timestamptz' },
    ...nameColumns(desc),
  ],
  lastAccessTimestamp: (desc) => [
    ...nullable(`date_trunc('milliseconds', u.last_access_at)`, 'timestamptz', desc),
    ...nameColumns(desc),
  ],
  id: (desc) => [idColumn(desc)],
};

/**
 * Lists users (operation listSystemUsers): rows, managers, employees and, on request, the total, in
 * a fixed number of statements. `orderDesc` reverses every order exactly, except that empty values
 * stay last.
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listUsers(scope: Scope, input: ListSystemUsersRequest): Promise<ListSystemUsersResponse> {
  mustManageUsers(scope.actor);
  const { pageToken, pageSize, calculateTotalItemsCount, orderTypeId, orderDesc, includeAccess, ...filters } = input;
  const order = (orderTypeId ?? 'lastName') as UserOrder;
  if (!Object.hasOwn(orders, order)) {
    throw invalid('orderTypeId', 'UNKNOWN_ORDER', `One of: ${userOrders.join(', ')}.`, userOrders);
  }
  const page = readPaging<SortKey>(scope, 'listSystemUsers', { pageToken, pageSize, calculateTotalItemsCount }, [
    filters,
    order,
    orderDesc ?? false,
  ]);
  const parameters = new Parameters([scope.tenant.id]);
  const { rows, ...paging } = await readPage<UserRow>(
    scope.db,
    page,
    {
      select: userRowColumns,
      from: `users u ${userRowJoins}`,
      where: ['u.tenant_id = $1', ...userFilterSql(filters, parameters)],
      order: orders[order](orderDesc ?? false),
    },
    parameters,
  );
  const relations = await loadProfileRelations(scope, rows);
  const lookAlikes = await loadLookAlikes(scope.db, rows);
  const access = includeAccess
    ? await loadListedAccess(
        scope.db,
        rows.map(({ id }) => id),
      )
    : undefined;
  const asked = { area: (filters.areaIds?.length ?? 0) > 0, businessUnit: (filters.businessUnitIds?.length ?? 0) > 0 };
  return {
    items: rows.map((row) => ({
      ...presentListUser(
        row,
        asked,
        profileContext(row, relations, { editProfile: !row.deleted, photo: !row.deleted }, scope),
        lookAlikes.get(row.id),
      ),
      ...access?.get(row.id),
    })),
    ...paging,
  };
}

/**
 * Lists the members of a group (operation listGroupsMembers) by last name, first name and id.
 * @throws PorticoError 403 without manageUsers, 404 for a group that is unknown or deleted
 */
export async function listGroupMembers(
  scope: Scope,
  groupId: number,
  input: ListGroupMembersRequest,
): Promise<ListGroupMembersResponse> {
  mustManageUsers(scope.actor);
  const page = readPaging<SortKey>(scope, 'listGroupsMembers', input, [groupId]);
  const group = await readGroup(scope.db, groupId);
  if (!group || group.deleted) throw notFound();
  const parameters = new Parameters([scope.tenant.id, groupId]);
  const { rows, ...paging } = await readPage<UserViewRow>(
    scope.db,
    page,
    {
      select: userViewColumns('u'),
      from: 'group_members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id',
      where: ['m.tenant_id = $1', 'm.group_id = $2'],
      order: nameColumns(false),
    },
    parameters,
  );
  return { items: rows.map((row) => presentMember(row, scope)), ...paging };
}

/** Presents a user as a member of the requested group. */
function presentMember(row: UserViewRow, scope: Scope): User {
  return { ...presentUser(row, scope), checkGroupMemberResult: true };
}

/** Returns all members of a group, in the order of {@link listGroupMembers}. */
export async function loadMembers(scope: Scope, groupId: number): Promise<User[]> {
  const rows = await scope.db.query<UserViewRow>(
    `SELECT ${userViewColumns('u')} FROM group_members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
      WHERE m.tenant_id = $1 AND m.group_id = $2 ORDER BY ${orderBySql(nameColumns(false))}`,
    [scope.tenant.id, groupId],
  );
  return mapInTurns(rows, (row) => presentMember(row, scope));
}
