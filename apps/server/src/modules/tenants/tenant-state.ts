/** Disables, enables and renames tenants, and schedules their deletion, as the owner of the database. */

import { isUniqueViolation } from '@portico/platform/db/pg-errors';
import type pg from 'pg';
import { insertEntries } from '../../kernel/audit/index.ts';
import { ownerExecutor } from './owner-executor.ts';
import { TenantError } from './tenant-error.ts';

/** Author and time of a change of a tenant. */
interface TenantChange {
  /** Name of the operator, for the audit log. */
  readonly operator: string;
  readonly now: Date;
}

interface TenantRow {
  name: string;
  displayName: string;
  disabledAt: Date | null;
  deleteAfter: Date | null;
  hosts: string[];
}

/** Values of a tenant before and after a change, as the audit log records them. */
interface RecordedChange {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/**
 * Disables a tenant: no server answers its requests or does its background work; rows and files
 * stay. Running servers follow within two seconds.
 * @param client the owner's connection, outside a transaction
 */
export async function disableTenant(client: pg.ClientBase, tenantId: number, change: TenantChange): Promise<void> {
  await changeTenant(client, tenantId, change, async (row) => {
    if (row.disabledAt) throw new TenantError(`The tenant "${row.name}" is disabled already.`);
    await client.query('UPDATE tenants SET disabled_at = $2 WHERE id = $1', [tenantId, change.now]);
    return { before: { disabled: false }, after: { disabled: true } };
  });
}

/**
 * Enables a disabled tenant, and cancels its deletion.
 * @param client the owner's connection, outside a transaction
 * @throws TenantError for a tenant that is enabled or without a host, or whose deletion has begun
 */
export async function reenableTenant(client: pg.ClientBase, tenantId: number, change: TenantChange): Promise<void> {
  await changeTenant(client, tenantId, change, async (row) => {
    if (!row.disabledAt) throw new TenantError(`The tenant "${row.name}" is not disabled.`);
    if (row.hosts.length === 0)
      throw new TenantError(
        `The tenant has no host: add one with "portico admin tenant hosts ${row.name} --add HOST" first.`,
      );
    await client.query('UPDATE tenants SET disabled_at = NULL, delete_after = NULL WHERE id = $1', [tenantId]);
    return {
      before: { disabled: true, ...(row.deleteAfter && { deleteAfter: row.deleteAfter.toISOString() }) },
      after: { disabled: false, ...(row.deleteAfter && { deleteAfter: null }) },
    };
  });
}

/**
 * Changes the name by which operators name a tenant, or its display name.
 * @param client the owner's connection, outside a transaction
 * @throws TenantError for a name that is taken or malformed
 */
export async function renameTenant(
  client: pg.ClientBase,
  tenantId: number,
  names: { name?: string | undefined; displayName?: string | undefined },
  change: TenantChange,
): Promise<void> {
  const { name, displayName } = names;
  if (name !== undefined) checkTenantName(name);
  if (displayName !== undefined && !/^.{1,200}$/u.test(displayName))
    throw new TenantError('A display name has 1 to 200 characters.');
  await changeTenant(client, tenantId, change, async (row) => {
    const after = { name: name ?? row.name, displayName: displayName ?? row.displayName };
    try {
      await client.query('UPDATE tenants SET name = $2, display_name = $3 WHERE id = $1', [
        tenantId,
        after.name,
        after.displayName,
      ]);
    } catch (error) {
      if (isUniqueViolation(error)) throw new TenantError(`The tenant "${name}" already exists.`);
      throw error;
    }
    return { before: { name: row.name, displayName: row.displayName }, after };
  });
}

/**
 * Schedules the deletion of a tenant: disables it and removes its hosts, which other tenants may
 * use at once. Until the deletion begins, {@link reenableTenant} cancels it.
 * @param client the owner's connection, outside a transaction
 * @param deleteAfter when the service deletes it
 */
export async function scheduleDeletion(
  client: pg.ClientBase,
  tenantId: number,
  deleteAfter: Date,
  change: TenantChange,
): Promise<void> {
  await changeTenant(client, tenantId, change, async (row) => {
    await client.query('UPDATE tenants SET disabled_at = coalesce(disabled_at, $2), delete_after = $3 WHERE id = $1', [
      tenantId,
      change.now,
      deleteAfter,
    ]);
    await client.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [tenantId]);
    return {
      before: { disabled: row.disabledAt !== null, hosts: row.hosts },
      after: { disabled: true, hosts: [], deleteAfter: deleteAfter.toISOString() },
    };
  });
}

/**
 * Records that an operator exported a tenant.
 * @param client the owner's connection, outside a transaction
 */
export async function recordExport(client: pg.ClientBase, tenantId: number, operator: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    await insertEntries(ownerExecutor(client, tenantId), { origin: { operator } }, [
      { action: 'exported', object: 'tenant', objectId: tenantId },
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** @throws TenantError unless a tenant can have the name */
export function checkTenantName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return;
  throw new TenantError(`The tenant name "${name}" must be lower-case letters, digits and hyphens, at most 63.`);
}

/** Changes a tenant that is not being deleted, and records the change, in one transaction. */
async function changeTenant(
  client: pg.ClientBase,
  tenantId: number,
  { operator }: TenantChange,
  write: (row: TenantRow) => Promise<RecordedChange>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    await client.query('SELECT FROM tenants WHERE id = $1 FOR UPDATE', [tenantId]);
    const { rows } = await client.query<TenantRow & { deleting: boolean }>(
      `SELECT t.name, t.display_name AS "displayName", t.disabled_at AS "disabledAt", t.delete_after AS "deleteAfter",
              ARRAY(SELECT host FROM tenant_hosts h WHERE h.tenant_id = $1 ORDER BY is_primary DESC, host) AS hosts,
              EXISTS (SELECT FROM portico_deleted_tenants d WHERE d.tenant = $1) AS deleting
         FROM tenants t WHERE t.id = $1`,
      [tenantId],
    );
    const row = rows[0];
    if (!row) throw new TenantError('The tenant was deleted meanwhile.');
    if (row.deleting) throw new TenantError(`The deletion of the tenant "${row.name}" has begun.`);
    const { before, after } = await write(row);
    await insertEntries(ownerExecutor(client, tenantId), { origin: { operator } }, [
      { action: 'modified', object: 'tenant', objectId: tenantId, before, after },
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
