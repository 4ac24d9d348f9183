import {
  type ListGroupMembersRequest,
  type ListGroupMembersResponse,
  type ListSystemUsersRequest,
  type ListSystemUsersResponse,
  type User,
  type UserOrder,
  userOrders,
} from '@portico/contract';
import { Parameters } from '../../kernel/access/index.ts';
import { invalid, notFound } from '../../kernel/errors.ts';
import { type PageRequest, readPaging, toPage } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { readGroup } from './groups.repository.ts';
import { afterSql, emptyLast, type Key, type KeyColumn, keyOf, keySelectSql, nullable, orderSql } from './keyset.ts';
import { mustManageUsers } from './people.policy.ts';
import { presentListUser } from './people.presenter.ts';
import { loadProfileRelations, profileContext } from './profile.ts';
import { userFilterSql } from './user-filters.ts';
import { type UserRow, userRowColumns, userRowJoins } from './users.repository.ts';
import { type PhotoUrl, presentUser, type UserViewRow, userViewColumns } from './views.ts';

/** Last name, first name, id. Last names are never empty. */
function nameColumns(desc: boolean): KeyColumn[] {
  return [{ sql: 'u.last_key', desc, type: 'text' }, ...emptyLast('u.first_key', desc), idColumn(desc)];
}

const idColumn = (desc: boolean): KeyColumn => ({ sql: 'u.id', desc, type: 'bigint' });

/** Columns of each published order (docs/decisions/lists.md). Whole milliseconds: that is what a key can carry. */
const orders: Readonly<Record<UserOrder, (desc: boolean) => KeyColumn[]>> = {
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
 * Lists users (operation listSystemUsers): rows, managers, employees and, when asked for, the total: a fixed number of
 * statements. Every order is the exact reverse under `orderDesc`, but empty values stay last.
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listUsers(
  scope: Scope,
  input: ListSystemUsersRequest,
  photoUrl?: PhotoUrl,
): Promise<ListSystemUsersResponse> {
  mustManageUsers(scope.actor);
  const { pageToken, pageSize, calculateTotalItemsCount, orderTypeId, orderDesc, ...filters } = input;
  const order = (orderTypeId ?? 'lastName') as UserOrder;
  if (!Object.hasOwn(orders, order)) {
    throw invalid('orderTypeId', 'UNKNOWN_ORDER', `One of: ${userOrders.join(', ')}.`, userOrders);
  }
  const columns = orders[order](orderDesc ?? false);
  const page = readPaging<Key>(scope, 'listSystemUsers', { pageToken, pageSize, calculateTotalItemsCount }, [
    filters,
    order,
    orderDesc ?? false,
  ]);
  const parameters = new Parameters([scope.tenant.id]);
  const conditions = ['u.tenant_id = $1', ...userFilterSql(filters, '$1', parameters)];
  const filterValues = [...parameters.values];
  const after = page.after ? afterSql(columns, page.after, parameters) : [];
  const rows = await scope.db.query<UserRow>(
    `SELECT ${userRowColumns}, ${keySelectSql(columns)} FROM users u ${userRowJoins}
      WHERE ${[...conditions, ...after].join(' AND ')}
      ORDER BY ${orderSql(columns)} LIMIT ${parameters.add(page.size + 1)}`,
    parameters.values,
  );
  const shown = toPage(page, rows, (row) => keyOf(columns, row));
  const relations = await loadProfileRelations(scope.db, shown.rows, { photoUrl });
  const asked = { area: (filters.areaIds?.length ?? 0) > 0, businessUnit: (filters.businessUnitIds?.length ?? 0) > 0 };
  return {
    items: shown.rows.map((row) =>
      presentListUser(
        row,
        asked,
        profileContext(row, relations, { editProfile: !row.deleted, photo: !row.deleted }, photoUrl),
      ),
    ),
    ...(shown.nextPageToken !== undefined && { nextPageToken: shown.nextPageToken }),
    ...(await total(scope, page, 'users u', conditions, filterValues)),
  };
}

/** How many rows there are, when the client asked. */
export async function total(
  scope: Scope,
  page: PageRequest<Key>,
  from: string,
  conditions: readonly string[],
  values: readonly unknown[],
): Promise<{ totalItemsCount?: number }> {
  if (!page.withTotal) return {};
  const [row] = await scope.db.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${from} WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return { totalItemsCount: row!.count };
}

/**
 * Lists the members of a group (operation listGroupsMembers) by last name, first name and id.
 * @throws PorticoError 403 without manageUsers, 404 for a group that is unknown or deleted
 */
export async function listGroupMembers(
  scope: Scope,
  groupId: number,
  input: ListGroupMembersRequest,
  photoUrl?: PhotoUrl,
): Promise<ListGroupMembersResponse> {
  mustManageUsers(scope.actor);
  const columns = nameColumns(false);
  const page = readPaging<Key>(scope, 'listGroupsMembers', input, [groupId]);
  const group = await readGroup(scope.db, groupId);
  if (!group || group.deleted) throw notFound();
  const parameters = new Parameters([scope.tenant.id, groupId]);
  const from = 'group_members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id';
  const conditions = ['m.tenant_id = $1', 'm.group_id = $2'];
  const filterValues = [...parameters.values];
  const after = page.after ? afterSql(columns, page.after, parameters) : [];
  const rows = await scope.db.query<UserViewRow>(
    `SELECT ${userViewColumns('u')}, ${keySelectSql(columns)} FROM ${from}
      WHERE ${[...conditions, ...after].join(' AND ')}
      ORDER BY ${orderSql(columns)} LIMIT ${parameters.add(page.size + 1)}`,
    parameters.values,
  );
  const shown = toPage(page, rows, (row) => keyOf(columns, row));
  return {
    items: shown.rows.map((row) => presentMember(row, photoUrl)),
    ...(shown.nextPageToken !== undefined && { nextPageToken: shown.nextPageToken }),
    ...(await total(scope, page, from, conditions, filterValues)),
  };
}

/** A user shown as a member of the group that was asked about. */
function presentMember(row: UserViewRow, photoUrl?: PhotoUrl): User {
  return { ...presentUser(row, { photoUrl }), checkGroupMemberResult: true };
}

/** All members of a group, in the order of {@link listGroupMembers}. */
export async function loadMembers(scope: Scope, groupId: number, photoUrl?: PhotoUrl): Promise<User[]> {
  const rows = await scope.db.query<UserViewRow>(
    `SELECT ${userViewColumns('u')} FROM group_members m JOIN users u ON u.tenant_id = m.tenant_id AND u.id = m.user_id
      WHERE m.tenant_id = $1 AND m.group_id = $2 ORDER BY ${orderSql(nameColumns(false))}`,
    [scope.tenant.id, groupId],
  );
  return rows.map((row) => presentMember(row, photoUrl));
}
