/**
 * Names the rights, permissions, roles and members in the changes of audit entries, which record
 * them by id, column or bits.
 */
import { AdminCapability, type AuditRight, auditLimits, rolePermissions } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { permissionsIn, roleName } from '../../../kernel/access/index.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';
import { sqlColumns } from '../../columns.ts';

const g = sqlColumns('groups', 'g');
const o = sqlColumns('own_roles', 'o');
const u = sqlColumns('users', 'u');

/** Reads the rights of a recorded value; values of another form name none. */
type Reader = (value: unknown) => AuditRight[];

const objectOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const idOf = (value: unknown) => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** Fields of recorded rights: their columns in camel case. */
const RIGHT_FIELDS = {
  managesUsers: AdminCapability.MANAGE_USERS,
  managesWorkplace: AdminCapability.MANAGE_DIGITAL_WORKPLACE,
} as const;

const rights: Reader = (value) =>
  Object.entries(RIGHT_FIELDS).flatMap(([field, adminCapability]) =>
    objectOf(value)[field] === true ? [{ adminCapability }] : [],
  );

const permissions: Reader = (value) => permissionsIn(idOf(value) ?? 0).map((permission) => ({ permission }));

/** Reads a list whose elements are ids, or name ids. */
const listOf =
  (read: (element: unknown) => AuditRight): Reader =>
  (value) =>
    Array.isArray(value) ? value.slice(0, auditLimits.rights).map(read) : [];

function holderOf(principal: number | undefined): AuditRight {
  if (principal === undefined) return {};
  return principal < 0 ? { groupId: -principal } : { userId: principal };
}

const roles = listOf((element) => ({ roleId: idOf(element) }));
const members = listOf((element) => ({ userId: idOf(element) }));
const holders = listOf((element) => {
  const { principal, role } = objectOf(element);
  return { ...holderOf(idOf(principal)), roleId: idOf(role) };
});

/** Readers by kind of object and field. */
const READERS: Readonly<Record<string, Reader>> = {
  'user adminCapabilities': rights,
  'group adminCapabilities': rights,
  'user roleInAllCommunities': roles,
  'group roleInAllCommunities': roles,
  'group members': members,
  'community roles': holders,
  'workspace members': holders,
  'role permissions': permissions,
};

const builtInName = (roleId: number) => (roleId in rolePermissions ? roleName(roleId) : undefined);

/** Returns the rights that a recorded value names; undefined for fields that name none. */
export function rightsIn(object: string, field: string, value: unknown): AuditRight[] | undefined {
  return value === undefined ? undefined : READERS[`${object} ${field}`]?.(value);
}

/** Adds the names of roles and holders, by one statement. */
export async function nameRights(db: TenantExecutor, named: readonly AuditRight[]): Promise<void> {
  const ids = (key: 'userId' | 'groupId' | 'roleId') => [...new Set(named.flatMap((right) => right[key] ?? []))];
  const rows = await db.query<{ kind: string; id: number; name: string }>(
    `SELECT 'userId' AS kind, ${u.id}, ${fullNameSql('u')} AS name FROM users u
      WHERE u.tenant_id = $1 AND ${u.id} = ANY ($2::bigint[])
      UNION ALL SELECT 'groupId', ${g.id}, ${g.name} FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = ANY ($3::bigint[])
      UNION ALL SELECT 'roleId', ${o.id}, ${o.name} FROM own_roles o WHERE o.tenant_id = $1 AND ${o.id} = ANY ($4::bigint[])`,
    [db.tenantId, ids('userId'), ids('groupId'), ids('roleId')],
  );
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  for (const right of named) {
    const { userId, groupId, roleId } = right;
    const holder = userId === undefined ? names.get(`groupId ${groupId}`) : names.get(`userId ${userId}`);
    if (holder) right.holderName = holder;
    const role = roleId === undefined ? undefined : (names.get(`roleId ${roleId}`) ?? builtInName(roleId));
    if (role !== undefined) right.roleName = role;
  }
}
