/**
 * Host names of tenants. An operator changes them, as only the owner of the database writes the
 * registry.
 */

import { isUniqueViolation } from '@portico/platform/db/pg-errors';
import type pg from 'pg';
import { insertEntries } from '../../kernel/audit/index.ts';
import { readHosts } from './host-names.ts';
import { ownerExecutor } from './owner-executor.ts';
import { TenantError } from './tenant-error.ts';

/** Changes to the host names of a tenant; names as in its addresses. */
export interface HostChanges {
  add?: readonly string[];
  remove?: readonly string[];
  /**
   * A host name of the tenant after the change. Links, passkeys and identity providers lead there.
   */
  primary?: string;
}

/**
 * Changes the host names of a tenant; running servers use them within a second. When the primary
 * host is removed and no new one is named, the first of the others by name takes its place.
 * @param client the owner's connection, outside a transaction
 * @param operator the operator, for the audit log
 * @returns its host names, the primary one first
 * @throws TenantError for a name that is malformed, unknown or another tenant's, and for removing
 *   the last one; nothing is changed then
 */
export async function changeHosts(
  client: pg.ClientBase,
  tenantId: number,
  changes: HostChanges,
  operator: string,
): Promise<string[]> {
  const add = readHosts(changes.add ?? []);
  const remove = readHosts(changes.remove ?? []);
  const [primary] = readHosts(changes.primary === undefined ? [] : [changes.primary]);
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, true)`, [String(tenantId)]);
    await client.query('SELECT FROM tenants WHERE id = $1 FOR UPDATE', [tenantId]);
    const before = await hostsOf(client, tenantId);
    const unknown = remove.find((host) => !before.includes(host));
    if (unknown !== undefined) throw new TenantError(`The tenant has no host ${unknown}.`);
    const after = [...new Set([...before, ...add])].filter((host) => !remove.includes(host));
    if (after.length === 0) throw new TenantError('A tenant keeps one host at least: add another one first.');
    const first = primary ?? after.find((host) => host === before[0]) ?? after.toSorted()[0]!;
    if (!after.includes(first)) throw new TenantError(`The tenant has no host ${first}; add it as well.`);
    if (JSON.stringify(after) === JSON.stringify(before) && first === before[0]) {
      await client.query('ROLLBACK');
      return before;
    }
    await client.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [tenantId]);
    for (const host of after) await insertHost(client, tenantId, host, host === first);
    const now = await hostsOf(client, tenantId);
    await insertEntries(ownerExecutor(client, tenantId), { origin: { operator } }, [
      { action: 'modified', object: 'tenant', objectId: tenantId, before: { hosts: before }, after: { hosts: now } },
    ]);
    await client.query('COMMIT');
    return now;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function insertHost(client: pg.ClientBase, tenantId: number, host: string, primary: boolean): Promise<void> {
  try {
    await client.query('INSERT INTO tenant_hosts (host, tenant_id, is_primary) VALUES ($1, $2, $3)', [
      host,
      tenantId,
      primary,
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) throw new TenantError(`The host ${host} belongs to another tenant.`);
    throw error;
  }
}

async function hostsOf(client: pg.ClientBase, tenantId: number): Promise<string[]> {
  const { rows } = await client.query<{ host: string }>(
    'SELECT host FROM tenant_hosts WHERE tenant_id = $1 ORDER BY is_primary DESC, host',
    [tenantId],
  );
  return rows.map(({ host }) => host);
}
