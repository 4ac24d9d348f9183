/** The registry's part of the import of a tenant: free names, the unfinished tenant, its end. */

import { isUniqueViolation } from '@portico/platform/db/pg-errors';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type pg from 'pg';
import { readHosts } from './host-names.ts';
import { TenantError } from './tenant-error.ts';
import { checkTenantName } from './tenant-state.ts';

/** Name and hosts of a tenant, the primary host first. */
interface TenantNames {
  readonly name: string;
  readonly hosts: readonly string[];
}

/**
 * Checks that name and hosts are free.
 * @param client the owner's connection
 * @returns them in the stored form
 * @throws TenantError when one is malformed or taken
 */
export async function findTaken(client: pg.ClientBase, names: TenantNames): Promise<TenantNames> {
  checkTenantName(names.name);
  const hosts = readHosts(names.hosts);
  const { rows } = await client.query<{ name: string; host: string | null }>(
    `SELECT t.name, h.host FROM tenants t LEFT JOIN tenant_hosts h ON h.tenant_id = t.id
      WHERE t.name = $1 OR h.host = ANY ($2::text[])`,
    [names.name, hosts],
  );
  if (rows.some(({ name }) => name === names.name))
    throw new TenantError(`The tenant "${names.name}" already exists: give another name with --name.`);
  const taken = rows.find(({ host }) => host !== null && hosts.includes(host));
  if (taken)
    throw new TenantError(
      `The host ${taken.host} belongs to the tenant "${taken.name}": give other hosts with --host.`,
    );
  return { name: names.name, hosts };
}

/**
 * Inserts an unfinished tenant. It keeps its id where no tenant here has or had it.
 * @param client the owner's connection, outside a transaction @param name until {@link finishImported}
 * @returns its id
 */
export async function insertImported(
  client: pg.ClientBase,
  tenant: { readonly id: number; readonly displayName: string; readonly createdAt: string },
  name: string,
): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO tenants (id, name, display_name, created_at, disabled_at, unfinished)
     SELECT CASE WHEN EXISTS (SELECT FROM tenants WHERE id = $1) OR EXISTS (SELECT FROM portico_deleted_tenants WHERE tenant = $1)
                 THEN nextval(pg_get_serial_sequence('tenants', 'id')) ELSE $1 END, $2, $3, $4, now(), true
     RETURNING id`,
    [tenant.id, name, tenant.displayName, tenant.createdAt],
  );
  return Number(rows[0]!.id);
}

/**
 * Gives an unfinished tenant its name and hosts, and enables it. @param client within a transaction
 * @throws TenantError when a name or host was taken meanwhile
 */
export async function finishImported(
  client: pg.ClientBase,
  tenantId: number,
  { name, hosts }: TenantNames,
): Promise<void> {
  try {
    for (const [index, host] of hosts.entries())
      await client.query('INSERT INTO tenant_hosts (host, tenant_id, is_primary) VALUES ($1, $2, $3)', [
        host,
        tenantId,
        index === 0,
      ]);
    // Without a host it waits for one, as a tenant does whose deletion was scheduled.
    await client.query(
      `UPDATE tenants SET name = $2, unfinished = false, disabled_at = CASE WHEN $3 THEN NULL ELSE disabled_at END WHERE id = $1`,
      [tenantId, name, hosts.length > 0],
    );
  } catch (error) {
    if (isUniqueViolation(error)) throw new TenantError('The name or a host of the tenant was taken meanwhile.');
    throw error;
  }
}

/**
 * Returns whether the tenant of an archive, or a copy of it, is in this installation. Ids are no
 * sign of that: installations give the same ids to different tenants.
 * @param createdAt ISO 8601, to the millisecond
 */
export async function isHere(client: pg.ClientBase, createdAt: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM tenants WHERE date_trunc('milliseconds', created_at) = $1::timestamptz AND NOT unfinished LIMIT 1`,
    [createdAt],
  );
  return rowCount === 1;
}

/** Switches off the mails of notifications of a tenant. @param db within a transaction @returns whether they were on */
export async function switchOffNotificationMails(
  db: Pick<TenantExecutor, 'tenantId' | 'execute'>,
  now: Date,
): Promise<boolean> {
  const changed = await db.execute(
    `UPDATE tenant_settings SET notification_mails = false, version = version + 1, modifier_id = NULL, modified_at = $2
      WHERE tenant_id = $1 AND notification_mails`,
    [db.tenantId, now],
  );
  return changed > 0;
}

/** Forgets that a tenant which was never finished is deleted. */
export async function forgetDeletion(client: pg.ClientBase, tenantId: number): Promise<void> {
  await client.query('DELETE FROM portico_deleted_tenants WHERE tenant = $1', [tenantId]);
}
