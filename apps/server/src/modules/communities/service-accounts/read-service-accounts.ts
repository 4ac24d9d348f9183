/** Reads service accounts: the list, and the form of one account. */
import type {
  GetServiceAccountForEditResponse,
  ListServiceAccountsRequest,
  ListServiceAccountsResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { administrativeRights, Parameters, requireRight, rightColumns } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { AdministrativeRight, Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { activeKeySql, listServiceAccountKeys } from '../../people/index.ts';
import { readAccountRoles } from '../account-roles.ts';

const k = sqlColumns('service_account_keys', 'k');
const u = sqlColumns('users', 'u');

/** Service account that is not deleted. */
interface ServiceAccountRow {
  id: number;
  name: string;
  rights: AdministrativeRight[];
  blocked: boolean;
  version: number;
}

const RIGHTS = `array_remove(ARRAY[${administrativeRights.map((right) => `CASE WHEN u.${rightColumns[right]} THEN '${right}' END`).join(', ')}], NULL)`;
const COLUMNS = `u.id, u.last_name AS name, ${RIGHTS} AS rights, u.blocked, u.version`;

/** @throws PorticoError 404 (unknown, deleted, a person) */
export async function readServiceAccount(db: TenantExecutor, userId: number): Promise<ServiceAccountRow> {
  const [row] = await db.query<ServiceAccountRow>(
    `SELECT ${COLUMNS} FROM users u
      WHERE u.tenant_id = $1 AND ${u.id} = $2 AND ${u.service_account} AND ${u.deleted_at} IS NULL`,
    [db.tenantId, userId],
  );
  if (!row) throw notFound();
  return row;
}

/**
 * Lists the service accounts of the tenant by id (operation listServiceAccounts).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listServiceAccounts(
  scope: Scope,
  input: ListServiceAccountsRequest,
): Promise<ListServiceAccountsResponse> {
  requireRight(scope.actor, 'manageUsers');
  const page = readPaging<SortKey>(scope, 'listServiceAccounts', input, []);
  const { rows, ...paging } = await readPage<
    ServiceAccountRow & {
      role: number | null;
      keys: number;
      createdAt: number;
      lastAccessAt: number | null;
    }
  >(
    scope.db,
    page,
    {
      select: `${COLUMNS}, r.role_id AS role, u.created_at AS "createdAt", u.last_access_at AS "lastAccessAt",
            (SELECT count(*) FROM service_account_keys k
              WHERE k.tenant_id = $1 AND ${k.user_id} = u.id AND ${activeKeySql('k')}) AS keys`,
      from: 'users u LEFT JOIN standing_roles r ON r.tenant_id = u.tenant_id AND r.user_id = u.id',
      where: ['u.tenant_id = $1', 'u.service_account', 'u.deleted_at IS NULL'],
      order: [{ sql: 'u.id', desc: false, type: 'bigint' }],
    },
    new Parameters([scope.tenant.id]),
  );
  return {
    items: rows.map(({ id, name, rights, role, blocked, keys, createdAt, lastAccessAt }) => ({
      userId: id,
      name,
      adminCapabilities: rights,
      roleId: role ?? undefined,
      blocked,
      activeKeysCount: keys,
      creationTimestamp: createdAt,
      lastAccessTimestamp: lastAccessAt ?? undefined,
    })),
    ...paging,
  };
}

/**
 * Returns the form of a service account (operation getServiceAccountForEdit).
 * @throws PorticoError 403 without manageUsers, 404 (unknown, deleted, a person)
 */
export async function getServiceAccountForEdit(
  scope: Scope,
  userId: number,
): Promise<GetServiceAccountForEditResponse> {
  requireRight(scope.actor, 'manageUsers');
  const account = await readServiceAccount(scope.db, userId);
  const { role, communities } = await readAccountRoles(scope.db, userId);
  return {
    name: account.name,
    adminCapabilities: account.rights,
    roleId: role ?? undefined,
    communityRoles: communities.map((one) => ({ communityId: one.communityId, roleId: one.role })),
    keys: await listServiceAccountKeys(scope.db, userId),
    blocked: account.blocked,
    occToken: account.version,
  };
}
