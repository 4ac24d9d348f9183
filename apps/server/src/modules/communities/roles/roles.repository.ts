/** SQL of the roles that tenants create. */

import { firstOwnRole, RoleId } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { STANDING_ROLES } from '../../../kernel/access/index.ts';
import { type FieldError, forbidden, notFound } from '../../../kernel/errors.ts';
import type { LastChange } from '../../../kernel/stale-token.ts';

export interface OwnRole {
  id: number;
  version: number;
  name: string;
  description: string | null;
  externalId: string | null;
  /** Permission bits of `kernel/access`. */
  permissions: number;
}

/** Returns all roles of the tenant, or the roles with these ids, by name. */
export function loadOwnRoles(db: TenantExecutor, ids?: readonly number[]): Promise<OwnRole[]> {
  return db.query<OwnRole>(
    `SELECT r.id, r.version, r.name, r.description, r.external_id AS "externalId", r.permissions FROM own_roles r
      WHERE r.tenant_id = $1 AND ($2::bigint[] IS NULL OR r.id = ANY ($2::bigint[])) ORDER BY r.name_key, r.id`,
    [db.tenantId, ids ?? null],
  );
}

/**
 * Roles that can be assigned in a community. Administrators of a workspace hold no role there by
 * that.
 */
const BUILT_IN: readonly number[] = [RoleId.MANAGER, RoleId.CONTRIBUTOR, RoleId.READER, RoleId.GUEST];

/**
 * Returns the built-in roles that are allowed, and the existing roles of the tenant among `ids`.
 * Locks the latter against deletion until the transaction ends.
 * @param builtIn the built-in roles that are allowed
 */
export async function lockedRoles(
  tx: TenantTx,
  ids: readonly number[],
  builtIn: readonly number[] = BUILT_IN,
): Promise<Set<number>> {
  const own = [...new Set(ids)].filter((id) => id >= firstOwnRole);
  const rows =
    own.length === 0
      ? []
      : await tx.query<{ id: number }>(
          'SELECT r.id FROM own_roles r WHERE r.tenant_id = $1 AND r.id = ANY ($2::bigint[]) ORDER BY r.id FOR SHARE',
          [tx.tenantId, own],
        );
  return new Set([...builtIn, ...rows.map(({ id }) => id)]);
}

/** Built-in roles that fields, transitions and screens can be open to. */
const OPEN_TO: readonly number[] = [RoleId.MANAGER, RoleId.CONTRIBUTOR, RoleId.READER];

/**
 * Returns the ids without a role that something can be open to. Locks the tenant's roles among
 * `ids` against deletion until the transaction ends.
 */
export async function unknownAudience(tx: TenantTx, ids: readonly number[]): Promise<Set<number>> {
  if (ids.every((id) => OPEN_TO.includes(id))) return new Set();
  const known = await lockedRoles(tx, ids, OPEN_TO);
  return new Set(ids.filter((id) => !known.has(id)));
}

/** Returns the error for the id of a role that does not exist. */
export function unknownRole(field: string): FieldError {
  return { field, code: 'UNKNOWN_REFERENCE', defaultMessage: 'There is no such role; listRoles names them.' };
}

/**
 * Locks the creation and edits of roles until the transaction ends: of two concurrent roles with
 * one name, the second is rejected.
 */
export async function lockRoles(tx: TenantTx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.roles.' || $1, 0))`, [tx.tenantId]);
}

/**
 * Returns and locks a role of the tenant with its last editor.
 * @throws PorticoError NOT_FOUND, FORBIDDEN for a built-in one
 */
export async function lockOwnRole(tx: TenantTx, id: number): Promise<LastChange> {
  const [row] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modifier_id AS "modifierId"
       FROM own_roles WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tx.tenantId, id],
  );
  if (!row && Object.values<number>(RoleId).includes(id))
    throw forbidden('Built-in roles are not changed or deleted; make a role of your own.');
  if (!row) throw notFound();
  return row;
}

/** Number of assignments of a role, and number of places of each kind. */
interface RoleUses {
  communities: number;
  workspaces: number;
  everywhere: number;
  /** Fields in use, transitions and screens of states that are open to it. */
  openTo: number;
}

export async function countUses(tx: TenantExecutor, id: number): Promise<RoleUses> {
  const [row] = await tx.query<RoleUses>(
    `SELECT (SELECT count(*) FROM community_roles r WHERE r.tenant_id = $1 AND r.role_id = $2) AS communities,
            (SELECT count(*) FROM workspace_members m WHERE m.tenant_id = $1 AND m.role_id = $2) AS workspaces,
            (SELECT count(*) FROM (${STANDING_ROLES}) s WHERE s.role_id = $2) AS everywhere,
            (SELECT count(*) FROM fields f WHERE f.tenant_id = $1 AND $2 = ANY (f.visible_roles) AND NOT f.deleted)
              + (SELECT count(*) FROM workflow_transitions t WHERE t.tenant_id = $1 AND $2 = ANY (t.roles) AND NOT t.deleted)
              + (SELECT count(*) FROM workflow_states s WHERE s.tenant_id = $1 AND $2 = ANY (s.edit_roles) AND NOT s.deleted) AS "openTo"`,
    [tx.tenantId, id],
  );
  return row!;
}
